#include <cstdint>
#include <limits>

#include "absl/strings/numbers.h"
#include "lib/base/status_macros.h"
#include "lib/rewrite/coercion.h"
#include "lib/rewrite/interval_text.h"
#include "lib/rewrite/resolver_impl.h"
#include "lib/sql/text_error.h"

namespace logquery::rewrite {
namespace {

using base::StrCat;

ScalarPtr MakeConstant(Value value, sql::Span span) {
  auto constant = std::make_unique<Constant>(std::move(value));
  constant->span = span;
  return constant;
}

const char* BinaryFunction(sql::Binary::Op op) {
  switch (op) {
    case sql::Binary::Op::kMultiply:
      return "$multiply";
    case sql::Binary::Op::kDivide:
      return "$divide";
    case sql::Binary::Op::kAdd:
      return "$add";
    case sql::Binary::Op::kSubtract:
      return "$subtract";
    case sql::Binary::Op::kShiftLeft:
      return "$shift_left";
    case sql::Binary::Op::kShiftRight:
      return "$shift_right";
    case sql::Binary::Op::kBitAnd:
      return "$bit_and";
    case sql::Binary::Op::kBitXor:
      return "$bit_xor";
    case sql::Binary::Op::kBitOr:
      return "$bit_or";
    case sql::Binary::Op::kEqual:
      return "$equal";
    case sql::Binary::Op::kNotEqual:
      return "$not_equal";
    case sql::Binary::Op::kLess:
      return "$less";
    case sql::Binary::Op::kLessOrEqual:
      return "$less_or_equal";
    case sql::Binary::Op::kGreater:
      return "$greater";
    case sql::Binary::Op::kGreaterOrEqual:
      return "$greater_or_equal";
    case sql::Binary::Op::kIsDistinct:
      return "$is_distinct";
    case sql::Binary::Op::kIsNotDistinct:
      return "$is_not_distinct";
  }
  return "";
}

const char* NaryFunction(sql::Nary::Op op) {
  switch (op) {
    case sql::Nary::Op::kAnd:
      return "$and";
    case sql::Nary::Op::kOr:
      return "$or";
    case sql::Nary::Op::kConcat:
      return "$concat";
  }
  return "";
}

const char* IsFunction(sql::IsTest::What what) {
  switch (what) {
    case sql::IsTest::What::kNull:
      return "$is_null";
    case sql::IsTest::What::kTrue:
      return "$is_true";
    case sql::IsTest::What::kFalse:
      return "$is_false";
    case sql::IsTest::What::kUnknown:
      return "$is_null";
  }
  return "";
}

}  // namespace

absl::StatusOr<ScalarPtr> Resolver::ResolveExpr(const sql::Expr& expr, const ExprContext& context) {
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr scalar, ResolveExprOfKind(expr, context));
  scalar->span = expr.span;
  return scalar;
}

