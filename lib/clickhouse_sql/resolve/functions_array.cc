// Functions on arrays, tuples and maps, with lambdas.
#include "lib/base/limits.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/resolve/resolver_impl.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::clickhouse_sql {
namespace {

using base::StrCat;
using rewrite::ColumnRef;

absl::StatusOr<Ex> ArrayAt(CallArgs& call, size_t i) {
  if (!call[i].type.Is(ChKind::kArray))
    return call.resolver.Error(call.SpanOf(i),
                               StrCat(call.call.text, " wants an array here, not ", call[i].type.ToString()));
  return std::move(call[i]);
}

absl::StatusOr<Ex> MakeArray(CallArgs& call) {
  std::vector<const ChType*> types;
  for (size_t i = 0; i < call.size(); ++i) {
    call[i] = call.resolver.Plain(std::move(call[i]));
    types.push_back(&call[i].type);
  }
  LOGQUERY_ASSIGN_OR_RETURN(const ChType element, call.resolver.Common(types, call.call.span));
  if (element.Is(ChKind::kArray)) return call.resolver.Error(call.call.span, "arrays of arrays are not supported");
  std::vector<ScalarPtr> elements;
  for (size_t i = 0; i < call.size(); ++i) {
    LOGQUERY_ASSIGN_OR_RETURN(Ex value, call.resolver.Convert(std::move(call[i]), element, call.SpanOf(i)));
    elements.push_back(std::move(value.scalar));
  }
  const ChType type = ArrayOf(element);
  return Ex{std::make_unique<rewrite::ArrayMake>(type.PlanType(), std::move(elements)), type};
}

absl::StatusOr<Ex> MakeTuple(CallArgs& call) {
  ChType type;
  type.kind = ChKind::kTuple;
  std::vector<ScalarPtr> fields;
  for (size_t i = 0; i < call.size(); ++i) {
    Ex value = call.resolver.Plain(std::move(call[i]));
    type.parts.push_back(value.type);
    fields.push_back(std::move(value.scalar));
  }
  return Ex{std::make_unique<rewrite::StructMake>(type.PlanType(), std::move(fields)), type};
}

absl::StatusOr<Ex> TupleElement(CallArgs& call) {
  if (!call[0].type.Is(ChKind::kTuple))
    return call.resolver.Error(call.SpanOf(0), StrCat("a tuple is wanted here, not ", call[0].type.ToString()));
  LOGQUERY_ASSIGN_OR_RETURN(const int64_t at, call.resolver.WantInt(call[1], call.SpanOf(1), "the position"));
  const auto size = static_cast<int64_t>(call[0].type.parts.size());
  if (at < 1 || at > size) return call.resolver.Error(call.SpanOf(1), StrCat("the tuple has ", size, " elements"));
  const ChType type = call[0].type.parts[static_cast<size_t>(at - 1)];
  return Ex{std::make_unique<rewrite::FieldRef>(std::move(call[0].scalar), static_cast<int>(at - 1)), type};
}

// The elements of arrays as tuples of a lambda with several parameters: one array is enough for one parameter.
struct Lambda {
  ScalarPtr list;
  ScalarPtr lambda;
  ChType element;  // of the first array
  ChType body;
  bool condition = false;
};

absl::StatusOr<Lambda> ReadLambda(CallArgs& call) {
  const Expr& written = *call.call.args[0];
  std::vector<ChType> parameters;
  for (size_t i = 1; i < call.size(); ++i) {
    LOGQUERY_ASSIGN_OR_RETURN(call[i], ArrayAt(call, i));
    parameters.push_back(call[i].type.parts[0]);
  }
  LOGQUERY_ASSIGN_OR_RETURN(Ex made, call.resolver.ResolveLambda(written, parameters, call.scope));
  Lambda result{std::move(call[1].scalar), std::move(made.scalar), parameters[0], made.type, made.condition};
  if (parameters.size() == 1) return result;
  if (parameters.size() > 2)
    return call.resolver.Error(call.call.span, "lambdas of more than two arrays are not supported");
  // ARRAY_TRANSFORM gives the position of an element to its second parameter.
  rewrite::LambdaScalar& lambda = rewrite::As<rewrite::LambdaScalar>(*result.lambda);
  const PlanColumn position = call.resolver.NewColumn("i", Type::Int64());
  const ColumnId second = lambda.parameters[1].id;
  const ScalarPtr other = std::move(call[2].scalar);
  const Type other_type = lambda.parameters[1].type;
  const absl::Status done = rewrite::RewriteScalar(lambda.body, [&](ScalarPtr& part) {
    const ColumnRef* column = rewrite::If<ColumnRef>(part.get());
    if (column != nullptr && column->id == second) {
      part = Call("$safe_at_offset", other_type, Same(other), std::make_unique<ColumnRef>(position));
    }
    return absl::OkStatus();
  });
  done.IgnoreError();  // the callback never fails
  lambda.parameters[1] = position;
  return result;
}

// A lambda's condition.
absl::StatusOr<ScalarPtr> ConditionOf(CallArgs& call, Lambda& lambda) {
  auto& made = rewrite::As<rewrite::LambdaScalar>(*lambda.lambda);
  LOGQUERY_ASSIGN_OR_RETURN(
      ScalarPtr condition, call.resolver.ToBool({std::move(made.body), lambda.body, lambda.condition}, call.SpanOf(0)));
  std::vector<PlanColumn> parameters = made.parameters;
  return ScalarPtr(std::make_unique<rewrite::LambdaScalar>(std::move(parameters), std::move(condition)));
}

absl::StatusOr<Ex> ArrayMap(CallArgs& call) {
  LOGQUERY_ASSIGN_OR_RETURN(Lambda lambda, ReadLambda(call));
  auto& made = rewrite::As<rewrite::LambdaScalar>(*lambda.lambda);
  Ex body = call.resolver.Plain({std::move(made.body), lambda.body, lambda.condition});
  if (body.type.Is(ChKind::kArray)) return call.resolver.Error(call.SpanOf(0), "arrays of arrays are not supported");
  const ChType type = ArrayOf(body.type);
  ScalarPtr mapped = std::make_unique<rewrite::LambdaScalar>(made.parameters, std::move(body.scalar));
  return Ex{Call("ARRAY_TRANSFORM", type.PlanType(), std::move(lambda.list), std::move(mapped)), type};
}

// arrayFilter, -Exists, -All, -Count, -First: the elements for which the condition holds, and what is asked of them.
absl::StatusOr<Ex> Filtered(CallArgs& call) {
  const std::string& name = call.call.text;
  const bool has_lambda = call.call.args[0]->kind == ExprKind::kLambda;
  ScalarPtr list, kept;
  ChType element;
  if (has_lambda) {
    if (call.size() < 2) return call.resolver.Error(call.call.span, StrCat(name, " wants a lambda and an array"));
    LOGQUERY_ASSIGN_OR_RETURN(Lambda lambda, ReadLambda(call));
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr condition, ConditionOf(call, lambda));
    element = lambda.element;
    list = Same(lambda.list);
    kept = Call("ARRAY_FILTER", ArrayOf(element).PlanType(), std::move(lambda.list), std::move(condition));
  } else {
    LOGQUERY_ASSIGN_OR_RETURN(Ex array, ArrayAt(call, 0));
    element = array.type.parts[0];
    const PlanColumn x = call.resolver.NewColumn("x", element.PlanType());
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr condition,
                              call.resolver.ToBool({std::make_unique<ColumnRef>(x), element}, call.call.span));
    list = Same(array.scalar);
    ScalarPtr lambda = std::make_unique<rewrite::LambdaScalar>(std::vector<PlanColumn>{x}, std::move(condition));
    kept = Call("ARRAY_FILTER", array.type.PlanType(), std::move(array.scalar), std::move(lambda));
  }
  if (name == "arrayFilter") return Ex{std::move(kept), ArrayOf(element)};
  if (name == "arrayFirst") {
    ScalarPtr first = Call("$safe_at_offset", element.PlanType(), std::move(kept), Number(0));
    return Ex{IfNull(std::move(first), DefaultOf(element)), element};
  }
  ScalarPtr count = Call("ARRAY_LENGTH", Type::Int64(), std::move(kept));
  if (name == "arrayCount") return Ex{std::move(count), Int(32, false)};
  if (name == "arrayExists") return Ex{Call("$greater", Type::Bool(), std::move(count), Number(0)), UInt8(), true};
  ScalarPtr all = Call("ARRAY_LENGTH", Type::Int64(), std::move(list));
  return Ex{Call("$equal", Type::Bool(), std::move(count), std::move(all)), UInt8(), true};
}

