// Wraps values with text in `$redact`, and moves field accesses inside it. A redacted column also hands its stored
// column on where it can, so that passes can write `$redact(column)` or `$redact(record.field)` where it is used.
#include "lib/rewrite/passes/redaction.h"

#include <algorithm>

#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::rewrite {
namespace {

ScalarPtr* ReadFrom(Scalar& scalar) {
  if (FieldRef* field = If<FieldRef>(&scalar)) return &field->base;
  if (IsCallOf(scalar, "$element") || IsCallOf(scalar, "$present")) return &As<FunctionCall>(scalar).arguments[0];
  return nullptr;
}

// Adds the scans and projections below `plan` whose columns it gives on as they are.
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
    case PlanKind::kTableScan:
    case PlanKind::kCteScan:
    case PlanKind::kProject:
      sources.insert(&plan);
      return;
    case PlanKind::kSingleRow:
    case PlanKind::kAggregate:
    case PlanKind::kSetOperation:
      return;
  }
}

PlanPtr RedactedScan(PlanPtr node, bool exact, const Scalar& kinds, IsRead is_read, QueryPlan& query) {
  auto project = std::make_unique<Project>(std::move(node));
  Plan& scan = *project->input;
  project->columns = scan.columns;
  for (size_t i = 0; i < scan.columns.size(); ++i) {
    PlanColumn& column = scan.columns[i];
    if (!HoldsText(column.type) || !is_read(scan, i)) continue;
    const PlanColumn redacted = column;
    column = query.NewColumn(column.name, column.type);
    project->computed.push_back({redacted, MakeRedacted(std::make_unique<ColumnRef>(column), kinds)});
    if (!exact) project->columns.push_back(column);
  }
  return project;
}

}  // namespace

bool HoldsText(const Type& type) {
  if (type.is_array()) return HoldsText(type.element());
  if (!type.is_struct()) return type.is(TypeKind::kString) || type.is(TypeKind::kJson);
  return std::any_of(type.fields().begin(), type.fields().end(), [](const Field& f) { return HoldsText(f.type); });
}

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

bool IsRedaction(const Scalar& scalar) { return IsCallOf(scalar, "$redact"); }

bool HoldsRedaction(const QueryPlan& query) {
  bool found = false;
  VisitScalars(*query.root, [&](const Scalar& scalar) { found = found || IsRedaction(scalar); });
  return found;
}

ScalarPtr MakeRedacted(ScalarPtr value, const Scalar& kinds) {
  if (!HoldsText(value->type)) return value;
  const Type type = value->type;
  std::vector<ScalarPtr> arguments;
  arguments.push_back(std::move(value));
  arguments.push_back(std::make_unique<Constant>(As<Constant>(kinds).value));
  return MakeTypedCall("$redact", type, std::move(arguments));
}

absl::Status RedactReads(PlanPtr& root, const std::string& kinds, IsRead is_read, QueryPlan& query) {
  const Constant constant(Value::String(kinds));
  const PlanSet exact = FindExact(*root);
  absl::Status status = RewritePlans(root, [&](PlanPtr& node) {
    if (node->kind != PlanKind::kTableScan && node->kind != PlanKind::kCteScan) return absl::OkStatus();
    bool any = false;
    for (size_t i = 0; i < node->columns.size(); ++i) any = any || is_read(*node, i);
    const bool is_exact = exact.contains(node.get());
    if (any) node = RedactedScan(std::move(node), is_exact, constant, is_read, query);
    return absl::OkStatus();
  });
  RefreshColumns(*query.root);
  return status;
}

bool IsUnredacted(std::string_view text, const Redactor& redactor) {
  return text.find("REDACTED") == std::string_view::npos && !redactor.Matches(text);
}

void MoveRedactionOut(ScalarPtr& scalar) {
  ScalarPtr* base = ReadFrom(*scalar);
  if (base == nullptr || !IsRedaction(**base)) return;
  FunctionCall& redaction = As<FunctionCall>(**base);
  const ScalarPtr kinds = std::move(redaction.arguments[1]);
  ScalarPtr plain = std::move(redaction.arguments[0]);
  *base = std::move(plain);
  scalar = MakeRedacted(std::move(scalar), *kinds);
}

}  // namespace logquery::rewrite