absl::StatusOr<ScalarPtr> Resolver::ResolveExprOfKind(const sql::Expr& expr, const ExprContext& context) {
  switch (expr.kind) {
    case sql::ExprKind::kLiteral:
      return ResolveLiteral(sql::As<sql::Literal>(expr));
    case sql::ExprKind::kInterval:
      return ResolveInterval(sql::As<sql::IntervalExpr>(expr), context);
    case sql::ExprKind::kParameter:
      return ResolveParameter(sql::As<sql::ParameterExpr>(expr));
    case sql::ExprKind::kPath:
      return ResolvePath(sql::As<sql::PathExpr>(expr), context);
    case sql::ExprKind::kFieldAccess: {
      const auto& access = sql::As<sql::FieldAccess>(expr);
      LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr base, ResolveExpr(*access.base, context));
      return GetField(std::move(base), access.field);
    }
    case sql::ExprKind::kSubscript:
      return ResolveSubscript(sql::As<sql::Subscript>(expr), context);
    case sql::ExprKind::kUnary:
      return ResolveUnary(sql::As<sql::Unary>(expr), context);
    case sql::ExprKind::kBinary: {
      const auto& binary = sql::As<sql::Binary>(expr);
      LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr left, ResolveExpr(*binary.left, context));
      LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr right, ResolveExpr(*binary.right, context));
      const bool null_may_stand =
          binary.op == sql::Binary::Op::kIsDistinct || binary.op == sql::Binary::Op::kIsNotDistinct;
      if (!null_may_stand) {
        LOGQUERY_RETURN_IF_ERROR(RefuseNull(*binary.left));
        LOGQUERY_RETURN_IF_ERROR(RefuseNull(*binary.right));
      }
      return MakeCall(BinaryFunction(binary.op), std::move(left), std::move(right), expr.span);
    }
    case sql::ExprKind::kNary: {
      const auto& nary = sql::As<sql::Nary>(expr);
      LOGQUERY_ASSIGN_OR_RETURN(std::vector<ScalarPtr> operands, ResolveAll(nary.operands, context));
      return MakeCall(NaryFunction(nary.op), std::move(operands), expr.span);
    }
    case sql::ExprKind::kIsTest: {
      const auto& test = sql::As<sql::IsTest>(expr);
      LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr operand, ResolveExpr(*test.operand, context));
      // A record is an array to queries, and a stored array is never NULL.
      if (operand->type.is_record()) return MakeConstant(Value::Bool(test.negated), expr.span);
      LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr call, MakeCall(IsFunction(test.what), std::move(operand), expr.span));
      return test.negated ? MakeCall("$not", std::move(call), expr.span) : std::move(call);
    }
    case sql::ExprKind::kBetween: {
      const auto& between = sql::As<sql::Between>(expr);
      std::vector<ScalarPtr> parts(3);
      LOGQUERY_ASSIGN_OR_RETURN(parts[0], ResolveExpr(*between.value, context));
      LOGQUERY_ASSIGN_OR_RETURN(parts[1], ResolveExpr(*between.low, context));
      LOGQUERY_ASSIGN_OR_RETURN(parts[2], ResolveExpr(*between.high, context));
      LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr call, MakeCall("$between", std::move(parts), expr.span));
      return between.negated ? MakeCall("$not", std::move(call), expr.span) : std::move(call);
    }
    case sql::ExprKind::kIn:
      return ResolveIn(sql::As<sql::InExpr>(expr), context);
    case sql::ExprKind::kLike:
      return ResolveLike(sql::As<sql::LikeExpr>(expr), context);
    case sql::ExprKind::kCase:
      return ResolveCase(sql::As<sql::CaseExpr>(expr), context);
    case sql::ExprKind::kCast:
      return ResolveCast(sql::As<sql::CastExpr>(expr), context);
    case sql::ExprKind::kExtract:
      return ResolveExtract(sql::As<sql::ExtractExpr>(expr), context);
    case sql::ExprKind::kStruct:
      return ResolveStruct(sql::As<sql::StructExpr>(expr), context);
    case sql::ExprKind::kArray:
      return ResolveArray(sql::As<sql::ArrayExpr>(expr), context);
    case sql::ExprKind::kCall:
      return ResolveCall(sql::As<sql::Call>(expr), context);
    case sql::ExprKind::kLambda:
      return Error(expr.span, "a lambda can only be an argument of a function that takes one");
    case sql::ExprKind::kSubquery:
      return ResolveSubquery(sql::As<sql::SubqueryExpr>(expr), context);
    case sql::ExprKind::kWithExpr:
      return ResolveWithExpr(sql::As<sql::WithExpr>(expr), context);
  }
  return absl::InternalError("unknown kind of expression");
}

absl::StatusOr<std::vector<ScalarPtr>> Resolver::ResolveAll(const std::vector<sql::ExprPtr>& exprs,
                                                            const ExprContext& context) {
  std::vector<ScalarPtr> scalars;
  scalars.reserve(exprs.size());
  for (const sql::ExprPtr& expr : exprs) {
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr scalar, ResolveExpr(*expr, context));
    scalars.push_back(std::move(scalar));
  }
  return scalars;
}

