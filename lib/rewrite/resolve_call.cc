#include <algorithm>
#include <map>

#include "lib/base/status_macros.h"
#include "lib/rewrite/coercion.h"
#include "lib/rewrite/function_signature.h"
#include "lib/rewrite/interval_text.h"
#include "lib/rewrite/resolver_impl.h"
#include "lib/sql/text_error.h"

namespace logquery::rewrite {
namespace {

using base::StrCat;
using PatternKind = TypePattern::Kind;

ScalarPtr StringConstant(std::string text, sql::Span span) {
  auto constant = std::make_unique<Constant>(Value::String(std::move(text)));
  constant->span = span;
  return constant;
}

// What the type variables of one overload have been given.
struct Bound {
  std::vector<const Scalar*> scalars;  // arguments, and stand-ins for elements of arrays
  std::vector<std::unique_ptr<ColumnRef>> stand_ins;
  std::optional<Type> type;
};
using Bindings = std::map<std::pair<PatternKind, int>, Bound>;

bool IsVariable(PatternKind kind) {
  return kind == PatternKind::kAny || kind == PatternKind::kNumber || kind == PatternKind::kOrderable ||
         kind == PatternKind::kGroupable;
}

// T1, NUM1, ORD1 … of one overload are variables of their own.
std::pair<PatternKind, int> KeyOf(const TypePattern& pattern) { return {pattern.kind, pattern.index}; }

const ParameterPattern* PatternAt(const Overload& overload, size_t i) {
  if (i < overload.parameters.size()) return &overload.parameters[i];
  if (!overload.parameters.empty() && overload.parameters.back().repeated) return &overload.parameters.back();
  return nullptr;
}

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
    bindings[KeyOf(pattern)].scalars.push_back(&argument);
    return true;
  }
  if (pattern.kind != PatternKind::kArray) return true;
  if (IsUntypedNull(argument) || IsUntypedEmptyArray(argument)) {
    if (IsVariable(pattern.element[0].kind)) bindings[KeyOf(pattern.element[0])];
    return true;
  }
  if (!argument.type.is_array()) return false;
  if (!IsVariable(pattern.element[0].kind)) return true;
  Bound& bound = bindings[KeyOf(pattern.element[0])];
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
    auto found = bindings.find(KeyOf(pattern));
    return found == bindings.end() ? std::nullopt : found->second.type;
  }
  if (pattern.kind != PatternKind::kArray) return std::nullopt;
  std::optional<Type> element = TypeOf(pattern.element[0], bindings);
  if (!element) return std::nullopt;
  return Type::Array(*element);
}

// How well an overload takes the arguments: its cost, and what its variables stand for.
std::optional<int> Match(const Overload& overload, const std::vector<ScalarPtr>& arguments, Bindings& bindings) {
  if (!CountFits(overload, arguments.size())) return std::nullopt;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!Collect(PatternAt(overload, i)->type, *arguments[i], bindings)) return std::nullopt;
  }
  for (auto& [key, bound] : bindings) {
    bound.type = bound.scalars.empty() ? std::optional<Type>(Type::Int64()) : CommonSupertype(bound.scalars);
    if (!bound.type || !FitsClass(key.first, *bound.type)) return std::nullopt;
  }
  int total = 0;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const TypePattern& pattern = PatternAt(overload, i)->type;
    if (pattern.kind == PatternKind::kLambda) continue;
    if (pattern.kind == PatternKind::kPart) {
      const Constant* part = If<Constant>(arguments[i].get());
      if (part == nullptr || !part->type.is(TypeKind::kString)) return std::nullopt;
      continue;
    }
    std::optional<Type> type = TypeOf(pattern, bindings);
    std::optional<int> cost = type ? CoercionCost(*arguments[i], *type) : std::nullopt;
    if (!cost) return std::nullopt;
    total += *cost;
  }
  return total;
}