// The array as rows of one column, for a subquery.
std::unique_ptr<rewrite::Unnest> Rows(ScalarPtr list, const PlanColumn& column) {
  auto unnest = std::make_unique<rewrite::Unnest>(std::make_unique<rewrite::SingleRow>());
  unnest->columns.push_back(column);
  unnest->elements.push_back(column);
  unnest->arrays.push_back(std::move(list));
  return unnest;
}

const rewrite::Overload* AggregateOf(std::string_view name, const Type& type) {
  const rewrite::Function* function = rewrite::FindFunction(name);
  for (const rewrite::Overload& overload : function->overloads) {
    if (overload.parameters.empty()) continue;
    const rewrite::TypePattern& pattern = overload.parameters.front().type;
    if (pattern.kind != rewrite::TypePattern::Kind::kExact || pattern.exact == type) return &overload;
  }
  return &function->overloads.front();
}

// arraySum, arrayAvg, arrayMin, arrayMax, with an optional lambda.
absl::StatusOr<Ex> Aggregated(CallArgs& call) {
  const std::string& name = call.call.text;
  Ex list;
  if (call.call.args[0]->kind == ExprKind::kLambda) {
    if (call.size() < 2) return call.resolver.Error(call.call.span, StrCat(name, " wants a lambda and an array"));
    LOGQUERY_ASSIGN_OR_RETURN(list, ArrayMap(call));
  } else {
    LOGQUERY_ASSIGN_OR_RETURN(list, ArrayAt(call, 0));
  }
  const ChType element = list.type.parts[0];
  if (!element.Is(ChKind::kInt) && !element.Is(ChKind::kFloat))
    return call.resolver.Error(call.call.span, StrCat(name, " of ", list.type.ToString(), " is not supported"));
  const PlanColumn x = call.resolver.NewColumn("x", element.PlanType());
  auto aggregate = std::make_unique<rewrite::Aggregate>(Rows(std::move(list.scalar), x));
  const bool average = name == "arrayAvg";
  rewrite::AggregateCall made;
  made.arguments.push_back(std::make_unique<ColumnRef>(x));
  made.overload = AggregateOf(name == "arraySum"   ? "SUM"
                              : average            ? "AVG"
                              : name == "arrayMin" ? "MIN"
                                                   : "MAX",
                              x.type);
  const Type type = average ? Type::Float64() : x.type;
  const PlanColumn result = call.resolver.NewColumn("result", type);
  aggregate->calls.push_back({result, std::move(made)});
  aggregate->columns.push_back(result);
  ScalarPtr value =
      std::make_unique<rewrite::SubqueryScalar>(rewrite::SubqueryScalar::Form::kScalar, type, std::move(aggregate));
  const ChType ch = average                                          ? Float64()
                    : name == "arraySum" && element.Is(ChKind::kInt) ? Int(64, element.is_signed)
                                                                     : element.NotNull();
  return Ex{IfNull(std::move(value), DefaultOf(ch)), ch};
}

