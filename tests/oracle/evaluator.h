// A straightforward evaluator of resolved plans: what a query means, without an engine.
//
//     absl::StatusOr<Rows> rows = Evaluate(plan, {{"oracle.logs", &logs}}, parameters);
//
// It evaluates every node on whole lists of rows by nested loops, and every subquery again for each row that it is
// correlated with. It has the functions and aggregates of the generated queries only (query_maker.h).
#ifndef LOGQUERY_TESTS_ORACLE_EVALUATOR_H_
#define LOGQUERY_TESTS_ORACLE_EVALUATOR_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "lib/rewrite/evaluate.h"
#include "lib/rewrite/plan.h"
#include "tests/oracle/values.h"

namespace logquery::oracle {

struct StoredTable {
  std::vector<std::string> columns;  // by their names in storage
  Rows rows;
};
using Tables = std::map<std::string, const StoredTable*>;

// Returns the rows of a plan as the resolver made it, before any pass. Unimplemented: it has something that the generated
// queries have not. OutOfRange: its evaluation raises an error.
absl::StatusOr<Rows> Evaluate(const rewrite::QueryPlan& plan, const Tables& tables,
                              const rewrite::ParameterValues& parameters);

}  // namespace logquery::oracle

#endif  // LOGQUERY_TESTS_ORACLE_EVALUATOR_H_