std::string OperatorText(std::string_view function) {
  static const auto* texts =
      new std::map<std::string, std::string, std::less<>>{{"$add", "+"},
                                                          {"$subtract", "-"},
                                                          {"$multiply", "*"},
                                                          {"$divide", "/"},
                                                          {"$equal", "="},
                                                          {"$not_equal", "!="},
                                                          {"$less", "<"},
                                                          {"$less_or_equal", "<="},
                                                          {"$greater", ">"},
                                                          {"$greater_or_equal", ">="},
                                                          {"$concat", "||"},
                                                          {"$and", "AND"},
                                                          {"$or", "OR"},
                                                          {"$not", "NOT"},
                                                          {"$negate", "-"},
                                                          {"$between", "BETWEEN"},
                                                          {"$in", "IN"},
                                                          {"$in_array", "IN UNNEST"},
                                                          {"$like", "LIKE"},
                                                          {"$ilike", "ILIKE"},
                                                          {"$like_any", "LIKE ANY"},
                                                          {"$like_all", "LIKE ALL"},
                                                          {"$bit_and", "&"},
                                                          {"$bit_or", "|"},
                                                          {"$bit_xor", "^"},
                                                          {"$bit_not", "~"},
                                                          {"$shift_left", "<<"},
                                                          {"$shift_right", ">>"},
                                                          {"$is_distinct", "IS DISTINCT FROM"},
                                                          {"$is_not_distinct", "IS NOT DISTINCT FROM"},
                                                          {"$extract", "EXTRACT"},
                                                          {"$interval", "INTERVAL"},
                                                          {"$at_offset", "[OFFSET()]"},
                                                          {"$at_ordinal", "[ORDINAL()]"},
                                                          {"$safe_at_offset", "[SAFE_OFFSET()]"},
                                                          {"$safe_at_ordinal", "[SAFE_ORDINAL()]"},
                                                          {"$is_true", "IS TRUE"},
                                                          {"$is_false", "IS FALSE"}};
  auto found = texts->find(function);
  return found == texts->end() ? std::string() : found->second;
}

std::string TypesText(const std::vector<ScalarPtr>& arguments) {
  std::string text;
  for (const ScalarPtr& argument : arguments) {
    if (!text.empty()) text += ", ";
    std::string type = argument->type.ToString();
    text += IsUntypedNull(*argument) ? "NULL" : type.size() > 60 ? type.substr(0, 57) + "…" : type;
  }
  return text;
}

std::string NoOverload(const Function& function, const std::vector<ScalarPtr>& arguments) {
  std::string op = OperatorText(function.name);
  if (!op.empty()) return StrCat("no operator ", op, " takes ", TypesText(arguments));
  std::string text = StrCat(function.name, " does not take (", TypesText(arguments), "); it is ");
  for (size_t i = 0; i < function.overloads.size() && i < 4; ++i) {
    if (i > 0) text += " or ";
    text += SignatureText(function.overloads[i]);
  }
  return text;
}

// Whether the argument that may follow the given ones is the time zone of a function that goes between timestamps and the
// calendar.
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

bool AnyPart(const Function& function, size_t i) {
  return std::any_of(function.overloads.begin(), function.overloads.end(), [&](const Overload& overload) {
    const ParameterPattern* pattern = PatternAt(overload, i);
    return pattern != nullptr && pattern->type.kind == PatternKind::kPart;
  });
}

}  // namespace