// arraySort([lambda,] array), arrayReverseSort, arrayDistinct: a subquery over the elements.
absl::StatusOr<Ex> Sorted(CallArgs& call) {
  const std::string& name = call.call.text;
  const bool descending = name == "arrayReverseSort";
  const bool has_lambda = call.call.args[0]->kind == ExprKind::kLambda;
  LOGQUERY_ASSIGN_OR_RETURN(Ex list, ArrayAt(call, has_lambda ? 1 : 0));
  const ChType element = list.type.parts[0];
  const PlanColumn x = call.resolver.NewColumn("x", element.PlanType());
  ScalarPtr key = std::make_unique<ColumnRef>(x);
  if (has_lambda) {
    if (call.size() != 2) return call.resolver.Error(call.call.span, StrCat(name, " with a lambda wants one array"));
    LOGQUERY_ASSIGN_OR_RETURN(Ex lambda, call.resolver.ResolveLambda(*call.call.args[0], {element}, call.scope));
    auto& made = rewrite::As<rewrite::LambdaScalar>(*lambda.scalar);
    const rewrite::ColumnMap renamed = {{made.parameters[0].id, x.id}};
    key = std::move(made.body);
    rewrite::RenameReferences(key, renamed);
  }
  rewrite::AggregateCall made;
  made.arguments.push_back(std::make_unique<ColumnRef>(x));
  made.overload = AggregateOf("ARRAY_AGG", x.type);
  made.distinct = name == "arrayDistinct";
  made.order_by.push_back({std::move(key), descending, false});
  auto aggregate = std::make_unique<rewrite::Aggregate>(Rows(std::move(list.scalar), x));
  const Type type = list.type.PlanType();
  const PlanColumn result = call.resolver.NewColumn("result", type);
  aggregate->calls.push_back({result, std::move(made)});
  aggregate->columns.push_back(result);
  ScalarPtr value =
      std::make_unique<rewrite::SubqueryScalar>(rewrite::SubqueryScalar::Form::kScalar, type, std::move(aggregate));
  return Ex{IfNull(std::move(value), DefaultOf(list.type)), list.type};
}

