// JSON functions with paths. On JSON, GoogleSQL's paths are written in DuckDB's syntax; on text, our own functions keep
// numbers as they are written.
#include <algorithm>

#include "lib/base/json_path.h"
#include "lib/base/status_macros.h"
#include "lib/engines/duckdb/dialect/function_texts.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using rewrite::FunctionCall;

bool IsLegacy(const FunctionCall& call) { return NameOf(call).substr(0, 12) == "JSON_EXTRACT"; }

// A path in DuckDB's spelling: $.a['b c'][0] becomes $."a"."b c"[0].
std::string PathText(const base::JsonPath& path) {
  std::string text = "$";
  for (const base::JsonStep& step : path.steps) {
    if (step.index.has_value()) {
      base::StrAppend(&text, "[", *step.index, "]");
      continue;
    }
    text += ".\"";
    for (const char c : step.member) {
      if (c == '"' || c == '\\') text += '\\';
      text += c;
    }
    text += '"';
  }
  return text;
}

// Returns whether DuckDB can follow the path: it is a literal, not lax, and no member in it is empty or has a NUL.
StatusOr<bool> IsPlainPath(const FunctionCall& call) {
  if (call.arguments.size() < 2 || IsNullConstant(call, 1)) return true;
  const std::optional<std::string> path = ConstantString(call, 1);
  if (!path.has_value()) return false;
  LOGQUERY_ASSIGN_OR_RETURN(const base::JsonPath parsed, base::ParseJsonPath(*path, IsLegacy(call)));
  const auto can_follow = [](const base::JsonStep& step) {
    return step.index.has_value() || (!step.member.empty() && step.member.find('\0') == std::string::npos);
  };
  return !parsed.lax && std::all_of(parsed.steps.begin(), parsed.steps.end(), can_follow);
}

// The path in argument 1, quoted for DuckDB and with `more` behind it; `$` when there is none.
StatusOr<Sql> PathOf(const FunctionCall& call, std::string_view more = "") {
  if (call.arguments.size() < 2) return Quote(StrCat("$", more));
  if (IsNullConstant(call, 1)) return Sql("CAST(NULL AS VARCHAR)");
  LOGQUERY_ASSIGN_OR_RETURN(const base::JsonPath path,
                            base::ParseJsonPath(ConstantString(call, 1).value_or(""), IsLegacy(call)));
  return Quote(StrCat(PathText(path), more));
}

// Returns a call of our own function of that name, which finds the value at the path in JSON.
Sql FoundByUs(const FunctionCall& call, const Texts& args, std::string_view name) {
  const Sql path = args.size() > 1 ? args[1] : "'$'";
  const bool is_json = call.arguments[0]->type.is(TypeKind::kJson);
  return Cat(name, "(", is_json ? Cat("CAST(", args[0], " AS VARCHAR)") : args[0], ", ", path, ", ",
             IsLegacy(call) ? "TRUE" : "FALSE", ")");
}

// The same in text. A path that is a literal is checked here, where its place in the query is known.
StatusOr<Sql> FoundInText(const FunctionCall& call, const Texts& args, std::string_view name) {
  if (const std::optional<std::string> path = ConstantString(call, 1); path.has_value() && !call.safe) {
    LOGQUERY_RETURN_IF_ERROR(base::ParseJsonPath(*path, IsLegacy(call)).status());
  }
  return FoundByUs(call, args, name);
}

// DuckDB's json_value gives a scalar as JSON, and NULL for anything else.
Sql ScalarText(const Sql& json, const Sql& path) {
  return Cat("json_extract_string(json_value(", json, ", ", path, "), '$')");
}

StatusOr<Sql> JsonValue(const FunctionCall& call, const Texts& args) {
  LOGQUERY_ASSIGN_OR_RETURN(const bool plain, IsPlainPath(call));
  if (!plain) return FoundByUs(call, args, "lq_json_value");
  StatusOr<Sql> path = PathOf(call);
  if (!path.ok()) return path;
  return ScalarText(args[0], *path);
}

StatusOr<Sql> JsonValueText(const FunctionCall& call, const Texts& args) {
  return FoundInText(call, args, "lq_json_text_value");
}

StatusOr<Sql> JsonQuery(const FunctionCall& call, const Texts& args) {
  LOGQUERY_ASSIGN_OR_RETURN(const bool plain, IsPlainPath(call));
  if (!plain) return Cat("CAST(", FoundByUs(call, args, "lq_json_query"), " AS JSON)");
  StatusOr<Sql> path = PathOf(call);
  if (!path.ok()) return path;
  return Cat("json_extract(", args[0], ", ", *path, ")");
}

// Returns text, in which JSON's null becomes NULL.
StatusOr<Sql> JsonQueryText(const FunctionCall& call, const Texts& args) {
  return FoundInText(call, args, "lq_json_text_query");
}