absl::StatusOr<ScalarPtr> Resolver::ResolveBool(const sql::Expr& expr, const ExprContext& context) {
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr scalar, ResolveExpr(expr, context));
  if (!CoercionCost(*scalar, Type::Bool())) {
    return Error(expr.span, StrCat(std::string_view(context.clause), " wants a condition of type BOOL, not ",
                                   scalar->type.ToString()));
  }
  return CoerceAt(std::move(scalar), Type::Bool(), context.clause);
}

absl::StatusOr<ScalarPtr> Resolver::ResolveLiteral(const sql::Literal& literal) {
  using Form = sql::Literal::Form;
  switch (literal.form) {
    case Form::kNull:
      return MakeConstant(Value::Null(Type::Int64()), literal.span);
    case Form::kBool:
      return MakeConstant(Value::Bool(literal.text == "true"), literal.span);
    case Form::kString:
      return MakeConstant(Value::String(literal.text), literal.span);
    case Form::kBytes:
      return MakeConstant(Value::Bytes(literal.text), literal.span);
    case Form::kFloat: {
      double value = 0;
      if (!absl::SimpleAtod(literal.text, &value)) return Error(literal.span, StrCat("not a number: ", literal.text));
      if (value == std::numeric_limits<double>::infinity()) {
        return Error(literal.span, StrCat("the number ", literal.text, " is out of the range of FLOAT64"));
      }
      return MakeConstant(Value::Float64(value), literal.span);
    }
    case Form::kInteger: {
      int64_t value = 0;
      bool hex = literal.text.size() > 2 && (literal.text[1] == 'x' || literal.text[1] == 'X');
      uint64_t bits = 0;
      bool ok = hex ? absl::SimpleHexAtoi(literal.text, &bits) : absl::SimpleAtoi(literal.text, &value);
      if (!ok) return Error(literal.span, StrCat("the number ", literal.text, " is out of the range of INT64"));
      return MakeConstant(Value::Int64(hex ? static_cast<int64_t>(bits) : value), literal.span);
    }
    case Form::kTyped: {
      absl::StatusOr<Value> value = ParseLiteral(literal.type, literal.text, options_.time_zone);
      if (!value.ok()) return At(literal.span, value.status());
      return MakeConstant(*std::move(value), literal.span);
    }
  }
  return absl::InternalError("unknown form of literal");
}

absl::StatusOr<ScalarPtr> Resolver::ResolveInterval(const sql::IntervalExpr& expr, const ExprContext& context) {
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr value, ResolveExpr(*expr.value, context));
  const Constant* constant = If<Constant>(value.get());
  if (constant != nullptr && !constant->value.is_null()) {
    const Value& v = constant->value;
    absl::StatusOr<Interval> interval = v.type().is(TypeKind::kInt64) ? IntervalOfParts(v.int64_value(), expr.from)
                                        : v.type().is(TypeKind::kString)
                                            ? ParseIntervalText(v.string_value(), expr.from, expr.to)
                                            : absl::StatusOr<Interval>(absl::InvalidArgumentError(StrCat(
                                                  "INTERVAL wants an INT64 or a string, not ", v.type().ToString())));
    if (!interval.ok()) return At(expr.span, interval.status());
    return MakeConstant(Value::IntervalOf(*interval), expr.span);
  }
  if (!expr.to.empty()) return Error(expr.span, "INTERVAL … TO … wants a string literal");
  std::vector<ScalarPtr> arguments;
  arguments.push_back(std::move(value));
  arguments.push_back(MakeConstant(Value::String(expr.from), expr.span));
  return MakeCall("$interval", std::move(arguments), expr.span);
}

absl::StatusOr<ScalarPtr> Resolver::ResolveParameter(const sql::ParameterExpr& parameter) {
  std::vector<std::string> names;
  for (const Field& declared : options_.parameters) {
    if (base::EqualsIgnoreCase(declared.name, parameter.name)) {
      auto ref = std::make_unique<ParameterRef>(declared.name, declared.type);
      ref->span = parameter.span;
      return ScalarPtr(std::move(ref));
    }
    names.push_back(declared.name);
  }
  return Error(parameter.span, StrCat("unknown parameter @", parameter.name), sql::NearestNames(parameter.name, names));
}

