// Determines which values of a query may be longer than those in a log's row: results of functions that grow values, of
// aggregates that collect them, parameters and literals, and everything derived from these.
//
// Such a value exists once, and a join, a window or a constant then shows it to many rows. A function's results exist
// once per row: for 2,048 rows, results of 1 MB each need 2 GB in one step, which none of the engine's limits prevents.
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_LONG_VALUES_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_LONG_VALUES_H_

#include "lib/rewrite/plan.h"
#include "lib/rewrite/plan_walk.h"

namespace logquery::emit {

// Returns whether values of the type have no size limit: texts, arrays, and types that contain them.
bool HasVariableSize(const Type& type);

// Returns whether the aggregate or window function combines values of many rows into one.
bool Gathers(const rewrite::AggregateCall& call);

class LongValues {
 public:
  // Analyzes the whole query; keeps no reference to it.
  explicit LongValues(const rewrite::Plan& root);

  // True if no value is long, so that no bounds are needed.
  bool none() const { return !any_; }
  bool MayBeLong(const rewrite::Scalar& scalar) const;
  bool MayBeLong(const rewrite::AggregateCall& call) const;

 private:
  void Add(const rewrite::PlanColumn& column, bool may_be_long);
  void Look(const rewrite::Plan& plan);

  absl::flat_hash_map<int, const rewrite::Plan*> entries_;
  rewrite::ColumnSet long_;
  bool any_ = false;
};

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_LONG_VALUES_H_
