// Collects the columns that plans define and refer to, and renumbers them.
#include <utility>

#include "lib/rewrite/plan_walk.h"

namespace logquery::rewrite {
namespace {

using VisitColumn = absl::FunctionRef<void(PlanColumn&)>;

// Columns that the node itself makes. A TableScan's, a CteScan's and a SetOperation's are its `columns`.
void ForEachMade(Plan& plan, VisitColumn visit) {
  switch (plan.kind) {
    case PlanKind::kSingleRow:
    case PlanKind::kWith:
    case PlanKind::kFilter:
    case PlanKind::kJoin:
    case PlanKind::kSort:
    case PlanKind::kLimit:
      return;
    case PlanKind::kTableScan:
    case PlanKind::kCteScan:
    case PlanKind::kSetOperation:
      for (PlanColumn& column : plan.columns) visit(column);
      return;
    case PlanKind::kProject:
      for (Computed& computed : As<Project>(plan).computed) visit(computed.column);
      return;
    case PlanKind::kUnnest:
      for (PlanColumn& element : As<Unnest>(plan).elements) visit(element);
      if (As<Unnest>(plan).offset.has_value()) visit(*As<Unnest>(plan).offset);
      return;
    case PlanKind::kAggregate:
      for (Computed& key : As<Aggregate>(plan).keys) visit(key.column);
      for (Aggregate::Call& call : As<Aggregate>(plan).calls) visit(call.column);
      for (Aggregate::Grouping& grouping : As<Aggregate>(plan).groupings) visit(grouping.column);
      return;
    case PlanKind::kWindow:
      for (Window::Call& call : As<Window>(plan).calls) visit(call.column);
      return;
  }
}

void ForEachMadeBelow(const Plan& root, absl::FunctionRef<void(const PlanColumn&)> visit) {
  VisitPlans(root, [&](const Plan& plan) {
    ForEachMade(const_cast<Plan&>(plan), [&](PlanColumn& column) { visit(column); });
  });
  VisitScalars(root, [&](const Scalar& scalar) {
    const auto* lambda = If<LambdaScalar>(&scalar);
    if (lambda == nullptr) return;
    for (const PlanColumn& parameter : lambda->parameters) visit(parameter);
  });
}

void Rename(ColumnId& id, const ColumnMap& renames) {
  auto found = renames.find(id);
  if (found != renames.end()) id = found->second;
}

void RenameInScalar(Scalar& scalar, const ColumnMap& renames) {
  if (auto* ref = If<ColumnRef>(&scalar)) Rename(ref->id, renames);
  if (auto* lambda = If<LambdaScalar>(&scalar)) {
    for (PlanColumn& parameter : lambda->parameters) Rename(parameter.id, renames);
  }
}

// The node's columns that are its inputs'.
void RenamePassedOn(Plan& plan, const ColumnMap& renames) {
  for (PlanColumn& column : plan.columns) {
    if (!renames.contains(column.id)) continue;
    bool is_made = false;
    ForEachMade(plan, [&](const PlanColumn& made) { is_made = is_made || made.id == column.id; });
    if (!is_made) Rename(column.id, renames);
  }
}

absl::flat_hash_map<int, int> FreshEntries(QueryPlan& query, Plan& root) {
  absl::flat_hash_map<int, int> entries;
  VisitPlans(root, [&](Plan& plan) {
    auto* with = If<With>(&plan);
    if (with == nullptr) return;
    for (WithEntry& entry : with->entries) {
      entries[entry.id] = query.next_cte;
      entry.id = query.next_cte++;
    }
  });
  return entries;
}

void RenameInPlan(Plan& plan, const ColumnMap& renames, const absl::flat_hash_map<int, int>& entries) {
  // A SetOperation's, a TableScan's and a CteScan's own columns are their `columns`: once is enough.
  for (PlanColumn& column : plan.columns) Rename(column.id, renames);
  const bool made_apart =
      plan.kind != PlanKind::kTableScan && plan.kind != PlanKind::kCteScan && plan.kind != PlanKind::kSetOperation;
  if (made_apart) ForEachMade(plan, [&](PlanColumn& column) { Rename(column.id, renames); });
  if (auto* scan = If<CteScan>(&plan)) {
    auto found = entries.find(scan->cte);
    if (found != entries.end()) scan->cte = found->second;
  }
}

// Builds the list of a node's columns one by one, and does not copy an unchanged beginning again.
class NewColumns {
 public:
  explicit NewColumns(std::vector<PlanColumn>& columns) : columns_(columns) {}

  void Add(const PlanColumn& column) {
    if (count_ == columns_.size()) {
      columns_.push_back(column);
    } else if (columns_[count_].id != column.id || columns_[count_].name != column.name ||
               !Type::SameLayout(columns_[count_].type, column.type)) {
      columns_[count_] = column;
    }
    ++count_;
  }
  void End() { columns_.resize(count_); }

