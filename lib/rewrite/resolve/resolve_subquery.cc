// Resolves subqueries used as values, and WITH(…) expressions.
#include "lib/base/limits.h"
#include "lib/base/status_macros.h"
#include "lib/rewrite/resolve/coercion.h"
#include "lib/rewrite/resolve/resolver_impl.h"
#include "lib/sql/text_error.h"

namespace logquery::rewrite {

using base::StrCat;

absl::StatusOr<ScalarPtr> Resolver::ResolveInSubquery(const sql::InExpr& in, ScalarPtr value,
                                                      const ExprContext& context) {
  const Scope visible = ScopeOfSubquery(context);
  LOGQUERY_ASSIGN_OR_RETURN(Named query, ResolveQuery(*in.candidates.subquery, &visible));
  if (query.columns.size() != 1) {
    return Error(in.candidates.subquery->span,
                 StrCat("the subquery of IN gives ", query.columns.size(), " columns; it has to be one"));
  }
  ColumnRef column(query.plan->columns[0]);
  std::optional<Type> common = CommonSupertype({value.get(), &column});
  if (!common) {
    return Error(in.span,
                 StrCat("can't compare ", value->type.ToString(), " with the subquery's ", column.type.ToString()));
  }
  LOGQUERY_ASSIGN_OR_RETURN(value, CoerceAt(std::move(value), *common, "IN"));
  if (common->is_struct()) return StructInRows(std::move(value), std::move(query.plan), in.span);
  if (!Type::SameLayout(column.type, *common)) {
    auto project = std::make_unique<Project>(std::move(query.plan));
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr cast, CoerceAt(std::make_unique<ColumnRef>(column), *common, "IN"));
    project->computed.push_back({NewColumn(column.name, *common), std::move(cast)});
    project->columns = {project->computed[0].column};
    query.plan = std::move(project);
  }
  auto subquery = std::make_unique<SubqueryScalar>(SubqueryScalar::Form::kIn, Type::Bool(), std::move(query.plan));
  subquery->value = std::move(value);
  return ScalarPtr(std::move(subquery));
}

// Aliases of the SELECT list, if visible, are also visible to subqueries.
Scope Resolver::ScopeOfSubquery(const ExprContext& context) {
  Scope scope(context.scope);
  if (context.aliases == nullptr || context.inside_aggregate) return scope;
  for (const Alias& alias : *context.aliases) {
    // A longer path is about a range variable where there is one of that name.
    if (context.scope->FindHere(alias.name).range != nullptr) continue;
    VisibleName name{alias.name, {}};
    name.value = alias.value;
    scope.columns.push_back(std::move(name));
  }
  return scope;
}

absl::StatusOr<ScalarPtr> Resolver::ResolveSubquery(const sql::SubqueryExpr& expr, const ExprContext& context) {
  using Form = sql::SubqueryExpr::Form;
  const Scope visible = ScopeOfSubquery(context);
  LOGQUERY_ASSIGN_OR_RETURN(Named query, ResolveQuery(*expr.query, &visible));
  if (expr.form == Form::kExists) {
    return ScalarPtr(
        std::make_unique<SubqueryScalar>(SubqueryScalar::Form::kExists, Type::Bool(), std::move(query.plan)));
  }
  if (query.plan->columns.size() != 1) {
    return Error(expr.span, StrCat("a subquery used as a value has to give one column, not ",
                                   query.plan->columns.size(), "; SELECT AS STRUCT makes one of several"));
  }
  Type type = query.plan->columns[0].type;
  if (expr.form == Form::kScalar) {
    // Without a row it is NULL, which a record of a built-in log can't be.
    if (type.is_record() && !IsOwnRecord(type)) {
      type = Type::Array(type.element());
      LOGQUERY_ASSIGN_OR_RETURN(query.plan, CastColumns(std::move(query.plan), {type}, expr.span));
    }
    return ScalarPtr(std::make_unique<SubqueryScalar>(SubqueryScalar::Form::kScalar, type, std::move(query.plan)));
  }
  if (type.is_array()) return Error(expr.span, "an array can't hold arrays; put them into STRUCTs");
  return ScalarPtr(
      std::make_unique<SubqueryScalar>(SubqueryScalar::Form::kArray, Type::Array(type), std::move(query.plan)));
}

// WITH(a AS x, b AS f(a), g(a, b)): a subquery of one row, in which each name is a column that is computed once.
absl::StatusOr<ScalarPtr> Resolver::ResolveWithExpr(const sql::WithExpr& with, const ExprContext& context) {
  Scope scope(context.scope);
  ExprContext inner = context;
  inner.scope = &scope;
  inner.aliases = nullptr;
  PlanPtr plan = std::make_unique<SingleRow>();
  auto add = [&](const std::string& name, ScalarPtr value) {
    auto project = std::make_unique<Project>(std::move(plan));
    project->columns = project->input->columns;
    PlanColumn column = NewColumn(name, value->type);
    project->columns.push_back(column);
    project->computed.push_back({column, std::move(value)});
    plan = std::move(project);
    return column;
  };
  if (with.bindings.size() > static_cast<size_t>(base::kMaxNesting)) {
    return Error(with.span,
                 StrCat("WITH(…) of ", with.bindings.size(), " names, more than the ", base::kMaxNesting, " allowed"));
  }
  for (const sql::WithExpr::Binding& binding : with.bindings) {
    if (scope.FindHere(binding.name.text)) {
      return Error(binding.name.span, StrCat("the name ", binding.name.text, " is defined twice in this WITH(…)"));
    }
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr value, ResolveExpr(*binding.value, inner));
    scope.AddColumn(add(binding.name.text, std::move(value)));
  }
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr body, ResolveExpr(*with.body, inner));
  PlanColumn result = add("", std::move(body));
  plan->columns = {result};
  return ScalarPtr(std::make_unique<SubqueryScalar>(SubqueryScalar::Form::kScalar, result.type, std::move(plan)));
}

}  // namespace logquery::rewrite
