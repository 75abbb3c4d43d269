// Reads JSON that other programs wrote, such as the answers of a server. Files and requests are read by lib/base/json.h, which is
// stricter and explains its errors.
//
//     const Json answer = TryReadJson(body).value_or(nullptr);
//     if (!answer.is_object()) return Wrong("is no JSON object");
#ifndef LOGQUERY_LIB_BASE_JSON_READ_H_
#define LOGQUERY_LIB_BASE_JSON_READ_H_

#include <optional>
#include <string_view>

#include "lib/base/json/value.h"

namespace logquery::base {

// Returns nothing for text that is not JSON, that has a number which no double can hold, or that is nested deeper than 1,000
// levels. The last value of a duplicate key counts.
std::optional<Json> TryReadJson(std::string_view text);
std::optional<SortedJson> TryReadSortedJson(std::string_view text);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_JSON_READ_H_
