// Picks the signature of a function that fits its arguments.
#include <algorithm>

#include "absl/container/inlined_vector.h"
#include "lib/base/status_macros.h"
#include "lib/rewrite/resolve/cast_allowed.h"
#include "lib/rewrite/resolve/coercion.h"
#include "lib/rewrite/resolve/no_overload.h"
#include "lib/rewrite/resolve/resolver_impl.h"

namespace logquery::rewrite {

using base::StrCat;

const ParameterPattern* PatternAt(const Overload& overload, size_t i) {
  if (i < overload.parameters.size()) return &overload.parameters[i];
  if (!overload.parameters.empty() && overload.parameters.back().repeated) return &overload.parameters.back();
  return nullptr;
}

namespace {

using PatternKind = TypePattern::Kind;

// The bindings of one overload's type variables.
using VariableKey = std::pair<PatternKind, int>;
struct Bound {
  VariableKey key;
  absl::InlinedVector<const Scalar*, 4> scalars;  // arguments, and stand-ins for elements of arrays
  std::vector<std::unique_ptr<ColumnRef>> stand_ins;
  std::optional<Type> type;
};
using Bindings = absl::InlinedVector<Bound, 2>;

template <typename Bounds>
auto* FindBound(Bounds& bindings, VariableKey key) {
  const auto found =
      std::find_if(bindings.begin(), bindings.end(), [&](const Bound& bound) { return bound.key == key; });
  return found == bindings.end() ? nullptr : &*found;
}

Bound& BoundOf(Bindings& bindings, VariableKey key) {
  if (Bound* bound = FindBound(bindings, key)) return *bound;
  bindings.emplace_back().key = key;
  return bindings.back();
}

bool IsVariable(PatternKind kind) {
  return kind == PatternKind::kAny || kind == PatternKind::kNumber || kind == PatternKind::kOrderable ||
         kind == PatternKind::kGroupable;
}

// T1, NUM1, ORD1 … of one overload are variables of their own.
VariableKey KeyOf(const TypePattern& pattern) { return {pattern.kind, pattern.index}; }

bool CountFits(const Overload& overload, size_t count) {
  size_t least = 0;
  for (const ParameterPattern& p : overload.parameters) {
    if (!p.optional) ++least;
  }
  bool repeats = !overload.parameters.empty() && overload.parameters.back().repeated;
  return count >= least && (repeats || count <= overload.parameters.size());
}

// Collects what a variable gets from one argument; false: the argument can't be of that pattern.
bool Collect(const TypePattern& pattern, const Scalar& argument, Bindings& bindings) {
  if (IsVariable(pattern.kind)) {
    BoundOf(bindings, KeyOf(pattern)).scalars.push_back(&argument);
    return true;
  }
  if (pattern.kind != PatternKind::kArray) return true;
  if (IsUntypedNull(argument) || IsUntypedEmptyArray(argument)) {
    if (IsVariable(pattern.element[0].kind)) BoundOf(bindings, KeyOf(pattern.element[0]));
    return true;
  }
  if (!argument.type.is_array()) return false;
  if (!IsVariable(pattern.element[0].kind)) return true;
  Bound& bound = BoundOf(bindings, KeyOf(pattern.element[0]));
  if (const ArrayMake* made = If<ArrayMake>(&argument)) {
    for (const ScalarPtr& element : made->elements) bound.scalars.push_back(element.get());
    return true;
  }
  bound.stand_ins.push_back(std::make_unique<ColumnRef>(PlanColumn{0, "", argument.type.element()}));
  bound.scalars.push_back(bound.stand_ins.back().get());
  return true;
}

bool FitsClass(PatternKind kind, const Type& type) {
  switch (kind) {
    case PatternKind::kNumber:
      return IsNumeric(type);
    case PatternKind::kOrderable:
      return IsOrderable(type);
    case PatternKind::kGroupable:
      return IsGroupable(type);
    default:
      return true;
  }
}

std::optional<Type> TypeOf(const TypePattern& pattern, const Bindings& bindings) {
  if (pattern.kind == PatternKind::kExact) return pattern.exact;
  if (IsVariable(pattern.kind)) {
    const Bound* bound = FindBound(bindings, KeyOf(pattern));
    return bound == nullptr ? std::nullopt : bound->type;
  }
  if (pattern.kind == PatternKind::kStruct) {
    std::vector<Field> fields = pattern.exact.fields();
    for (size_t i = 0; i < fields.size(); ++i) {
      const std::optional<Type> type = TypeOf(pattern.element[i], bindings);
      if (!type) return std::nullopt;
      fields[i].type = *type;
    }
    return Type::Struct(std::move(fields));
  }
  if (pattern.kind != PatternKind::kArray) return std::nullopt;
  std::optional<Type> element = TypeOf(pattern.element[0], bindings);
  if (!element) return std::nullopt;
  return Type::Array(*element);
}

// Returns whether the call casts the argument as CAST does.
bool CastsTo(const Overload& overload, const Scalar& argument, const Type& type) {
  return (overload.row->flags & kCasts) != 0 && type.is(TypeKind::kString) && CastAllowed(argument.type, type);
}

// More than any coercion.
constexpr int kCastCost = 1000;

// Returns the cost of passing the arguments to an overload, and sets the bindings of its variables; nullopt: no match.
std::optional<int> Match(const Overload& overload, const std::vector<ScalarPtr>& arguments, OwnRecords& own,
                         Bindings& bindings) {
  if (!CountFits(overload, arguments.size())) return std::nullopt;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!Collect(PatternAt(overload, i)->type, *arguments[i], bindings)) return std::nullopt;
  }
  for (Bound& bound : bindings) {
    bound.type = bound.scalars.empty() ? std::optional<Type>(Type::Int64()) : CommonSupertype(bound.scalars, &own);
    if (!bound.type || !FitsClass(bound.key.first, *bound.type)) return std::nullopt;
  }
  int total = 0;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const TypePattern& pattern = PatternAt(overload, i)->type;
    const bool lambda = pattern.kind == PatternKind::kLambda;
    if (lambda != (arguments[i]->kind == ScalarKind::kLambda)) return std::nullopt;
    if (lambda) continue;
    if (pattern.kind == PatternKind::kPart) {
      const Constant* part = If<Constant>(arguments[i].get());
      if (part == nullptr || !part->type.is(TypeKind::kString)) return std::nullopt;
      continue;
    }
    std::optional<Type> type = TypeOf(pattern, bindings);
    std::optional<int> cost = type ? CoercionCost(*arguments[i], *type) : std::nullopt;
    if (!cost && type && CastsTo(overload, *arguments[i], *type)) cost = kCastCost;
    if (!cost) return std::nullopt;
    total += *cost;
  }
  return total;
}

