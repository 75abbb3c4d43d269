// Functions on maps.
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

void AddMapFunctions(FunctionMap& functions) {
  constexpr size_t kAny = 1000;
  functions["mapKeys"] = functions["mapValues"] = {1, 1, MapKeys};
  functions["mapContains"] = {2, 2, MapContains, false, true};
  functions["map"] = {0, kAny, MakeMap};
  functions["mapFilter"] = {2, 2, MapFilter, true};
}

}  // namespace logquery::clickhouse_sql
