// Keeps aggregates in branches that are not taken from raising errors:
//
//     IF(COUNT(x) > 9, SUM(1 / x), 0)
//     IF(COUNT(x) > 9, IF(failed, ERROR('…'), s), 0)   where   s := SUM(SAFE_DIVIDE(1, x))
//                                                         failed := LOGICAL_OR(SAFE_DIVIDE(1, x) IS NULL AND x IS NOT NULL)
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/engines/duckdb/dialect/passes.h"
#include "lib/rewrite/passes/may_raise.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::emit {
namespace {

using rewrite::Aggregate;
using rewrite::AggregateCall;
using rewrite::Case;
using rewrite::ChildSlot;
using rewrite::Clone;
using rewrite::ColumnId;
using rewrite::ColumnRef;
using rewrite::ColumnSet;
using rewrite::Constant;
using rewrite::FunctionCall;
using rewrite::If;
using rewrite::MakeTypedCall;
using rewrite::Plan;
using rewrite::PlanColumn;
using rewrite::Project;
using rewrite::QueryPlan;
using rewrite::Scalar;
using rewrite::ScalarPtr;

// Operators whose result is NULL only where an operand is, or where they fail.
bool ShowsItsFailure(const Scalar& scalar) {
  const auto* const call = If<FunctionCall>(&scalar);
  if (call == nullptr || call->safe) return false;
  const std::string_view name = call->overload->row->name;
  return name == "$divide" || name == "DIV" || name == "MOD" || name == "$add" || name == "$subtract" ||
         name == "$multiply";
}

// The parts that may raise; false: there are others than those operators.
bool FindFailing(Scalar& scalar, std::vector<FunctionCall*>& failing) {
  if (scalar.kind == rewrite::ScalarKind::kSubquery || scalar.kind == rewrite::ScalarKind::kLambda) return false;
  if (rewrite::MayRaiseAlone(scalar)) {
    if (!ShowsItsFailure(scalar)) return false;
    failing.push_back(&rewrite::As<FunctionCall>(scalar));
  }
  bool all = true;
  rewrite::ForEachChild(scalar, [&](const ChildSlot& child) {
    all = all && (child.scalar == nullptr || *child.scalar == nullptr || FindFailing(**child.scalar, failing));
  });
  return all;
}

class LazyAggregates {
 public:
  explicit LazyAggregates(QueryPlan& query) : query_(query) {}

  void Apply() {
    rewrite::VisitPlans(*query_.root, [&](Plan& plan) {
      auto* const project = If<Project>(&plan);
      auto* const aggregate = project == nullptr ? nullptr : If<Aggregate>(project->input.get());
      if (aggregate != nullptr) Visit(*project, *aggregate);
    });
    if (has_changed_) rewrite::RefreshColumns(*query_.root);
  }

 private:
  void Visit(Project& project, Aggregate& aggregate) {
    ColumnSet read;
    for (const PlanColumn& column : project.columns) read.insert(column.id);
    std::vector<ScalarPtr*> in_branches;
    for (rewrite::Computed& computed : project.computed) Collect(computed.value, false, read, in_branches);
    const size_t calls = aggregate.calls.size();
    for (size_t i = 0; i < calls; ++i) {
      if (!read.contains(aggregate.calls[i].column.id)) MakeLazy(i, aggregate, in_branches);
    }
  }

  // Sorts the references to columns by whether they are always evaluated or only in a branch.
  void Collect(ScalarPtr& scalar, bool in_branch, ColumnSet& read, std::vector<ScalarPtr*>& in_branches) {
    if (auto* const ref = If<ColumnRef>(scalar.get())) {
      if (in_branch) {
        in_branches.push_back(&scalar);
      } else {
        read.insert(ref->id);
      }
      return;
    }
    if (scalar->kind == rewrite::ScalarKind::kSubquery || scalar->kind == rewrite::ScalarKind::kLambda) {
      for (const ColumnId id : rewrite::ReferencedColumns(*scalar)) read.insert(id);
      return;
    }
    const bool is_if = rewrite::IsCallOf(*scalar, "IF");
    const bool is_coalesce = rewrite::IsCallOf(*scalar, "COALESCE") || rewrite::IsCallOf(*scalar, "IFNULL");
    const bool is_case = scalar->kind == rewrite::ScalarKind::kCase;
    // The first part of these expressions is evaluated for every row.
    bool first = true;
    rewrite::ForEachChild(*scalar, [&](const ChildSlot& child) {
      if (child.scalar == nullptr || *child.scalar == nullptr) return;
      const bool lazy = (is_if || is_coalesce || is_case) && !first;
      first = false;
      Collect(*child.scalar, in_branch || lazy, read, in_branches);
    });
  }

  void MakeLazy(size_t i, Aggregate& aggregate, const std::vector<ScalarPtr*>& in_branches) {
    AggregateCall& call = aggregate.calls[i].call;
    if (call.safe || call.arguments.empty() || !call.order_by.empty() || call.having != nullptr) return;
    std::vector<FunctionCall*> failing;
    for (ScalarPtr& argument : call.arguments) {
      if (!FindFailing(*argument, failing)) return;
    }
    if (failing.empty()) return;
    has_changed_ = true;
    for (FunctionCall* const each : failing) each->safe = true;
    std::vector<ScalarPtr> failures;
    for (FunctionCall* const each : failing) failures.push_back(Failure(*each));
    Aggregate::Call failed;
    failed.column = query_.NewColumn("failed", Type::Bool());
    failed.call.overload = &rewrite::FindFunction("LOGICAL_OR")->overloads.front();
    failed.call.arguments.push_back(failures.size() == 1
                                        ? std::move(failures[0])
                                        : rewrite::MakeTypedCall("$or", Type::Bool(), std::move(failures)));
    if (call.filter != nullptr) failed.call.filter = Clone(*call.filter);
    const ColumnId column = aggregate.calls[i].column.id;
    for (ScalarPtr* const slot : in_branches) {
      const auto* const ref = If<ColumnRef>(slot->get());
      if (ref != nullptr && ref->id == column) *slot = Checked(failed.column, std::move(*slot));
    }
    aggregate.calls.push_back(std::move(failed));
  }

  // call IS NULL AND operand IS NOT NULL AND …
  ScalarPtr Failure(const FunctionCall& call) {
    std::vector<ScalarPtr> conjuncts;
    conjuncts.push_back(MakeTypedCall("$is_null", Type::Bool(), Clone(call)));
    for (const ScalarPtr& operand : call.arguments) {
      conjuncts.push_back(
          MakeTypedCall("$not", Type::Bool(), MakeTypedCall("$is_null", Type::Bool(), Clone(*operand))));
    }
    return rewrite::MakeAnd(std::move(conjuncts));
  }

  ScalarPtr Checked(const PlanColumn& failed, ScalarPtr value) {
    auto choice = std::make_unique<Case>(value->type);
    ScalarPtr message =
        std::make_unique<Constant>(Value::String("an aggregate's argument is out of range, or divides by zero"));
    choice->whens.push_back({rewrite::MakeColumnRef(failed), MakeTypedCall("ERROR", value->type, std::move(message))});
    choice->otherwise = std::move(value);
    return choice;
  }

  QueryPlan& query_;
  bool has_changed_ = false;
};

}  // namespace

absl::Status MakeAggregatesLazy(const rewrite::PassContext& /*context*/, QueryPlan& query) {
  LazyAggregates(query).Apply();
  return absl::OkStatus();
}

}  // namespace logquery::emit
