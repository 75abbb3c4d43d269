// Parses timestamps, dates and times in the forms that logs use.
#ifndef LOGQUERY_LIB_STORE_ROWS_TIMESTAMP_TEXT_H_
#define LOGQUERY_LIB_STORE_ROWS_TIMESTAMP_TEXT_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace logquery::store {

// Returns microseconds since 1970 for ISO 8601 / RFC 3339 text: "2026-01-31", "2026-01-31T08:00", "2026-01-31
// 08:00:00.25", with `Z`, an offset ("+02:00", "-0530", "+02"), "UTC", as BigQuery and Go write it, or none of these
// (UTC); up to 9 fractional digits, truncated to 6. A leap second (":60") is the first second of the next minute. Years
// 0001 to 9999. nullopt: anything else.
std::optional<int64_t> ParseTimestamp(std::string_view text);

// The same without an offset: microseconds in civil time.
std::optional<int64_t> ParseDatetime(std::string_view text);

// Returns days since 1970-01-01 for "2026-01-31".
std::optional<int64_t> ParseDate(std::string_view text);

// Returns microseconds since midnight for "08:00", "08:00:00" or "08:00:00.25".
std::optional<int64_t> ParseTime(std::string_view text);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_ROWS_TIMESTAMP_TEXT_H_