// The elements of the array at the path, by `extract`; NULL for anything else.
StatusOr<Sql> Elements(const FunctionCall& call, const Sql& json, std::string_view extract) {
  StatusOr<Sql> path = PathOf(call);
  StatusOr<Sql> elements = PathOf(call, "[*]");
  if (!path.ok()) return path;
  return Cat("(CASE WHEN json_type(", json, ", ", *path, ") = 'ARRAY' THEN ", extract, "(", json, ", ", *elements,
             ") END)");
}

StatusOr<Sql> JsonQueryArray(const FunctionCall& call, const Texts& args) {
  LOGQUERY_ASSIGN_OR_RETURN(const bool plain, IsPlainPath(call));
  if (!plain) return Cat("CAST(", FoundByUs(call, args, "lq_json_query_array"), " AS JSON[])");
  if (StatusOr<Sql> path = PathOf(call); !path.ok()) return path;
  return Once(args, [&](const Texts& a) { return Elements(call, a[0], "json_extract").value_or(""); });
}

// Returns the elements if all are scalars; null becomes NULL.
Sql ScalarElements(const FunctionCall& call, const Sql& json) {
  // The cast: of a NULL that it knows beforehand DuckDB takes the type for that of a path to one value.
  return Once({Cat("CAST(", Elements(call, json, "json_extract").value_or(""), " AS JSON[])")}, [](const Texts& a) {
    const Sql element = FreshName(a);
    return Cat("(CASE WHEN len(list_filter(", a[0], ", lambda ", element, ": json_type(", element,
               ") IN ('OBJECT', 'ARRAY'))) = 0 THEN list_transform(", a[0], ", lambda ", element,
               ": json_extract_string(", element, ", '$')) END)");
  });
}

StatusOr<Sql> JsonValueArray(const FunctionCall& call, const Texts& args) {
  LOGQUERY_ASSIGN_OR_RETURN(const bool plain, IsPlainPath(call));
  if (!plain) return FoundByUs(call, args, "lq_json_value_array");
  if (StatusOr<Sql> path = PathOf(call); !path.ok()) return path;
  return Once(args, [&](const Texts& a) { return ScalarElements(call, a[0]); });
}

StatusOr<Sql> JsonValueArrayText(const FunctionCall& call, const Texts& args) {
  return FoundInText(call, args, "lq_json_text_value_array");
}

StatusOr<Sql> JsonQueryArrayText(const FunctionCall& call, const Texts& args) {
  return FoundInText(call, args, "lq_json_text_query_array");
}

StatusOr<Sql> JsonType(const FunctionCall&, const Texts& args) {
  return Cat(
      "(CASE json_type(", args[0],
      ") WHEN 'OBJECT' THEN 'object' WHEN 'ARRAY' THEN 'array' WHEN 'VARCHAR' THEN 'string' WHEN 'BOOLEAN' THEN "
      "'boolean' WHEN 'NULL' THEN 'null' WHEN 'BIGINT' THEN 'number' WHEN 'UBIGINT' THEN 'number' WHEN 'DOUBLE' THEN "
      "'number' END)");
}

StatusOr<Sql> JsonField(const FunctionCall& call, const Texts& args) {
  if (const std::optional<std::string> name = ConstantString(call, 1)) {
    std::string quoted;
    for (char c : *name) {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
    return Cat("json_extract(", args[0], ", ", Quote(StrCat("$.\"", quoted, "\"")), ")");
  }
  return Cat("json_extract(", args[0], ", '$.\"' || replace(replace(", args[1],
             ", '\\', '\\\\'), '\"', '\\\"') || '\"')");
}

StatusOr<Sql> JsonIndex(const FunctionCall& call, const Texts& args) {
  if (const std::optional<int64_t> index = ConstantInt64(call, 1)) {
    if (*index < 0) return Sql("CAST(NULL AS JSON)");
    return Cat("json_extract(", args[0], ", '$[", *index, "]')");
  }
  return Once(args, [](const Texts& a) {
    return Cat("(CASE WHEN ", a[1], " >= 0 THEN json_extract(", a[0], ", '$[' || ", a[1], " || ']') END)");
  });
}

constexpr DuckDbFunctionEntry kEntries[] = {
    {"json_value", JsonValue},
    {"json_value_text", JsonValueText},
    {"json_query", JsonQuery},
    {"json_query_text", JsonQueryText},
    {"json_query_array", JsonQueryArray},
    {"json_query_array_text", JsonQueryArrayText},
    {"json_value_array", JsonValueArray},
    {"json_value_array_text", JsonValueArrayText},
    {"json_type", JsonType},
    {"json_field", JsonField},
    {"json_index", JsonIndex},
};

}  // namespace

DuckDbFunctionList DuckDbJsonFunctions() { return kEntries; }

}  // namespace logquery::emit
