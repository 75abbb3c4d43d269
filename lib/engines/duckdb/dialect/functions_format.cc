// FORMAT, implemented by lq_format. It gets each value as text, or NULL if a literal format shows that it is not
// needed.
#include <algorithm>

#include "lib/base/status_macros.h"
#include "lib/engines/duckdb/dialect/function_texts.h"
#include "lib/engines/duckdb/dialect/types.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using rewrite::FunctionCall;

StatusOr<Sql> AnyText(const Type& type, const Sql& value, bool literal);

// Whole numbers keep a point. In a literal, infinities and NaN are casts.
StatusOr<Sql> FloatText(const Sql& value, bool literal) {
  LOGQUERY_ASSIGN_OR_RETURN(const Sql digits, StringOf(Type::Float64(), value));
  const Sql text = Cat("regexp_replace(", digits, ", '^(-?[0-9]+)$', '\\1.0')");
  if (!literal) return text;
  return Once({text}, [](const Texts& a) {
    return Cat("(CASE WHEN ", a[0], " IN ('nan', 'inf', '-inf') THEN 'CAST(\"' || ", a[0], " || '\" AS FLOAT64)' ELSE ",
               a[0], " END)");
  });
}

StatusOr<Sql> StructText(const Type& type, const Sql& value, bool literal) {
  absl::Status failed;
  Sql text = Once({value}, [&](const Texts& a) {
    Texts parts = {type.fields().size() < 2 ? "'STRUCT('" : "'('"};
    for (size_t i = 0; i < type.fields().size(); ++i) {
      StatusOr<Sql> field = AnyText(type.fields()[i].type, StructFieldAt(a[0], i + 1), literal);
      failed.Update(field.status());
      if (i > 0) parts.push_back("', '");
      parts.push_back(field.value_or(""));
    }
    parts.push_back("')'");
    return Cat("(CASE WHEN ", a[0], " IS NOT NULL THEN lq_concat(", JoinTexts(parts, ", "), ") END)");
  });
  LOGQUERY_RETURN_IF_ERROR(failed);
  return text;
}

StatusOr<Sql> ArrayText(const Type& type, const Sql& value, bool literal) {
  if (type.is_record()) {
    LOGQUERY_ASSIGN_OR_RETURN(const Sql record, StructText(type.element(), value, literal));
    return Cat("('[' || COALESCE(", record, ", '') || ']')");
  }
  const Sql name = FreshName({value});
  LOGQUERY_ASSIGN_OR_RETURN(const Sql element, AnyText(type.element(), name, literal));
  return Cat("('[' || array_to_string(list_transform(", value, ", lambda ", name, ": ", element, "), ', ') || ']')");
}

// The kinds whose literal is a word and their text in quotes.
StatusOr<Sql> WordText(const Type& type, const Sql& value, bool literal) {
  LOGQUERY_ASSIGN_OR_RETURN(const Sql text, StringOf(type, value));
  if (!literal) return text;
  const std::string_view behind = type.is(TypeKind::kInterval) ? "\" YEAR TO SECOND'" : "\"'";
  return Cat("('", TypeKindName(type.kind()), " \"' || ", text, " || '", behind, ")");
}

StatusOr<Sql> PresentText(const Type& type, const Sql& value, bool literal) {
  switch (type.kind()) {
    case TypeKind::kString:
      return literal ? Cat("lq_string_literal(", value, ")") : value;
    case TypeKind::kBytes:
      return Cat(literal ? "lq_bytes_literal(" : "lq_bytes_escaped(", value, ")");
    case TypeKind::kBool:
    case TypeKind::kInt64:
      return StringOf(type, value);
    case TypeKind::kFloat64:
      return FloatText(value, literal);
    case TypeKind::kJson: {
      const Sql text = Cat("lq_json_text(CAST(", value, " AS VARCHAR), FALSE)");
      return literal ? Cat("('JSON ' || lq_string_literal(", text, "))") : text;
    }
    case TypeKind::kNumeric:
    case TypeKind::kBigNumeric:
    case TypeKind::kDate:
    case TypeKind::kTime:
    case TypeKind::kDatetime:
    case TypeKind::kTimestamp:
    case TypeKind::kInterval:
      return WordText(type, value, literal);
    case TypeKind::kArray:
      return ArrayText(type, value, literal);
    case TypeKind::kStruct:
      return StructText(type, value, literal);
  }
  return absl::InternalError("a type of no kind");
}

