// Dispatches expressions to the resolver of their kind; resolves STRUCT and ARRAY constructors.
#include "lib/base/readable_text.h"
#include "lib/base/status_macros.h"
#include "lib/rewrite/resolve/coercion.h"
#include "lib/rewrite/resolve/resolve_observer.h"
#include "lib/rewrite/resolve/resolver_impl.h"
#include "lib/rewrite/resolve/type_list_text.h"
#include "lib/rewrite/scalars.h"
#include "lib/rewrite/type_size.h"
#include "lib/sql/text_error.h"

namespace logquery::rewrite {
namespace {

using base::StrCat;

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

bool IsNullTest(const sql::IsTest& test) {
  return test.what == sql::IsTest::What::kNull || test.what == sql::IsTest::What::kUnknown;
}

}  // namespace

absl::StatusOr<ScalarPtr> Resolver::ResolveExpr(const sql::Expr& expr, const ExprContext& context) {
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr scalar, ResolveExprOfKind(expr, context));
  scalar->span = expr.span;
  if (options_.observer != nullptr) options_.observer->OnExpr(expr, *scalar);
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
      LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr right, ResolveBeside(*left, *binary.right, context));
      const bool null_may_stand =
          binary.op == sql::Binary::Op::kIsDistinct || binary.op == sql::Binary::Op::kIsNotDistinct;
      if (!null_may_stand) {
        LOGQUERY_RETURN_IF_ERROR(RefuseNull(*binary.left));
        LOGQUERY_RETURN_IF_ERROR(RefuseNull(*binary.right));
      }
      const bool not_equal = binary.op == sql::Binary::Op::kNotEqual;
      if ((binary.op == sql::Binary::Op::kEqual || not_equal) && left->type.is_struct()) {
        LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr equal, MakeEqual(std::move(left), std::move(right), expr.span));
        return not_equal ? MakeCall("$not", std::move(equal), expr.span) : std::move(equal);
      }
      return MakeCall(BinaryFunction(binary.op), std::move(left), std::move(right), expr.span);
    }
    case sql::ExprKind::kNary: {
      const auto& nary = sql::As<sql::Nary>(expr);
      LOGQUERY_ASSIGN_OR_RETURN(std::vector<ScalarPtr> operands, ResolveAll(nary.operands, context));
      return MakeCall(NaryFunction(nary.op), std::move(operands), expr.span);
    }
    case sql::ExprKind::kIsTest:
      return ResolveIsTest(sql::As<sql::IsTest>(expr), context);
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

absl::StatusOr<ScalarPtr> Resolver::ResolveIsTest(const sql::IsTest& test, const ExprContext& context) {
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr operand, ResolveExpr(*test.operand, context));
  if (IsNullTest(test)) {
    operand = ReadOwnRecord(std::move(operand));
    if (IsOwnRecord(operand->type)) {
      ScalarPtr present = MakePresent(std::move(operand));
      return test.negated ? std::move(present) : MakeCall("$not", std::move(present), test.span);
    }
    // A record of a built-in log is an array to queries, and a stored array is never NULL.
    if (operand->type.is_record()) return MakeLiteral(Value::Bool(test.negated), test.span);
  }
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr call, MakeCall(IsFunction(test.what), std::move(operand), test.span));
  return test.negated ? MakeCall("$not", std::move(call), test.span) : std::move(call);
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
    Type made = Type::Struct(std::move(fields));
    if (const absl::Status size = CheckTypeSize(made); !size.ok()) return Error(expr.span, base::Message(size));
    return ScalarPtr(std::make_unique<StructMake>(std::move(made), std::move(values)));
  }
  const Type& type = expr.type->type;
  if (type.fields().size() != values.size()) {
    return Error(expr.span, StrCat(type.ToString(), " has ", base::Counted(type.fields().size(), "field"), ", but ",
                                   values.size(), values.size() == 1 ? " value follows" : " values follow"));
  }
  for (size_t i = 0; i < values.size(); ++i) {
    LOGQUERY_ASSIGN_OR_RETURN(values[i], CoerceAt(std::move(values[i]), type.fields()[i].type, "STRUCT"));
  }
  return ScalarPtr(std::make_unique<StructMake>(type, std::move(values)));
}

absl::StatusOr<ScalarPtr> Resolver::ResolveArray(const sql::ArrayExpr& expr, const ExprContext& context) {
  LOGQUERY_ASSIGN_OR_RETURN(std::vector<ScalarPtr> elements, ResolveAll(expr.elements, context));
  if (expr.type && elements.empty()) return MakeLiteral(Value::Array(expr.type->type.element(), {}), expr.span);
  Type element;
  if (expr.type) {
    element = expr.type->type.element();
  } else {
    std::vector<const Scalar*> pointers;
    for (const ScalarPtr& e : elements) pointers.push_back(e.get());
    std::optional<Type> common = CommonSupertype(pointers);
    if (!common) {
      return Error(expr.span, StrCat("the elements of this array have no type in common, but are ",
                                     TypeListText(pointers), "; cast them to one"));
    }
    element = *common;
  }
  if (element.is_array()) return Error(expr.span, "an array can't hold arrays; put them into STRUCTs");
  for (ScalarPtr& e : elements) {
    LOGQUERY_ASSIGN_OR_RETURN(e, CoerceAt(std::move(e), element, "the array"));
  }
  return ScalarPtr(std::make_unique<ArrayMake>(Type::Array(element), std::move(elements)));
}

std::string ImplicitName(const sql::Expr& expr) {
  if (const auto* path = sql::If<sql::PathExpr>(&expr)) return path->names.back().text;
  if (const auto* access = sql::If<sql::FieldAccess>(&expr)) return access->field.text;
  return "";
}

}  // namespace logquery::rewrite
