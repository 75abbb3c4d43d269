// Resolves PIVOT and UNPIVOT, which turn rows into columns and columns into rows.
//
// PIVOT groups by every column that it does not read; for each value, each of its aggregates uses only the rows with
// that value. UNPIVOT becomes UNNEST of an array with one STRUCT for each group of columns.
#include <algorithm>

#include "absl/strings/ascii.h"
#include "lib/base/limits.h"
#include "lib/base/readable_text.h"
#include "lib/base/status_macros.h"
#include "lib/rewrite/evaluate_once.h"
#include "lib/rewrite/resolve/coercion.h"
#include "lib/rewrite/resolve/resolver_impl.h"
#include "lib/sql/text_error.h"

namespace logquery::rewrite {
namespace {

using base::StrCat;

// Returns the column name for a value of PIVOT without an alias.
std::string NameOfValue(const Value& value) {
  if (value.is_null()) return "NULL";
  if (value.type().is(TypeKind::kString)) return value.string_value();
  if (value.type().is(TypeKind::kBool)) return value.bool_value() ? "true" : "false";
  std::string name;
  for (const char c : value.DebugString()) {
    if (c == '-' && name.empty()) {
      name = "minus_";
    } else if (c == '.') {
      name += "_point_";
    } else if (c == '-' || c == ':' || c == ' ') {
      name += '_';
    } else if (c != '"') {
      name += c;
    }
  }
  return name;
}

std::string NameOfColumn(const std::optional<sql::Identifier>& aggregate, const std::string& value) {
  if (aggregate) return StrCat(aggregate->text, "_", value);
  const bool digit = !value.empty() && absl::ascii_isdigit(static_cast<unsigned char>(value[0]));
  return digit ? StrCat("_", value) : value;
}

void AddReferences(const AggregateCall& call, ColumnSet& columns) {
  auto add = [&](const Scalar& scalar) {
    for (ColumnId id : ReferencedColumns(scalar)) columns.insert(id);
  };
  for (const ScalarPtr& argument : call.arguments) add(*argument);
  for (const OrderKey& key : call.order_by) add(*key.value);
  if (call.having != nullptr) add(*call.having);
}

}  // namespace

absl::StatusOr<AggregateCall> Resolver::ResolvePivotCall(const sql::Expr& expr, const ExprContext& context,
                                                         Type& type) {
  const auto* call = sql::If<sql::Call>(&expr);
  const Function* function = nullptr;
  if (call != nullptr && call->over == nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(function, FindCalled(*call));
  }
  if (function == nullptr || function->kind != FunctionKind::kAggregate) {
    return Error(expr.span, "PIVOT wants a call of an aggregate function here");
  }
  return ResolveAggregateCall(*call, *function, context, type);
}

absl::StatusOr<ScalarPtr> Resolver::ResolvePivotValue(const sql::Expr& expr, const Type& type) {
  Scope nothing(nullptr);
  ExprContext context{&nothing, "PIVOT", nullptr, false, nullptr, false};
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr value, ResolveExpr(expr, context));
  LOGQUERY_ASSIGN_OR_RETURN(value, CoerceAt(std::move(value), type, "PIVOT"));
  if (value->kind != ScalarKind::kConstant) return Error(expr.span, "PIVOT's values have to be literals");
  return value;
}

