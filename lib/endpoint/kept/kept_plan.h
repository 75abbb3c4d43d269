// The parts of a planned query that decide whether a kept answer is still its answer, in terms of the query's slots.
#ifndef LOGQUERY_LIB_ENDPOINT_KEPT_KEPT_PLAN_H_
#define LOGQUERY_LIB_ENDPOINT_KEPT_KEPT_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "lib/rewrite/passes/kept_shape.h"
#include "logquery/prepared_query.h"
#include "logquery/value.h"

namespace logquery::endpoint {

// A slot that bounds the time of rows, and is used for nothing else.
struct KeptBound {
  size_t slot = 0;
  size_t rows = 0;  // index in PreparedQuery::rows_read
  bool is_lower = false;
  bool is_inclusive = false;

  // Returns the first microsecond that a lower bound admits, or that an upper bound does not. If a bound moves from one
  // such place to a later one, it moves over the rows at the places in between, without the later one itself.
  int64_t PlaceOf(const Value& value) const {
    const int64_t time = value.int64_value();
    if (is_lower == is_inclusive || time == std::numeric_limits<int64_t>::max()) return time;
    return time + 1;
  }
  // Returns a value with this place, for a lower bound.
  Value ValueAt(int64_t place) const {
    return Value::Timestamp(absl::FromUnixMicros(is_inclusive ? place : place - 1));
  }
};

struct KeptPlan {
  std::string text;    // what is kept, or why nothing is, for people
  bool keeps = false;  // otherwise the rest is empty
  std::vector<RowsRead> rows;
  std::vector<KeptBound> bounds;
  std::vector<bool> is_bound;  // for each slot
  bool one_scan = false;       // the plan scans one table once
  // If the result is the newest rows for which some comparisons hold: the stored columns that its columns are. Empty: some
  // are computed, or there are other conditions.
  std::vector<std::string> plain_columns;
  bool merges = false;  // rewrite::MayMergeNewRows, in an engine that has places of rows
};

// Returns the place of the bound with these bindings; nullopt: it is NULL, and no row passes.
std::optional<int64_t> PlaceOf(const KeptBound& bound, const Bindings& bindings);

KeptPlan MakeKeptPlan(const rewrite::KeptShape& shape, const std::vector<Slot>& slots);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_KEPT_KEPT_PLAN_H_
