// Functions that create JSON from values (TO_JSON_STRING, TO_JSON, JSON_ARRAY, JSON_OBJECT) and that convert JSON to
// values.
#include "lib/base/status_macros.h"
#include "lib/engines/duckdb/dialect/casts.h"
#include "lib/engines/duckdb/dialect/function_texts.h"
#include "lib/engines/duckdb/dialect/types.h"
#include "lib/rewrite/scalars.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using rewrite::FunctionCall;

// The style in which values are written.
struct JsonStyle {
  bool exact = false;  // TO_JSON_STRING's: numbers that a FLOAT64 can't hold are strings
};

constexpr char kExactRange[] = " BETWEEN -9007199254740991 AND 9007199254740991";

Sql InQuotes(const Sql& text) { return Cat("'\"' || ", text, " || '\"'"); }

Sql FloatText(const Sql& x, const JsonStyle& style) {
  const Sql number =
      style.exact ? *DuckDbConvert(Type::Float64(), Type::String(), x) : Cat("CAST(to_json(", x, ") AS VARCHAR)");
  return Cat("CASE WHEN isnan(", x, ") THEN '\"NaN\"' WHEN isinf(", x, ") THEN CASE WHEN ", x,
             " > 0 THEN '\"Infinity\"' ELSE '\"-Infinity\"' END ELSE ", number, " END");
}

Sql DecimalText(const Type& type, const Sql& x, const JsonStyle& style) {
  if (!style.exact) {
    return Cat("CASE WHEN ", x, " = trunc(", x, ") AND ", x, kExactRange, " THEN CAST(CAST(", x,
               " AS BIGINT) AS VARCHAR) ELSE CAST(to_json(CAST(", x, " AS DOUBLE)) AS VARCHAR) END");
  }
  const Sql digits = *DuckDbConvert(type, Type::String(), x);
  return Cat("CASE WHEN ", x, " = trunc(", x, ") AND ", x, kExactRange, " THEN ", digits, " ELSE ", InQuotes(digits),
             " END");
}

StatusOr<Sql> BigNumericText(const Sql& x, const JsonStyle& style) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::string least, DuckDbLiteral(Value::BigNumeric("-9007199254740991")));
  LOGQUERY_ASSIGN_OR_RETURN(const std::string most, DuckDbLiteral(Value::BigNumeric("9007199254740991")));
  const Sql digits = Cat("lq_big_to_text(", x, ")");
  const Sql other = style.exact ? InQuotes(digits) : Cat("CAST(to_json(lq_big_to_float(", x, ")) AS VARCHAR)");
  return Cat("CASE WHEN ", x, " = lq_big_trunc(", x, ", 0) AND ", x, " BETWEEN ", least, " AND ", most, " THEN ",
             digits, " ELSE ", other, " END");
}

Sql MomentText(const Sql& x, TypeKind kind) {
  const CastZone utc;
  Sql text = DuckDbTimeToText(kind == TypeKind::kTimestamp ? TypeKind::kDatetime : kind, x, utc);
  if (kind != TypeKind::kTime) text = Cat("replace(", text, ", ' ', 'T')");
  if (kind == TypeKind::kTimestamp) text = Cat(text, " || 'Z'");
  return InQuotes(text);
}

StatusOr<Sql> TextOf(const Type& type, const Sql& value, const JsonStyle& style);

// A field's name as JSON, in a literal, with the colon.
Sql KeyLiteral(const std::string& name) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string text = "\"";
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20) {
      text += StrCat("\\u00", std::string(1, kHex[byte >> 4]), std::string(1, kHex[byte & 15]));
      continue;
    }
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return Quote(StrCat(text, "\":"));
}

StatusOr<Sql> StructText(const Type& type, const Sql& x, const JsonStyle& style) {
  if (type.fields().empty()) return Sql("'{}'");
  Sql text;
  for (size_t i = 0; i < type.fields().size(); ++i) {
    const Field& field = type.fields()[i];
    LOGQUERY_ASSIGN_OR_RETURN(Sql value, TextOf(field.type, StructFieldAt(x, i + 1), style));
    text += Cat(i == 0 ? "'{'||" : "||','||", KeyLiteral(field.name), "||", value);
  }
  return Concatenation(Cat("(", text, "||'}')"));
}