absl::StatusOr<Resolver::FromResult> Resolver::ResolvePivot(const sql::PivotItem& item, FromResult input,
                                                            const Scope* outer) {
  Flatten(input, item.span);
  ExprContext inside{&input.scope, "PIVOT", nullptr, false, nullptr, true};
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr turned, ResolveExpr(*item.for_expr, inside.Without()));
  if (!IsGroupable(turned->type)) {
    return Error(item.for_expr->span, StrCat("PIVOT can't compare values of type ", turned->type.ToString()));
  }
  ColumnSet used = ReferencedColumns(*turned);
  std::vector<AggregateCall> calls;
  std::vector<Type> types(item.aggregates.size());
  for (size_t i = 0; i < item.aggregates.size(); ++i) {
    LOGQUERY_ASSIGN_OR_RETURN(AggregateCall call, ResolvePivotCall(*item.aggregates[i].call, inside, types[i]));
    AddReferences(call, used);
    calls.push_back(std::move(call));
  }
  if (!IsSmall(*turned)) ComputeInProjection(input.plan, turned, NewColumn("turned", turned->type));
  auto aggregate = std::make_unique<Aggregate>(nullptr);
  Named named;
  for (const VisibleName& name : input.scope.columns) {
    if (used.contains(name.column.id)) continue;
    if (!IsGroupable(name.column.type)) {
      return Error(item.span, StrCat("PIVOT groups by every column that it does not read; ", name.name, " is of type ",
                                     name.column.type.ToString(), ": leave it out in a subquery"));
    }
    const PlanColumn column = NewColumn(name.name, name.column.type);
    aggregate->keys.push_back({column, std::make_unique<ColumnRef>(name.column)});
    named.columns.push_back({name.name, column});
  }
  if (item.values.size() * calls.size() > static_cast<size_t>(base::kMaxColumns)) {
    return Error(item.span, StrCat("PIVOT makes ", item.values.size() * calls.size(), " columns, more than the ",
                                   base::kMaxColumns, " allowed"));
  }
  for (const sql::PivotItem::Value& each : item.values) {
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr value, ResolvePivotValue(*each.value, turned->type));
    const std::string name = each.alias ? each.alias->text : NameOfValue(As<Constant>(*value).value);
    for (size_t i = 0; i < calls.size(); ++i) {
      AggregateCall call = CloneCall(calls[i]);
      LOGQUERY_ASSIGN_OR_RETURN(call.filter,
                                MakeCall("$is_not_distinct", Clone(*turned), Clone(*value), each.value->span));
      const PlanColumn column = NewColumn(NameOfColumn(item.aggregates[i].alias, name), types[i]);
      aggregate->calls.push_back({column, std::move(call)});
      named.columns.push_back({column.name, column});
    }
  }
  for (const VisibleName& name : named.columns) aggregate->columns.push_back(name.column);
  aggregate->input = std::move(input.plan);
  LOGQUERY_RETURN_IF_ERROR(ApplyHavingModifiers(*aggregate));
  named.plan = std::move(aggregate);
  return FromNamed(std::move(named), item.alias ? item.alias->text : "", outer);
}

// ---- UNPIVOT

// The result of one group of columns for each row of the input: its values, then its label.
struct Resolver::UnpivotRow {
  std::vector<ScalarPtr> values;
};

absl::StatusOr<std::vector<Resolver::UnpivotRow>> Resolver::ResolveUnpivotRows(const sql::UnpivotItem& item,
                                                                               const FromResult& input) {
  Scope nothing(nullptr);
  ExprContext inside{&input.scope, "UNPIVOT", nullptr, false, nullptr, false};
  ExprContext of_labels{&nothing, "UNPIVOT", nullptr, false, nullptr, false};
  if (item.groups.size() > static_cast<size_t>(base::kMaxColumns)) {
    return Error(item.span,
                 StrCat("UNPIVOT of ", item.groups.size(), " columns, more than the ", base::kMaxColumns, " allowed"));
  }
  std::vector<UnpivotRow> rows;
  for (const sql::UnpivotItem::Group& group : item.groups) {
    if (group.columns.size() != item.value_columns.size()) {
      return Error(item.span, StrCat("UNPIVOT has ", base::Counted(item.value_columns.size(), "column"),
                                     " of values, but a group of ", group.columns.size()));
    }
    UnpivotRow row;
    std::string name;
    for (const sql::Identifier& column : group.columns) {
      sql::PathExpr path;
      path.span = column.span;
      path.names = {column};
      LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr value, ResolveExpr(path, inside));
      if (value->kind != ScalarKind::kColumn) return Error(column.span, "UNPIVOT wants columns of its input");
      row.values.push_back(std::move(value));
      base::StrAppend(&name, name.empty() ? "" : "_", column.text);
    }
    ScalarPtr label = std::make_unique<Constant>(Value::String(name));
    if (group.label != nullptr) {
      LOGQUERY_ASSIGN_OR_RETURN(label, ResolveExpr(*group.label, of_labels));
      const bool fits = label->type.is(TypeKind::kString) || label->type.is(TypeKind::kInt64);
      if (label->kind != ScalarKind::kConstant || !fits) {
        return Error(group.label->span, "a label of UNPIVOT is a string or an integer");
      }
    }
    row.values.push_back(std::move(label));
    rows.push_back(std::move(row));
  }
  return rows;
}

