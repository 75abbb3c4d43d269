// FORMAT with a literal format: each of its specifiers becomes an expression of its own.
#include "absl/strings/numbers.h"
#include "lib/base/status_macros.h"
#include "lib/emit/duckdb_function_texts.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using rewrite::FunctionCall;

struct Specifier {
  std::string flags;  // of "-+ #0'"
  std::optional<int> width;
  std::optional<int> precision;
  char conversion = 0;

  bool Has(char flag) const { return flags.find(flag) != std::string::npos; }
  // As printf would have it, without the quote.
  std::string Printf(std::string_view letter) const {
    std::string text = "%";
    for (char flag : flags) {
      if (flag != '\'') text += flag;
    }
    if (width.has_value()) base::StrAppend(&text, *width);
    if (precision.has_value()) base::StrAppend(&text, ".", *precision);
    return StrCat(text, letter);
  }
};

absl::Status BadFormat(std::string_view format, std::string_view why) {
  return absl::InvalidArgumentError(StrCat("FORMAT ", Quote(format), ": ", why));
}

// The value spread to the specifier's width with spaces, by characters.
std::string Padded(const Specifier& specifier, const std::string& text) {
  if (!specifier.width.has_value() || *specifier.width == 0) return text;
  return Once({text}, [&](const Texts& a) {
    return StrCat("(CASE WHEN length(", a[0], ") >= ", *specifier.width, " THEN ", a[0], " ELSE ",
                  specifier.Has('-') ? "rpad(" : "lpad(", a[0], ", ", *specifier.width, ", ' ') END)");
  });
}

StatusOr<std::string> IntegerText(const Specifier& specifier, const Type& type, const std::string& value) {
  if (!type.is(TypeKind::kInt64) || specifier.precision.has_value()) {
    return absl::UnimplementedError(StrCat("FORMAT of ", type.ToString(), " as an integer"));
  }
  if (specifier.conversion == 'd' || specifier.conversion == 'i') {
    if (!specifier.Has('\'')) return StrCat("printf(", Quote(specifier.Printf("d")), ", ", value, ")");
    if (specifier.Has('0') || specifier.Has('+') || specifier.Has(' '))
      return absl::UnimplementedError("FORMAT with ' and another flag");
    return Padded(specifier, StrCat("format('{:,}', ", value, ")"));
  }
  if (specifier.width.has_value() || specifier.Has('#'))
    return absl::UnimplementedError("FORMAT of %x or %o with a width or #");
  // Negative numbers have a sign here, and are as large as INT64 can't hold at most.
  return Once({value}, [&](const Texts& a) {
    const std::string letter(1, specifier.conversion);
    return StrCat("(CASE WHEN ", a[0], " < 0 THEN '-' || printf('%", letter, "', -", a[0], ") ELSE printf('%", letter,
                  "', ", a[0], ") END)");
  });
}

StatusOr<std::string> FloatText(const Specifier& specifier, const Type& type, const std::string& value) {
  if (!type.is(TypeKind::kFloat64) || specifier.Has('\'')) {
    return absl::UnimplementedError(StrCat("FORMAT of ", type.ToString(), " as a FLOAT64"));
  }
  return StrCat("printf(", Quote(specifier.Printf(std::string(1, specifier.conversion))), ", ", value, ")");
}

StatusOr<std::string> StringText(const Specifier& specifier, const Type& type, const std::string& value) {
  if (!type.is(TypeKind::kString))
    return absl::InvalidArgumentError(StrCat("FORMAT: %s takes a STRING, not ", type.ToString()));
  return Padded(specifier,
                specifier.precision.has_value() ? StrCat("left(", value, ", ", *specifier.precision, ")") : value);
}

// %t prints any value as people read it, %T as GoogleSQL writes it; NULL is NULL.
StatusOr<std::string> AnyText(const Specifier& specifier, const Type& type, const std::string& value) {
  const bool literal = specifier.conversion == 'T';
  std::string text;
  switch (type.kind()) {
    case TypeKind::kString:
      if (literal) return absl::UnimplementedError("FORMAT: %T of a STRING");
      text = value;
      break;
    case TypeKind::kBool:
    case TypeKind::kInt64: {
      LOGQUERY_ASSIGN_OR_RETURN(text, StringOf(type, value));
      break;
    }
    case TypeKind::kFloat64: {
      LOGQUERY_ASSIGN_OR_RETURN(std::string digits, StringOf(type, value));
      // Whole numbers keep a point.
      text = StrCat("regexp_replace(", digits, ", '^(-?[0-9]+)$', '\\1.0')");
      if (literal) return absl::UnimplementedError("FORMAT: %T of a FLOAT64");
      break;
    }
    case TypeKind::kNumeric:
    case TypeKind::kBigNumeric:
    case TypeKind::kDate:
    case TypeKind::kTime:
    case TypeKind::kDatetime:
    case TypeKind::kTimestamp: {
      LOGQUERY_ASSIGN_OR_RETURN(text, StringOf(type, value));
      if (literal) text = StrCat("'", TypeKindName(type.kind()), " \"' || ", text, " || '\"'");
      break;
    }
    case TypeKind::kBytes:
    case TypeKind::kInterval:
    case TypeKind::kJson:
    case TypeKind::kArray:
    case TypeKind::kStruct:
      return absl::UnimplementedError(
          StrCat("FORMAT: %", std::string(1, specifier.conversion), " of ", type.ToString()));
  }
  return Padded(specifier, StrCat("COALESCE(", text, ", 'NULL')"));
}