// %t prints any value as people read it, %T as GoogleSQL writes it; NULL is NULL.
StatusOr<Sql> AnyText(const Type& type, const Sql& value, bool literal) {
  LOGQUERY_ASSIGN_OR_RETURN(const Sql text, PresentText(type, value, literal));
  return Cat("COALESCE(", text, ", 'NULL')");
}

char KindOf(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kInt64:
      return 'i';
    case TypeKind::kFloat64:
      return 'f';
    case TypeKind::kNumeric:
    case TypeKind::kBigNumeric:
      return 'n';
    case TypeKind::kString:
      return 's';
    case TypeKind::kJson:
      return 'j';
    default:
      return 'x';
  }
}

// Returns the conversion for each argument of a format: the letter of the specifier, `*` for a width or a precision.
// Errors in the format are reported by lq_format.
std::string Conversions(std::string_view format) {
  std::string conversions;
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') continue;
    for (++i; i < format.size() && std::string_view("-+ #0'.*123456789").find(format[i]) != std::string_view::npos;
         ++i) {
      if (format[i] == '*') conversions += '*';
    }
    if (i < format.size() && format[i] != '%') conversions += format[i];
  }
  return conversions;
}

// The three texts of one value, of which a known conversion needs one.
absl::Status AddTexts(const Type& type, const Sql& value, std::optional<char> conversion, Texts& texts) {
  const bool any = conversion.has_value() && absl::ascii_tolower(static_cast<unsigned char>(*conversion)) == 't';
  const bool plain = KindOf(type) != 'x';
  const std::string_view text_of = type.is(TypeKind::kBigNumeric) ? "lq_big_to_text(" : "CAST(";
  const std::string_view behind = type.is(TypeKind::kBigNumeric) ? ")" : " AS VARCHAR)";
  texts.push_back(plain && !any ? Cat(text_of, value, behind) : "NULL");
  for (const bool literal : {false, true}) {
    if (conversion.has_value() && conversion != (literal ? 'T' : 't')) {
      texts.push_back("NULL");
      continue;
    }
    LOGQUERY_ASSIGN_OR_RETURN(Sql text, AnyText(type, value, literal));
    texts.push_back(std::move(text));
  }
  return absl::OkStatus();
}

StatusOr<Sql> Format(const FunctionCall& call, const Texts& args) {
  const std::optional<std::string> format = ConstantString(call, 0);
  const std::string conversions = Conversions(format.value_or(""));
  std::string kinds;
  absl::Status failed;
  Sql text = Once(args, [&](const Texts& a) {
    Texts texts;
    kinds.clear();
    for (size_t i = 1; i < a.size(); ++i) {
      const Type& type = call.arguments[i]->type;
      kinds += KindOf(type);
      const std::optional<char> conversion =
          format.has_value() ? std::optional(i <= conversions.size() ? conversions[i - 1] : '%') : std::nullopt;
      failed.Update(AddTexts(type, a[i], conversion, texts));
    }
    return Cat("lq_format(", a[0], ", ", Quote(kinds), ", CAST([", JoinTexts(texts, ", "), "] AS VARCHAR[]))");
  });
  LOGQUERY_RETURN_IF_ERROR(failed);
  return text;
}

constexpr DuckDbFunctionEntry kEntries[] = {
    {"format", Format},
};

}  // namespace

DuckDbFunctionList DuckDbFormatFunctions() { return kEntries; }

}  // namespace logquery::emit