absl::StatusOr<const Overload*> Resolver::PickOverload(const Function& function, std::vector<ScalarPtr>& arguments,
                                                       Type& type, sql::Span span) {
  const Overload* best = nullptr;
  Bindings best_bindings;
  int best_cost = 0;
  for (const Overload& overload : function.overloads) {
    Bindings bindings;
    std::optional<int> cost = Match(overload, arguments, bindings);
    if (!cost || (best != nullptr && *cost >= best_cost)) continue;
    best = &overload;
    best_cost = *cost;
    best_bindings = std::move(bindings);
  }
  if (best == nullptr) return Error(span, NoOverload(function, arguments));
  std::vector<std::optional<Type>> types;
  for (size_t i = 0; i < arguments.size(); ++i) types.push_back(TypeOf(PatternAt(*best, i)->type, best_bindings));
  std::optional<Type> result = TypeOf(best->result, best_bindings);
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (PatternAt(*best, i)->type.kind == PatternKind::kPart || !types[i]) continue;
    LOGQUERY_ASSIGN_OR_RETURN(arguments[i], CoerceAt(std::move(arguments[i]), *types[i], function.name.c_str()));
  }
  if (options_.time_zone != "UTC" && ZoneMayFollow(*best, arguments.size())) {
    arguments.push_back(StringConstant(options_.time_zone, span));
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

absl::StatusOr<const Function*> Resolver::FindCalled(const sql::Call& call) {
  std::string name;
  for (const sql::Identifier& part : call.name) base::StrAppend(&name, name.empty() ? "" : ".", part.text);
  const Function* function = name.empty() || name[0] == '$' ? nullptr : FindFunction(name);
  if (function == nullptr) {
    // Logflare's routine stands under the name of some project: `x.logflare.generate_timestamp_trunc_array`.
    size_t dot = name.rfind('.');
    std::string last = dot == std::string::npos ? name : name.substr(dot + 1);
    if (base::EqualsIgnoreCase(last, "generate_timestamp_trunc_array")) function = FindFunction(last);
  }
  sql::Span place = {call.name.front().span.begin, call.name.back().span.end};
  if (function == nullptr || function->Has(kInternal)) {
    return Error(place, StrCat("unknown function ", name), sql::NearestNames(name, FunctionNames()));
  }
  if (in_sandbox_ && function->Has(kNotInSandbox)) {
    return Error(place, StrCat("the function ", function->name, " is not allowed in a sandboxed query"));
  }
  return function;
}

absl::StatusOr<ScalarPtr> Resolver::ResolveCall(const sql::Call& call, const ExprContext& context) {
  LOGQUERY_ASSIGN_OR_RETURN(const Function* function, FindCalled(call));
  bool handled = false;
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr special, ResolveSpecial(call, function->name, context, handled));
  if (handled) return special;
  if (call.over != nullptr) return ResolveWindow(call, *function, context);
  if (function->kind == FunctionKind::kAggregate) return ResolveAggregate(call, *function, context);
  if (function->kind == FunctionKind::kWindow) return Error(call.span, StrCat(function->name, " needs OVER (…)"));
  if (call.distinct || !call.order_by.empty() || call.limit != nullptr || call.having != nullptr ||
      call.nulls != sql::Call::Nulls::kDefault) {
    return Error(call.span, StrCat(function->name,
                                   " is no aggregate: DISTINCT, ORDER BY, LIMIT, HAVING and NULLS don't go with it"));
  }
  LOGQUERY_ASSIGN_OR_RETURN(std::vector<ScalarPtr> arguments, ResolveArguments(call, *function, context));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr made, MakeCall(function->name, std::move(arguments), call.span));
  As<FunctionCall>(*made).safe = call.safe;
  return made;
}

