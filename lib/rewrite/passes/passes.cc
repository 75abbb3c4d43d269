// The ordered list of passes, and the function that runs it.
#include <algorithm>

#include "lib/base/readable_text.h"
#include "lib/base/status_macros.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/passes/redaction.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/sql/text_error.h"

namespace logquery::rewrite {

// The resolver (resolver.h) has already resolved names and applied the sandbox's rules. Folding comes before binding,
// so that branches that are not taken bind nothing. Columns are pruned again at the end, when paths have become
// columns. Scopes come after the redaction of logs, so that they read the stored project.
// Texts are finished before the newest rows are looked for, whose times must be columns of the result.
const std::vector<Pass>& SharedPasses() {
  static const auto* passes = new std::vector<Pass>{
      {"redact_logs", RedactLogs, /*always=*/true},
      {"scope_project", ScopeProject, /*always=*/true},
      {"redact_entries", RedactEntries, /*always=*/true},
      {"fold_parameters", FoldParameters},
      {"bind_computed", BindComputed},
      {"prune_ctes", PruneCtes},
      {"hand_on_stored", HandOnStored},
      {"remove_unnest", RemoveUnnest},
      {"compare_stored", CompareStored},
      {"compare_without_default", CompareWithoutDefault},
      {"read_hot_columns", ReadHotColumns},
      {"narrow_quantiles", NarrowQuantiles},
      {"push_filters", PushFilters},
      {"prune_columns", PruneColumns},
      {"cap_rows", CapRows},
      {"finish_rows", FinishRows},
      {"newest_first", NewestFirst},
  };
  return *passes;
}

absl::Status RunPasses(const std::vector<Pass>& passes, const PassContext& context, QueryPlan& query) {
  for (const std::string& name : context.without) {
    if (std::any_of(passes.begin(), passes.end(), [&](const Pass& pass) { return pass.name == name; })) continue;
    std::vector<std::string> names;
    for (const Pass& pass : passes) names.emplace_back(pass.name);
    return absl::InvalidArgumentError(base::StrCat("there is no pass ", name,
                                                   sql::DidYouMean(sql::NearestNames(name, names)), "; there are ",
                                                   base::Join(names, ", ")));
  }
  LOGQUERY_RETURN_IF_ERROR(CheckDepth(*query.root));
  if (context.observe) context.observe("resolve", query);
  for (const Pass& pass : passes) {
    const bool left_out = std::find(context.without.begin(), context.without.end(), pass.name) != context.without.end();
    if (left_out && !pass.always) continue;
    LOGQUERY_RETURN_IF_ERROR(pass.run(context, query));
#ifndef NDEBUG
    absl::Status verified = VerifyPlan(query);
    if (!verified.ok()) return absl::InternalError(base::StrCat("after ", pass.name, ": ", base::Message(verified)));
#endif
    if (context.observe) context.observe(pass.name, query);
  }
  return absl::OkStatus();
}

namespace {

absl::Status VerifyNode(const Plan& plan, ColumnSet visible);

// Checks that every reference of the node's own scalars is to a column of its inputs, or of an enclosing query.
absl::Status VerifyScalar(const Scalar& scalar, const ColumnSet& visible) {
  if (const ColumnRef* column = If<ColumnRef>(&scalar)) {
    if (visible.contains(column->id)) return absl::OkStatus();
    return absl::InternalError(base::StrCat("the column ", column->name, " (", column->id, ") is not there"));
  }
  ColumnSet inner = visible;
  if (const LambdaScalar* lambda = If<LambdaScalar>(&scalar)) {
    for (const PlanColumn& parameter : lambda->parameters) inner.insert(parameter.id);
  }
  for (ChildSlot child : Children(const_cast<Scalar&>(scalar))) {
    LOGQUERY_RETURN_IF_ERROR(child.scalar != nullptr ? VerifyScalar(**child.scalar, inner)
                                                     : VerifyNode(**child.plan, inner));
  }
  return absl::OkStatus();
}

absl::Status VerifyNode(const Plan& plan, ColumnSet visible) {
  absl::Status status;
  ForEachInput(plan, [&](const Plan& input) { status.Update(VerifyNode(input, visible)); });
  LOGQUERY_RETURN_IF_ERROR(status);
  ColumnSet given = visible;
  ForEachInput(plan, [&](const Plan& input) {
    for (const PlanColumn& column : input.columns) given.insert(column.id);
  });
  if (const Unnest* unnest = If<Unnest>(&plan)) {
    for (const PlanColumn& element : unnest->elements) given.insert(element.id);
    if (unnest->offset) given.insert(unnest->offset->id);
  }
  ForEachOwnScalar(const_cast<Plan&>(plan), [&](ScalarPtr& scalar) {
    if (scalar != nullptr) status.Update(VerifyScalar(*scalar, given));
  });
  VisitOwnScalars(plan, [&](const Scalar& scalar) {
    if (scalar.kind != ScalarKind::kSubquery || plan.may_hold_subqueries) return;
    status.Update(absl::InternalError("a subquery in a query that is said to have none"));
  });
  LOGQUERY_RETURN_IF_ERROR(status);
  if (const Project* project = If<Project>(&plan)) {
    for (const Computed& computed : project->computed) given.insert(computed.column.id);
    for (const PlanColumn& column : project->columns) {
      if (!given.contains(column.id)) {
        return absl::InternalError(
            base::StrCat("a projection shows the column ", column.name, " (", column.id, "), which is not there"));
      }
    }
  }
  if (const SetOperationPlan* set = If<SetOperationPlan>(&plan)) {
    for (const PlanPtr& input : set->inputs) {
      if (input->columns.size() != set->columns.size())
        return absl::InternalError("a set operation's inputs differ in columns");
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status VerifyPlan(const QueryPlan& query) {
  if (query.root->columns.size() != query.schema.size()) {
    return absl::InternalError(base::StrCat("the plan gives ", base::Counted(query.root->columns.size(), "column"),
                                            ", the result has ", query.schema.size()));
  }
  return VerifyNode(*query.root, {});
}

}  // namespace logquery::rewrite
