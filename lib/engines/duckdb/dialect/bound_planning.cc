// Refuses queries that DuckDB would plan for too long. It looks for neither an interrupt nor a deadline while it plans.
//
// Its filter pushdown visits the input of an aggregate, a window and a DISTINCT twice (PushdownAggregate rewrites the
// child and then calls FinishPushdown, which rewrites it again; so do the others). It puts an aggregate of its own above
// a scalar subquery. Each of them therefore doubles the steps for all that is below. A lambda's body is bound twice. Each
// node of an expression is looked at again for each node above it, several times, so that the time grows with the cube of
// the depth: 1 + 1 + … of 500 terms take seconds.
#include <algorithm>
#include <cstdint>
#include <optional>

#include "lib/base/strings.h"
#include "lib/engines/duckdb/dialect/passes.h"
#include "lib/engines/duckdb/dialect/spellings.h"
#include "lib/rewrite/plan_walk.h"

namespace logquery::emit {

using rewrite::If;
using rewrite::Plan;
using rewrite::PlanKind;
using rewrite::Scalar;
using rewrite::ScalarKind;
using rewrite::SubqueryScalar;

namespace {

constexpr int64_t kMaxSteps = 500'000;
constexpr int64_t kDepthDivisor = 6;

class Steps {
 public:
  // Adds the steps for `plan` and all below it, of which each is made `times` times. Stops beyond the limit. A step is
  // less than 1 microsecond.
  void AddPlan(Plan& plan, int64_t times) {
    steps_ += times;
    if (steps_ > kMaxSteps) return;
    const int64_t below = IsPushedTwice(plan) ? 2 * times : times;
    rewrite::ForEachOwnScalar(plan, [&](rewrite::ScalarPtr& scalar) {
      if (scalar != nullptr) AddScalar(*scalar, below, 1);
    });
    rewrite::ForEachInput(plan, [&](rewrite::PlanPtr& input) { AddPlan(*input, below); });
  }

  int64_t steps() const { return steps_; }
  const std::optional<sql::Span>& deepest() const { return deepest_; }

 private:
  static bool IsPushedTwice(const Plan& plan) {
    return plan.kind == PlanKind::kAggregate || plan.kind == PlanKind::kWindow;
  }

  void AddScalar(Scalar& scalar, int64_t times, int64_t depth) {
    steps_ += depth * depth / kDepthDivisor;
    if (steps_ > kMaxSteps) return;
    if (auto* subquery = If<SubqueryScalar>(&scalar)) {
      if (subquery->value != nullptr) AddScalar(*subquery->value, times, depth + 1);
      AddPlan(*subquery->plan, times * FactorOf(*subquery));
      Note(scalar);
      return;
    }
    const bool is_lambda = scalar.kind == ScalarKind::kLambda;
    if (is_lambda) in_lambdas_ += 1;
    if (in_lambdas_ > 0) steps_ += int64_t{1} << std::min(in_lambdas_, 40);
    rewrite::ForEachChild(scalar, [&](const rewrite::ChildSlot& child) {
      if (child.scalar != nullptr && *child.scalar != nullptr)
        AddScalar(**child.scalar, times, depth + LevelsOf(scalar));
    });
    if (is_lambda) in_lambdas_ -= 1;
    Note(scalar);
  }

  // Returns the number of levels in the engine's expression: a function with code of its own, or a cast, becomes
  // several calls.
  static int64_t LevelsOf(const Scalar& scalar) {
    const auto* call = If<rewrite::FunctionCall>(&scalar);
    const bool has_code = call != nullptr && DuckDbSpellings().Of(*call->overload).starts_with("@");
    return has_code || scalar.kind == ScalarKind::kCast ? 2 : 1;
  }

  // ARRAY(…) is an aggregate below the one that every scalar subquery gets.
  static int64_t FactorOf(const SubqueryScalar& subquery) {
    switch (subquery.form) {
      case SubqueryScalar::Form::kIn:
        return 1;
      case SubqueryScalar::Form::kScalar:
      case SubqueryScalar::Form::kExists:
        return 2;
      case SubqueryScalar::Form::kArray:
        return 4;
    }
    return 1;
  }

  // The first that is left with too many steps is the innermost one.
  void Note(const Scalar& scalar) {
    if (steps_ > kMaxSteps && !deepest_ && scalar.span.end > scalar.span.begin) deepest_ = scalar.span;
  }

  int64_t steps_ = 0;
  int in_lambdas_ = 0;
  std::optional<sql::Span> deepest_;
};

}  // namespace

absl::Status BoundPlanning(const rewrite::PassContext& /*context*/, rewrite::QueryPlan& query) {
  Steps steps;
  steps.AddPlan(*query.root, 1);
  if (steps.steps() <= kMaxSteps) return absl::OkStatus();
  query.failed = steps.deepest();
  return absl::InvalidArgumentError(
      base::StrCat("this is nested too deeply: planning the query would take more than the ", kMaxSteps,
                   " steps allowed, because each aggregate, window, subquery or lambda doubles the steps for what is "
                   "in it, and those for "
                   "an expression grow with the cube of its depth; nest fewer levels"));
}

}  // namespace logquery::emit
