// EDIT_DISTANCE: the Levenshtein distance, by characters or bytes.
#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/functions/characters.h"
#include "lib/functions/function.h"
#include "lib/functions/function_lists.h"

namespace logquery::functions {
namespace {

// The limit for one row.
constexpr size_t kMaxCells = 1 << 20;

// Returns the distance, or `limit` if it is larger. Only cells that near the diagonal are computed.
template <typename Equal>
absl::StatusOr<int64_t> Distance(const Row& in, size_t rows, size_t columns, Equal equal) {
  const int64_t limit = in.Int(2);
  if (limit < 0) return absl::InvalidArgumentError("EDIT_DISTANCE: max_distance is negative");
  const size_t longest = std::max(rows, columns);
  const size_t band = std::min<uint64_t>(static_cast<uint64_t>(limit), longest);
  if (longest - std::min(rows, columns) > band) return limit;
  if (rows * std::min(columns, 2 * band + 1) > kMaxCells) {
    return absl::InvalidArgumentError(
        base::StrCat("EDIT_DISTANCE: the texts are too long (", rows, " and ", columns, "); give a max_distance"));
  }
  const size_t far = longest + 1;
  std::vector<size_t> above(columns + 1);
  std::iota(above.begin(), above.end(), size_t{0});
  std::vector<size_t> row(columns + 1, far);
  for (size_t i = 1; i <= rows; ++i) {
    const size_t begin = i > band ? i - band : 1;
    const size_t end = std::min(columns, i + band);
    LOGQUERY_RETURN_IF_ERROR(in.Spend(end + 1 - std::min(begin, end)));
    row[begin - 1] = begin == 1 ? i : far;
    for (size_t j = begin; j <= end; ++j) {
      const size_t beside = std::min(above[j], row[j - 1]) + 1;
      row[j] = std::min(beside, above[j - 1] + (equal(i - 1, j - 1) ? 0 : 1));
    }
    if (end < columns) row[end + 1] = far;
    std::swap(above, row);
  }
  return static_cast<int64_t>(std::min<uint64_t>(above[columns], static_cast<uint64_t>(limit)));
}

absl::Status OfText(const Row& in, Output& out) {
  const Characters a(in.Text(0));
  const Characters b(in.Text(1));
  LOGQUERY_ASSIGN_OR_RETURN(const int64_t distance,
                            Distance(in, a.size(), b.size(), [&](size_t i, size_t j) { return a[i] == b[j]; }));
  return out.Int(distance);
}

absl::Status OfBytes(const Row& in, Output& out) {
  const std::string_view a = in.Text(0);
  const std::string_view b = in.Text(1);
  LOGQUERY_ASSIGN_OR_RETURN(const int64_t distance,
                            Distance(in, a.size(), b.size(), [&](size_t i, size_t j) { return a[i] == b[j]; }));
  return out.Int(distance);
}

constexpr FunctionEntry kEntries[] = {
    {"lq_edit_distance", "(STRING, STRING, INT64) -> INT64", OfText},
    {"lq_bytes_edit_distance", "(BYTES, BYTES, INT64) -> INT64", OfBytes},
};

}  // namespace

FunctionEntries EditDistanceFunctions() { return kEntries; }

}  // namespace logquery::functions
