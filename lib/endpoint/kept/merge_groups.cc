// Merges column by column.
#include "lib/endpoint/kept/merge_groups.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace logquery::endpoint {
namespace {

// False: the sum has no INT64.
bool MergeValue(rewrite::Merging merging, const Value& added, Value& value) {
  if (merging == rewrite::Merging::kEqual || added.is_null()) return true;
  if (value.is_null()) {
    value = added;
    return true;
  }
  int64_t sum = 0;
  switch (merging) {
    case rewrite::Merging::kEqual:
      return true;
    case rewrite::Merging::kCount:
    case rewrite::Merging::kSum:
      if (__builtin_add_overflow(value.int64_value(), added.int64_value(), &sum)) return false;
      value = Value::Int64(sum);
      return true;
    case rewrite::Merging::kLeast:
      if (added.int64_value() < value.int64_value()) value = added;
      return true;
    case rewrite::Merging::kGreatest:
      if (added.int64_value() > value.int64_value()) value = added;
      return true;
    case rewrite::Merging::kAnd:
      value = Value::Bool(value.bool_value() && added.bool_value());
      return true;
    case rewrite::Merging::kOr:
      value = Value::Bool(value.bool_value() || added.bool_value());
      return true;
  }
  return false;
}

}  // namespace

bool HaveSameKeys(const std::vector<rewrite::Merging>& merging, const std::vector<Value>& a,
                  const std::vector<Value>& b) {
  for (size_t i = 0; i < merging.size(); ++i) {
    if (merging[i] == rewrite::Merging::kEqual && !(a[i] == b[i])) return false;
  }
  return true;
}

bool MergeRow(const std::vector<rewrite::Merging>& merging, const std::vector<Value>& added, std::vector<Value>& row) {
  for (size_t i = 0; i < merging.size(); ++i) {
    if (!MergeValue(merging[i], added[i], row[i])) return false;
  }
  return true;
}

bool SubtractRow(const std::vector<rewrite::Merging>& merging, const std::vector<Value>& left,
                 std::vector<Value>& row) {
  bool counts_some = false;
  for (size_t i = 0; i < merging.size(); ++i) {
    if (merging[i] != rewrite::Merging::kCount) continue;
    const int64_t rest = row[i].int64_value() - left[i].int64_value();
    if (rest < 0) return false;
    counts_some = counts_some || rest > 0;
    row[i] = Value::Int64(rest);
  }
  return counts_some;
}

bool MayLoseRows(const std::vector<rewrite::Merging>& merging) {
  return !merging.empty() && std::all_of(merging.begin(), merging.end(), [](rewrite::Merging column) {
    return column == rewrite::Merging::kEqual || column == rewrite::Merging::kCount;
  });
}

}  // namespace logquery::endpoint