StatusOr<std::string> SpecifierText(const Specifier& specifier, const Type& type, const std::string& value) {
  switch (specifier.conversion) {
    case 'd':
    case 'i':
    case 'u':
    case 'x':
    case 'X':
    case 'o':
      return IntegerText(specifier, type, value);
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
      return FloatText(specifier, type, value);
    case 's':
      return StringText(specifier, type, value);
    case 't':
    case 'T':
      return AnyText(specifier, type, value);
    case 'p': {
      if (!type.is(TypeKind::kJson)) return absl::InvalidArgumentError("FORMAT: %p takes JSON");
      LOGQUERY_ASSIGN_OR_RETURN(std::string text, JsonTextOf(type, value));
      return Padded(specifier, StrCat("(CASE WHEN ", value, " IS NOT NULL THEN ", text, " END)"));
    }
    default:
      return absl::InvalidArgumentError(StrCat("FORMAT: unknown specifier %", std::string(1, specifier.conversion)));
  }
}

// Reads a specifier behind its % at `offset`, and moves on behind it.
StatusOr<Specifier> ReadSpecifier(std::string_view format, size_t& offset) {
  Specifier specifier;
  const auto number = [&]() -> std::optional<int> {
    const size_t end = std::min(format.find_first_not_of("0123456789", offset), format.size());
    int value = 0;
    if (!absl::SimpleAtoi(base::ToAbsl(format.substr(offset, end - offset)), &value)) return std::nullopt;
    offset = end;
    return value;
  };
  while (offset < format.size() && std::string_view("-+ #0'").find(format[offset]) != std::string_view::npos) {
    specifier.flags += format[offset++];
  }
  if (offset < format.size() && format[offset] == '*') return absl::UnimplementedError("FORMAT with a width of *");
  specifier.width = number();
  if (offset < format.size() && format[offset] == '.') {
    ++offset;
    if (offset < format.size() && format[offset] == '*')
      return absl::UnimplementedError("FORMAT with a precision of *");
    specifier.precision = number().value_or(0);
  }
  if (offset >= format.size()) return BadFormat(format, "a % without a specifier");
  // Longer than the largest value may be.
  if (specifier.width.value_or(0) > 1 << 20 || specifier.precision.value_or(0) > 1 << 20) {
    return BadFormat(format, "the width or precision is too large");
  }
  specifier.conversion = format[offset++];
  return specifier;
}

StatusOr<std::string> Format(const FunctionCall& call, const Texts& args) {
  if (IsNullConstant(call, 0)) return std::string("CAST(NULL AS VARCHAR)");
  const std::optional<std::string> format = ConstantString(call, 0);
  if (!format.has_value()) return absl::UnimplementedError("FORMAT with a format that is not a literal");
  Texts parts = {"''"};
  std::string run;
  size_t next = 1;
  bool is_null = false;
  for (size_t offset = 0; offset < format->size();) {
    const char c = (*format)[offset++];
    if (c != '%' || (offset < format->size() && (*format)[offset] == '%')) {
      run += c;
      if (c == '%') ++offset;
      continue;
    }
    LOGQUERY_ASSIGN_OR_RETURN(Specifier specifier, ReadSpecifier(*format, offset));
    if (next >= args.size()) return BadFormat(*format, "more specifiers than arguments");
    if (!run.empty()) parts.push_back(Quote(run));
    run.clear();
    const bool any = specifier.conversion == 't' || specifier.conversion == 'T';
    is_null = is_null || (!any && IsNullConstant(call, next));
    LOGQUERY_ASSIGN_OR_RETURN(std::string text, SpecifierText(specifier, call.arguments[next]->type, args[next]));
    parts.push_back(std::move(text));
    ++next;
  }
  if (next < args.size()) return BadFormat(*format, "more arguments than specifiers");
  if (!run.empty()) parts.push_back(Quote(run));
  // DuckDB gives no type to what it joins with a NULL that is written.
  if (is_null) return std::string("CAST(NULL AS VARCHAR)");
  return Balanced(parts, "||");
}

constexpr DuckDbFunctionEntry kEntries[] = {
    {"format", Format},
};

}  // namespace

DuckDbFunctionList DuckDbFormatFunctions() { return kEntries; }

}  // namespace logquery::emit
