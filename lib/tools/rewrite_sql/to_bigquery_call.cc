// Calls: conversions of texts, functions on times and texts, aggregates.
#include <algorithm>
#include <array>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/resolve/resolver.h"
#include "lib/sql/printer.h"
#include "lib/tools/rewrite_sql/to_bigquery.h"

namespace logquery::tools {

using base::StrCat;

namespace {

struct Template {
  std::string_view name;
  size_t arguments;
  std::string_view text;  // $1, $2 … are the arguments
};

// Functions on texts and numbers whose meaning is the same for all arguments that their types allow.
constexpr Template kTemplates[] = {{"startsWith", 2, "STARTS_WITH($1, $2)"},
                                   {"endsWith", 2, "ENDS_WITH($1, $2)"},
                                   {"lowerUTF8", 1, "LOWER($1)"},
                                   {"upperUTF8", 1, "UPPER($1)"},
                                   {"length", 1, "BYTE_LENGTH($1)"},
                                   {"lengthUTF8", 1, "CHAR_LENGTH($1)"},
                                   {"positionUTF8", 2, "STRPOS($1, $2)"},
                                   {"reverseUTF8", 1, "REVERSE($1)"},
                                   {"replaceAll", 3, "REPLACE($1, $2, $3)"},
                                   {"trim", 1, "TRIM($1, ' ')"},
                                   {"ltrim", 1, "LTRIM($1, ' ')"},
                                   {"rtrim", 1, "RTRIM($1, ' ')"},
                                   {"isNaN", 1, "IS_NAN($1)"},
                                   {"isInfinite", 1, "IS_INF($1)"},
                                   {"abs", 1, "ABS($1)"}};

std::string Fill(std::string_view text, const std::vector<BqValue>& args) {
  std::string made;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '$' && i + 1 < text.size()) {
      made += args[static_cast<size_t>(text[++i] - '1')].text;
    } else {
      made += text[i];
    }
  }
  return made;
}

bool AnyNullable(const std::vector<BqValue>& args) {
  return std::any_of(args.begin(), args.end(), [](const BqValue& arg) { return arg.nullable; });
}

}  // namespace

// toInt32OrZero(text) and its like. Over an integer field, whose text is always a number, it is the field itself.
absl::StatusOr<BqValue> ToBigQuery::NumberOfText(const ch::Expr& call, Scope& scope, Use use) {
  (void)use;
  const bool or_null = call.text.ends_with("OrNull");
  const bool is_float = call.text.find("Float") != std::string::npos;
  if (call.text.find("Float32") != std::string::npos || call.args.size() != 1)
    return Unsupported(call.span, StrCat("the function ", call.text));
  std::string low, high;
  if (call.text.find("UInt") != std::string::npos) low = "0";
  for (const auto& [bits, least, most, unsigned_most] :
       {std::tuple("Int8", "-128", "127", "255"), std::tuple("Int16", "-32768", "32767", "65535"),
        std::tuple("Int32", "-2147483648", "2147483647", "4294967295")}) {
    if (call.text.find(bits) == std::string::npos) continue;
    high = low.empty() ? most : unsigned_most;
    if (low.empty()) low = least;
  }
  const ch::Expr* attribute = AttributeOf(*call.args[0], scope);
  std::string value;
  bool field_is_number = false;
  if (attribute != nullptr) {
    for (Source& source : scope.sources) {
      if (!source.is_logs || source.log == nullptr) continue;
      const auto field = FieldOf(*source.log, attribute->args[1]->text, source);
      if (!field) continue;
      field_is_number = field->second.is(TypeKind::kInt64) || (is_float && field->second.is(TypeKind::kFloat64));
      if (field_is_number) value = field->first;
      if (field->second.is(TypeKind::kFloat64) && !is_float)
        return Unsupported(call.span, "an integer of a field of type FLOAT64");
    }
  }
  if (is_float && !field_is_number) {
    // Texts of floats are read alike but for white space, which a pattern leaves out.
    LOGQUERY_ASSIGN_OR_RETURN(BqValue text, Value(*call.args[0], scope));
    value = StrCat("SAFE_CAST(REGEXP_EXTRACT(", text.text,
                   ", r'^[-+]?[0-9]+(?:\\.[0-9]*)?(?:[eE][-+]?[0-9]+)?$') AS FLOAT64)");
  } else if (is_float) {
    value = StrCat("CAST(", value, " AS FLOAT64)");
  } else if (!field_is_number) {
    LOGQUERY_ASSIGN_OR_RETURN(BqValue text, Value(*call.args[0], scope));
    value = StrCat("SAFE_CAST(REGEXP_EXTRACT(", text.text, ", r'^[-+]?[0-9]+$') AS INT64)");
  }
  Note(call.span, "numbers of texts: an integer field is read as it is, a text only if it is a plain number");
  if (!is_float && !low.empty()) {
    const std::string within =
        high.empty() ? StrCat(value, " >= ", low) : StrCat(value, " BETWEEN ", low, " AND ", high);
    value = StrCat("IF(", within, ", ", value, ", ", or_null ? "NULL" : "0", ")");
    return BqValue{value, Binds::kPrimary, false, or_null};
  }
  if (or_null) return BqValue{value, Binds::kPrimary, false, true};
  return BqValue{StrCat("IFNULL(", value, ", 0)"), Binds::kPrimary, false, false};
}