absl::StatusOr<Ex> Has(CallArgs& call) {
  LOGQUERY_ASSIGN_OR_RETURN(Ex list, ArrayAt(call, 0));
  LOGQUERY_ASSIGN_OR_RETURN(Ex value, call.resolver.Convert(std::move(call[1]), list.type.parts[0], call.SpanOf(1)));
  ScalarPtr found = Call("$in_array", Type::Bool(), std::move(value.scalar), std::move(list.scalar));
  return Ex{IfNull(std::move(found), True(false)), UInt8(), true};
}

// arraySlice(array, offset [, length]): positions from 1, or from the end where they are negative.
absl::StatusOr<Ex> Slice(CallArgs& call) {
  LOGQUERY_ASSIGN_OR_RETURN(Ex list, ArrayAt(call, 0));
  LOGQUERY_ASSIGN_OR_RETURN(const int64_t offset, call.resolver.WantInt(call[1], call.SpanOf(1), "the offset"));
  int64_t length = base::kMaxGeneratedElements;
  if (call.size() > 2) {
    LOGQUERY_ASSIGN_OR_RETURN(length, call.resolver.WantInt(call[2], call.SpanOf(2), "the length"));
  }
  if (length < 0) return call.resolver.Error(call.SpanOf(2), "a negative length of arraySlice is not supported");
  const Type plan = list.type.PlanType();
  const ChType type = list.type;
  if (offset == 0 || length == 0) return Ex{DefaultOf(type), type};
  const PlanColumn x = call.resolver.NewColumn("x", type.parts[0].PlanType());
  const PlanColumn i = call.resolver.NewColumn("i", Type::Int64());
  ScalarPtr first = Number(offset - 1);
  if (offset < 0)
    first = Call("GREATEST", Type::Int64(),
                 Call("$add", Type::Int64(), Call("ARRAY_LENGTH", Type::Int64(), Same(list.scalar)), Number(offset)),
                 Number(0));
  ScalarPtr last =
      Call("$add", Type::Int64(), Same(first), Number(std::min<int64_t>(length, base::kMaxGeneratedElements) - 1));
  ScalarPtr within = Call("$between", Type::Bool(), std::make_unique<ColumnRef>(i), std::move(first), std::move(last));
  ScalarPtr lambda = std::make_unique<rewrite::LambdaScalar>(std::vector<PlanColumn>{x, i}, std::move(within));
  return Ex{Call("ARRAY_FILTER", plan, std::move(list.scalar), std::move(lambda)), type};
}

absl::StatusOr<Ex> Concatenated(CallArgs& call) {
  std::vector<const ChType*> types;
  for (size_t i = 0; i < call.size(); ++i) types.push_back(&call[i].type);
  LOGQUERY_ASSIGN_OR_RETURN(const ChType type, call.resolver.Common(types, call.call.span));
  if (!type.Is(ChKind::kArray)) return call.resolver.Error(call.call.span, "arrayConcat wants arrays");
  std::vector<ScalarPtr> lists;
  for (size_t i = 0; i < call.size(); ++i) {
    LOGQUERY_ASSIGN_OR_RETURN(Ex list, call.resolver.Convert(std::move(call[i]), type, call.SpanOf(i)));
    lists.push_back(std::move(list.scalar));
  }
  return Ex{Call("ARRAY_CONCAT", type.PlanType(), std::move(lists)), type};
}

absl::StatusOr<Ex> Reversed(CallArgs& call) {
  const bool nullable = call.AnyNullable();
  if (call[0].type.Is(ChKind::kString))
    return Ex{Call("REVERSE", Type::String(), std::move(call[0].scalar)), String().Nullable(nullable)};
  LOGQUERY_ASSIGN_OR_RETURN(Ex list, ArrayAt(call, 0));
  return Ex{Call("ARRAY_REVERSE", list.type.PlanType(), std::move(list.scalar)), list.type};
}