absl::StatusOr<Type> Resolver::CoerceUnpivotColumn(std::vector<UnpivotRow>& rows, size_t column, sql::Span span) {
  std::vector<const Scalar*> values;
  for (const UnpivotRow& row : rows) values.push_back(row.values[column].get());
  std::optional<Type> type = CommonSupertype(values);
  if (!type) return Error(span, "the columns of UNPIVOT, or their labels, have no type in common");
  for (UnpivotRow& row : rows) {
    LOGQUERY_ASSIGN_OR_RETURN(row.values[column], CoerceAt(std::move(row.values[column]), *type, "UNPIVOT"));
  }
  return *type;
}

absl::StatusOr<Resolver::FromResult> Resolver::ResolveUnpivot(const sql::UnpivotItem& item, FromResult input,
                                                              const Scope* outer) {
  Flatten(input, item.span);
  LOGQUERY_ASSIGN_OR_RETURN(std::vector<UnpivotRow> rows, ResolveUnpivotRows(item, input));
  ColumnSet used;
  for (const UnpivotRow& row : rows) {
    for (const ScalarPtr& value : row.values) {
      for (ColumnId id : ReferencedColumns(*value)) used.insert(id);
    }
  }
  std::vector<Field> fields;
  const size_t width = item.value_columns.size();
  for (size_t c = 0; c <= width; ++c) {
    LOGQUERY_ASSIGN_OR_RETURN(Type type, CoerceUnpivotColumn(rows, c, item.span));
    fields.push_back({c < width ? item.value_columns[c].text : item.name_column.text, std::move(type)});
  }
  const Type type = Type::Struct(fields);
  std::vector<ScalarPtr> structs;
  for (UnpivotRow& row : rows) structs.push_back(std::make_unique<StructMake>(type, std::move(row.values)));
  auto unnest = std::make_unique<Unnest>(std::move(input.plan));
  const PlanColumn element = NewColumn("row", type);
  unnest->arrays.push_back(std::make_unique<ArrayMake>(Type::Array(type), std::move(structs)));
  unnest->elements = {element};
  unnest->columns = unnest->input->columns;
  unnest->columns.push_back(element);

  auto project = std::make_unique<Project>(std::move(unnest));
  Named named;
  for (const VisibleName& name : input.scope.columns) {
    if (used.contains(name.column.id)) continue;
    named.columns.push_back(name);
  }
  std::vector<ScalarPtr> present;
  for (size_t c = 0; c <= width; ++c) {
    const PlanColumn column = NewColumn(fields[c].name, fields[c].type);
    project->computed.push_back(
        {column, std::make_unique<FieldRef>(std::make_unique<ColumnRef>(element), static_cast<int>(c))});
    named.columns.push_back({column.name, column});
    if (c == width || item.include_nulls) continue;
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr null, MakeCall("$is_null", std::make_unique<ColumnRef>(column), item.span));
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr there, MakeCall("$not", std::move(null), item.span));
    present.push_back(std::move(there));
  }
  for (const VisibleName& name : named.columns) project->columns.push_back(name.column);
  named.plan = std::move(project);
  if (!present.empty()) {
    ScalarPtr condition = std::move(present[0]);
    if (present.size() > 1) {
      present[0] = std::move(condition);
      LOGQUERY_ASSIGN_OR_RETURN(condition, MakeCall("$or", std::move(present), item.span));
    }
    named.plan = std::make_unique<Filter>(std::move(named.plan), std::move(condition));
  }
  return FromNamed(std::move(named), item.alias ? item.alias->text : "", outer);
}

}  // namespace logquery::rewrite