StatusOr<Sql> ArrayText(const Type& type, const Sql& x, const JsonStyle& style) {
  const Sql name = FreshName({x});
  LOGQUERY_ASSIGN_OR_RETURN(Sql element, TextOf(type.element(), name, style));
  return Concatenation(Cat("CASE WHEN len(", x, ") = 0 THEN '[]' ELSE '['||array_to_string(list_transform(", x,
                           ", lambda ", name, ": ", element, "), ',')||']' END"));
}

// The text of a value that is not NULL; `x` is a name.
StatusOr<Sql> PresentText(const Type& type, const Sql& x, const JsonStyle& style) {
  switch (type.kind()) {
    case TypeKind::kBool:
      return Cat("CASE WHEN ", x, " THEN 'true' ELSE 'false' END");
    case TypeKind::kInt64:
      if (!style.exact) return Cat("CAST(", x, " AS VARCHAR)");
      return Cat("CASE WHEN ", x, kExactRange, " THEN CAST(", x, " AS VARCHAR) ELSE ",
                 InQuotes(Cat("CAST(", x, " AS VARCHAR)")), " END");
    case TypeKind::kFloat64:
      return FloatText(x, style);
    case TypeKind::kNumeric:
      return DecimalText(type, x, style);
    case TypeKind::kBigNumeric:
      return BigNumericText(x, style);
    case TypeKind::kString:
      return Cat("lq_json_quoted(", x, ")");
    case TypeKind::kBytes:
      return InQuotes(Cat("to_base64(", x, ")"));
    case TypeKind::kDate:
      return InQuotes(Cat("strftime(", x, ", '%Y-%m-%d')"));
    case TypeKind::kTime:
    case TypeKind::kDatetime:
    case TypeKind::kTimestamp:
      return MomentText(x, type.kind());
    case TypeKind::kJson:
      return Cat("CAST(json(", x, ") AS VARCHAR)");
    case TypeKind::kInterval:
      return absl::UnimplementedError("an INTERVAL as JSON");
    case TypeKind::kStruct:
      return StructText(type, x, style);
    case TypeKind::kArray:
      break;
  }
  if (!type.is_record()) return ArrayText(type, x, style);
  LOGQUERY_ASSIGN_OR_RETURN(Sql record, StructText(type.element(), x, style));
  return Cat("('['||", record, "||']')");
}

StatusOr<Sql> TextOf(const Type& type, const Sql& value, const JsonStyle& style) {
  absl::Status failed;
  Sql text = Once({value}, [&](const Texts& a) {
    StatusOr<Sql> present = PresentText(type, a[0], style);
    failed.Update(present.status());
    return Cat("(CASE WHEN ", a[0], " IS NULL THEN '", type.is_record() ? "[]" : "null", "' ELSE ",
               present.value_or(""), " END)");
  });
  LOGQUERY_RETURN_IF_ERROR(failed);
  return text;
}

StatusOr<Sql> ToJsonString(const FunctionCall& call, const Texts& args) {
  StatusOr<Sql> text = TextOf(call.arguments[0]->type, args[0], {.exact = true});
  if (args.size() < 2 || !text.ok()) return text;
  return Cat("lq_json_text(", *text, ", ", args[1], ")");
}

StatusOr<Sql> AsJson(StatusOr<Sql> text) {
  if (!text.ok()) return text;
  return Cat("CAST(", *text, " AS JSON)");
}

StatusOr<Sql> ToJson(const FunctionCall& call, const Texts& args) {
  if (IsNullConstant(call, 0)) return Sql("CAST(NULL AS JSON)");
  const Value* stringify = rewrite::ConstantArgument(call, 0);
  if (stringify == nullptr) {
    return absl::UnimplementedError("TO_JSON with a stringify_wide_numbers that is not a literal");
  }
  return AsJson(TextOf(call.arguments[1]->type, args[1], {.exact = stringify->bool_value()}));
}