ScalarPtr Resolver::NameToScalar(const VisibleName& name, sql::Span span) {
  if (name.value != nullptr) return Clone(*name.value);
  ScalarPtr scalar = std::make_unique<ColumnRef>(name.column);
  scalar->span = span;
  if (name.field < 0) return scalar;
  scalar = std::make_unique<FieldRef>(std::move(scalar), name.field);
  scalar->span = span;
  return scalar;
}

absl::StatusOr<ScalarPtr> Resolver::RangeToScalar(const RangeVariable& range, sql::Span span) {
  if (range.value) return ScalarPtr(std::make_unique<ColumnRef>(*range.value));
  std::vector<Field> fields;
  std::vector<ScalarPtr> values;
  for (const VisibleName& column : range.columns) {
    fields.push_back({column.name, column.type()});
    values.push_back(NameToScalar(column, span));
  }
  return ScalarPtr(std::make_unique<StructMake>(Type::Struct(std::move(fields)), std::move(values)));
}

absl::Status Resolver::UnknownName(const sql::Identifier& name, const ExprContext& context) {
  std::vector<std::string> names = context.scope->Names();
  if (context.aliases != nullptr) {
    for (const Alias& alias : *context.aliases) names.push_back(alias.name);
  }
  return Error(name.span, StrCat("unknown name ", name.text), sql::NearestNames(name.text, names));
}

absl::StatusOr<ScalarPtr> Resolver::ResolvePath(const sql::PathExpr& path, const ExprContext& context) {
  const sql::Identifier& first = path.names[0];
  if (context.aliases != nullptr && !context.inside_aggregate) {
    const Scalar* value = nullptr;
    for (const Alias& alias : *context.aliases) {
      if (!base::EqualsIgnoreCase(alias.name, first.text)) continue;
      if (value != nullptr) return Error(first.span, StrCat("the alias ", first.text, " is ambiguous"));
      value = alias.value;
    }
    // A longer path is about a range variable where there is one of that name.
    bool hidden = path.names.size() > 1 && context.scope->FindHere(first.text).range != nullptr;
    if (value != nullptr && !hidden) return ResolveFields(Clone(*value), path.names, 1);
  }
  Scope::Found found = context.scope->Find(first.text);
  if (!found) return UnknownName(first, context);
  if (found.ambiguous) {
    return Error(first.span, StrCat("the name ", first.text, " is ambiguous: several tables or records here have it; ",
                                    "write it with the alias of one before it"));
  }
  if (found.column != nullptr) return ResolveFields(NameToScalar(*found.column, first.span), path.names, 1);
  const RangeVariable& range = *found.range;
  if (range.value || path.names.size() == 1) {
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr whole, RangeToScalar(range, first.span));
    return ResolveFields(std::move(whole), path.names, 1);
  }
  const sql::Identifier& second = path.names[1];
  const VisibleName* column = nullptr;
  std::vector<std::string> names;
  for (const VisibleName& candidate : range.columns) {
    names.push_back(candidate.name);
    if (!base::EqualsIgnoreCase(candidate.name, second.text)) continue;
    if (column != nullptr)
      return Error(second.span, StrCat("the column ", second.text, " of ", first.text, " is ambiguous"));
    column = &candidate;
  }
  if (column == nullptr) {
    return Error(second.span, StrCat(first.text, " has no column ", second.text),
                 sql::NearestNames(second.text, names));
  }
  return ResolveFields(NameToScalar(*column, second.span), path.names, 2);
}

absl::StatusOr<ScalarPtr> Resolver::ResolveFields(ScalarPtr base, const std::vector<sql::Identifier>& names,
                                                  size_t from) {
  for (size_t i = from; i < names.size(); ++i) {
    LOGQUERY_ASSIGN_OR_RETURN(base, GetField(std::move(base), names[i]));
  }
  return base;
}