absl::StatusOr<Ex> Joined(CallArgs& call) {
  LOGQUERY_ASSIGN_OR_RETURN(Ex list, ArrayAt(call, 0));
  const ChType texts = ArrayOf(list.type.parts[0].Is(ChKind::kString) ? list.type.parts[0] : String());
  LOGQUERY_ASSIGN_OR_RETURN(list, call.resolver.CastValue(std::move(list), texts, call.SpanOf(0)));
  ScalarPtr separator = Text("");
  if (call.size() > 1) {
    LOGQUERY_ASSIGN_OR_RETURN(Ex given, call.resolver.Convert(std::move(call[1]), String(), call.SpanOf(1)));
    separator = std::move(given.scalar);
  }
  return Ex{Call("ARRAY_TO_STRING", Type::String(), std::move(list.scalar), std::move(separator)), String()};
}

absl::StatusOr<Ex> Range(CallArgs& call) {
  int64_t begin = 0, step = 1;
  if (call.size() > 1) {
    LOGQUERY_ASSIGN_OR_RETURN(begin, call.resolver.WantInt(call[0], call.SpanOf(0), "the begin"));
  }
  const size_t at = call.size() > 1 ? 1 : 0;
  LOGQUERY_ASSIGN_OR_RETURN(const int64_t end, call.resolver.WantInt(call[at], call.SpanOf(at), "the end"));
  if (call.size() > 2) {
    LOGQUERY_ASSIGN_OR_RETURN(step, call.resolver.WantInt(call[2], call.SpanOf(2), "the step"));
  }
  if (step < 1) return call.resolver.Error(call.call.span, "the step of range must be positive");
  const ChType type = ArrayOf(UInt64());
  if (end <= begin) return Ex{DefaultOf(type), type};
  if ((end - begin) / step > base::kMaxGeneratedElements)
    return call.resolver.Error(call.call.span,
                               StrCat("range gives more than ", base::kMaxGeneratedElements, " elements"));
  return Ex{Call("GENERATE_ARRAY", Type::Array(Type::Int64()), Number(begin), Number(end - 1), Number(step)), type};
}

absl::StatusOr<Ex> MapAt(CallArgs& call, size_t i) {
  if (!call[i].type.Is(ChKind::kMap))
    return call.resolver.Error(call.SpanOf(i),
                               StrCat(call.call.text, " wants a map here, not ", call[i].type.ToString()));
  return std::move(call[i]);
}

absl::StatusOr<Ex> MapKeys(CallArgs& call) {
  LOGQUERY_ASSIGN_OR_RETURN(Ex map, MapAt(call, 0));
  return Ex{Call(call.call.text == "mapKeys" ? "$ch.map_keys" : "$ch.map_values", Type::Array(Type::String()),
                 std::move(map.scalar)),
            ArrayOf(String())};
}

// mapContains(log_attributes, 'key') reads that field only.
absl::StatusOr<Ex> MapContains(CallArgs& call) {
  const Expr& key = *call.call.args[1];
  if (key.kind == ExprKind::kString) {
    LOGQUERY_ASSIGN_OR_RETURN(const RelColumn* attribute,
                              call.resolver.FindAttribute(*call.call.args[0], key.text, call.scope));
    if (attribute != nullptr) return Ex{Not(IsNull(std::make_unique<ColumnRef>(attribute->column))), UInt8(), true};
  }
  LOGQUERY_ASSIGN_OR_RETURN(Ex map, call.resolver.ResolveExpr(*call.call.args[0], call.scope));
  LOGQUERY_ASSIGN_OR_RETURN(Ex wanted, call.resolver.ResolveExpr(key, call.scope));
  if (!map.type.Is(ChKind::kMap) || !wanted.type.Is(ChKind::kString))
    return call.resolver.Error(call.call.span, "mapContains wants a map and a text");
  return Ex{Call("$ch.map_contains", Type::Bool(), std::move(map.scalar), std::move(wanted.scalar)), UInt8(), true};
}

