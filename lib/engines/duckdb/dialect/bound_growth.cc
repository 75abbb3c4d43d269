// Makes functions on possibly long values (long_values.h) check the total length of the values in one step of the
// engine before they produce as much again for each row.
//
//     REVERSE(a.x)                          a.x is a text from STRING_AGG, joined with many rows
//     REVERSE($bounded(a.x))
//
// Aggregates that collect such values check too. Window functions have their own bounds (bound_windows.h).
#include <algorithm>
#include <string_view>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "lib/base/status_macros.h"
#include "lib/engines/duckdb/dialect/bound_windows.h"
#include "lib/engines/duckdb/dialect/long_values.h"
#include "lib/engines/duckdb/dialect/passes.h"
#include "lib/engines/duckdb/dialect/spellings.h"
#include "lib/rewrite/passes/may_raise.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::emit {
namespace {

using rewrite::Aggregate;
using rewrite::Case;
using rewrite::Cast;
using rewrite::Clone;
using rewrite::ColumnRef;
using rewrite::ColumnSet;
using rewrite::Constant;
using rewrite::FunctionCall;
using rewrite::If;
using rewrite::IsCallOf;
using rewrite::IsRowIndependent;
using rewrite::kGrows;
using rewrite::LambdaScalar;
using rewrite::MakeAnd;
using rewrite::MakeTypedCall;
using rewrite::OuterColumns;
using rewrite::PassContext;
using rewrite::Plan;
using rewrite::QueryPlan;
using rewrite::RewriteScalars;
using rewrite::Scalar;
using rewrite::ScalarKind;
using rewrite::ScalarPtr;
using rewrite::StructMake;
using rewrite::VisitPlans;
using rewrite::VisitScalars;

// Returns whether the function only inspects its arguments, or returns one of them unchanged.
bool MakesNothing(const FunctionCall& call) {
  static const auto& names = *new absl::flat_hash_set<std::string_view>{"$at_offset",
                                                                        "$at_ordinal",
                                                                        "$between",
                                                                        "$bounded",
                                                                        "$bounded_elements",
                                                                        "$bounded_frame",
                                                                        "$bounded_value",
                                                                        "$element",
                                                                        "$equal",
                                                                        "$fits",
                                                                        "$greater",
                                                                        "$greater_or_equal",
                                                                        "$in",
                                                                        "$is_distinct",
                                                                        "$is_not_distinct",
                                                                        "$is_null",
                                                                        "$less",
                                                                        "$less_or_equal",
                                                                        "$not_equal",
                                                                        "$present",
                                                                        "$safe_at_offset",
                                                                        "$safe_at_ordinal",
                                                                        "ARRAY_LENGTH",
                                                                        "BYTE_LENGTH",
                                                                        "CHAR_LENGTH",
                                                                        "LENGTH",
                                                                        "OCTET_LENGTH"};
  return names.contains(call.overload->row->name);
}

// Functions of ours have a budget already, and those that pick a text don't copy it.
bool NeedsNoBound(const FunctionCall& call, const Type& argument) {
  if (MakesNothing(call)) return true;
  const std::string_view name = call.overload->row->name;
  const bool grows = call.overload->function->Has(kGrows);
  if (argument.is_array()) return grows || name == "ARRAY_TO_STRING";
  return IsFunctionOfOurs(*call.overload) || grows || name == "IF" || name == "IFNULL" || name == "COALESCE" ||
         name == "NULLIF" || name == "GREATEST" || name == "LEAST";
}

bool Holds(const Scalar& scalar, std::string_view function) {
  bool found = false;
  VisitScalars(scalar, [&](const Scalar& part) { found = found || IsCallOf(part, function); });
  return found;
}

class Bounds {
 public:
  explicit Bounds(QueryPlan& query) : query_(query), values_(*query.root) {}

  absl::Status Apply() {
    if (!values_.none()) {
      absl::Status status = RewriteScalars(query_.root, [&](ScalarPtr& scalar) {
        BoundIn(scalar);
        return absl::OkStatus();
      });
      LOGQUERY_RETURN_IF_ERROR(status);
    }
    VisitPlans(*query_.root, [&](Plan& plan) {
      if (Aggregate* aggregate = If<Aggregate>(&plan)) BoundAggregate(*aggregate);
    });
    BoundWindows(query_, values_);
    return absl::OkStatus();
  }

 private:
  void BoundIn(ScalarPtr& scalar) {
    if (FunctionCall* call = If<FunctionCall>(scalar.get())) {
      BoundCall(*call, scalar);
    } else if (Cast* cast = If<Cast>(scalar.get())) {
      if (IsRowIndependent(*scalar)) return;
      if (cast->safe) {
        AskBefore(scalar, {cast->operand.get()});
      } else {
        Bound(cast->operand, nullptr);
      }
    } else if (Case* cases = If<Case>(scalar.get()); cases != nullptr && cases->type.is_array()) {
      // An array is copied for each row that it is chosen for.
      const ScalarPtr row = RowOf(*scalar);
      for (Case::When& when : cases->whens) Bound(when.result, row.get());
      Bound(cases->otherwise, row.get());
    }
  }

