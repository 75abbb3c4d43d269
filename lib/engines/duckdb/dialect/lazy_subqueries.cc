// Keeps subqueries in branches that are not taken from raising errors. DuckDB evaluates the subqueries of an expression
// for all rows, so each gets the branch's condition as a filter below everything that it computes:
//
//     IF(n > 0, n, (SELECT 1 / a FROM t))
//     IF(n > 0, n, (SELECT 1 / a FROM (SELECT * FROM t WHERE (n > 0) IS NOT TRUE)))
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

using rewrite::Case;
using rewrite::FunctionCall;
using rewrite::If;
using rewrite::Plan;
using rewrite::PlanKind;
using rewrite::PlanPtr;
using rewrite::QueryPlan;
using rewrite::Scalar;
using rewrite::ScalarPtr;
using rewrite::SubqueryScalar;

// Conditions are copied, so that the text of a query grows by no more than this.
constexpr int kMostGuards = 32;
constexpr int kMostParts = 100;

int PartsOf(const Scalar& scalar) {
  int parts = 0;
  rewrite::VisitScalars(scalar, [&](const Scalar&) { ++parts; });
  return parts;
}

// Returns whether an expression in any plan of the subquery may raise an error.
bool ComputesWhatMayRaise(const SubqueryScalar& subquery) {
  bool raises = false;
  rewrite::VisitScalars(*subquery.plan, [&](const Scalar& scalar) {
    // The error of a subquery with more than one row is ignored here: otherwise nearly all subqueries would get a
    // filter.
    raises = raises || (scalar.kind != rewrite::ScalarKind::kSubquery && rewrite::MayRaiseAlone(scalar));
  });
  return raises;
}

bool HoldsWith(const Plan& root) {
  bool found = false;
  rewrite::VisitPlans(root, [&](const Plan& plan) { found = found || plan.kind == PlanKind::kWith; });
  return found;
}

ScalarPtr Call(std::string_view function, ScalarPtr operand) {
  std::vector<ScalarPtr> operands;
  operands.push_back(std::move(operand));
  return rewrite::MakeTypedCall(function, Type::Bool(), std::move(operands));
}

enum class Test { kIsTrue, kIsNotTrue, kIsNull };

ScalarPtr Tested(ScalarPtr scalar, Test test) {
  if (test == Test::kIsNull) return Call("$is_null", std::move(scalar));
  ScalarPtr is_true = Call("$is_true", std::move(scalar));
  return test == Test::kIsTrue ? std::move(is_true) : Call("$not", std::move(is_true));
}

class LazySubqueries {
 public:
  explicit LazySubqueries(QueryPlan& query) : query_(query) {}

  void Visit(Plan& root) {
    rewrite::VisitPlans(root, [&](Plan& plan) {
      if (!plan.may_hold_subqueries) return;
      rewrite::ForEachOwnScalar(plan, [&](ScalarPtr& scalar) { VisitHere(*scalar); });
    });
  }

 private:
  // A test whose result is known where a branch is evaluated.
  struct Known {
    const Scalar* scalar;
    Test test;
  };

  // Visits the scalar and its parts, but not subqueries' plans, which are visited as plans.
  void VisitHere(Scalar& scalar) {
    rewrite::ForEachChild(scalar, [&](const rewrite::ChildSlot& child) {
      if (child.scalar != nullptr && *child.scalar != nullptr) VisitHere(**child.scalar);
    });
    if (auto* const choice = If<Case>(&scalar)) return GuardCase(*choice);
    auto* const call = If<FunctionCall>(&scalar);
    if (call == nullptr) return;
    const std::string_view name = call->overload->row->name;
    if (name == "IF") {
      const Scalar* const condition = call->arguments[0].get();
      Guard(*call->arguments[1], {{condition, Test::kIsTrue}});
      Guard(*call->arguments[2], {{condition, Test::kIsNotTrue}});
    } else if (name == "COALESCE" || name == "IFNULL") {
      std::vector<Known> known;
      for (ScalarPtr& argument : call->arguments) {
        if (!known.empty()) Guard(*argument, known);
        known.push_back({argument.get(), Test::kIsNull});
      }
    }
  }

  void GuardCase(Case& choice) {
    if (choice.operand != nullptr) return;
    std::vector<Known> known;
    for (Case::When& when : choice.whens) {
      if (!known.empty()) Guard(*when.condition, known);
      known.push_back({when.condition.get(), Test::kIsTrue});
      Guard(*when.result, known);
      known.back().test = Test::kIsNotTrue;
    }
    Guard(*choice.otherwise, known);
  }

  // Guards the subqueries of a branch.
  void Guard(Scalar& branch, const std::vector<Known>& known) {
    if (auto* const subquery = If<SubqueryScalar>(&branch)) {
      if (!ComputesWhatMayRaise(*subquery) || HoldsWith(*subquery->plan)) return;
      int parts = 0;
      for (const Known& each : known) parts += PartsOf(*each.scalar);
      if (parts > kMostParts || guards_ == kMostGuards) return;
      ++guards_;
      FilterLeaves(subquery->plan, known);
      return;
    }
    rewrite::ForEachChild(branch, [&](const rewrite::ChildSlot& child) {
      if (child.scalar != nullptr && *child.scalar != nullptr) Guard(**child.scalar, known);
    });
  }

  void FilterLeaves(PlanPtr& plan, const std::vector<Known>& known) {
    const auto* const unnest = If<rewrite::Unnest>(plan.get());
    if (unnest != nullptr && unnest->input->kind == PlanKind::kSingleRow) {
      return rewrite::PutFilter(plan, Condition(known));
    }
    bool is_leaf = true;
    rewrite::ForEachInput(*plan, [&](PlanPtr& input) {
      is_leaf = false;
      FilterLeaves(input, known);
    });
    if (is_leaf) rewrite::PutFilter(plan, Condition(known));
  }

  ScalarPtr Condition(const std::vector<Known>& known) {
    std::vector<ScalarPtr> conjuncts;
    for (const Known& each : known) conjuncts.push_back(Tested(Copy(*each.scalar), each.test));
    return rewrite::MakeAnd(std::move(conjuncts));
  }

  // A copy whose subqueries define columns of their own.
  ScalarPtr Copy(const Scalar& scalar) {
    rewrite::Project holder(std::make_unique<rewrite::SingleRow>());
    const rewrite::PlanColumn column = query_.NewColumn("condition", scalar.type);
    holder.columns.push_back(column);
    holder.computed.push_back({column, rewrite::Clone(scalar)});
    const PlanPtr copy = rewrite::CloneWithFreshColumns(query_, holder);
    return std::move(rewrite::As<rewrite::Project>(*copy).computed[0].value);
  }

  QueryPlan& query_;
  int guards_ = 0;
};

}  // namespace

absl::Status GuardLazySubqueries(const rewrite::PassContext& /*context*/, QueryPlan& query) {
  LazySubqueries(query).Visit(*query.root);
  return absl::OkStatus();
}

}  // namespace logquery::emit