// What is no ordinary call: the clock, GROUPING.
absl::StatusOr<ScalarPtr> Resolver::ResolveSpecial(const sql::Call& call, const std::string& name,
                                                   const ExprContext& context, bool& handled) {
  handled = true;
  if (name == "CURRENT_TIMESTAMP" && call.arguments.empty()) {
    return ScalarPtr(std::make_unique<ParameterRef>(kNowParameter, Type::Timestamp()));
  }
  if (name == "CURRENT_DATE" || name == "CURRENT_DATETIME" || name == "CURRENT_TIME") {
    std::vector<ScalarPtr> arguments;
    arguments.push_back(std::make_unique<ParameterRef>(kNowParameter, Type::Timestamp()));
    for (const sql::Call::Argument& argument : call.arguments) {
      if (argument.value == nullptr) return Error(call.span, StrCat(name, "(*) is not a call"));
      LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr zone, ResolveExpr(*argument.value, context));
      arguments.push_back(std::move(zone));
    }
    if (call.arguments.empty() && options_.time_zone != "UTC") {
      arguments.push_back(StringConstant(options_.time_zone, call.span));
    }
    return MakeCall(name.substr(8), std::move(arguments), call.span);
  }
  if (name == "GROUPING") {
    if (context.state == nullptr || call.arguments.size() != 1 || call.arguments[0].value == nullptr) {
      return Error(call.span,
                   "GROUPING wants one of the expressions of GROUP BY, in a SELECT list, HAVING or ORDER BY");
    }
    ExprContext inner = context.Without();
    inner.aliases = context.aliases;
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr key, ResolveExpr(*call.arguments[0].value, inner));
    PlanColumn column = NewColumn("grouping", Type::Int64());
    context.state->own.insert(column.id);
    context.state->grouping_arguments.emplace_back(column, std::move(key));
    return ScalarPtr(std::make_unique<ColumnRef>(column));
  }
  handled = false;
  return ScalarPtr();
}

absl::StatusOr<std::vector<ScalarPtr>> Resolver::ResolveArguments(const sql::Call& call, const Function& function,
                                                                  const ExprContext& context) {
  std::vector<ScalarPtr> arguments;
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const sql::Call::Argument& argument = call.arguments[i];
    if (argument.value == nullptr) {
      if (function.name == "COUNT" && call.arguments.size() == 1) return arguments;
      return Error(call.span, StrCat(function.name, "(*) is not a call; only COUNT(*) is"));
    }
    if (argument.name) {
      return Unsupported(argument.name->span, StrCat("the named argument ", argument.name->text, " is not supported"));
    }
    const auto* path = sql::If<sql::PathExpr>(argument.value.get());
    if (path != nullptr && path->names.size() == 1 && !path->names[0].quoted && AnyPart(function, i)) {
      std::string part = base::ToUpper(path->names[0].text);
      if (!argument.part_argument.empty()) part = StrCat(part, "(", base::ToUpper(argument.part_argument), ")");
      if (!IsDatePart(part)) {
        return Error(path->span, StrCat("unknown date part ", path->names[0].text),
                     sql::NearestNames(part, DatePartNames()));
      }
      arguments.push_back(StringConstant(std::move(part), path->span));
      continue;
    }
    if (const auto* lambda = sql::If<sql::Lambda>(argument.value.get())) {
      LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr scalar, ResolveLambda(*lambda, arguments, context));
      arguments.push_back(std::move(scalar));
      continue;
    }
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr scalar, ResolveExpr(*argument.value, context));
    arguments.push_back(std::move(scalar));
  }
  return arguments;
}

// The parameters are an element of the array before it, and its offset.
absl::StatusOr<ScalarPtr> Resolver::ResolveLambda(const sql::Lambda& lambda, const std::vector<ScalarPtr>& before,
                                                  const ExprContext& context) {
  if (before.empty() || !before[0]->type.is_array() || lambda.parameters.empty() || lambda.parameters.size() > 2) {
    return Error(lambda.span, "a lambda here has one or two parameters and follows an array");
  }
  Scope scope(context.scope);
  std::vector<PlanColumn> parameters;
  for (size_t i = 0; i < lambda.parameters.size(); ++i) {
    parameters.push_back(NewColumn(lambda.parameters[i].text, i == 0 ? before[0]->type.element() : Type::Int64()));
    scope.ranges.push_back({lambda.parameters[i].text, parameters.back(), {}});
  }
  ExprContext inner{&scope, "a lambda", nullptr, false, nullptr, false};
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr body, ResolveExpr(*lambda.body, inner));
  ScalarPtr scalar = std::make_unique<LambdaScalar>(std::move(parameters), std::move(body));
  scalar->span = lambda.span;
  return scalar;
}

