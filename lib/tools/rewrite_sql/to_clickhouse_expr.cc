// Expressions: operators, literals and lists.
#include <algorithm>

#include "absl/strings/ascii.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/build.h"
#include "lib/clickhouse_sql/printer.h"
#include "lib/tools/rewrite_sql/to_clickhouse.h"

namespace logquery::tools {

using base::StrCat;

namespace {

std::string_view ComparisonFunction(sql::Binary::Op op) {
  using Op = sql::Binary::Op;
  switch (op) {
    case Op::kEqual:
      return "equals";
    case Op::kNotEqual:
      return "notEquals";
    case Op::kLess:
      return "less";
    case Op::kLessOrEqual:
      return "lessOrEquals";
    case Op::kGreater:
      return "greater";
    case Op::kGreaterOrEqual:
      return "greaterOrEquals";
    case Op::kIsNotDistinct:
    case Op::kIsDistinct:
      return "isNotDistinctFrom";
    default:
      return "";
  }
}

bool IsZero(const sql::Expr& expr) {
  const auto* literal = sql::If<sql::Literal>(&expr);
  return literal == nullptr || literal->text.find_first_of("123456789") == std::string::npos;
}

std::string FloatDigits(std::string text) {
  if (text.starts_with(".")) text.insert(0, "0");
  const size_t dot = text.find('.');
  if (dot != std::string::npos && (dot + 1 == text.size() || !absl::ascii_isdigit(text[dot + 1])))
    text.insert(dot + 1, "0");
  return text;
}

}  // namespace

absl::StatusOr<ChValue> ToClickHouse::Expr(const sql::Expr& expr, const Scope& scope, Use use) {
  LOGQUERY_ASSIGN_OR_RETURN(ChValue value, ExprOfKind(expr, scope, use));
  // An expression that is written out several times multiplies with each level of nesting.
  if (ch::Print(*value.expr).size() > kMaxTextBytes)
    return Unsupported(expr.span, StrCat("an expression that would have more than ", kMaxTextBytes, " bytes"));
  value.type = TypeOf(expr);
  return value;
}

absl::StatusOr<ChValue> ToClickHouse::ExprOfKind(const sql::Expr& expr, const Scope& scope, Use use) {
  switch (expr.kind) {
    case sql::ExprKind::kLiteral:
      return Literal(sql::As<sql::Literal>(expr));
    case sql::ExprKind::kPath:
      return Name(expr, scope, use);
    case sql::ExprKind::kFieldAccess: {
      if (names_.SourceOf(expr)) return Name(expr, scope, use);
      return FirstOfList(sql::As<sql::FieldAccess>(expr), scope);
    }
    case sql::ExprKind::kSubscript:
      return Subscript(sql::As<sql::Subscript>(expr), scope);
    case sql::ExprKind::kUnary:
      return Unary(sql::As<sql::Unary>(expr), scope, use);
    case sql::ExprKind::kBinary:
      return Binary(sql::As<sql::Binary>(expr), scope, use);
    case sql::ExprKind::kNary:
      return Nary(sql::As<sql::Nary>(expr), scope, use);
    case sql::ExprKind::kIsTest:
      return Test(sql::As<sql::IsTest>(expr), scope, use);
    case sql::ExprKind::kBetween:
      return Between(sql::As<sql::Between>(expr), scope, use);
    case sql::ExprKind::kIn:
      return In(sql::As<sql::InExpr>(expr), scope, use);
    case sql::ExprKind::kLike:
      return Like(sql::As<sql::LikeExpr>(expr), scope, use);
    case sql::ExprKind::kCase:
      return Case(sql::As<sql::CaseExpr>(expr), scope);
    case sql::ExprKind::kCast:
      return Cast(sql::As<sql::CastExpr>(expr), scope);
    case sql::ExprKind::kExtract:
      return Extract(sql::As<sql::ExtractExpr>(expr), scope);
    case sql::ExprKind::kStruct:
      return Struct(sql::As<sql::StructExpr>(expr), scope);
    case sql::ExprKind::kArray:
      return Array(sql::As<sql::ArrayExpr>(expr), scope);
    case sql::ExprKind::kCall:
      return Call(sql::As<sql::Call>(expr), scope, use);
    case sql::ExprKind::kSubquery:
      return Subquery(sql::As<sql::SubqueryExpr>(expr), scope);
    case sql::ExprKind::kInterval:
    case sql::ExprKind::kParameter:
    case sql::ExprKind::kLambda:
    case sql::ExprKind::kWithExpr:
      return Unsupported(expr.span, "this expression");
  }
  return absl::InternalError("unknown kind of expression");
}

absl::StatusOr<ChValue> ToClickHouse::Literal(const sql::Literal& literal) {
  using Form = sql::Literal::Form;
  switch (literal.form) {
    case Form::kNull:
      return ChValue{ch::MakeNull(), Type::Int64(), true, false};
    case Form::kBool: {
      auto value = std::make_unique<ch::Expr>();
      value->kind = ch::ExprKind::kBool;
      value->is_true = base::EqualsIgnoreCase(literal.text, "true");
      return ChValue{std::move(value), Type::Bool(), false, false};
    }
    case Form::kInteger:
      return ChValue{ch::MakeNumber(literal.text), Type::Int64(), false, false};
    case Form::kFloat:
      return ChValue{ch::MakeNumber(FloatDigits(literal.text)), Type::Float64(), false, false};
    case Form::kString:
      return ChValue{ch::MakeString(literal.text), Type::String(), false, false};
    case Form::kTyped:
      return TimeLiteral(literal.text, literal.type, literal.span);
    case Form::kBytes:
      return Unsupported(literal.span, "BYTES");
  }
  return absl::InternalError("unknown form of literal");
}

absl::StatusOr<ChValue> ToClickHouse::Unary(const sql::Unary& unary, const Scope& scope, Use use) {
  using Op = sql::Unary::Op;
  if (unary.op == Op::kBitNot) return Unsupported(unary.span, "the operator ~");
  // NOT NULL is NULL, which a condition takes for false; below a NOT it counts as a value.
  LOGQUERY_ASSIGN_OR_RETURN(ChValue operand, Expr(*unary.operand, scope));
  (void)use;
  if (unary.op == Op::kNot)
    return ChValue{ch::MakeCallOf("not", std::move(operand.expr)), Type::Bool(), operand.nullable};
  if (unary.op == Op::kPlus) return operand;
  const bool number = operand.expr->kind == ch::ExprKind::kNumber && !operand.expr->text.starts_with("-");
  if (number) {
    operand.expr->text = StrCat("-", operand.expr->text);
    return operand;
  }
  operand.expr = ch::MakeCallOf("negate", std::move(operand.expr));
  return operand;
}

absl::StatusOr<ChValue> ToClickHouse::Arithmetic(const sql::Binary& binary, const Scope& scope) {
  using Op = sql::Binary::Op;
  const Type& left_type = TypeOf(*binary.left);
  const bool is_time = left_type.is(TypeKind::kTimestamp) || left_type.is(TypeKind::kDatetime);
  if (is_time && (binary.op == Op::kAdd || binary.op == Op::kSubtract) &&
      TypeOf(*binary.right).is(TypeKind::kInterval)) {
    LOGQUERY_ASSIGN_OR_RETURN(ChValue time, Expr(*binary.left, scope));
    LOGQUERY_ASSIGN_OR_RETURN(ch::ExprPtr interval, IntervalOf(*binary.right, scope));
    time.expr = ch::MakeCallOf(binary.op == Op::kAdd ? "plus" : "minus", std::move(time.expr), std::move(interval));
    return time;
  }
  for (const sql::ExprPtr* side : {&binary.left, &binary.right}) {
    const Type& type = TypeOf(**side);
    if (!type.is(TypeKind::kInt64) && !type.is(TypeKind::kFloat64))
      return Unsupported(binary.span, StrCat("this operator on a value of type ", type.ToString()));
  }
  LOGQUERY_ASSIGN_OR_RETURN(ChValue a, Expr(*binary.left, scope));
  LOGQUERY_ASSIGN_OR_RETURN(ChValue b, Expr(*binary.right, scope));
  const bool nullable = a.nullable || b.nullable;
  const char* function = nullptr;
  switch (binary.op) {
    case Op::kAdd:
      function = "plus";
      break;
    case Op::kSubtract:
      function = "minus";
      break;
    case Op::kMultiply:
      function = "multiply";
      break;
    case Op::kDivide:
      function = "divide";
      if (IsZero(*binary.right))
        Note(binary.span,
             "division by zero is an error in BigQuery; in ClickHouse it gives inf or nan, null in the answer");
      break;
    case Op::kBitAnd:
      function = "bitAnd";
      break;
    case Op::kBitOr:
      function = "bitOr";
      break;
    case Op::kBitXor:
      function = "bitXor";
      break;
    default:
      return Unsupported(binary.span, "the operators << and >>");
  }
  const bool integers = TypeOf(binary).is(TypeKind::kInt64) && binary.op != Op::kDivide;
  if (integers) Note(binary.span, "integers beyond 64 bits are an error in BigQuery, and wrap around in ClickHouse");
  return ChValue{ch::MakeCallOf(function, std::move(a.expr), std::move(b.expr)), TypeOf(binary), nullable, false};
}

absl::StatusOr<ChValue> ToClickHouse::Binary(const sql::Binary& binary, const Scope& scope, Use use) {
  using Op = sql::Binary::Op;
  const std::string function(ComparisonFunction(binary.op));
  if (function.empty()) return Arithmetic(binary, scope);
  const Type& left = TypeOf(*binary.left);
  const Type& right = TypeOf(*binary.right);
  // A condition that '' does not fulfil may read a text plainly.
  const auto* literal = sql::If<sql::Literal>(binary.right.get());
  const bool text = literal != nullptr && literal->form == sql::Literal::Form::kString && !literal->text.empty();
  const bool plain = use == Use::kCondition && text &&
                     (binary.op == Op::kEqual || binary.op == Op::kGreater || binary.op == Op::kGreaterOrEqual);
  LOGQUERY_ASSIGN_OR_RETURN(ChValue a, TextOperand(*binary.left, plain, &right, scope));
  LOGQUERY_ASSIGN_OR_RETURN(ChValue b, Operand(*binary.right, &left, scope));
  const bool distinct = binary.op == Op::kIsDistinct || binary.op == Op::kIsNotDistinct;
  const bool nullable = !distinct && (a.nullable || b.nullable);
  ch::ExprPtr compared = ch::MakeCallOf(function, std::move(a.expr), std::move(b.expr));
  if (binary.op == Op::kIsDistinct) compared = ch::MakeCallOf("not", std::move(compared));
  return ChValue{std::move(compared), Type::Bool(), nullable, false};
}

absl::StatusOr<ChValue> ToClickHouse::Nary(const sql::Nary& nary, const Scope& scope, Use use) {
  const bool concat = nary.op == sql::Nary::Op::kConcat;
  if (concat && !TypeOf(nary).is(TypeKind::kString)) return Unsupported(nary.span, "|| of other values than texts");
  std::vector<ch::ExprPtr> operands;
  bool nullable = false;
  for (const sql::ExprPtr& operand : nary.operands) {
    LOGQUERY_ASSIGN_OR_RETURN(ChValue value, Expr(*operand, scope, concat ? Use::kValue : use));
    nullable = nullable || value.nullable;
    // AND in AND is one list.
    const bool same = !concat && value.expr->kind == ch::ExprKind::kCall &&
                      value.expr->text == (nary.op == sql::Nary::Op::kAnd ? "and" : "or");
    if (!same) {
      operands.push_back(std::move(value.expr));
      continue;
    }
    for (ch::ExprPtr& part : value.expr->args) operands.push_back(std::move(part));
  }
  const char* function = concat ? "concat" : nary.op == sql::Nary::Op::kAnd ? "and" : "or";
  return ChValue{ch::MakeCall(function, std::move(operands)), TypeOf(nary), nullable, false};
}

absl::StatusOr<ChValue> ToClickHouse::Test(const sql::IsTest& test, const Scope& scope, Use use) {
  using What = sql::IsTest::What;
  if (TypeOf(*test.operand).is_array() || TypeOf(*test.operand).is_record())
    return Unsupported(test.span, "IS NULL of a list or record");
  if (test.what == What::kNull || test.what == What::kUnknown) {
    const std::optional<NameSource> name = names_.SourceOf(*test.operand);
    const Source* source = name ? FindSource(name->item, scope) : nullptr;
    if (source != nullptr && source->log != nullptr && !name->fields.empty()) {
      LOGQUERY_ASSIGN_OR_RETURN(const std::string key, KeyOf(*source, *name, test.operand->span));
      ch::ExprPtr has = HasKey(*source, key, scope);
      if (!test.negated) has = ch::MakeCallOf("not", std::move(has));
      return ChValue{std::move(has), Type::Bool(), false, false};
    }
    LOGQUERY_ASSIGN_OR_RETURN(ChValue operand, Expr(*test.operand, scope));
    return ChValue{ch::MakeCallOf(test.negated ? "isNotNull" : "isNull", std::move(operand.expr)), Type::Bool(), false,
                   false};
  }
  LOGQUERY_ASSIGN_OR_RETURN(ChValue operand, Expr(*test.operand, scope));
  if (test.what == What::kFalse) operand.expr = ch::MakeCallOf("not", std::move(operand.expr));
  const bool as_is = !operand.nullable || (use == Use::kCondition && !test.negated);
  if (!as_is) operand.expr = ch::MakeCallOf("ifNull", std::move(operand.expr), ch::MakeNumber(0));
  if (test.negated) operand.expr = ch::MakeCallOf("not", std::move(operand.expr));
  return ChValue{std::move(operand.expr), Type::Bool(), as_is && operand.nullable, false};
}

absl::StatusOr<ChValue> ToClickHouse::Array(const sql::ArrayExpr& array, const Scope& scope) {
  std::vector<ch::ExprPtr> elements;
  for (const sql::ExprPtr& element : array.elements) {
    LOGQUERY_ASSIGN_OR_RETURN(ChValue value, Expr(*element, scope));
    if (TypeOf(*element) != TypeOf(array).element()) return Unsupported(element->span, "a list of mixed types");
    elements.push_back(std::move(value.expr));
  }
  return ChValue{ch::MakeCall("array", std::move(elements)), TypeOf(array), false, false};
}

absl::StatusOr<ChValue> ToClickHouse::Struct(const sql::StructExpr& tuple, const Scope& scope) {
  if (!tuple.is_tuple) return Unsupported(tuple.span, "STRUCT; ClickHouse's tuples are lists in the answer");
  std::vector<ch::ExprPtr> parts;
  for (const sql::StructExpr::Item& item : tuple.items) {
    LOGQUERY_ASSIGN_OR_RETURN(ChValue value, Expr(*item.value, scope));
    if (value.nullable) return Unsupported(item.value->span, "a tuple of values that may be NULL");
    parts.push_back(std::move(value.expr));
  }
  return ChValue{ch::MakeCall("tuple", std::move(parts)), TypeOf(tuple), false, false};
}

absl::StatusOr<ChValue> ToClickHouse::Subscript(const sql::Subscript& subscript, const Scope& scope) {
  using Mode = sql::Subscript::Mode;
  const auto* call = sql::If<sql::Call>(subscript.base.get());
  if (call != nullptr && call->name.size() == 1 && base::EqualsIgnoreCase(call->name[0].text, "approx_quantiles"))
    return Quantile(subscript, *call, scope);
  const auto* literal = sql::If<sql::Literal>(subscript.index.get());
  if (!TypeOf(*subscript.base).is_array() || literal == nullptr || literal->form != sql::Literal::Form::kInteger ||
      subscript.mode == Mode::kKey || subscript.mode == Mode::kSafeKey) {
    return Unsupported(subscript.span, "this subscript; an integer literal in a list is supported");
  }
  const bool ordinal = subscript.mode == Mode::kOrdinal || subscript.mode == Mode::kSafeOrdinal;
  const bool safe = subscript.mode == Mode::kSafeOrdinal || subscript.mode == Mode::kSafeOffset;
  const int64_t place = std::atoll(literal->text.c_str()) + (ordinal ? 0 : 1);
  if (place < 1) return Unsupported(subscript.index->span, "a place before the first element");
  // SPLIT of NULL is NULL, which no list is in ClickHouse.
  ch::ExprPtr absent;
  if (call != nullptr && !call->arguments.empty() && call->arguments[0].value != nullptr &&
      base::EqualsIgnoreCase(call->name.back().text, "split")) {
    LOGQUERY_ASSIGN_OR_RETURN(ChValue text, Expr(*call->arguments[0].value, scope));
    if (text.nullable) absent = ch::MakeCallOf("isNull", std::move(text.expr));
  }
  LOGQUERY_ASSIGN_OR_RETURN(ChValue list, Expr(*subscript.base, scope));
  Note(subscript.span, "lists begin at 1 in ClickHouse");
  if (!safe) Note(subscript.span, "a place beyond the end is an error in BigQuery; in ClickHouse it gives '' or 0");
  ch::ExprPtr element = ch::MakeCallOf("arrayElement", ch::CloneExpr(*list.expr), ch::MakeNumber(place));
  bool nullable = list.nullable;
  if (safe) {
    ch::ExprPtr has =
        ch::MakeCallOf("greaterOrEquals", ch::MakeCallOf("length", std::move(list.expr)), ch::MakeNumber(place));
    element = ch::MakeCallOf("if", std::move(has), std::move(element), ch::MakeNull());
    nullable = true;
  }
  if (absent != nullptr) {
    element = ch::MakeCallOf("if", std::move(absent), ch::MakeNull(), std::move(element));
    nullable = true;
  }
  return ChValue{std::move(element), TypeOf(subscript), nullable, false};
}

}  // namespace logquery::tools
