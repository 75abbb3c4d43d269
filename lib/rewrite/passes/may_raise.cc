// Checks a scalar top-down: a call by the flags of its row, a cast by its pair of types.
#include "lib/rewrite/passes/may_raise.h"

#include "lib/rewrite/plan_walk.h"

namespace logquery::rewrite {
namespace {

bool IsZoneless(TypeKind kind) {
  return kind == TypeKind::kDate || kind == TypeKind::kTime || kind == TypeKind::kDatetime;
}

bool IsTotalToString(TypeKind from) {
  switch (from) {
    case TypeKind::kBool:
    case TypeKind::kInt64:
    case TypeKind::kFloat64:
    case TypeKind::kNumeric:
    case TypeKind::kDate:
    case TypeKind::kTime:
    case TypeKind::kDatetime:
    case TypeKind::kTimestamp:
      return true;
    default:
      return false;
  }
}

// Pairs whose every value converts, without a format or a zone.
bool IsTotalCast(const Type& from, const Type& to) {
  if (from == to) return true;
  if (from.is_array() || to.is_array() || from.is_struct() || to.is_struct()) {
    return Type::SameLayout(from, to);
  }
  const TypeKind source = from.kind();
  switch (to.kind()) {
    case TypeKind::kString:
      return IsTotalToString(source);
    case TypeKind::kBytes:
      return source == TypeKind::kString;
    case TypeKind::kBool:
      return source == TypeKind::kInt64;
    case TypeKind::kInt64:
      return source == TypeKind::kBool;
    case TypeKind::kFloat64:
      return source == TypeKind::kInt64 || source == TypeKind::kNumeric;
    case TypeKind::kNumeric:
      return source == TypeKind::kInt64;
    case TypeKind::kDate:
    case TypeKind::kTime:
    case TypeKind::kDatetime:
      return (source == TypeKind::kTimestamp || IsZoneless(source)) && source != TypeKind::kTime;
    case TypeKind::kTimestamp:
      return source == TypeKind::kDate || source == TypeKind::kDatetime;
    default:
      return false;
  }
}

bool MayRaiseItself(const Cast& cast) {
  if (cast.safe) return false;
  return cast.format != nullptr || cast.time_zone != nullptr || !IsTotalCast(cast.operand->type, cast.type);
}

// Returns whether a call of such a function (kMayLeaveYears) may raise: 0001-01-01 is a Monday.
bool MayLeaveYears(const FunctionCall& call) {
  for (size_t i = 1; i < call.arguments.size(); ++i) {
    const auto* const constant = If<Constant>(call.arguments[i].get());
    if (constant == nullptr) return true;
    if (constant->value.is_null()) continue;
    const std::string& text = constant->value.string_value();
    const bool is_part = call.overload->parameters[i].type.kind == TypePattern::Kind::kPart;
    if (is_part ? text.starts_with("WEEK") && text != "WEEK(MONDAY)" : text != "UTC") return true;
  }
  return false;
}

bool MayRaiseItself(const FunctionCall& call) {
  const uint32_t flags = call.overload->row->flags;
  if (call.safe || (flags & kTotal) != 0) return false;
  if ((flags & kTotalInFirst) == 0) return true;
  if ((flags & kMayLeaveYears) != 0 && MayLeaveYears(call)) return true;
  // Named arguments come before the first positional one.
  size_t first = 0;
  while (first < call.overload->parameters.size() && !call.overload->parameters[first].name.empty()) ++first;
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    if (i != first && !IsRowIndependent(*call.arguments[i])) return true;
  }
  return false;
}

// The node alone, whatever its operands do.
bool MayRaiseItself(const Scalar& scalar) {
  switch (scalar.kind) {
    case ScalarKind::kCall:
      return MayRaiseItself(As<FunctionCall>(scalar));
    case ScalarKind::kCast:
      return MayRaiseItself(As<Cast>(scalar));
    case ScalarKind::kSubquery:
      return As<SubqueryScalar>(scalar).form == SubqueryScalar::Form::kScalar;
    case ScalarKind::kConstant:
    case ScalarKind::kColumn:
    case ScalarKind::kParameter:
    case ScalarKind::kField:
    case ScalarKind::kCase:
    case ScalarKind::kStruct:
    case ScalarKind::kArray:
    case ScalarKind::kLambda:
      return false;
  }
  return true;
}

// Returns whether some operands are evaluated only for some rows.
bool IsLazy(const Scalar& scalar) {
  if (scalar.kind == ScalarKind::kCase || scalar.kind == ScalarKind::kLambda) return true;
  if (scalar.kind != ScalarKind::kCall) return false;
  const std::string_view name = As<FunctionCall>(scalar).overload->row->name;
  return name == "IF" || name == "IFNULL" || name == "COALESCE" || name == "NULLIF" || name == "$and" || name == "$or";
}

bool MayRaiseHere(const Scalar& scalar, bool lazy) {
  // An expression that fails for every row or for none reveals nothing about a row, unless a row decides whether it is
  // evaluated.
  if (MayRaiseItself(scalar)) return lazy || !IsRowIndependent(scalar);
  if (const auto* subquery = If<SubqueryScalar>(&scalar)) {
    bool may_raise = subquery->value != nullptr && MayRaiseHere(*subquery->value, lazy);
    VisitScalars(*subquery->plan, [&](const Scalar& inner) { may_raise = may_raise || MayRaiseItself(inner); });
    return may_raise;
  }
  const bool lazy_below = lazy || IsLazy(scalar);
  bool may_raise = false;
  ForEachChild(const_cast<Scalar&>(scalar), [&](const ChildSlot& child) {
    may_raise = may_raise || (*child.scalar != nullptr && MayRaiseHere(**child.scalar, lazy_below));
  });
  return may_raise;
}

}  // namespace

bool IsRowIndependent(const Scalar& scalar) {
  bool independent = true;
  VisitScalars(scalar, [&](const Scalar& part) {
    independent = independent && part.kind != ScalarKind::kColumn && part.kind != ScalarKind::kSubquery;
  });
  return independent;
}

bool MayRaiseAlone(const Scalar& scalar) { return MayRaiseItself(scalar); }

bool MayRaise(const Scalar& scalar) { return MayRaiseHere(scalar, /*lazy=*/false); }

}  // namespace logquery::rewrite