absl::StatusOr<BqValue> ToBigQuery::Round(const ch::Expr& call, Scope& scope) {
  const bool has_digits = call.args.size() == 2;
  if (!TypeOf(*call.args[0]).Is(ch::ChKind::kFloat)) return Unsupported(call.span, "round of other values than floats");
  if (has_digits && (call.args[1]->kind != ch::ExprKind::kNumber || call.args[1]->text.size() != 1))
    return Unsupported(call.span, "round to other places than 0 to 9");
  LOGQUERY_ASSIGN_OR_RETURN(BqValue value, Value(*call.args[0], scope));
  std::string scale = "1";
  for (char digit = '0'; has_digits && digit < call.args[1]->text[0]; ++digit) scale += "0";
  const std::string scaled = scale == "1" ? value.text : StrCat(In(value, Binds::kProduct), " * ", scale);
  const std::string wrapped = StrCat("(", scaled, ")");
  Note(call.span, "halves are rounded to the even digit by ClickHouse's round, and away from zero in BigQuery");
  std::string text =
      StrCat("IF(ABS(", wrapped, " - TRUNC(", scaled, ")) = 0.5, 2 * ROUND(", wrapped, " / 2), ROUND(", scaled, "))");
  if (scale == "1") return BqValue{text, Binds::kPrimary, false, value.nullable};
  return BqValue{StrCat(text, " / ", scale), Binds::kProduct, false, value.nullable};
}

// position and substring count bytes.
absl::StatusOr<BqValue> ToBigQuery::ByteCall(const ch::Expr& call, const std::string& name, Scope& scope,
                                             bool& handled) {
  if (name == "position" && call.args.size() == 2) {
    const ch::Expr& wanted = *call.args[1];
    if (wanted.kind != ch::ExprKind::kString || wanted.text.empty() || !TypeOf(*call.args[0]).Is(ch::ChKind::kString))
      return Unsupported(call.span, "position of another text than a literal");
    LOGQUERY_ASSIGN_OR_RETURN(const BqValue text, Value(*call.args[0], scope));
    Note(call.span, "position counts bytes in ClickHouse, and STRPOS of BYTES does");
    return BqValue{StrCat("STRPOS(CAST(", text.text, " AS BYTES), CAST(", sql::QuoteString(wanted.text), " AS BYTES))"),
                   Binds::kPrimary, false, text.nullable};
  }
  const bool cuts = (name == "substring" || name == "substr" || name == "mid") && call.args.size() >= 2;
  if (!cuts && !(name == "left" && call.args.size() == 2)) return handled = false, BqValue();
  const ch::Expr& length = *call.args.back();
  const bool from_begin =
      !cuts || (call.args.size() == 3 && call.args[1]->kind == ch::ExprKind::kNumber && call.args[1]->text == "1");
  const bool literal =
      length.kind == ch::ExprKind::kNumber && length.text.find_first_not_of("0123456789") == std::string::npos;
  if (!from_begin || !literal || !TypeOf(*call.args[0]).Is(ch::ChKind::kString)) {
    return Unsupported(call.span,
                       StrCat(name, ", but for the first bytes: it may cut a character; write substringUTF8"));
  }
  LOGQUERY_ASSIGN_OR_RETURN(const BqValue text, Value(*call.args[0], scope));
  Note(call.span, StrCat(name, " counts bytes in ClickHouse; a character that is cut is U+FFFD in BigQuery"));
  return BqValue{StrCat("SAFE_CONVERT_BYTES_TO_STRING(SUBSTR(CAST(", text.text, " AS BYTES), 1, ", length.text, "))"),
                 Binds::kPrimary, false, text.nullable};
}