// Returns whether the function returns one of its arguments unchanged.
bool ChoosesArgument(const Function& function) {
  return function.name == "COALESCE" || function.name == "IFNULL" || function.name == "IF";
}

// A function with a result of its argument's type may return NULL. A record is never NULL, unless it is one of `own`, so the result
// can't be one, nor can a STRUCT in the result contain one.
void ResultIsNoRecord(const TypePattern& result, OwnRecords& own, Bindings& bindings) {
  if (result.kind == PatternKind::kArray && result.element[0].kind == PatternKind::kStruct) {
    return ResultIsNoRecord(result.element[0], own, bindings);
  }
  if (result.kind == PatternKind::kStruct) {
    for (const TypePattern& field : result.element) ResultIsNoRecord(field, own, bindings);
  }
  if (!IsVariable(result.kind)) return;
  Bound* bound = FindBound(bindings, KeyOf(result));
  if (bound == nullptr || !bound->type || !bound->type->is_record() || own.Has(bound->type->element())) return;
  bound->type = Type::Array(bound->type->element());
}

// Returns whether the next optional argument is the time zone of a function that converts between timestamps and civil
// times.
bool ZoneMayFollow(const Overload& overload, size_t given) {
  if (given >= overload.parameters.size()) return false;
  auto exactly = [](const TypePattern& pattern, TypeKind kind) {
    return pattern.kind == PatternKind::kExact && pattern.exact.is(kind);
  };
  bool of_timestamp = exactly(overload.result, TypeKind::kTimestamp);
  for (const ParameterPattern& parameter : overload.parameters) {
    of_timestamp = of_timestamp || exactly(parameter.type, TypeKind::kTimestamp);
  }
  const ParameterPattern& next = overload.parameters[given];
  return of_timestamp && next.optional && exactly(next.type, TypeKind::kString);
}

// Returns whether the next optional argument is the origin of TIMESTAMP_BUCKET, which lies in the time zone.
bool OriginMayFollow(const Overload& overload, size_t given) {
  return overload.function->name.ends_with("_BUCKET") && overload.result.exact.is(TypeKind::kTimestamp) &&
         given < overload.parameters.size() && overload.parameters[given].optional;
}

}  // namespace