  void BoundCall(FunctionCall& call, ScalarPtr& place) {
    const bool has_lambda = std::any_of(call.arguments.begin(), call.arguments.end(),
                                        [](const ScalarPtr& each) { return each->kind == ScalarKind::kLambda; });
    const bool any_long = std::any_of(call.arguments.begin(), call.arguments.end(),
                                      [&](const ScalarPtr& each) { return values_.MayBeLong(*each); });
    if (!any_long) return;
    // A call that is evaluated once needs no bound, except for the results of a lambda over a single array.
    if (!has_lambda && IsRowIndependent(call)) return;
    const ScalarPtr row = RowOf(call);
    std::vector<const Scalar*> long_ones;
    for (size_t i = 0; i < call.arguments.size(); ++i) {
      ScalarPtr& argument = call.arguments[i];
      // A pattern or delimiter is one for all rows, and has to stay a constant to the engine.
      if (i > 0 && (argument->kind == ScalarKind::kParameter || argument->kind == ScalarKind::kConstant)) continue;
      if (LambdaScalar* lambda = If<LambdaScalar>(argument.get())) {
        BoundLambda(*lambda, call.arguments[0], row.get());
      } else if (!NeedsNoBound(call, argument->type) && call.safe) {
        long_ones.push_back(argument.get());
      } else if (!NeedsNoBound(call, argument->type)) {
        Bound(argument, row.get());
      }
    }
    if (!long_ones.empty()) AskBefore(place, long_ones);
  }

  // If an error becomes NULL, the engine retries row by row, and each row alone fits. So the budget is checked
  // beforehand.
  void AskBefore(ScalarPtr& place, const std::vector<const Scalar*>& values) {
    const ScalarPtr row = RowOf(*place);
    std::vector<ScalarPtr> conditions;
    for (const Scalar* value : values) {
      if (values_.MayBeLong(*value)) conditions.push_back(WithRow("$fits", Type::Bool(), Clone(*value), row.get()));
    }
    if (conditions.empty()) return;
    auto asked = std::make_unique<Case>(place->type);
    asked->span = place->span;
    asked->otherwise = std::make_unique<Constant>(Value::Null(place->type));
    asked->whens.push_back({MakeAnd(std::move(conditions)), std::move(place)});
    place = std::move(asked);
  }

  void BoundLambda(LambdaScalar& lambda, ScalarPtr& array, const Scalar* row) {
    if (!values_.MayBeLong(*lambda.body)) return;
    const Type made = lambda.body->type, type = array->type;
    lambda.body = MakeTypedCall("$bounded_value", made, std::move(lambda.body), Kilobytes(1));
    array = WithRow("$bounded_elements", type, std::move(array), row);
  }

  // Something that the engine takes for another one in each row; nullptr: there is nothing of the kind.
  static ScalarPtr RowOf(const Scalar& scalar) {
    ScalarPtr row;
    const ColumnSet outer = OuterColumns(scalar);  // a lambda's own parameters are nothing to its array
    VisitScalars(scalar, [&](const Scalar& part) {
      const ColumnRef* column = If<ColumnRef>(&part);
      if (row != nullptr || column == nullptr || !outer.contains(column->id)) return;
      row = MakeTypedCall("$is_null", Type::Bool(), Clone(part));
    });
    return row;
  }

  static ScalarPtr Kilobytes(int64_t count) { return rewrite::MakeInt64(count << 10); }

  static ScalarPtr WithRow(std::string_view name, const Type& type, ScalarPtr value, const Scalar* row) {
    if (row == nullptr || !IsRowIndependent(*value)) return MakeTypedCall(name, type, std::move(value));
    return MakeTypedCall(name, type, std::move(value), Clone(*row));
  }

  // A struct's fields, where they are there to be bounded; else the value as a whole.
  void Bound(ScalarPtr& value, const Scalar* row) {
    if (!values_.MayBeLong(*value) || IsCallOf(*value, "$bounded")) return;
    if (StructMake* made = If<StructMake>(value.get())) {
      for (ScalarPtr& field : made->fields) Bound(field, row);
      return;
    }
    const Type type = value->type;
    const bool is_text = type.is(TypeKind::kString) || type.is(TypeKind::kBytes);
    // An array's text is written twice, so one check is enough on the way.
    const bool is_array = type.is_array() && !type.is_record() && !Holds(*value, "$bounded");
    if (is_text || is_array) value = WithRow("$bounded", type, std::move(value), row);
  }

  // DuckDB gathers all rows of a step before it checks its memory or the deadline again.
  void BoundAggregate(Aggregate& aggregate) {
    ScalarPtr row;
    if (!aggregate.input->columns.empty()) {
      row = MakeTypedCall("$is_null", Type::Bool(), rewrite::MakeColumnRef(aggregate.input->columns[0]));
    }
    for (Aggregate::Call& call : aggregate.calls) {
      // With DISTINCT, an ORDER BY must use the argument unchanged.
      const bool is_ordered_by_itself = call.call.distinct && !call.call.order_by.empty();
      if (Gathers(call.call) && !is_ordered_by_itself) Bound(call.call.arguments[0], row.get());
    }
  }

  QueryPlan& query_;
  const LongValues values_;
};

}  // namespace

absl::Status BoundGrowth(const PassContext&, QueryPlan& query) { return Bounds(query).Apply(); }

}  // namespace logquery::emit