StatusOr<Sql> JsonKeys(const FunctionCall&, const Texts& args) {
  const Sql depth = args.size() > 2 ? args[2] : Cat(INT64_MAX);
  return Cat("lq_json_keys(CAST(", args[1], " AS VARCHAR), ", depth, ", ", args[0], ")");
}

StatusOr<Sql> JsonStripNulls(const FunctionCall&, const Texts& args) {
  const Sql path = args.size() > 3 ? args[3] : "'$'";
  return Cat("CAST(lq_json_strip_nulls(CAST(", args[2], " AS VARCHAR), ", path, ", ", args[0], ", ", args[1],
             ") AS JSON)");
}

// Paths and values in turn; behind a value's JSON a letter says whether it is an ARRAY.
StatusOr<Sql> JsonEdit(const FunctionCall& call, const Texts& args) {
  if (args.size() % 2 != 0) {
    return absl::InvalidArgumentError(StrCat(NameOf(call), " takes paths and values in turn"));
  }
  Texts parts = {Cat("CAST(", args[1], " AS VARCHAR)"), Cat("CAST(", args[0], " AS VARCHAR)")};
  for (size_t i = 2; i < args.size(); i += 2) {
    const Type& type = call.arguments[i + 1]->type;
    LOGQUERY_ASSIGN_OR_RETURN(const Sql text, TextOf(type, args[i + 1], {}));
    parts.push_back(args[i]);
    parts.push_back(Cat("(", text, " || '", type.is_array() ? "a" : "v", "')"));
  }
  return Cat("CAST(lq_", base::ToLower(NameOf(call)), "(", JoinTexts(parts, ", "), ") AS JSON)");
}

StatusOr<Sql> JsonArray(const FunctionCall& call, const Texts& args) {
  Texts parts = {"'['"};
  for (size_t i = 0; i < args.size(); ++i) {
    StatusOr<Sql> text = TextOf(call.arguments[i]->type, args[i], {});
    if (!text.ok()) return text;
    if (i > 0) parts.push_back("','");
    parts.push_back(*std::move(text));
  }
  parts.push_back("']'");
  return AsJson(Balanced(parts, "||"));
}

// If a name comes twice, the first value counts.
StatusOr<Sql> JsonObjectOfNames(const FunctionCall& call, const Texts& args) {
  Texts names, texts;
  for (size_t i = 0; i < args.size(); i += 2) {
    LOGQUERY_ASSIGN_OR_RETURN(texts.emplace_back(), TextOf(call.arguments[i + 1]->type, args[i + 1], {}));
    names.push_back(args[i]);
  }
  return Cat("CAST(lq_json_object([", JoinTexts(names, ", "), "], [", JoinTexts(texts, ", "), "]) AS JSON)");
}

StatusOr<Sql> JsonObject(const FunctionCall& call, const Texts& args) {
  if (args.size() % 2 != 0) return absl::InvalidArgumentError("JSON_OBJECT takes names and values in turn");
  Texts parts = {"'{'"};
  base::StringSet seen;
  for (size_t i = 0; i < args.size(); i += 2) {
    const std::optional<std::string> name = ConstantString(call, i);
    if (!name.has_value()) return JsonObjectOfNames(call, args);
    if (!seen.insert(*name).second) continue;
    StatusOr<Sql> text = TextOf(call.arguments[i + 1]->type, args[i + 1], {});
    if (!text.ok()) return text;
    if (i > 0) parts.push_back("','");
    parts.push_back(KeyLiteral(*name));
    parts.push_back(*std::move(text));
  }
  parts.push_back("'}'");
  return AsJson(Balanced(parts, "||"));
}

StatusOr<Sql> JsonObjectOfArrays(const FunctionCall& call, const Texts& args) {
  const Sql element = FreshName(args);
  LOGQUERY_ASSIGN_OR_RETURN(const Sql text, TextOf(call.arguments[1]->type.element(), element, {}));
  return Cat("CAST(lq_json_object(", args[0], ", list_transform(", args[1], ", lambda ", element, ": ", text,
             ")) AS JSON)");
}

