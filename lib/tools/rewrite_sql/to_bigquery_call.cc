// Calls: operators as functions, conversions, choices; the other files have the functions by their types.
#include <algorithm>
#include <array>

#include "absl/strings/numbers.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/resolve/resolver.h"
#include "lib/sql/printer.h"
#include "lib/tools/rewrite_sql/to_bigquery.h"

namespace logquery::tools {

using base::StrCat;

// toInt32OrZero(text) and its like. Over an integer field, whose text is always a number, it is the field itself.
absl::StatusOr<BqValue> ToBigQuery::NumberOfText(const ch::Expr& call, Scope& scope, Use use) {
  (void)use;
  const bool or_null = call.text.ends_with("OrNull");
  const bool or_default = call.text.ends_with("OrDefault") && call.args.size() == 2;
  const bool is_float = call.text.find("Float") != std::string::npos;
  if (call.text.find("Float32") != std::string::npos || call.args.size() != (or_default ? 2 : 1))
    return Unsupported(call.span, StrCat("the function ", call.text));
  std::string otherwise = or_null ? "NULL" : "0";
  if (or_default) {
    const ch::ChType type = TypeOf(*call.args[1]);
    if (type.nullable || !type.Is(is_float ? ch::ChKind::kFloat : ch::ChKind::kInt))
      return Unsupported(call.args[1]->span, StrCat("a default of type ", type.ToString()));
    LOGQUERY_ASSIGN_OR_RETURN(const BqValue given, Value(*call.args[1], scope));
    otherwise = given.text;
  }
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
    value = StrCat("IF(", within, ", ", value, ", ", otherwise, ")");
    return BqValue{value, Binds::kPrimary, false, or_null};
  }
  if (or_null) return BqValue{value, Binds::kPrimary, false, true};
  return BqValue{StrCat("IFNULL(", value, ", ", otherwise, ")"), Binds::kPrimary, false, false};
}

// toInt32(7) and its like, of a literal that the type has.
absl::StatusOr<BqValue> ToBigQuery::IntegerOfLiteral(const ch::Expr& call) const {
  const ch::ChType type = TypeOf(call);
  const ch::Expr& literal = *call.args[0];
  int64_t value = 0;
  const bool integer = literal.kind == ch::ExprKind::kNumber && absl::SimpleAtoi(literal.text, &value);
  const int bits = type.bits - (type.is_signed ? 1 : 0);
  const bool fits =
      bits >= 63 || (value < (int64_t{1} << bits) && value >= (type.is_signed ? -(int64_t{1} << bits) : 0));
  if (!integer || !fits || (!type.is_signed && value < 0))
    return Unsupported(call.span, StrCat(call.text, " of another value than an integer that the type has"));
  return BqValue{literal.text, value < 0 ? Binds::kProduct : Binds::kPrimary};
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
  const bool converts = name.starts_with("to") &&
                        (name.ends_with("OrZero") || name.ends_with("OrNull") || name.ends_with("OrDefault")) &&
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
  if (count == 1 && (name.starts_with("toInt") || name.starts_with("toUInt")) && TypeOf(call).Is(ch::ChKind::kInt))
    return IntegerOfLiteral(call);
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
