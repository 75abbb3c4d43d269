// The newest rows of an answer, to be merged with rows that came since.
//
// Rows are merged as they are encoded: each row of a body depends on that row alone.
#ifndef LOGQUERY_LIB_ENDPOINT_KEPT_NEWEST_ROWS_H_
#define LOGQUERY_LIB_ENDPOINT_KEPT_NEWEST_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "logquery/row_encoder.h"

namespace logquery::endpoint {

// The values that order a row: the newest time first, then the least id.
struct RowKey {
  int64_t time = 0;
  std::string id;
  friend bool operator<(const RowKey& a, const RowKey& b) { return a.time != b.time ? a.time > b.time : a.id < b.id; }
};

// Returns whether the order of the rows is total: no two have the same key.
bool AreOrdered(const std::vector<RowKey>& keys);

// One body's rows.
struct EncodedRows {
  std::string_view opening;  // before the first row
  std::vector<std::string_view> rows;
  std::string_view separator;  // between rows
  std::string_view closing;
};

// Takes a body of this format apart, which the result borrows. nullopt: it does not have that many rows.
std::optional<EncodedRows> SplitRows(std::string_view body, RowFormat format, size_t rows);

struct NewestRows {
  std::string body;
  std::vector<RowKey> keys;
};

// The times of old rows that count: from the first on, and before the second.
struct OldTimes {
  int64_t from = 0;
  int64_t before = 0;
};

// Returns the newest `limit` rows of both, of which `old` are ordered; `added` have any order. nullopt: two rows have the
// same key, or a body can't be taken apart.
std::optional<NewestRows> MergeNewest(std::string_view old_body, const std::vector<RowKey>& old, OldTimes times,
                                      std::string_view new_body, const std::vector<RowKey>& added, RowFormat format,
                                      size_t limit);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_KEPT_NEWEST_ROWS_H_