absl::StatusOr<ScalarPtr> Resolver::GetField(ScalarPtr base, const sql::Identifier& name) {
  if (base->type.is(TypeKind::kJson)) {
    return MakeCall("$json_field", std::move(base), MakeConstant(Value::String(name.text), name.span), name.span);
  }
  if (base->type.is_array()) {
    return Error(name.span, StrCat("can't read the field ", name.text, " of an array, ",
                                   base->type.is_record()
                                       ? "which a record is here; unnest it first: CROSS JOIN UNNEST(…) AS r, then r."
                                       : "take an element first: [OFFSET(0)].",
                                   name.text));
  }
  if (!base->type.is_struct()) {
    return Error(name.span, StrCat("can't read the field ", name.text, " of a value of type ", base->type.ToString()));
  }
  int found = -1;
  std::vector<std::string> names;
  const std::vector<Field>& fields = base->type.fields();
  for (size_t i = 0; i < fields.size(); ++i) {
    names.push_back(fields[i].name);
    if (!base::EqualsIgnoreCase(fields[i].name, name.text)) continue;
    if (found >= 0) return Error(name.span, StrCat("the field ", name.text, " is ambiguous: the STRUCT has it twice"));
    found = static_cast<int>(i);
  }
  if (found < 0) {
    return Error(name.span, StrCat("there is no field ", name.text), sql::NearestNames(name.text, names));
  }
  ScalarPtr field = std::make_unique<FieldRef>(std::move(base), found);
  field->span = name.span;
  return field;
}

absl::StatusOr<ScalarPtr> Resolver::ResolveSubscript(const sql::Subscript& subscript, const ExprContext& context) {
  using Mode = sql::Subscript::Mode;
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr base, ResolveExpr(*subscript.base, context));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr index, ResolveExpr(*subscript.index, context));
  if (base->type.is(TypeKind::kJson)) {
    bool by_name = index->type.is(TypeKind::kString);
    return MakeCall(by_name ? "$json_field" : "$json_index", std::move(base), std::move(index), subscript.span);
  }
  if (base->type.is_struct()) return StructAt(subscript, std::move(base), std::move(index));
  if (!base->type.is_array()) {
    return Error(subscript.span, StrCat("can't take an element of a value of type ", base->type.ToString()));
  }
  const char* function = "$at_offset";
  switch (subscript.mode) {
    case Mode::kPlain:
    case Mode::kOffset:
      break;
    case Mode::kOrdinal:
      function = "$at_ordinal";
      break;
    case Mode::kSafeOffset:
      function = "$safe_at_offset";
      break;
    case Mode::kSafeOrdinal:
      function = "$safe_at_ordinal";
      break;
    case Mode::kKey:
    case Mode::kSafeKey:
      return Error(subscript.span, "an array's element is read by OFFSET or ORDINAL, not by KEY");
  }
  return MakeCall(function, std::move(base), std::move(index), subscript.span);
}

// A STRUCT's field by its place: `dates[0]` where `dates` is a range variable of one column.
absl::StatusOr<ScalarPtr> Resolver::StructAt(const sql::Subscript& subscript, ScalarPtr base, ScalarPtr index) {
  const Constant* place = If<Constant>(index.get());
  if (place == nullptr || !place->value.type().is(TypeKind::kInt64) || place->value.is_null()) {
    return Error(subscript.index->span, "the place of a STRUCT's field has to be an integer literal");
  }
  bool ordinal =
      subscript.mode == sql::Subscript::Mode::kOrdinal || subscript.mode == sql::Subscript::Mode::kSafeOrdinal;
  int64_t at = place->value.int64_value() - (ordinal ? 1 : 0);
  int64_t count = static_cast<int64_t>(base->type.fields().size());
  if (at < 0 || at >= count) {
    return Error(subscript.index->span, StrCat("there is no field ", place->value.int64_value(), ": the STRUCT has ",
                                               count, " field", count == 1 ? "" : "s"));
  }
  return ScalarPtr(std::make_unique<FieldRef>(std::move(base), static_cast<int>(at)));
}

