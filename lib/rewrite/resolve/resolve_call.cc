// Resolves calls of functions: positional and named arguments, and the overload that fits them.
#include <algorithm>
#include <array>

#include "lib/base/status_macros.h"
#include "lib/model/interval_text.h"
#include "lib/rewrite/resolve/coercion.h"
#include "lib/rewrite/resolve/resolver_impl.h"
#include "lib/sql/foreign_functions.h"
#include "lib/sql/text_error.h"

namespace logquery::rewrite {
namespace {

using base::StrCat;

// Returns the defaults of the named arguments, which come before the others.
std::vector<ScalarPtr> NamedDefaults(const Function& function) {
  std::vector<ScalarPtr> arguments;
  for (const ParameterPattern& parameter : function.overloads[0].parameters) {
    if (parameter.name.empty()) break;
    arguments.push_back(std::make_unique<Constant>(parameter.type.exact.is(TypeKind::kBool)
                                                       ? Value::Bool(parameter.default_text == "TRUE")
                                                       : Value::String(parameter.default_text)));
  }
  return arguments;
}

std::optional<size_t> NamedParameter(const Function& function, std::string_view name) {
  const std::vector<ParameterPattern>& parameters = function.overloads[0].parameters;
  for (size_t i = 0; i < parameters.size() && !parameters[i].name.empty(); ++i) {
    if (base::EqualsIgnoreCase(parameters[i].name, name)) return i;
  }
  return std::nullopt;
}

// Arguments that may be given by place or by name; those that are left out are 0.
struct PlacedNames {
  std::string_view function;
  std::array<std::string_view, 6> names;
};
constexpr PlacedNames kPlacedNames[] = {{"MAKE_INTERVAL", {"year", "month", "day", "hour", "minute", "second"}}};

std::optional<size_t> PlaceOf(const Function& function, std::string_view name) {
  for (const PlacedNames& placed : kPlacedNames) {
    if (placed.function != function.name) continue;
    for (size_t i = 0; i < placed.names.size(); ++i) {
      if (base::EqualsIgnoreCase(placed.names[i], name)) return i;
    }
  }
  return std::nullopt;
}

// Puts an argument of that place behind others; false: it is there already.
bool PutAt(size_t place, ScalarPtr argument, std::vector<ScalarPtr>& arguments) {
  while (arguments.size() <= place) arguments.push_back(nullptr);
  if (arguments[place] != nullptr) return false;
  arguments[place] = std::move(argument);
  return true;
}

bool TakesLambda(const Function& function) {
  return std::any_of(function.overloads.begin(), function.overloads.end(), [](const Overload& overload) {
    return std::any_of(overload.parameters.begin(), overload.parameters.end(), [](const ParameterPattern& parameter) {
      return parameter.type.kind == TypePattern::Kind::kLambda;
    });
  });
}

bool AnyPart(const Function& function, size_t i) {
  return std::any_of(function.overloads.begin(), function.overloads.end(), [&](const Overload& overload) {
    const ParameterPattern* pattern = PatternAt(overload, i);
    return pattern != nullptr && pattern->type.kind == TypePattern::Kind::kPart;
  });
}

// Returns the date part that was written as a string, in capitals; empty: the argument is not such a mistake.
std::string QuotedPart(const Function& function, const sql::Expr& argument, size_t i) {
  const auto* literal = sql::If<sql::Literal>(&argument);
  if (literal == nullptr || literal->form != sql::Literal::Form::kString || !AnyPart(function, i)) return "";
  std::string part = base::ToUpper(literal->text);
  return model::IsDatePart(part) ? part : "";
}

// Returns what to write in place of an unknown function, where that is no function of a similar name: "; write …".
std::string AdviceForCall(const std::string& name) {
  if (const std::string_view form = sql::FormLike(name); !form.empty()) return StrCat("; write ", form);
  const size_t dot = name.rfind('.');
  if (dot == std::string::npos) return "";
  // text.length(), as methods are called.
  const std::string value = name.substr(0, dot), method = base::ToUpper(name.substr(dot + 1));
  if (method == "CONTAINS" || method == "INCLUDES") {
    return StrCat("; write CONTAINS_SUBSTR(", value, ", 'part') for a part of a text, or value IN UNNEST(", value,
                  ") for an element of an array");
  }
  const Function* const function = FindFunction(method);
  return function == nullptr || function->Has(kInternal) ? "" : StrCat("; write ", method, "(", value, ")");
}

bool IsText(const Value& value) { return value.type().is(TypeKind::kString) && !value.is_null(); }

}  // namespace

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
    if (const std::string advice = AdviceForCall(name); !advice.empty()) {
      return Error(place, StrCat("unknown function ", name, advice));
    }
    std::vector<std::string> nearest = sql::FunctionsLike(name);
    if (nearest.empty()) nearest = sql::NearestNames(name, FunctionNames());
    return Error(place, StrCat("unknown function ", name), std::move(nearest));
  }
  if (in_sandbox_ && function->Has(kNotInSandbox)) {
    return Error(place, StrCat("the function ", function->name, " is not allowed in a sandboxed query"));
  }
  // SAFE has the engine try each row by itself, which no budget over rows outlasts.
  if (in_sandbox_ && call.safe && (function->Has(kGrows) || TakesLambda(*function))) {
    return Error(place, StrCat("SAFE.", function->name, " is not allowed in a sandboxed query; call it without SAFE"));
  }
  if (in_sandbox_) NoteUse(&SandboxUse::functions, function->name);
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
  const Constant* first = arguments.empty() ? nullptr : If<Constant>(arguments[0].get());
  if (function->name == "TIMESTAMP" && first != nullptr && IsText(first->value)) {
    const absl::Status fraction = CheckFraction(Type::Timestamp(), first->value.string_value());
    if (!fraction.ok() && call.safe) return MakeLiteral(Value::Null(Type::Timestamp()), call.span);
    if (!fraction.ok()) return At(call.span, fraction);
  }
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr made, MakeCall(function->name, std::move(arguments), call.span));
  As<FunctionCall>(*made).safe = call.safe;
  return made;
}

