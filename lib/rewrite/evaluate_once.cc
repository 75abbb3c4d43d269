// A lambda over an array of one element binds a value within an expression. A lambda's body can't have subqueries: for
// those a subquery of one row binds it.
#include "lib/rewrite/evaluate_once.h"

#include <memory>
#include <utility>
#include <vector>

#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::rewrite {
namespace {

constexpr int kMaxNodesOfSmall = 24;

ScalarPtr InLambda(PlanColumn name, ScalarPtr value, ScalarPtr body) {
  const Type type = body->type;
  const Type of_value = Type::Array(value->type);
  std::vector<ScalarPtr> elements, arguments;
  elements.push_back(std::move(value));
  arguments.push_back(std::make_unique<ArrayMake>(of_value, std::move(elements)));
  arguments.push_back(std::make_unique<LambdaScalar>(std::vector<PlanColumn>{std::move(name)}, std::move(body)));
  std::vector<ScalarPtr> element;
  element.push_back(MakeTypedCall("ARRAY_TRANSFORM", Type::Array(type), std::move(arguments)));
  element.push_back(std::make_unique<Constant>(Value::Int64(0)));
  return MakeTypedCall("$safe_at_offset", type, std::move(element));
}

PlanPtr Computing(PlanPtr input, PlanColumn column, ScalarPtr value) {
  auto project = std::make_unique<Project>(std::move(input));
  project->columns = project->input->columns;
  project->columns.push_back(column);
  project->computed.push_back({std::move(column), std::move(value)});
  return project;
}

}  // namespace

bool HoldsSubquery(const Scalar& scalar) {
  bool holds = false;
  VisitScalars(scalar, [&](const Scalar& part) { holds = holds || part.kind == ScalarKind::kSubquery; });
  return holds;
}

int64_t CountNodes(const Scalar& scalar) {
  int64_t nodes = 0;
  VisitScalars(scalar, [&](const Scalar& part) {
    ++nodes;
    if (const auto* subquery = If<SubqueryScalar>(&part)) VisitPlans(*subquery->plan, [&](const Plan&) { ++nodes; });
  });
  return nodes;
}

bool IsSmall(const Scalar& scalar) {
  int nodes = 0;
  VisitScalars(scalar,
               [&](const Scalar& part) { nodes += part.kind == ScalarKind::kSubquery ? kMaxNodesOfSmall + 1 : 1; });
  return nodes <= kMaxNodesOfSmall;
}

ScalarPtr EvaluateOnce(PlanColumn name, ScalarPtr value, ScalarPtr body, const PlanColumn& result) {
  if (!HoldsSubquery(*body)) return InLambda(std::move(name), std::move(value), std::move(body));
  PlanPtr plan = Computing(std::make_unique<SingleRow>(), std::move(name), std::move(value));
  plan = Computing(std::move(plan), result, std::move(body));
  plan->columns = {result};
  return std::make_unique<SubqueryScalar>(SubqueryScalar::Form::kScalar, result.type, std::move(plan));
}

void ComputeInProjection(PlanPtr& input, ScalarPtr& value, const PlanColumn& name) {
  const sql::Span span = value->span;
  input = Computing(std::move(input), name, std::move(value));
  value = std::make_unique<ColumnRef>(name);
  value->span = span;
}

}  // namespace logquery::rewrite
