// JSONExtract… and relatives.
#include <algorithm>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/resolve/resolver_impl.h"
#include "lib/rewrite/plan_walk.h"

namespace logquery::clickhouse_sql {
namespace {

using base::StrCat;

// The parts of a path: keys and positions.
absl::StatusOr<ScalarPtr> JsonPath(CallArgs& call, size_t begin, size_t end) {
  std::vector<ScalarPtr> parts;
  for (size_t i = begin; i < end; ++i) {
    const bool key = call[i].type.Is(ChKind::kString);
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr part, call.resolver.ToText(std::move(call[i]), call.SpanOf(i)));
    std::vector<ScalarPtr> marked;
    marked.push_back(Text(key ? "k" : "i"));
    marked.push_back(std::move(part));
    parts.push_back(Call("$concat", Type::String(), std::move(marked)));
  }
  return ScalarPtr(std::make_unique<rewrite::ArrayMake>(Type::Array(Type::String()), std::move(parts)));
}

// An integer that does not fit into the type is as an absent one.
ScalarPtr WithinType(ScalarPtr value, const ChType& type) {
  if (type.bits == 64 && type.is_signed) return value;
  const int64_t most = type.bits == 64 ? INT64_MAX : (int64_t{1} << (type.bits - (type.is_signed ? 1 : 0))) - 1;
  ScalarPtr within = Call("$between", Type::Bool(), Same(value), Number(type.is_signed ? -most - 1 : 0), Number(most));
  return If(std::move(within), std::move(value), NullOf(Type::Int64()));
}

// The value is NULL if the text or a part of the path is.
absl::StatusOr<Ex> JsonValue(CallArgs& call, const char* function, const Type& type, const ChType& ch, bool has_default,
                             size_t end) {
  bool nullable = false;
  std::vector<ScalarPtr> nulls;
  for (size_t i = 0; i < end; ++i) {
    if (!call[i].type.nullable) continue;
    nullable = true;
    if (ConstantOf(call[i]) == nullptr) nulls.push_back(IsNull(Same(call[i].scalar)));
  }
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr text, TextAt(call, 0));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr path, JsonPath(call, 1, end));
  ScalarPtr value = Call(function, type, std::move(text), std::move(path));
  if (std::string_view(function) == "$ch.json_int") value = WithinType(std::move(value), ch);
  const bool condition = type.is(TypeKind::kBool) && ch.Is(ChKind::kInt);
  if (has_default) value = IfNull(std::move(value), condition ? True(false) : DefaultOf(ch.NotNull()));
  if (!nulls.empty()) value = If(Or(std::move(nulls)), NullOf(type), std::move(value));
  return Ex{std::move(value), ch.Nullable(nullable), condition};
}

absl::StatusOr<Ex> JsonString(CallArgs& call) {
  return JsonValue(call, "$ch.json_string", Type::String(), String(), true, call.size());
}

absl::StatusOr<Ex> JsonRaw(CallArgs& call) {
  return JsonValue(call, "$ch.json_raw", Type::String(), String(), true, call.size());
}

absl::StatusOr<Ex> JsonInt(CallArgs& call) {
  const ChType type = Int(64, call.call.text != "JSONExtractUInt");
  return JsonValue(call, "$ch.json_int", Type::Int64(), type, true, call.size());
}

absl::StatusOr<Ex> JsonFloat(CallArgs& call) {
  return JsonValue(call, "$ch.json_float", Type::Float64(), Float64(), true, call.size());
}

absl::StatusOr<Ex> JsonBool(CallArgs& call) {
  return JsonValue(call, "$ch.json_bool", Type::Bool(), UInt8(), true, call.size());
}

absl::StatusOr<Ex> JsonHas(CallArgs& call) {
  return JsonValue(call, "$ch.json_has", Type::Bool(), UInt8(), false, call.size());
}

absl::StatusOr<Ex> JsonLength(CallArgs& call) {
  return JsonValue(call, "$ch.json_length", Type::Int64(), UInt64(), false, call.size());
}

absl::StatusOr<Ex> JsonType(CallArgs& call) {
  return JsonValue(call, "$ch.json_type", Type::String(), String(), false, call.size());
}

// No list is NULL in ClickHouse, so it refuses texts that may be.
absl::StatusOr<Ex> JsonList(CallArgs& call, const char* function) {
  if (call.AnyNullable())
    return call.resolver.Error(call.call.span, StrCat(call.call.text, " gives a list, and takes no Nullable; write ",
                                                      call.call.text, "(ifNull(…, ''))"));
  return JsonValue(call, function, Type::Array(Type::String()), ArrayOf(String()), false, call.size());
}

absl::StatusOr<Ex> JsonKeys(CallArgs& call) { return JsonList(call, "$ch.json_keys"); }

absl::StatusOr<Ex> JsonElements(CallArgs& call) { return JsonList(call, "$ch.json_elements"); }

// JSONExtract(json, path …, 'Type')
absl::StatusOr<Ex> JsonTyped(CallArgs& call) {
  const size_t last = call.size() - 1;
  LOGQUERY_ASSIGN_OR_RETURN(const std::string name, call.resolver.WantText(call[last], call.SpanOf(last), "the type"));
  absl::StatusOr<ChType> type = ParseType(name);
  if (!type.ok()) return call.resolver.Error(call.SpanOf(last), base::Message(type.status()));
  const bool has_default = !type->nullable;
  switch (type->kind) {
    case ChKind::kString:
      return JsonValue(call, "$ch.json_string", Type::String(), *type, has_default, last);
    case ChKind::kInt:
      return JsonValue(call, "$ch.json_int", Type::Int64(), *type, has_default, last);
    case ChKind::kFloat:
      return JsonValue(call, "$ch.json_float", Type::Float64(), *type, has_default, last);
    case ChKind::kBool:
      return JsonValue(call, "$ch.json_bool", Type::Bool(), *type, has_default, last);
    default:
      return call.resolver.Error(call.SpanOf(last), StrCat("JSONExtract of the type ", name, " is not supported"));
  }
}

absl::StatusOr<Ex> IsValidJson(CallArgs& call) {
  const bool nullable = call.AnyNullable();
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr text, TextAt(call, 0));
  return Ex{Call("$ch.json_valid", Type::Bool(), std::move(text)), UInt8().Nullable(nullable), true};
}

}  // namespace

void AddJsonFunctions(FunctionMap& functions) {
  constexpr size_t kAny = 1000;
  functions["JSONExtractString"] = {1, kAny, JsonString};
  functions["JSONExtractRaw"] = {1, kAny, JsonRaw};
  functions["JSONExtractInt"] = functions["JSONExtractUInt"] = {1, kAny, JsonInt};
  functions["JSONExtractFloat"] = {1, kAny, JsonFloat};
  functions["JSONExtractBool"] = {1, kAny, JsonBool};
  functions["JSONExtractKeys"] = {1, kAny, JsonKeys};
  functions["JSONExtractArrayRaw"] = {1, kAny, JsonElements};
  functions["JSONExtract"] = {2, kAny, JsonTyped};
  functions["JSONHas"] = {1, kAny, JsonHas};
  functions["JSONLength"] = {1, kAny, JsonLength};
  functions["JSONType"] = {1, kAny, JsonType};
  functions["isValidJSON"] = {1, 1, IsValidJson};
}

}  // namespace logquery::clickhouse_sql
