// Redacts what a caller's SQL reads of the endpoint's entries where redaction is mandated. A projection between each
// read of an entry and its uses redacts every column with text, so that the caller's SQL can't compare or take apart
// the original. Columns that are not read cost nothing, because later passes prune them.
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/passes/redaction.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::rewrite {
namespace {

using PlanSet = absl::flat_hash_set<const Plan*>;

// Adds those plans below `plan` that give their columns on, as they are, to it.
void AddSources(const Plan& plan, PlanSet& sources) {
  switch (plan.kind) {
    case PlanKind::kFilter:
    case PlanKind::kJoin:
    case PlanKind::kUnnest:
    case PlanKind::kWindow:
    case PlanKind::kSort:
    case PlanKind::kLimit:
      return ForEachInput(plan, [&](const Plan& input) { AddSources(input, sources); });
    case PlanKind::kWith:
      return AddSources(*As<With>(plan).body, sources);
    case PlanKind::kCteScan:
      sources.insert(&plan);
      return;
    case PlanKind::kSingleRow:
    case PlanKind::kTableScan:
    case PlanKind::kProject:
    case PlanKind::kAggregate:
    case PlanKind::kSetOperation:
      return;
  }
}

// Returns the reads whose columns must keep their number and order, because they are those of a result, an entry, a set
// operation's input or a subquery.
PlanSet FindExact(const Plan& root) {
  PlanSet exact;
  AddSources(root, exact);
  VisitPlans(root, [&](const Plan& plan) {
    if (const auto* set = If<SetOperationPlan>(&plan)) {
      for (const PlanPtr& input : set->inputs) AddSources(*input, exact);
    }
    if (const With* with = If<With>(&plan)) {
      for (const WithEntry& entry : with->entries) AddSources(*entry.plan, exact);
    }
    VisitOwnScalars(plan, [&](const Scalar& scalar) {
      if (const auto* subquery = If<SubqueryScalar>(&scalar)) AddSources(*subquery->plan, exact);
    });
  });
  return exact;
}

// A projection over the scan which gives the scan's columns, redacted under the ids that they had.
PlanPtr Redacted(PlanPtr node, bool exact, const Scalar& kinds, QueryPlan& query) {
  auto project = std::make_unique<Project>(std::move(node));
  Plan& scan = *project->input;
  project->columns = scan.columns;
  for (PlanColumn& column : scan.columns) {
    if (!HoldsText(column.type)) continue;
    const PlanColumn redacted = column;
    column = query.NewColumn(column.name, column.type);
    project->computed.push_back({redacted, MakeRedacted(std::make_unique<ColumnRef>(column), kinds)});
    // Handed on, a record lets the passes read single fields of it, each of which is then redacted.
    if (!exact && HasFields(column.type)) project->columns.push_back(column);
  }
  return project;
}

}  // namespace

absl::Status RedactEntries(const PassContext& context, QueryPlan& query) {
  With* with = context.redaction == nullptr ? nullptr : If<With>(query.root.get());
  if (with == nullptr) return absl::OkStatus();
  absl::flat_hash_set<int> entries;
  for (const WithEntry& entry : with->entries) {
    if (entry.endpoint) entries.insert(entry.id);
  }
  const Constant kinds(Value::String(*context.redaction));
  const PlanSet exact = FindExact(*with->body);
  absl::Status status = RewritePlans(with->body, [&](PlanPtr& node) {
    const CteScan* scan = If<CteScan>(node.get());
    if (scan == nullptr || !entries.contains(scan->cte)) return absl::OkStatus();
    node = Redacted(std::move(node), exact.contains(scan), kinds, query);
    return absl::OkStatus();
  });
  RefreshColumns(*query.root);
  return status;
}

}  // namespace logquery::rewrite