absl::StatusOr<BqValue> ToBigQuery::TextCall(const ch::Expr& call, const std::string& name, Scope& scope,
                                             bool& handled) {
  const bool replaces = name == "replaceRegexpAll" || name == "replaceRegexpOne";
  if ((name == "match" || name == "extract" || replaces) && call.args.size() >= 2) {
    if (call.args[1]->kind != ch::ExprKind::kString)
      return Unsupported(call.args[1]->span, "a pattern that is no literal");
    // At the beginning a pattern matches once.
    const bool once = call.args[1]->text.starts_with("^") && call.args[1]->text.find('|') == std::string::npos &&
                      call.args[1]->text.find("(?") == std::string::npos;
    if (name == "replaceRegexpOne" && !once)
      return Unsupported(call.args[1]->span, "replaceRegexpOne, but for a pattern that begins with ^");
    std::string pattern = call.args[1]->text;
    if (pattern.find('.') != std::string::npos) {
      Note(call.args[1]->span, "the dot of a pattern also matches a line's end in ClickHouse; (?s) says so");
      pattern = StrCat("(?s)", pattern);
    }
    LOGQUERY_ASSIGN_OR_RETURN(BqValue value, Value(*call.args[0], scope));
    const std::string by = sql::QuoteString(pattern);
    if (name == "match")
      return BqValue{StrCat("REGEXP_CONTAINS(", value.text, ", ", by, ")"), Binds::kPrimary, true, value.nullable};
    if (std::count(pattern.begin(), pattern.end(), '(') > (pattern.starts_with("(?s)") ? 2 : 1) || value.nullable)
      return Unsupported(call.args[1]->span, "a pattern with more than one group, or of a text that may be NULL");
    if (name == "extract")
      return BqValue{StrCat("IFNULL(REGEXP_EXTRACT(", value.text, ", ", by, "), '')"), Binds::kPrimary, false, false};
    if (call.args.size() != 3 || call.args[2]->kind != ch::ExprKind::kString)
      return Unsupported(call.span, "a replacement that is no literal");
    return BqValue{StrCat("REGEXP_REPLACE(", value.text, ", ", by, ", ", sql::QuoteString(call.args[2]->text), ")"),
                   Binds::kPrimary, false, false};
  }
  if ((name == "lower" || name == "upper") && call.args.size() == 1) {
    LOGQUERY_ASSIGN_OR_RETURN(BqValue value, Value(*call.args[0], scope));
    constexpr std::string_view kLower = "abcdefghijklmnopqrstuvwxyz";
    constexpr std::string_view kUpper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    Note(call.span, "lower and upper change ASCII letters only in ClickHouse; TRANSLATE does the same");
    const bool to_lower = name == "lower";
    return BqValue{
        StrCat("TRANSLATE(", value.text, ", '", to_lower ? kUpper : kLower, "', '", to_lower ? kLower : kUpper, "')"),
        Binds::kPrimary, false, value.nullable};
  }
  if (absl::StatusOr<BqValue> bytes = ByteCall(call, name, scope, handled); handled || !bytes.ok()) return bytes;
  handled = true;
  if (name == "substringUTF8" && (call.args.size() == 2 || call.args.size() == 3)) {
    for (size_t i = 1; i < call.args.size(); ++i) {
      const std::string& text = call.args[i]->text;
      const bool counts = call.args[i]->kind == ch::ExprKind::kNumber &&
                          text.find_first_not_of("0123456789") == std::string::npos && (i == 2 || text != "0");
      if (!counts)
        return Unsupported(call.args[i]->span, "substringUTF8 with a place or length that is no positive literal");
    }
    LOGQUERY_ASSIGN_OR_RETURN(const BqValue value, Value(*call.args[0], scope));
    const std::string length = call.args.size() == 3 ? StrCat(", ", call.args[2]->text) : "";
    return BqValue{StrCat("SUBSTR(", value.text, ", ", call.args[1]->text, length, ")"), Binds::kPrimary, false,
                   value.nullable};
  }
  if (name == "concat" && !call.args.empty()) {
    std::vector<std::string> parts;
    bool nullable = false;
    for (const ch::ExprPtr& arg : call.args) {
      if (!TypeOf(*arg).Is(ch::ChKind::kString)) return Unsupported(arg->span, "concat of other values than texts");
      LOGQUERY_ASSIGN_OR_RETURN(BqValue value, Value(*arg, scope));
      nullable = nullable || value.nullable;
      parts.push_back(value.text);
    }
    return BqValue{StrCat("CONCAT(", base::Join(parts, ", "), ")"), Binds::kPrimary, false, nullable};
  }
  for (const Template& row : kTemplates) {
    if (row.name != name || row.arguments != call.args.size()) continue;
    std::vector<BqValue> args;
    for (const ch::ExprPtr& arg : call.args) {
      if (TypeOf(*arg).Is(ch::ChKind::kArray) || TypeOf(*arg).Is(ch::ChKind::kMap))
        return Unsupported(arg->span, StrCat(name, " of a list or map"));
      LOGQUERY_ASSIGN_OR_RETURN(BqValue value, Value(*arg, scope));
      args.push_back(std::move(value));
    }
    const bool condition = name == "startsWith" || name == "endsWith" || name == "isNaN" || name == "isInfinite";
    return BqValue{Fill(row.text, args), Binds::kPrimary, condition, AnyNullable(args)};
  }
  handled = false;
  return BqValue();
}