// The value that JSON holds; anything but the function's own type is an error.
StatusOr<Sql> JsonStrict(const FunctionCall& call, const Texts& args) {
  return Once({args[0]}, [&](const Texts& a) {
    const Sql kind = Cat("json_type(", a[0], ")");
    const Sql text = Cat("json_extract_string(", a[0], ", '$')");
    Sql condition, value;
    switch (call.type.kind()) {
      case TypeKind::kBool:
        condition = "= 'BOOLEAN'";
        value = Cat("(", text, " = 'true')");
        break;
      case TypeKind::kInt64:
        // DuckDB may work both sides of an AND out where there is no row.
        condition = Cat("IN ('BIGINT', 'UBIGINT') OR ", kind, " = 'DOUBLE' AND TRY_CAST(", text,
                        " AS DOUBLE) = trunc(TRY_CAST(", text, " AS DOUBLE))");
        value = Cat("CASE WHEN ", kind, " = 'DOUBLE' THEN CAST(CAST(", text, " AS DOUBLE) AS BIGINT) ELSE CAST(", text,
                    " AS BIGINT) END");
        break;
      default:
        condition = "= 'VARCHAR'";
        value = text;
        break;
    }
    return Cat("(CASE WHEN ", kind, " ", condition, " THEN ", value, " WHEN ", a[0], " IS NOT NULL THEN ",
               ErrorText(Cat("'The provided JSON input is not a value of ", TypeKindName(call.type.kind()), "'")),
               " END)");
  });
}

// The value that JSON holds, from other types where they convert; NULL where they do not.
StatusOr<Sql> JsonLax(const FunctionCall& call, const Texts& args) {
  return Once(args, [&](const Texts& a) {
    const Sql kind = Cat("json_type(", a[0], ")");
    const Sql text = Cat("json_extract_string(", a[0], ", '$')");
    const Sql number = Cat("TRY_CAST(", text, " AS DOUBLE)");
    const Sql is_number = Cat(kind, " IN ('BIGINT', 'UBIGINT', 'DOUBLE')");
    switch (call.type.kind()) {
      case TypeKind::kBool:
        return Cat("(CASE WHEN ", kind, " IN ('BOOLEAN', 'VARCHAR') THEN CASE lower(", text,
                   ") WHEN 'true' THEN TRUE WHEN 'false' THEN FALSE END WHEN ", is_number, " THEN ", number,
                   " <> 0 END)");
      case TypeKind::kInt64:
        return Cat("(CASE WHEN ", kind, " = 'BOOLEAN' THEN CASE ", text, " WHEN 'true' THEN 1 ELSE 0 END WHEN ", kind,
                   " = 'VARCHAR' OR ", is_number, " THEN COALESCE(CASE WHEN regexp_full_match(", text,
                   ", '[+-]?[0-9]+') THEN TRY_CAST(", text, " AS BIGINT) END, TRY_CAST(round(", number,
                   ") AS BIGINT)) END)");
      case TypeKind::kFloat64:
        return Cat("(CASE WHEN ", kind, " = 'VARCHAR' OR ", is_number, " THEN ", number, " END)");
      default:
        return Cat("(CASE WHEN ", kind, " IN ('VARCHAR', 'BOOLEAN') OR ", is_number, " THEN ", text, " END)");
    }
  });
}

constexpr DuckDbFunctionEntry kEntries[] = {
    {"to_json", ToJson},
    {"to_json_string", ToJsonString},
    {"json_array", JsonArray},
    {"json_object", JsonObject},
    {"json_object_of_arrays", JsonObjectOfArrays},
    {"json_keys", JsonKeys},
    {"json_strip_nulls", JsonStripNulls},
    {"json_edit", JsonEdit},
    {"json_strict", JsonStrict},
    {"json_lax", JsonLax},
};

}  // namespace

StatusOr<Sql> JsonTextOf(const Type& type, const Sql& value) { return TextOf(type, value, {}); }

DuckDbFunctionList DuckDbJsonValueFunctions() { return kEntries; }

}  // namespace logquery::emit
