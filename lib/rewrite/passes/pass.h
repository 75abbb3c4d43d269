// Passes: what is done to a plan between resolving and emitting, each one plan → plan, all in one ordered list.
//
//     PassContext context{.values = &values, .max_rows = 1000};
//     absl::Status done = RunPasses(SharedPasses(), context, plan);
//
// A new pass is one file pair, one line in the list of passes.cc or of an engine, and its golden cases in tests/testdata/rewrite. Passes are
// stateless functions; each leaves a plan that means the same. In debug builds the plan is verified after each.
#ifndef LOGQUERY_LIB_REWRITE_PASSES_PASS_H_
#define LOGQUERY_LIB_REWRITE_PASSES_PASS_H_

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "lib/rewrite/evaluate.h"
#include "lib/rewrite/plan.h"

namespace logquery::rewrite {

struct PassContext {
  // Values of the parameters that steer; nullptr: nothing is folded.
  const ParameterValues* values = nullptr;
  int64_t max_rows = std::numeric_limits<int64_t>::max();
  std::vector<std::string> without;  // names of passes to leave out
  // Only rows of this project are read from tables that say whose their rows are; nullptr: all.
  const std::string* project_scope_parameter = nullptr;
  // Only rows after the one that kCursorTimeParameter and kCursorIdParameter say.
  bool after_cursor = false;
  // What a caller's SQL reads of the endpoint's entries is redacted by these kinds (lib/base/redaction_kinds.h); nullptr: it
  // is not.
  const std::string* redaction = nullptr;
  // Called after resolving and after each pass that ran.
  std::function<void(std::string_view pass, const QueryPlan& plan)> observe;
};

struct Pass {
  const char* name;
  absl::Status (*run)(const PassContext& context, QueryPlan& query);
  bool always = false;  // it is never left out: who may see what, a budget
};

// Those of every engine, in the order in which they run. An engine's own come after them (lib/emit/passes.h).
const std::vector<Pass>& SharedPasses();

// InvalidArgument: context.without names none of the passes; or what a pass found.
absl::Status RunPasses(const std::vector<Pass>& passes, const PassContext& context, QueryPlan& query);

// Every column that is referred to is there, types agree, arities match. Internal, with what is wrong.
absl::Status VerifyPlan(const QueryPlan& query);

// The predicates that steer a query: conditions on nothing but parameters. Their outcomes under given values decide which
// variant of a plan serves a call. In a fixed order; borrowed from the plan.
std::vector<const Scalar*> SteeringPredicates(const QueryPlan& query);

// ---- the passes

// Calls of generate_timestamp_trunc_array and other expressions of parameters alone become derived parameters.
absl::Status BindComputed(const PassContext& context, QueryPlan& query);
// Steering predicates become TRUE, FALSE or NULL, and what follows from that; one-row CTEs of constants are put in place.
absl::Status FoldParameters(const PassContext& context, QueryPlan& query);
// Rows of other projects than the principal's are filtered out at every log scan.
absl::Status ScopeProject(const PassContext& context, QueryPlan& query);
// What a caller's SQL reads of the endpoint's entries is redacted before anything else is done with it.
absl::Status RedactEntries(const PassContext& context, QueryPlan& query);
// WITH entries that nothing reads are gone; those read once are put in their place; order that nobody sees is dropped.
absl::Status PruneCtes(const PassContext& context, QueryPlan& query);
// Columns that nothing reads are gone.
absl::Status PruneColumns(const PassContext& context, QueryPlan& query);
// UNNEST of a record becomes access by path.
absl::Status RemoveUnnest(const PassContext& context, QueryPlan& query);
// Paths that are stored as columns of their own are read from those.
absl::Status ReadHotColumns(const PassContext& context, QueryPlan& query);
// Of APPROX_QUANTILES only those elements are reckoned that are read.
absl::Status NarrowQuantiles(const PassContext& context, QueryPlan& query);
// Conditions move to the scans that they are about.
absl::Status PushFilters(const PassContext& context, QueryPlan& query);
// Never more than max_rows + 1 rows: the one more tells that there were more.
absl::Status CapRows(const PassContext& context, QueryPlan& query);
// A query for the newest rows of one log gets a floor under their time, which a backend may raise. InvalidArgument: it is to
// go on after a cursor, and its result has no order in which it could.
absl::Status NewestFirst(const PassContext& context, QueryPlan& query);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_PASSES_PASS_H_