// A lambda's results become the elements of the result if no argument determines their type; otherwise it picks
// elements.
absl::Status Resolver::CheckLambda(const Scalar& lambda, const Function& function, bool picks) {
  if (picks && !lambda.type.is(TypeKind::kBool)) {
    return Error(lambda.span, StrCat("the lambda of ", function.name, " has to give a BOOL, not a value of type ",
                                     lambda.type.ToString()));
  }
  if (!picks && lambda.type.is_array()) {
    return Error(lambda.span,
                 StrCat("the lambda of ", function.name, " can't give an ARRAY: there are no arrays of arrays"));
  }
  return absl::OkStatus();
}

absl::StatusOr<const Overload*> Resolver::PickOverload(const Function& function, std::vector<ScalarPtr>& arguments,
                                                       Type& type, sql::Span span) {
  const Overload* best = nullptr;
  Bindings best_bindings;
  int best_cost = 0;
  for (const Overload& overload : function.overloads) {
    Bindings bindings;
    std::optional<int> cost = Match(overload, arguments, own_records_, bindings);
    if (!cost || (best != nullptr && *cost >= best_cost)) continue;
    best = &overload;
    best_cost = *cost;
    best_bindings = std::move(bindings);
    if (best_cost == 0) break;  // none is better
  }
  if (best == nullptr) return Error(span, NoOverload(function, arguments, text_));
  if (!ChoosesArgument(function)) ResultIsNoRecord(best->result, own_records_, best_bindings);
  absl::InlinedVector<std::optional<Type>, 4> types;
  for (size_t i = 0; i < arguments.size(); ++i) types.push_back(TypeOf(PatternAt(*best, i)->type, best_bindings));
  std::optional<Type> result = TypeOf(best->result, best_bindings);
  for (const ScalarPtr& argument : arguments) {
    if (argument->kind != ScalarKind::kLambda) continue;
    LOGQUERY_RETURN_IF_ERROR(CheckLambda(*argument, function, result.has_value()));
    if (!result) result = Type::Array(argument->type);
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (PatternAt(*best, i)->type.kind == PatternKind::kPart || !types[i]) continue;
    if (CastsTo(*best, *arguments[i], *types[i]) && !CoercionCost(*arguments[i], *types[i])) {
      LOGQUERY_ASSIGN_OR_RETURN(arguments[i], Coerce(std::move(arguments[i]), *types[i], options_.time_zone));
      continue;
    }
    LOGQUERY_ASSIGN_OR_RETURN(arguments[i], CoerceAt(std::move(arguments[i]), *types[i], function.name.c_str()));
  }
  if (options_.time_zone != "UTC" && ZoneMayFollow(*best, arguments.size())) {
    arguments.push_back(MakeLiteral(Value::String(options_.time_zone), span));
  }
  if (options_.time_zone != "UTC" && OriginMayFollow(*best, arguments.size())) {
    LOGQUERY_ASSIGN_OR_RETURN(Value origin, ParseLiteral(Type::Timestamp(), "1950-01-01", options_.time_zone));
    arguments.push_back(MakeLiteral(std::move(origin), span));
  }
  type = result.value_or(Type::Int64());
  return best;
}

absl::StatusOr<ScalarPtr> Resolver::MakeCall(std::string_view name, std::vector<ScalarPtr> arguments, sql::Span span) {
  const Function* function = FindFunction(name);
  if (function == nullptr) return absl::InternalError(StrCat("the function table has no ", name));
  Type type;
  LOGQUERY_ASSIGN_OR_RETURN(const Overload* overload, PickOverload(*function, arguments, type, span));
  auto call = std::make_unique<FunctionCall>(overload, std::move(type), std::move(arguments));
  call->span = span;
  return ScalarPtr(std::move(call));
}

absl::StatusOr<ScalarPtr> Resolver::MakeCall(std::string_view function, ScalarPtr a, sql::Span span) {
  std::vector<ScalarPtr> arguments;
  arguments.push_back(std::move(a));
  return MakeCall(function, std::move(arguments), span);
}

absl::StatusOr<ScalarPtr> Resolver::MakeCall(std::string_view function, ScalarPtr a, ScalarPtr b, sql::Span span) {
  std::vector<ScalarPtr> arguments;
  arguments.push_back(std::move(a));
  arguments.push_back(std::move(b));
  return MakeCall(function, std::move(arguments), span);
}

}  // namespace logquery::rewrite