// mapContains(log_attributes, 'key'), over one log: its field is not NULL.
absl::StatusOr<BqValue> ToBigQuery::HasKey(const ch::Expr& call, Scope& scope) {
  const bool literal = call.args[0]->kind == ch::ExprKind::kName && call.args[0]->path.back() == "log_attributes" &&
                       call.args[1]->kind == ch::ExprKind::kString;
  for (Source& source : scope.sources) {
    if (!literal || source.log == nullptr || scope.sources.size() > 1) continue;
    if (source.empty) return BqValue{"FALSE", Binds::kPrimary, true, false};
    const auto field = FieldOf(*source.log, call.args[1]->text, source);
    if (field && field->first == kProject) return BqValue{"TRUE", Binds::kPrimary, true, false};
    const bool plain = field && (field->second.is(TypeKind::kString) || field->second.is(TypeKind::kInt64) ||
                                 field->second.is(TypeKind::kBool) || field->second.is(TypeKind::kFloat64));
    if (plain) return BqValue{StrCat(field->first, " IS NOT NULL"), Binds::kComparison, true, false};
  }
  return Unsupported(call.span, "mapContains of another key than that of a field of one log");
}

absl::StatusOr<BqValue> ToBigQuery::Call(const ch::Expr& call, Scope& scope, Use use) {
  const std::string name(ch::SpellingOf(call.text));
  const size_t count = call.args.size();
  bool handled = true;
  if (call.over != nullptr) {
    absl::StatusOr<BqValue> window = WindowCall(call, scope, handled);
    if (handled || !window.ok()) return window;
    handled = true;
  }
  absl::StatusOr<BqValue> aggregate = Aggregate(call, scope, handled);
  if (handled || !aggregate.ok()) return aggregate;
  if (call.over != nullptr || call.has_params)
    return Unsupported(call.span, StrCat("the function ", name, " with these arguments"));
  if (name == "arrayElement" && AttributeOf(call, scope) == &call) return Attribute(call, scope, false);
  if (name == "mapContains" && count == 2) return HasKey(call, scope);
  if ((name == "and" || name == "or") && count >= 2) {
    std::vector<std::string> parts;
    bool nullable = false;
    const Binds level = name == "and" ? Binds::kAnd : Binds::kOr;
    for (const ch::ExprPtr& arg : call.args) {
      LOGQUERY_ASSIGN_OR_RETURN(BqValue part, Condition(*arg, scope, use));
      nullable = nullable || part.nullable;
      parts.push_back(In(part, static_cast<Binds>(static_cast<int>(level) + 1)));
    }
    return BqValue{base::Join(parts, name == "and" ? " AND " : " OR "), level, true, nullable};
  }
  if (name == "not" && count == 1) {
    LOGQUERY_ASSIGN_OR_RETURN(BqValue part, Condition(*call.args[0], scope, Use::kValue));
    return BqValue{StrCat("NOT ", In(part, Binds::kComparison)), Binds::kNot, true, part.nullable};
  }
  constexpr std::array<std::string_view, 6> kComparisons = {"equals",       "notEquals", "less",
                                                            "lessOrEquals", "greater",   "greaterOrEquals"};
  if (count == 2 && std::find(kComparisons.begin(), kComparisons.end(), name) != kComparisons.end())
    return Comparison(call, scope, use);
  if ((name == "in" || name == "notIn") && count == 2) return In(call, scope, use);
  if ((name == "like" || name == "notLike" || name == "ilike" || name == "notILike") && count == 2)
    return Like(call, scope, use);
  if ((name == "between" || name == "notBetween") && count == 3) {
    LOGQUERY_ASSIGN_OR_RETURN(BqValue value, Value(*call.args[0], scope));
    LOGQUERY_ASSIGN_OR_RETURN(BqValue low, Operand(*call.args[1], *call.args[0], scope, false));
    LOGQUERY_ASSIGN_OR_RETURN(BqValue high, Operand(*call.args[2], *call.args[0], scope, false));
    return BqValue{StrCat(In(value, Binds::kSum), name == "between" ? " BETWEEN " : " NOT BETWEEN ",
                          In(low, Binds::kSum), " AND ", In(high, Binds::kSum)),
                   Binds::kComparison, true, value.nullable || low.nullable || high.nullable};
  }
  if ((name == "isNull" || name == "isNotNull") && count == 1) {
    LOGQUERY_ASSIGN_OR_RETURN(BqValue value, Value(*call.args[0], scope));
    return BqValue{StrCat(In(value, Binds::kSum), name == "isNull" ? " IS NULL" : " IS NOT NULL"), Binds::kComparison,
                   true, false};
  }
  constexpr std::array<std::string_view, 6> kArithmetic = {"plus", "minus", "multiply", "divide", "intDiv", "modulo"};
  if (count == 2 && std::find(kArithmetic.begin(), kArithmetic.end(), name) != kArithmetic.end())
    return Arithmetic(call, scope);
  if ((name == "if" && count == 3) || name == "multiIf" || name == "caseWithExpression") return Choice(call, scope);
  if ((name == "coalesce" || name == "ifNull" || name == "nullIf") && count >= 1) {
    std::vector<std::string> parts;
    bool nullable = true;
    for (const ch::ExprPtr& arg : call.args) {
      LOGQUERY_ASSIGN_OR_RETURN(BqValue value, Value(*arg, scope));
      nullable = nullable && value.nullable;
      parts.push_back(value.text);
    }
    const char* function = name == "coalesce" ? "COALESCE(" : name == "ifNull" ? "IFNULL(" : "NULLIF(";
    return BqValue{StrCat(function, base::Join(parts, ", "), ")"), Binds::kPrimary, false,
                   nullable || name == "nullIf"};
  }
  const bool converts = name.starts_with("to") && (name.ends_with("OrZero") || name.ends_with("OrNull")) &&
                        (name.find("Int") != std::string::npos || name.find("Float") != std::string::npos);
  if (converts) return NumberOfText(call, scope, use);
  if (name == "round" && (count == 1 || count == 2)) return Round(call, scope);
  if (name == "toString" && count == 1) {
    const ch::ChType type = TypeOf(*call.args[0]);
    LOGQUERY_ASSIGN_OR_RETURN(BqValue value, Value(*call.args[0], scope));
    if (type.Is(ch::ChKind::kString)) return value;
    if (type.Is(ch::ChKind::kInt))
      return BqValue{StrCat("CAST(", value.text, " AS STRING)"), Binds::kPrimary, false, value.nullable};
    return Unsupported(call.span, StrCat("toString of ", type.ToString()));
  }
  if (name == "toFloat64" && count == 1 && TypeOf(*call.args[0]).Is(ch::ChKind::kInt)) {
    LOGQUERY_ASSIGN_OR_RETURN(BqValue value, Value(*call.args[0], scope));
    return BqValue{StrCat("CAST(", value.text, " AS FLOAT64)"), Binds::kPrimary, false, value.nullable};
  }
  if (name == "negate" && count == 1 &&
      (TypeOf(*call.args[0]).Is(ch::ChKind::kInt) || TypeOf(*call.args[0]).Is(ch::ChKind::kFloat))) {
    LOGQUERY_ASSIGN_OR_RETURN(BqValue value, Value(*call.args[0], scope));
    const bool sign = value.text.starts_with("-");
    return BqValue{StrCat("-", sign ? StrCat("(", value.text, ")") : In(value, Binds::kPrimary)), Binds::kProduct,
                   false, value.nullable};
  }
  if (name == "toTypeName" && count == 1) return BqValue{sql::QuoteString(TypeOf(*call.args[0]).ToString())};
  handled = true;
  absl::StatusOr<BqValue> list = ListCall(call, name, scope, handled);
  if (handled || !list.ok()) return list;
  handled = true;
  absl::StatusOr<BqValue> time = TimeCall(call, name, scope, handled);
  if (handled || !time.ok()) return time;
  handled = true;
  absl::StatusOr<BqValue> text = TextCall(call, name, scope, handled);
  if (handled || !text.ok()) return text;
  return Unsupported(call.span, StrCat("the function ", name));
}

}  // namespace logquery::tools