absl::StatusOr<Ex> MakeMap(CallArgs& call) {
  if (call.size() % 2 != 0) return call.resolver.Error(call.call.span, "map wants pairs of a key and a value");
  std::vector<ScalarPtr> keys, values;
  for (size_t i = 0; i < call.size(); ++i) {
    if (!call[i].type.Is(ChKind::kString))
      return call.resolver.Error(call.SpanOf(i), "only maps of texts to texts are supported");
    (i % 2 == 0 ? keys : values).push_back(std::move(call[i].scalar));
  }
  const Type list = Type::Array(Type::String());
  return Ex{Call("$ch.map", Type::String(), ScalarPtr(std::make_unique<rewrite::ArrayMake>(list, std::move(keys))),
                 ScalarPtr(std::make_unique<rewrite::ArrayMake>(list, std::move(values)))),
            MapType()};
}

// mapFilter((k, v) -> …, map): filters the keys, with the value looked up.
absl::StatusOr<Ex> MapFilter(CallArgs& call) {
  LOGQUERY_ASSIGN_OR_RETURN(Ex map, MapAt(call, 1));
  LOGQUERY_ASSIGN_OR_RETURN(Ex made, call.resolver.ResolveLambda(*call.call.args[0], {String(), String()}, call.scope));
  auto& lambda = rewrite::As<rewrite::LambdaScalar>(*made.scalar);
  const PlanColumn key = lambda.parameters[0];
  const ColumnId value = lambda.parameters[1].id;
  const auto look_up = [&] {
    return Call("$ch.map_get", Type::String(), Same(map.scalar), ScalarPtr(std::make_unique<ColumnRef>(key)));
  };
  const absl::Status done = rewrite::RewriteScalar(lambda.body, [&](ScalarPtr& part) {
    const ColumnRef* column = rewrite::If<ColumnRef>(part.get());
    if (column != nullptr && column->id == value) part = look_up();
    return absl::OkStatus();
  });
  done.IgnoreError();  // the callback never fails
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr condition,
                            call.resolver.ToBool({std::move(lambda.body), made.type, made.condition}, call.SpanOf(0)));
  const Type list = Type::Array(Type::String());
  ScalarPtr keys =
      Call("ARRAY_FILTER", list, Call("$ch.map_keys", list, Same(map.scalar)),
           ScalarPtr(std::make_unique<rewrite::LambdaScalar>(std::vector<PlanColumn>{key}, std::move(condition))));
  const PlanColumn again = call.resolver.NewColumn("k", Type::String());
  ScalarPtr found =
      Call("$ch.map_get", Type::String(), Same(map.scalar), ScalarPtr(std::make_unique<ColumnRef>(again)));
  ScalarPtr values =
      Call("ARRAY_TRANSFORM", list, Same(keys),
           ScalarPtr(std::make_unique<rewrite::LambdaScalar>(std::vector<PlanColumn>{again}, std::move(found))));
  return Ex{Call("$ch.map", Type::String(), std::move(keys), std::move(values)), MapType()};
}

}  // namespace

void AddArrayFunctions(FunctionMap& functions) {
  constexpr size_t kAny = 10'000;
  functions["array"] = {0, kAny, MakeArray};
  functions["tuple"] = {0, 100, MakeTuple};
  functions["tupleElement"] = {2, 2, TupleElement};
  functions["arrayMap"] = {2, 3, ArrayMap, true};
  for (const char* name : {"arrayFilter", "arrayExists", "arrayAll", "arrayCount", "arrayFirst"})
    functions[name] = {1, 3, Filtered, true};
  for (const char* name : {"arraySum", "arrayAvg", "arrayMin", "arrayMax"}) functions[name] = {1, 3, Aggregated, true};
  for (const char* name : {"arraySort", "arrayReverseSort"}) functions[name] = {1, 2, Sorted, true};
  functions["arrayDistinct"] = {1, 1, Sorted};
  functions["has"] = {2, 2, Has};
  functions["arraySlice"] = {2, 3, Slice};
  functions["arrayConcat"] = {1, 100, Concatenated};
  functions["arrayReverse"] = functions["reverse"] = {1, 1, Reversed};
  functions["arrayStringConcat"] = {1, 2, Joined};
  functions["range"] = {1, 3, Range};
}

void AddMapFunctions(FunctionMap& functions) {
  constexpr size_t kAny = 1000;
  functions["mapKeys"] = functions["mapValues"] = {1, 1, MapKeys};
  functions["mapContains"] = {2, 2, MapContains, false, true};
  functions["map"] = {0, kAny, MakeMap};
  functions["mapFilter"] = {2, 2, MapFilter, true};
}

}  // namespace logquery::clickhouse_sql
