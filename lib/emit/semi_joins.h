// Finds conditions that a dialect with SEMI JOIN and ANTI JOIN can write as joins.
#ifndef LOGQUERY_LIB_EMIT_SEMI_JOINS_H_
#define LOGQUERY_LIB_EMIT_SEMI_JOINS_H_

#include <optional>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "lib/rewrite/plan.h"

namespace logquery::emit {

// [NOT] EXISTS (SELECT … FROM rows WHERE own AND on)
struct SemiJoin {
  const rewrite::SubqueryScalar* exists = nullptr;
  bool anti = false;                        // NOT EXISTS
  const rewrite::Plan* rows = nullptr;      // reads no column of the enclosing query
  std::vector<const rewrite::Scalar*> own;  // conditions on the rows alone
  std::vector<const rewrite::Scalar*> on;   // conditions that read columns of the enclosing query, too
};

// Returns the join for a conjunct of a filter that is in no subquery itself; nullopt: it is none. Each of the conditions in
// `on` is a comparison of a value of the rows with one of the enclosing query, and raises no error; one is an equality, so that
// an engine can hash.
std::optional<SemiJoin> AsSemiJoin(const rewrite::Scalar& conjunct);

using Subqueries = absl::flat_hash_set<const rewrite::SubqueryScalar*>;

// Returns the EXISTS of the plan that become semi joins: conjuncts of filters outside of other subqueries.
Subqueries SemiJoinsIn(const rewrite::Plan& root);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_SEMI_JOINS_H_
