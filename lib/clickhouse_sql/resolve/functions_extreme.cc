// least and greatest.
#include "lib/base/status_macros.h"
#include "lib/clickhouse_sql/resolve/resolver_impl.h"

namespace logquery::clickhouse_sql {
namespace {

// The lesser or greater of two values. NULL and NaN are no values: the other one is taken.
ScalarPtr Better(const char* function, const ChType& type, ScalarPtr a, ScalarPtr b) {
  const Type plan = type.PlanType();
  if (!type.nullable && !type.Is(ChKind::kFloat)) return Call(function, plan, std::move(a), std::move(b));
  const auto absent = [&](const ScalarPtr& value) {
    if (!type.Is(ChKind::kFloat)) return IsNull(Same(value));
    return IfNull(Call("IS_NAN", Type::Bool(), Same(value)), True(true));
  };
  ScalarPtr no_a = absent(a), no_b = absent(b);
  ScalarPtr both = Call(function, plan, Same(a), Same(b));
  // NaN wins over NULL where both are absent values.
  ScalarPtr first = type.Is(ChKind::kFloat) && type.nullable ? IfNull(Same(b), Same(a)) : Same(b);
  return If(std::move(no_a), std::move(first), If(std::move(no_b), std::move(a), std::move(both)));
}

// Two integers without NULLs have a type of their own: it holds each of them, or only the least or greatest one.
std::optional<ChType> ExtremeType(const ChType& a, const ChType& b, bool least) {
  if (!a.Is(ChKind::kInt) || !b.Is(ChKind::kInt) || a.is_signed == b.is_signed) return std::nullopt;
  const ChType& without = a.is_signed ? b : a;
  const ChType& with = a.is_signed ? a : b;
  if (without.bits < 64) return std::nullopt;
  if (with.bits != 64) return Int(128, true);
  return Int(64, least);
}

// The lesser or greater of two floats without NULLs. The second one is taken where the first is not better, so also
// where one of them is NaN.
ScalarPtr BetterFloat(bool least, ScalarPtr a, ScalarPtr b) {
  ScalarPtr better = Call(least ? "$less" : "$greater", Type::Bool(), Same(a), Same(b));
  return If(std::move(better), std::move(a), std::move(b));
}

template <bool kLeast>
absl::StatusOr<Ex> Extreme(CallArgs& call) {
  std::vector<const ChType*> types;
  for (size_t i = 0; i < call.size(); ++i) {
    call[i] = call.resolver.Plain(std::move(call[i]));
    types.push_back(&call[i].type);
  }
  const bool binary = call.size() == 2 && !call.AnyNullable();
  LOGQUERY_ASSIGN_OR_RETURN(ChType type, call.resolver.Common(types, call.call.span));
  if (const std::optional<ChType> own = binary ? ExtremeType(*types[0], *types[1], kLeast) : std::nullopt) type = *own;
  const Type plan = type.PlanType();
  ScalarPtr best;
  for (size_t i = 0; i < call.size(); ++i) {
    if (call[i].type.Is(ChKind::kNothing)) continue;
    LOGQUERY_ASSIGN_OR_RETURN(Ex value, call.resolver.Convert(std::move(call[i]), type, call.SpanOf(i)));
    if (best == nullptr) {
      best = std::move(value.scalar);
      continue;
    }
    best = binary && type.Is(ChKind::kFloat)
               ? BetterFloat(kLeast, std::move(best), std::move(value.scalar))
               : Better(kLeast ? "LEAST" : "GREATEST", type, std::move(best), std::move(value.scalar));
    LOGQUERY_RETURN_IF_ERROR(call.resolver.CheckSize({Same(best), type}, call.call.span));
  }
  if (best == nullptr) return Ex{NullOf(plan), type};
  return Ex{std::move(best), type};
}

}  // namespace

void AddExtremeFunctions(FunctionMap& functions) {
  functions["least"] = {1, 100, Extreme<true>};
  functions["greatest"] = {1, 100, Extreme<false>};
}

}  // namespace logquery::clickhouse_sql
