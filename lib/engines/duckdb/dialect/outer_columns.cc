// Makes columns of enclosing queries columns of the subquery's own FROM, in two places where DuckDB does not find them:
//
// - on the left of IN inside a subquery:  outer.x IN (SELECT …)  becomes
//   (SELECT value IN (SELECT …) FROM (SELECT outer.x AS value))
// - in a call with a lambda:  ARRAY_TRANSFORM(a, e -> e + outer.x)  reads the column x of (SELECT …, outer.x AS x FROM …)
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lib/engines/duckdb/dialect/passes.h"
#include "lib/engines/duckdb/dialect/projections.h"
#include "lib/rewrite/plan_walk.h"

namespace logquery::emit {

using rewrite::As;
using rewrite::ColumnId;
using rewrite::ColumnRef;
using rewrite::ColumnSet;
using rewrite::Computed;
using rewrite::If;
using rewrite::Plan;
using rewrite::PlanColumn;
using rewrite::PlanPtr;
using rewrite::Project;
using rewrite::QueryPlan;
using rewrite::Scalar;
using rewrite::ScalarKind;
using rewrite::ScalarPtr;
using rewrite::SubqueryScalar;

namespace {

using Columns = std::map<ColumnId, PlanColumn>;

// Visits the node's own scalars and their parts, except for what is in subqueries' plans.
void VisitHere(ScalarPtr& scalar, absl::FunctionRef<void(ScalarPtr&)> visit) {
  rewrite::ForEachChild(*scalar, [&](const rewrite::ChildSlot& child) {
    if (child.scalar != nullptr) VisitHere(*child.scalar, visit);
  });
  visit(scalar);
}

void VisitHere(Plan& node, absl::FunctionRef<void(ScalarPtr&)> visit) {
  rewrite::ForEachOwnScalar(node, [&](ScalarPtr& scalar) { VisitHere(scalar, visit); });
}

// The columns that the node's own scalars find in the query that the node is in.
ColumnSet GivenTo(const Plan& node) {
  ColumnSet given;
  if (const auto* const unnest = If<rewrite::Unnest>(&node)) {
    for (const PlanColumn& element : unnest->elements) given.insert(element.id);
    if (unnest->offset.has_value()) given.insert(unnest->offset->id);
  }
  rewrite::ForEachInput(node, [&](const Plan& input) {
    for (const PlanColumn& column : input.columns) given.insert(column.id);
  });
  return given;
}

PlanPtr Computing(QueryPlan& query, std::string name, ScalarPtr value, PlanPtr input) {
  auto project = std::make_unique<Project>(std::move(input));
  const PlanColumn column = query.NewColumn(std::move(name), value->type);
  project->columns.push_back(column);
  project->computed.push_back({column, std::move(value)});
  return project;
}

class OuterColumns {
 public:
  explicit OuterColumns(QueryPlan& query) : query_(query) {}

  // Visits the plans of subqueries; `inside`: the node is in one.
  void Visit(PlanPtr& node, bool inside) {
    rewrite::ForEachInput(*node, [&](PlanPtr& input) { Visit(input, inside); });
    if (!node->may_hold_subqueries && !inside) return;
    VisitHere(*node, [&](ScalarPtr& scalar) {
      if (auto* const subquery = If<SubqueryScalar>(scalar.get())) Visit(subquery->plan, true);
    });
    if (!inside) return;
    NameOperandsOfIn(*node);
    // The left operand of IN has a plan of its own now, which is searched for its lambdas.
    BringToLambdas(node);
  }

 private:
  void NameOperandsOfIn(Plan& node) {
    const ColumnSet given = GivenTo(node);
    VisitHere(node, [&](ScalarPtr& scalar) {
      auto* const in = If<SubqueryScalar>(scalar.get());
      if (in == nullptr || in->form != SubqueryScalar::Form::kIn) return;
      bool reads_outer = false;
      for (const ColumnId id : rewrite::OuterColumns(*in->value)) reads_outer = reads_outer || !given.contains(id);
      if (!reads_outer) return;
      const sql::Span span = scalar->span;
      PlanPtr operand = Computing(query_, "value", std::move(in->value), std::make_unique<rewrite::SingleRow>());
      in->value = std::make_unique<ColumnRef>(operand->columns[0]);
      BringToLambdas(operand);
      PlanPtr found = Computing(query_, "found", std::move(scalar), std::move(operand));
      scalar = std::make_unique<SubqueryScalar>(SubqueryScalar::Form::kScalar, Type::Bool(), std::move(found));
      scalar->span = span;
    });
  }

  // The columns of enclosing queries that calls with a lambda read. All of the call counts: DuckDB binds a lambda where the
  // columns of its call's arguments are.
  static Columns ReadByLambdas(Plan& node) {
    const ColumnSet given = GivenTo(node);
    ColumnSet parameters;
    Columns read;
    const auto add = [&](const Scalar& scalar) {
      const ColumnSet outer = rewrite::OuterColumns(scalar);
      rewrite::VisitScalars(scalar, [&](const Scalar& part) {
        const auto* const column = If<ColumnRef>(&part);
        if (column == nullptr || !outer.contains(column->id) || given.contains(column->id)) return;
        read.try_emplace(column->id, PlanColumn{column->id, column->name, column->type});
      });
    };
    VisitHere(node, [&](ScalarPtr& scalar) {
      if (const auto* const lambda = If<rewrite::LambdaScalar>(scalar.get())) {
        for (const PlanColumn& parameter : lambda->parameters) parameters.insert(parameter.id);
      }
      const auto* const call = If<rewrite::FunctionCall>(scalar.get());
      if (call == nullptr) return;
      for (const ScalarPtr& argument : call->arguments) {
        if (argument->kind == ScalarKind::kLambda) return add(*scalar);
      }
    });
    // A condition of UNNEST becomes a lambda over its elements.
    if (const auto* const unnest = If<rewrite::Unnest>(&node); unnest != nullptr && unnest->condition != nullptr) {
      for (const ScalarPtr& array : unnest->arrays) add(*array);
      add(*unnest->condition);
    }
    std::erase_if(read, [&](const auto& column) { return parameters.contains(column.first); });
    return read;
  }

  void BringToLambdas(PlanPtr& node) {
    PlanPtr* const input = OnlyInput(*node);
    if (input == nullptr) return;
    const Columns read = ReadByLambdas(*node);
    if (read.empty()) return;
    std::vector<Computed> columns;
    rewrite::ColumnMap renames;
    for (const auto& [id, column] : read) {
      columns.push_back({query_.NewColumn(column.name, column.type), std::make_unique<ColumnRef>(column)});
      renames[id] = columns.back().column.id;
    }
    rewrite::ForEachOwnScalar(*node, [&](ScalarPtr& scalar) { rewrite::RenameReferences(scalar, renames); });
    ComputeBelow(node, *input, std::move(columns));
  }

  QueryPlan& query_;
};

}  // namespace

absl::Status BringOuterColumns(const rewrite::PassContext& /*context*/, QueryPlan& query) {
  if (query.root->may_hold_subqueries) OuterColumns(query).Visit(query.root, /*inside=*/false);
  return absl::OkStatus();
}

}  // namespace logquery::emit