// As BigQuery does: x = NULL, written so, is a mistake for x IS NULL.
absl::Status Resolver::RefuseNull(const sql::Expr& operand) {
  const auto* literal = sql::If<sql::Literal>(&operand);
  if (literal == nullptr || literal->form != sql::Literal::Form::kNull) return absl::OkStatus();
  return Error(operand.span, "an operator's operand can't be the literal NULL; to test for it write IS NULL");
}

absl::StatusOr<ScalarPtr> Resolver::ResolveUnary(const sql::Unary& unary, const ExprContext& context) {
  using Op = sql::Unary::Op;
  const sql::Literal* literal = sql::If<sql::Literal>(unary.operand.get());
  // The one integer whose digits alone are out of range.
  if (unary.op == Op::kMinus && literal != nullptr && literal->form == sql::Literal::Form::kInteger &&
      literal->text == "9223372036854775808") {
    return MakeConstant(Value::Int64(std::numeric_limits<int64_t>::min()), unary.span);
  }
  LOGQUERY_RETURN_IF_ERROR(RefuseNull(*unary.operand));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr operand, ResolveExpr(*unary.operand, context));
  if (const Constant* constant = If<Constant>(operand.get());
      unary.op == Op::kMinus && constant != nullptr && !constant->value.is_null()) {
    const Value& value = constant->value;
    if (value.type().is(TypeKind::kInt64) && value.int64_value() != std::numeric_limits<int64_t>::min()) {
      return MakeConstant(Value::Int64(-value.int64_value()), unary.span);
    }
    if (value.type().is(TypeKind::kFloat64)) return MakeConstant(Value::Float64(-value.float64_value()), unary.span);
  }
  switch (unary.op) {
    case Op::kMinus:
      return MakeCall("$negate", std::move(operand), unary.span);
    case Op::kPlus:
      if (!IsNumeric(operand->type)) return Error(unary.span, "the sign + wants a number");
      return operand;
    case Op::kBitNot:
      return MakeCall("$bit_not", std::move(operand), unary.span);
    case Op::kNot:
      return MakeCall("$not", std::move(operand), unary.span);
  }
  return absl::InternalError("unknown operator");
}

absl::StatusOr<ScalarPtr> Resolver::ResolveIn(const sql::InExpr& in, const ExprContext& context) {
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr value, ResolveExpr(*in.value, context));
  ScalarPtr result;
  if (in.candidates.subquery != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(result, ResolveInSubquery(in, std::move(value), context));
  } else if (in.candidates.unnest != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr array, ResolveExpr(*in.candidates.unnest, context));
    LOGQUERY_ASSIGN_OR_RETURN(result, MakeCall("$in_array", std::move(value), std::move(array), in.span));
  } else {
    LOGQUERY_ASSIGN_OR_RETURN(std::vector<ScalarPtr> operands, ResolveAll(in.candidates.list, context));
    operands.insert(operands.begin(), std::move(value));
    LOGQUERY_ASSIGN_OR_RETURN(result, MakeCall("$in", std::move(operands), in.span));
  }
  return in.negated ? MakeCall("$not", std::move(result), in.span) : std::move(result);
}

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

absl::StatusOr<ScalarPtr> Resolver::ResolveLike(const sql::LikeExpr& like, const ExprContext& context) {
  using Quantifier = sql::LikeExpr::Quantifier;
  if (like.patterns.subquery != nullptr || like.patterns.unnest != nullptr) {
    return Unsupported(like.span, "LIKE ANY over a subquery or an array is not supported; list the patterns");
  }
  LOGQUERY_ASSIGN_OR_RETURN(std::vector<ScalarPtr> operands, ResolveAll(like.patterns.list, context));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr value, ResolveExpr(*like.value, context));
  operands.insert(operands.begin(), std::move(value));
  if (like.ignore_case && like.quantifier != Quantifier::kOne) {
    return Unsupported(like.span, "ILIKE with ANY or ALL is not supported; join single ones by OR or AND");
  }
  // x NOT LIKE ANY (a, b) is NOT LIKE a OR NOT LIKE b.
  bool any = (like.quantifier == Quantifier::kAny) != like.negated;
  const char* function = like.quantifier == Quantifier::kOne ? (like.ignore_case ? "$ilike" : "$like")
                         : any                               ? "$like_any"
                                                             : "$like_all";
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr call, MakeCall(function, std::move(operands), like.span));
  return like.negated ? MakeCall("$not", std::move(call), like.span) : std::move(call);
}