 private:
  std::vector<PlanColumn>& columns_;
  size_t count_ = 0;
};

void SetColumns(Plan& plan) {
  NewColumns columns(plan.columns);
  auto add = [&](const std::vector<PlanColumn>& more) {
    for (const PlanColumn& column : more) columns.Add(column);
  };
  switch (plan.kind) {
    case PlanKind::kSingleRow:
    case PlanKind::kTableScan:
    case PlanKind::kCteScan:
    case PlanKind::kProject:
    case PlanKind::kSetOperation:
      return;
    case PlanKind::kWith:
      add(As<With>(plan).body->columns);
      break;
    case PlanKind::kFilter:
      add(As<Filter>(plan).input->columns);
      break;
    case PlanKind::kSort:
      add(As<Sort>(plan).input->columns);
      break;
    case PlanKind::kLimit:
      add(As<Limit>(plan).input->columns);
      break;
    case PlanKind::kJoin:
      add(As<Join>(plan).left->columns);
      add(As<Join>(plan).right->columns);
      break;
    case PlanKind::kUnnest:
      add(As<Unnest>(plan).input->columns);
      break;
    case PlanKind::kWindow:
      add(As<Window>(plan).input->columns);
      break;
    case PlanKind::kAggregate:
      break;
  }
  ForEachMade(plan, [&](PlanColumn& column) { columns.Add(column); });
  columns.End();
}

// Columns that it makes: lambdas' parameters, and what the plans of its subqueries make.
void AddDefined(const Scalar& root, ColumnSet& defined) {
  if (const auto* lambda = If<LambdaScalar>(&root)) {
    for (const PlanColumn& parameter : lambda->parameters) defined.insert(parameter.id);
  }
  ForEachChild(const_cast<Scalar&>(root), [&](const ChildSlot& child) {
    if (child.scalar != nullptr) return AddDefined(**child.scalar, defined);
    ForEachMadeBelow(**child.plan, [&](const PlanColumn& column) { defined.insert(column.id); });
  });
}

ColumnSet Without(ColumnSet from, const ColumnSet& taken) {
  for (ColumnId id : taken) from.erase(id);
  return from;
}

}  // namespace

void RefreshColumns(Plan& root) {
  std::vector<Plan*> plans;
  VisitPlans(root, [&](Plan& plan) { plans.push_back(&plan); });
  for (auto plan = plans.rbegin(); plan != plans.rend(); ++plan) SetColumns(**plan);
}

PlanPtr CloneWithFreshColumns(QueryPlan& query, const Plan& plan, ColumnMap* renamed) {
  PlanPtr copy = Clone(plan);
  ColumnMap renames;
  ForEachMadeBelow(*copy, [&](const PlanColumn& column) {
    if (renames.try_emplace(column.id, query.next_column).second) ++query.next_column;
  });
  absl::flat_hash_map<int, int> entries = FreshEntries(query, *copy);
  VisitPlans(*copy, [&](Plan& each) { RenameInPlan(each, renames, entries); });
  RenameReferences(*copy, renames);
  if (renamed != nullptr) *renamed = std::move(renames);
  return copy;
}

void RenameReferences(Plan& root, const ColumnMap& renames) {
  VisitPlans(root, [&](Plan& plan) { RenamePassedOn(plan, renames); });
  VisitScalars(root, [&](const Scalar& scalar) { RenameInScalar(const_cast<Scalar&>(scalar), renames); });
}

void RenameReferences(ScalarPtr& root, const ColumnMap& renames) {
  VisitScalars(*root, [&](const Scalar& scalar) { RenameInScalar(const_cast<Scalar&>(scalar), renames); });
}

ColumnSet ReferencedColumns(const Plan& root) {
  ColumnSet ids;
  VisitScalars(root, [&](const Scalar& scalar) {
    if (const auto* ref = If<ColumnRef>(&scalar)) ids.insert(ref->id);
  });
  return ids;
}

ColumnSet ReferencedColumns(const Scalar& root) {
  ColumnSet ids;
  VisitScalars(root, [&](const Scalar& scalar) {
    if (const auto* ref = If<ColumnRef>(&scalar)) ids.insert(ref->id);
  });
  return ids;
}

ColumnSet DefinedColumns(const Plan& root) {
  ColumnSet ids;
  ForEachMadeBelow(root, [&](const PlanColumn& column) { ids.insert(column.id); });
  return ids;
}

ColumnSet OuterColumns(const Plan& root) { return Without(ReferencedColumns(root), DefinedColumns(root)); }

ColumnSet OuterColumns(const Scalar& root) {
  ColumnSet defined;
  AddDefined(root, defined);
  return Without(ReferencedColumns(root), defined);
}

}  // namespace logquery::rewrite