// Resolves calls with rules of their own: the clock and GROUPING.
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
      arguments.push_back(MakeLiteral(Value::String(options_.time_zone), call.span));
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
  std::vector<ScalarPtr> arguments = NamedDefaults(function);
  base::NameSet named;
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const sql::Call::Argument& argument = call.arguments[i];
    if (argument.value == nullptr) {
      if (function.name == "COUNT" && call.arguments.size() == 1) return arguments;
      return Error(call.span, StrCat(function.name, "(*) is not a call; only COUNT(*) is"));
    }
    if (argument.name) {
      const std::optional<size_t> named_place = NamedParameter(function, argument.name->text);
      const std::optional<size_t> place = PlaceOf(function, argument.name->text);
      if (!named_place.has_value() && !place.has_value()) {
        return Error(argument.name->span, StrCat(function.name, " has no argument named ", argument.name->text));
      }
      bool is_new = named.insert(argument.name->text).second;
      LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr value, ResolveExpr(*argument.value, context));
      if (named_place.has_value()) {
        arguments[*named_place] = std::move(value);
      } else {
        is_new = PutAt(*place, std::move(value), arguments);
      }
      if (!is_new) return Error(argument.name->span, StrCat("the argument ", argument.name->text, " is given twice"));
      continue;
    }
    if (!named.empty()) return Error(argument.value->span, "an argument without a name stands before those with one");
    const auto* path = sql::If<sql::PathExpr>(argument.value.get());
    if (path != nullptr && path->names.size() == 1 && !path->names[0].quoted && AnyPart(function, i)) {
      std::string part = base::ToUpper(path->names[0].text);
      if (!argument.part_argument.empty()) part = StrCat(part, "(", base::ToUpper(argument.part_argument), ")");
      if (!model::IsDatePart(part)) {
        // DATE_TRUNC('day', timestamp), as other databases have it.
        const std::string before = i == 0 ? "" : QuotedPart(function, *call.arguments[i - 1].value, i);
        if (!before.empty()) {
          return Error(call.span, StrCat(function.name, " takes the value first, then the date part without quotes: ",
                                         function.name, "(", path->names[0].text, ", ", before, ")"));
        }
        return Error(path->span, StrCat("unknown date part ", path->names[0].text),
                     sql::NearestNames(part, model::DatePartNames()));
      }
      arguments.push_back(MakeLiteral(Value::String(std::move(part)), path->span));
      continue;
    }
    if (const std::string part = QuotedPart(function, *argument.value, i); !part.empty()) {
      return Error(argument.value->span, StrCat("a date part has no quotes; write ", part));
    }
    if (const auto* lambda = sql::If<sql::Lambda>(argument.value.get())) {
      LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr scalar, ResolveLambda(*lambda, arguments, context));
      arguments.push_back(std::move(scalar));
      continue;
    }
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr scalar, ResolveExpr(*argument.value, context));
    arguments.push_back(std::move(scalar));
  }
  for (ScalarPtr& argument : arguments) {
    if (argument == nullptr) argument = MakeLiteral(Value::Int64(0), call.span);
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

}  // namespace logquery::rewrite