absl::StatusOr<ScalarPtr> Resolver::ResolveCase(const sql::CaseExpr& expr, const ExprContext& context) {
  ScalarPtr operand;
  std::vector<ScalarPtr> conditions, results;
  if (expr.operand != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(operand, ResolveExpr(*expr.operand, context));
  }
  ExprContext inner = context;
  inner.clause = "CASE WHEN";
  for (const sql::CaseExpr::When& when : expr.whens) {
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr condition, operand != nullptr ? ResolveExpr(*when.condition, context)
                                                                      : ResolveBool(*when.condition, inner));
    conditions.push_back(std::move(condition));
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr result, ResolveExpr(*when.result, context));
    results.push_back(std::move(result));
  }
  if (expr.otherwise != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr result, ResolveExpr(*expr.otherwise, context));
    results.push_back(std::move(result));
  } else {
    results.push_back(MakeConstant(Value::Null(Type::Int64()), expr.span));
  }
  std::vector<const Scalar*> pointers;
  for (const ScalarPtr& result : results) pointers.push_back(result.get());
  std::optional<Type> type = CommonSupertype(pointers);
  if (!type) return Error(expr.span, "the results of this CASE have no type in common");
  auto made = std::make_unique<Case>(*type);
  if (operand != nullptr) {
    std::vector<const Scalar*> compared = {operand.get()};
    for (const ScalarPtr& condition : conditions) compared.push_back(condition.get());
    std::optional<Type> common = CommonSupertype(compared);
    if (!common) return Error(expr.span, "the values after WHEN can't be compared with the one after CASE");
    LOGQUERY_ASSIGN_OR_RETURN(made->operand, CoerceAt(std::move(operand), *common, "CASE"));
    for (ScalarPtr& condition : conditions) {
      LOGQUERY_ASSIGN_OR_RETURN(condition, CoerceAt(std::move(condition), *common, "WHEN"));
    }
  }
  for (ScalarPtr& result : results) {
    LOGQUERY_ASSIGN_OR_RETURN(result, CoerceAt(std::move(result), *type, "CASE"));
  }
  for (size_t i = 0; i < conditions.size(); ++i) {
    made->whens.push_back({std::move(conditions[i]), std::move(results[i])});
  }
  made->otherwise = std::move(results.back());
  return ScalarPtr(std::move(made));
}

absl::StatusOr<ScalarPtr> Resolver::ResolveCast(const sql::CastExpr& cast, const ExprContext& context) {
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr operand, ResolveExpr(*cast.operand, context));
  const Type& from = operand->type;
  const Type& to = cast.type.type;
  if (!IsUntypedNull(*operand) && !CastAllowed(from, to)) {
    return Error(cast.span, StrCat("can't cast ", from.ToString(), " to ", to.ToString()));
  }
  if (!cast.type.parameters.empty()) {
    return Unsupported(cast.type.span, "type parameters in a CAST are not supported; cast without them");
  }
  auto made = std::make_unique<Cast>(std::move(operand), to);
  made->safe = cast.safe;
  if (cast.format != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(made->format, ResolveExpr(*cast.format, context));
  }
  if (cast.time_zone != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(made->time_zone, ResolveExpr(*cast.time_zone, context));
  } else {
    made->time_zone = DefaultZone(made->operand->type, to, options_.time_zone);
  }
  return ScalarPtr(std::move(made));
}

