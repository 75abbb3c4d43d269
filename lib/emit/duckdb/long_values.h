// Which values of a query may be longer than what a log's row holds: those that functions grow, that aggregates gather, that
// parameters and literals bring along, and what is made of them.
//
// Such a value is made once, and then a join, a window or a constant shows it to many rows. What a function makes of it, it
// makes for each of them: 2,048 rows of a text of 1 MB are 2 GB in one step, which no limit of the engine's stops.
#ifndef LOGQUERY_LIB_EMIT_DUCKDB_LONG_VALUES_H_
#define LOGQUERY_LIB_EMIT_DUCKDB_LONG_VALUES_H_

#include "lib/rewrite/plan.h"
#include "lib/rewrite/plan_walk.h"

namespace logquery::emit {

// Whether values of the type have no bound: texts, arrays, and what holds them.
bool HasVariableSize(const Type& type);

// Whether the aggregate or window function puts values of many rows into one.
bool Gathers(const rewrite::AggregateCall& call);

class LongValues {
 public:
  // Looks at the whole query; nothing of it is kept.
  explicit LongValues(const rewrite::Plan& root);

  // No value is long: there is nothing to be careful about.
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

#endif  // LOGQUERY_LIB_EMIT_DUCKDB_LONG_VALUES_H_