absl::StatusOr<AggregateCall> Resolver::ResolveAggregateCall(const sql::Call& call, const Function& function,
                                                             const ExprContext& context, Type& type) {
  AggregateCall out;
  LOGQUERY_ASSIGN_OR_RETURN(out.arguments, ResolveArguments(call, function, context));
  LOGQUERY_ASSIGN_OR_RETURN(out.overload, PickOverload(function, out.arguments, type, call.span));
  out.distinct = call.distinct;
  out.safe = call.safe;
  out.ignore_nulls = call.nulls == sql::Call::Nulls::kIgnore;
  out.respect_nulls = call.nulls == sql::Call::Nulls::kRespect;
  if (call.distinct && (out.arguments.empty() || !IsGroupable(out.arguments[0]->type))) {
    return Error(call.span, StrCat("DISTINCT in ", function.name, " wants values that can be compared"));
  }
  if (call.having != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(out.having, ResolveExpr(*call.having, context));
    out.having_max = call.having_max;
  }
  for (const sql::OrderItem& item : call.order_by) {
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr value, ResolveExpr(*item.expr, context));
    LOGQUERY_RETURN_IF_ERROR(CheckOrder(item, *value));
    out.order_by.push_back(MakeKey(item, std::move(value)));
  }
  if (call.limit != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(out.limit, ResolveCount(*call.limit, "LIMIT"));
  }
  return out;
}

absl::StatusOr<ScalarPtr> Resolver::ResolveAggregate(const sql::Call& call, const Function& function,
                                                     const ExprContext& context) {
  if (context.inside_aggregate) {
    return Error(call.span, StrCat("the aggregate ", function.name, " can't stand inside another aggregate"));
  }
  if (context.state == nullptr) {
    return Error(call.span,
                 StrCat("the aggregate ", function.name, " is not allowed in ", std::string_view(context.clause)));
  }
  ExprContext inside{context.scope, context.clause, nullptr, false, nullptr, true};
  Type type;
  LOGQUERY_ASSIGN_OR_RETURN(AggregateCall resolved, ResolveAggregateCall(call, function, inside, type));
  PlanColumn column = NewColumn(base::ToLower(function.name), type);
  context.state->own.insert(column.id);
  context.state->aggregates.push_back({column, std::move(resolved)});
  return ScalarPtr(std::make_unique<ColumnRef>(column));
}

absl::StatusOr<ScalarPtr> Resolver::ResolveWindow(const sql::Call& call, const Function& function,
                                                  const ExprContext& context) {
  if (context.state == nullptr || !context.windows_allowed) {
    return Error(call.span, StrCat("the window function ", function.name, " is not allowed in ",
                                   std::string_view(context.clause), "; compute it in a subquery, or use QUALIFY"));
  }
  if (function.kind == FunctionKind::kScalar) {
    return Error(call.over->span,
                 StrCat(function.name, " is neither an aggregate nor a window function: OVER does not go with it"));
  }
  ExprContext inside = context;
  inside.windows_allowed = false;
  inside.clause = "a window function";
  Window::Call out;
  Type type;
  LOGQUERY_ASSIGN_OR_RETURN(out.call, ResolveAggregateCall(call, function, inside, type));
  LOGQUERY_RETURN_IF_ERROR(ResolveWindowSpec(*call.over, inside, out, 0));
  if (function.Has(kNeedsOrder) && out.order_by.empty()) {
    return Error(call.over->span, StrCat(function.name, " needs ORDER BY in its OVER (…)"));
  }
  const bool framed = function.kind == FunctionKind::kAggregate || function.name == "FIRST_VALUE" ||
                      function.name == "LAST_VALUE" || function.name == "NTH_VALUE";
  if (out.frame && !framed) {
    return Error(call.over->span, StrCat(function.name, " takes no window frame (ROWS or RANGE)"));
  }
  if (call.distinct && (out.frame || !out.order_by.empty())) {
    return Error(call.over->span, StrCat("DISTINCT in ", function.name, " goes with PARTITION BY alone"));
  }
  out.column = NewColumn(base::ToLower(function.name), type);
  context.state->own.insert(out.column.id);
  auto ref = std::make_unique<ColumnRef>(out.column);
  context.state->windows.push_back(std::move(out));
  return ScalarPtr(std::move(ref));
}

