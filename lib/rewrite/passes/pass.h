// Passes transform a plan between resolving and emitting. Each maps a plan to a plan; all are in one ordered list.
//
//     PassContext context{.values = &values, .max_rows = 1000};
//     absl::Status done = RunPasses(SharedPasses(), context, plan);
//
// A new pass is one file, one line in the list of passes.cc or of an engine, and its golden cases in
// tests/testdata/rewrite. Passes are stateless functions that do not change a plan's meaning. Debug builds verify the
// plan after each pass.
#ifndef LOGQUERY_LIB_REWRITE_PASSES_PASS_H_
#define LOGQUERY_LIB_REWRITE_PASSES_PASS_H_

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "lib/rewrite/evaluate.h"
#include "lib/rewrite/plan.h"

namespace logquery::rewrite {

struct PassContext {
  // Values of the parameters; nullptr: predicates on parameters are not folded.
  const ParameterValues* values = nullptr;
  int64_t max_rows = std::numeric_limits<int64_t>::max();
  std::vector<std::string> without;  // names of passes to leave out
  // Tables with a project path are restricted to rows of this project; nullptr: all rows.
  const std::string* project_scope_parameter = nullptr;
  // Restricts the result to rows after the one in kCursorTimeParameter and kCursorIdParameter.
  bool after_cursor = false;
  // Redacts what the query reads of logs, and what a caller's SQL reads of the endpoint's entries, by these kinds
  // (lib/base/redaction_kinds.h); nullptr: no redaction.
  const std::string* redaction = nullptr;
  // No value of a declared parameter can be the result of redacting another text (IsUnredacted).
  bool plain_parameters = false;
  // The code that receives the rows computes QueryPlan::finished.
  bool finishes_rows = false;
  // Called after resolving and after each pass that has run.
  std::function<void(std::string_view pass, const QueryPlan& plan)> observe;
};

struct Pass {
  const char* name;
  absl::Status (*run)(const PassContext& context, QueryPlan& query);
  bool always = false;  // can't be left out, because it enforces access or a limit
};

// The passes of every engine, in their order. An engine's own passes follow them (SqlDialect::Passes).
const std::vector<Pass>& SharedPasses();

// InvalidArgument: context.without has an unknown name. Errors of passes are returned too.
absl::Status RunPasses(const std::vector<Pass>& passes, const PassContext& context, QueryPlan& query);

// Checks that every referenced column exists, that types agree and that arities match. Internal, with the defect.
absl::Status VerifyPlan(const QueryPlan& query);

// Returns the predicates that steer a query: conditions on parameters only. Their results for given values decide which
// variant of a plan serves a call. The order is fixed; the pointers borrow from the plan. nullopt: finding them takes more than an
// EvaluationBudget, and the query must be planned without values.
std::optional<std::vector<const Scalar*>> SteeringPredicates(const QueryPlan& query);

// ---- the passes

// Turns calls of generate_timestamp_trunc_array and other expressions on parameters only into derived parameters.
absl::Status BindComputed(const PassContext& context, QueryPlan& query);
// Replaces steering predicates by TRUE, FALSE or NULL and simplifies the plan; inlines one-row CTEs of constants.
absl::Status FoldParameters(const PassContext& context, QueryPlan& query);
// Redacts what the query reads of logs before any part of the query can use it.
absl::Status RedactLogs(const PassContext& context, QueryPlan& query);
// Filters every log scan to rows of the principal's project.
absl::Status ScopeProject(const PassContext& context, QueryPlan& query);
// Redacts what a caller's SQL reads of the endpoint's entries before the SQL can use it.
absl::Status RedactEntries(const PassContext& context, QueryPlan& query);
// Removes WITH entries that nothing reads, inlines entries that are read once, and drops sorts without effect.
absl::Status PruneCtes(const PassContext& context, QueryPlan& query);
// Removes columns that nothing reads.
absl::Status PruneColumns(const PassContext& context, QueryPlan& query);
// Replaces UNNEST of a record by access by path.
absl::Status RemoveUnnest(const PassContext& context, QueryPlan& query);
// Compares stored values in place of redacted ones where the result is the same.
absl::Status CompareStored(const PassContext& context, QueryPlan& query);
// Compares a value itself in place of one with a default, where the comparison is not TRUE for the default.
absl::Status CompareWithoutDefault(const PassContext& context, QueryPlan& query);
// Reads paths from stored columns where there are such.
absl::Status ReadHotColumns(const PassContext& context, QueryPlan& query);
// Computes only those elements of APPROX_QUANTILES that are read.
absl::Status NarrowQuantiles(const PassContext& context, QueryPlan& query);
// Moves conditions to the scans whose columns they use.
absl::Status PushFilters(const PassContext& context, QueryPlan& query);
// Limits the result to max_rows + 1 rows; the extra row shows that there were more.
absl::Status CapRows(const PassContext& context, QueryPlan& query);
// Adds a lower bound on time, which a backend may raise, to a query for the newest rows of one log. InvalidArgument:
// the query must continue after a cursor, but its result has no suitable order.
absl::Status NewestFirst(const PassContext& context, QueryPlan& query);
// Takes texts of result columns out of the query, for the code that receives its rows (PassContext::finishes_rows).
absl::Status FinishRows(const PassContext& context, QueryPlan& query);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_PASSES_PASS_H_