absl::StatusOr<ScalarPtr> Resolver::ResolveExtract(const sql::ExtractExpr& extract, const ExprContext& context) {
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr operand, ResolveExpr(*extract.operand, context));
  std::string part = base::ToUpper(extract.part.text);
  std::vector<ScalarPtr> arguments;
  bool of_timestamp = operand->type.is(TypeKind::kTimestamp);
  arguments.push_back(std::move(operand));
  const char* function = part == "DATE"       ? "$extract_date"
                         : part == "TIME"     ? "$extract_time"
                         : part == "DATETIME" ? "$extract_datetime"
                                              : "$extract";
  if (std::string_view(function) == "$extract") {
    if (!extract.part_argument.empty()) part = StrCat(part, "(", base::ToUpper(extract.part_argument), ")");
    if (!IsDatePart(part)) {
      return Error(extract.part.span, StrCat("unknown date part ", extract.part.text),
                   sql::NearestNames(part, DatePartNames()));
    }
    arguments.push_back(MakeConstant(Value::String(part), extract.part.span));
  }
  if (extract.time_zone != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr zone, ResolveExpr(*extract.time_zone, context));
    arguments.push_back(std::move(zone));
  } else if (of_timestamp && options_.time_zone != "UTC") {
    arguments.push_back(MakeConstant(Value::String(options_.time_zone), extract.span));
  }
  return MakeCall(function, std::move(arguments), extract.span);
}

absl::StatusOr<ScalarPtr> Resolver::ResolveStruct(const sql::StructExpr& expr, const ExprContext& context) {
  std::vector<Field> fields;
  std::vector<ScalarPtr> values;
  for (const sql::StructExpr::Item& item : expr.items) {
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr value, ResolveExpr(*item.value, context));
    std::string name = item.alias ? item.alias->text : (expr.is_tuple || expr.type) ? "" : ImplicitName(*item.value);
    fields.push_back({std::move(name), value->type});
    values.push_back(std::move(value));
  }
  if (!expr.type) {
    return ScalarPtr(std::make_unique<StructMake>(Type::Struct(std::move(fields)), std::move(values)));
  }
  const Type& type = expr.type->type;
  if (type.fields().size() != values.size()) {
    return Error(expr.span, StrCat(type.ToString(), " has ", type.fields().size(), " fields, but ", values.size(),
                                   " values follow"));
  }
  for (size_t i = 0; i < values.size(); ++i) {
    LOGQUERY_ASSIGN_OR_RETURN(values[i], CoerceAt(std::move(values[i]), type.fields()[i].type, "STRUCT"));
  }
  return ScalarPtr(std::make_unique<StructMake>(type, std::move(values)));
}

absl::StatusOr<ScalarPtr> Resolver::ResolveArray(const sql::ArrayExpr& expr, const ExprContext& context) {
  LOGQUERY_ASSIGN_OR_RETURN(std::vector<ScalarPtr> elements, ResolveAll(expr.elements, context));
  if (expr.type && elements.empty()) return MakeConstant(Value::Array(expr.type->type.element(), {}), expr.span);
  Type element;
  if (expr.type) {
    element = expr.type->type.element();
  } else {
    std::vector<const Scalar*> pointers;
    for (const ScalarPtr& e : elements) pointers.push_back(e.get());
    std::optional<Type> common = CommonSupertype(pointers);
    if (!common) return Error(expr.span, "the elements of this array have no type in common");
    element = *common;
  }
  if (element.is_array()) return Error(expr.span, "an array can't hold arrays; put them into STRUCTs");
  for (ScalarPtr& e : elements) {
    LOGQUERY_ASSIGN_OR_RETURN(e, CoerceAt(std::move(e), element, "the array"));
  }
  return ScalarPtr(std::make_unique<ArrayMake>(Type::Array(element), std::move(elements)));
}

// Where aliases of the SELECT list are visible, they are so to subqueries too.
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

std::string ImplicitName(const sql::Expr& expr) {
  if (const auto* path = sql::If<sql::PathExpr>(&expr)) return path->names.back().text;
  if (const auto* access = sql::If<sql::FieldAccess>(&expr)) return access->field.text;
  return "";
}

}  // namespace logquery::rewrite