absl::Status Resolver::ResolveWindowSpec(const sql::WindowSpec& spec, const ExprContext& context, Window::Call& out,
                                         int depth) {
  if (spec.base) {
    const sql::WindowSpec* named = nullptr;
    std::vector<std::string> names;
    if (context.state->windows_named != nullptr) {
      for (const sql::Select::NamedWindow& window : *context.state->windows_named) {
        names.push_back(window.name.text);
        if (base::EqualsIgnoreCase(window.name.text, spec.base->text)) named = &window.spec;
      }
    }
    if (named == nullptr || depth > 20) {
      return Error(spec.base->span, StrCat("unknown window ", spec.base->text),
                   sql::NearestNames(spec.base->text, names));
    }
    LOGQUERY_RETURN_IF_ERROR(ResolveWindowSpec(*named, context, out, depth + 1));
  }
  for (const sql::ExprPtr& expr : spec.partition_by) {
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr value, ResolveExpr(*expr, context));
    if (!IsGroupable(value->type)) {
      return Error(expr->span, StrCat("can't partition by a value of type ", value->type.ToString()));
    }
    out.partition_by.push_back(std::move(value));
  }
  for (const sql::OrderItem& item : spec.order_by) {
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr value, ResolveExpr(*item.expr, context));
    LOGQUERY_RETURN_IF_ERROR(CheckOrder(item, *value));
    out.order_by.push_back(MakeKey(item, std::move(value)));
  }
  if (spec.frame) {
    LOGQUERY_ASSIGN_OR_RETURN(out.frame, ResolveFrame(*spec.frame, context, out));
  }
  return absl::OkStatus();
}

absl::StatusOr<ScalarPtr> Resolver::ResolveFrameOffset(const sql::Expr& expr, const Type& type,
                                                       const ExprContext& context) {
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr offset, ResolveExpr(expr, context.Without()));
  LOGQUERY_ASSIGN_OR_RETURN(offset, CoerceAt(std::move(offset), type, "a window frame"));
  if (!ReferencedColumns(*offset).empty() || offset->kind == ScalarKind::kSubquery) {
    return Error(expr.span, "a window frame's offset has to be a literal or a parameter");
  }
  const Constant* constant = If<Constant>(offset.get());
  if (constant != nullptr && (constant->value.is_null() || constant->value.DebugString()[0] == '-')) {
    return Error(expr.span, "a window frame's offset can't be negative or NULL");
  }
  return offset;
}

absl::StatusOr<WindowFramePlan> Resolver::ResolveFrame(const sql::WindowFrame& written, const ExprContext& context,
                                                       const Window::Call& call) {
  WindowFramePlan frame;
  frame.unit = written.unit;
  frame.start = written.start.kind;
  frame.end = written.end ? written.end->kind : sql::WindowBound::Kind::kCurrentRow;
  const sql::Expr* start = written.start.offset.get();
  const sql::Expr* end = written.end ? written.end->offset.get() : nullptr;
  if (start == nullptr && end == nullptr) return frame;
  Type type = Type::Int64();
  if (frame.unit == sql::WindowFrame::Unit::kRange) {
    const bool one = call.order_by.size() == 1 && IsNumeric(call.order_by[0].value->type);
    if (!one) {
      return Error((start != nullptr ? start : end)->span,
                   "RANGE with an offset wants an ORDER BY of exactly one number; without one, use ROWS");
    }
    type = call.order_by[0].value->type;
  }
  if (start != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(frame.start_offset, ResolveFrameOffset(*start, type, context));
  }
  if (end != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(frame.end_offset, ResolveFrameOffset(*end, type, context));
  }
  return frame;
}

}  // namespace logquery::rewrite
