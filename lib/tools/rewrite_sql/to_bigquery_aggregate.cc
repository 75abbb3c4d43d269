// Aggregates. Over values that are never NULL, ClickHouse's have defaults for no rows; a group has rows.
#include <algorithm>
#include <array>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/tools/rewrite_sql/to_bigquery.h"

namespace logquery::tools {

using base::StrCat;

namespace {

constexpr std::array<std::string_view, 18> kAggregates = {
    "count",          "sum",      "min",    "max",        "avg",    "any",      "anyLast",       "uniq",
    "uniqExact",      "argMin",   "argMax", "groupArray", "median", "quantile", "quantileExact", "medianExact",
    "groupUniqArray", "arrayJoin"};

// Those that standard SQL has are read in any case.
constexpr std::array<std::string_view, 5> kInAnyCase = {"count", "sum", "min", "max", "avg"};

// Known, but without an equal.
constexpr std::array<std::string_view, 6> kRefused = {"stddevPop",  "varPop",  "quantiles",
                                                      "stddevSamp", "varSamp", "groupUniqArrayArray"};

bool IsListed(const auto& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The name in the case that the list has, or as it is.
std::string Spelled(std::string name) {
  for (const std::string_view known : kInAnyCase) {
    if (base::EqualsIgnoreCase(known, name)) return std::string(known);
  }
  return name;
}

bool TakeSuffix(std::string& name, std::string_view suffix) {
  if (name.size() <= suffix.size() || !name.ends_with(suffix)) return false;
  name.resize(name.size() - suffix.size());
  return true;
}

// An aggregate's name without its combinators.
struct AggregateName {
  std::string name;
  bool filtered = false;    // -If
  bool over_lists = false;  // -Array
  bool or_null = false;     // -OrNull
};

AggregateName NameOf(const std::string& text) {
  AggregateName parsed;
  parsed.name = Spelled(text);
  const bool choice = text == "if" || text == "multiIf" || text == "nullIf" || text == "IF";
  parsed.filtered = !choice && TakeSuffix(parsed.name, "If");
  parsed.over_lists = !parsed.name.starts_with("group") && TakeSuffix(parsed.name, "Array");
  parsed.or_null = TakeSuffix(parsed.name, "OrNull");
  parsed.name = Spelled(std::move(parsed.name));
  if (parsed.name == "countDistinct") parsed.name = "uniqExact";
  return parsed;
}

// A value, or NULL where the condition of -If is not true.
std::string Filtered(const std::string& filter, const std::string& value) {
  return filter.empty() ? value : StrCat("IF(", filter, ", ", value, ", NULL)");
}

// Whether the value can't be NaN: it is read from a text that has to be a plain number.
bool IsPlainNumber(const ch::Expr& expr) {
  return expr.kind == ch::ExprKind::kCall && expr.text.starts_with("toFloat64Or");
}

}  // namespace

std::string ToBigQuery::DefaultOf(const ch::ChType& type) {
  if (type.Is(ch::ChKind::kInt) || type.Is(ch::ChKind::kFloat)) return "0";
  if (type.Is(ch::ChKind::kString)) return "''";
  if (type.Is(ch::ChKind::kDateTime) || type.Is(ch::ChKind::kDateTime64)) return "TIMESTAMP '1970-01-01 00:00:00'";
  return "";
}

bool ToBigQuery::MayBeNan(const ch::Expr& expr, const Scope& scope, int depth) const {
  constexpr int kDeep = 50;  // an alias may name itself
  if (!TypeOf(expr).Is(ch::ChKind::kFloat) || depth > kDeep) return depth > kDeep;
  if (expr.kind == ch::ExprKind::kNumber || IsPlainNumber(expr)) return false;
  if (expr.kind == ch::ExprKind::kName && expr.path.size() == 1) {
    const auto alias = scope.aliases.find(expr.path[0]);
    return alias == scope.aliases.end() || MayBeNan(*alias->second, scope, depth + 1);
  }
  if (expr.kind != ch::ExprKind::kCall) return true;
  if (expr.text == "divide") {
    const ch::Expr& by = *expr.args[1];
    const bool nonzero = by.kind == ch::ExprKind::kNumber && by.text.find_first_of("123456789") != std::string::npos;
    return !nonzero || MayBeNan(*expr.args[0], scope, depth + 1);
  }
  if (expr.text == "arrayJoin") {
    const ch::Expr& list = *expr.args[0];
    return list.kind != ch::ExprKind::kCall || list.text != "array" ||
           std::any_of(list.args.begin(), list.args.end(),
                       [&](const ch::ExprPtr& element) { return MayBeNan(*element, scope, depth + 1); });
  }
  // No operand can be infinite but of a division by zero, and so none of these makes a NaN of numbers.
  constexpr std::array<std::string_view, 10> kKeeps = {"plus",  "minus",  "multiply", "negate",    "abs",
                                                       "round", "ifNull", "coalesce", "toFloat64", "if"};
  std::string name = expr.text;
  if (name != "if") TakeSuffix(name, "If");
  TakeSuffix(name, "OrNull");
  const std::string aggregate = Spelled(name);
  if (!IsListed(kKeeps, expr.text) && !IsListed(kAggregates, aggregate)) return true;
  return std::any_of(expr.args.begin(), expr.args.end(),
                     [&](const ch::ExprPtr& arg) { return MayBeNan(*arg, scope, depth + 1); });
}

absl::StatusOr<ToBigQuery::AggregateParts> ToBigQuery::PartsOf(const ch::Expr& call, std::string name, bool filtered,
                                                               Scope& scope) {
  AggregateParts parts;
  parts.name = std::move(name);
  for (const ch::ExprPtr& arg : call.args) {
    if (arg->kind != ch::ExprKind::kStar) parts.args.push_back(arg.get());
  }
  const bool was = std::exchange(scope.in_aggregate, true);
  const auto read = [&]() -> absl::Status {
    if (filtered && !parts.args.empty()) {
      LOGQUERY_ASSIGN_OR_RETURN(const BqValue condition, Condition(*parts.args.back(), scope));
      parts.filter = condition.text;
      parts.args.pop_back();
    }
    for (const ch::Expr* arg : parts.args) {
      LOGQUERY_ASSIGN_OR_RETURN(BqValue value, Value(*arg, scope));
      parts.values.push_back(std::move(value));
    }
    return absl::OkStatus();
  };
  const absl::Status status = read();
  scope.in_aggregate = was;
  LOGQUERY_RETURN_IF_ERROR(status);
  return parts;
}

absl::StatusOr<BqValue> ToBigQuery::CountCall(const ch::Expr& call, const AggregateParts& parts, Scope& scope) {
  const bool unique = parts.name != "count";
  if (parts.args.size() > 1) return Unsupported(call.span, StrCat(call.text, " of several values"));
  const bool distinct = unique || call.distinct;
  if (parts.args.empty() && distinct) return Unsupported(call.span, "DISTINCT of nothing");
  std::string text = parts.args.empty() && !parts.filter.empty() ? StrCat("COUNTIF(", parts.filter, ")") : "COUNT(*)";
  if (!parts.args.empty() && (distinct || parts.values[0].nullable || !parts.filter.empty()))
    text = StrCat("COUNT(", distinct ? "DISTINCT " : "", Filtered(parts.filter, parts.values[0].text), ")");
  if (call.over == nullptr) return BqValue{text};
  LOGQUERY_ASSIGN_OR_RETURN(const std::string window, WindowText(*call.over, scope));
  return BqValue{StrCat(text, " OVER ", window)};
}

absl::StatusOr<BqValue> ToBigQuery::ValueAggregate(const ch::Expr& call, const AggregateParts& parts, Scope& scope) {
  if (parts.args.size() != 1 || call.distinct)
    return Unsupported(call.span, StrCat(call.text, " with these arguments"));
  const ch::ChType type = TypeOf(*parts.args[0]);
  const bool average = parts.name == "avg";
  const std::string fallback = average ? "" : DefaultOf(type);
  if (fallback.empty() && !average) return Unsupported(call.span, StrCat(call.text, " of ", type.ToString()));
  const bool any = parts.name.starts_with("any");
  if (any) Note(call.span, "any, anyLast and ANY_VALUE take the value of any row");
  std::string text =
      StrCat(any ? "ANY_VALUE" : base::ToUpper(parts.name), "(", Filtered(parts.filter, parts.values[0].text), ")");
  if (call.over != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(const std::string window, WindowText(*call.over, scope));
    text += StrCat(" OVER ", window);
  }
  const bool framed = call.over != nullptr && call.over->framed;
  const bool may_be_none = !parts.filter.empty() || (!scope.grouped && call.over == nullptr) || framed;
  if (type.nullable) return BqValue{text, Binds::kPrimary, false, true};
  if (parts.or_null) return BqValue{text, Binds::kPrimary, false, may_be_none};
  if (average) {
    Note(call.span, "avg of nothing is nan in ClickHouse, null in the answer, and NULL in BigQuery");
    return BqValue{text, Binds::kPrimary, false, may_be_none};
  }
  if (!may_be_none) return BqValue{text};
  Note(call.span, "of no rows ClickHouse's aggregates give 0, '' or 1970; IFNULL does the same");
  return BqValue{StrCat("IFNULL(", text, ", ", fallback, ")")};
}

// argMin(x, y) and argMax(x, y): x of a row with the least or greatest y. Rows in which either is NULL are skipped.
absl::StatusOr<BqValue> ToBigQuery::ByOtherCall(const ch::Expr& call, const AggregateParts& parts, Scope& scope) {
  if (parts.args.size() != 2 || call.distinct || call.over != nullptr)
    return Unsupported(call.span, StrCat(call.text, " with these arguments, or in a window"));
  const ch::ChType type = TypeOf(*parts.args[0]);
  const std::string fallback = DefaultOf(type);
  if (fallback.empty()) return Unsupported(call.span, StrCat(call.text, " of ", type.ToString()));
  if (TypeOf(*parts.args[1]).Is(ch::ChKind::kFloat))
    return Unsupported(parts.args[1]->span, StrCat(call.text, " by a float, which may be nan"));
  const BqValue& value = parts.values[0];
  std::string filter = parts.filter;
  if (value.nullable) filter = StrCat(filter.empty() ? "" : StrCat("(", filter, ") AND "), value.text, " IS NOT NULL");
  std::string text = StrCat("ANY_VALUE(", value.text, " HAVING ", parts.name == "argMax" ? "MAX " : "MIN ",
                            Filtered(filter, parts.values[1].text), ")");
  Note(call.span, "of several rows with the same greatest or least value both take any");
  const bool may_be_none = !filter.empty() || parts.values[1].nullable || !scope.grouped;
  if (!may_be_none) return BqValue{text};
  // Where no row has a value to compare, HAVING takes any row.
  const std::string some = StrCat("COUNT(", Filtered(filter, parts.values[1].text), ") > 0");
  const bool to_null = type.nullable || parts.or_null;
  return BqValue{StrCat("IF(", some, ", ", text, ", ", to_null ? "NULL" : fallback, ")"), Binds::kPrimary, false,
                 to_null};
}

// quantile(p)(x) is linear between the ranks p * (n - 1), as PERCENTILE_CONT is, which BigQuery has as a window only.
// quantileExact(p)(x) is the element floor(p * n) of the sorted values.
absl::StatusOr<BqValue> ToBigQuery::QuantileCall(const ch::Expr& call, const AggregateParts& parts, Scope& scope) {
  if (parts.args.size() != 1 || call.distinct || call.over != nullptr || call.params.size() > 1)
    return Unsupported(call.span, StrCat(call.text, " with these arguments, or in a window"));
  const bool median = parts.name.starts_with("median");
  std::string level = "0.5";
  if (!call.params.empty()) {
    if (median || call.params[0]->kind != ch::ExprKind::kNumber)
      return Unsupported(call.params[0]->span, "a level that is no literal");
    level = call.params[0]->text;
  }
  const ch::ChType type = TypeOf(*parts.args[0]);
  if (!type.Is(ch::ChKind::kInt) && !type.Is(ch::ChKind::kFloat))
    return Unsupported(call.span, StrCat(call.text, " of ", type.ToString()));
  std::string filter = parts.filter;
  const std::string& value = parts.values[0].text;
  if (type.Is(ch::ChKind::kFloat) && !IsPlainNumber(*parts.args[0]))
    filter = StrCat(filter.empty() ? "" : StrCat("(", filter, ") AND "), "NOT IS_NAN(", value, ")");
  const bool skips_null = parts.values[0].nullable || !filter.empty();
  const std::string list = StrCat("ARRAY_AGG(", Filtered(filter, value), skips_null ? " IGNORE NULLS" : "");
  const bool may_be_none = skips_null || !scope.grouped;
  if (parts.name == "quantile" || parts.name == "median") {
    Note(call.span,
         "quantile is linear between two values; ClickHouse estimates it from 8,192 of them where there are more, "
         "PERCENTILE_CONT is exact");
    return BqValue{StrCat("WITH(list AS ", list, "), (SELECT PERCENTILE_CONT(element, ", level,
                          ") OVER () FROM UNNEST(list) AS element LIMIT 1))"),
                   Binds::kPrimary, false, may_be_none};
  }
  Note(call.span, "quantileExact is the element floor(p * n) of the sorted values");
  const std::string text =
      StrCat("WITH(list AS ", list, " ORDER BY ", Filtered(filter, value), "), list[SAFE_OFFSET(LEAST(CAST(FLOOR(",
             level, " * ARRAY_LENGTH(list)) AS INT64), ARRAY_LENGTH(list) - 1))])");
  const bool to_null = type.nullable || type.Is(ch::ChKind::kFloat) || parts.or_null;
  if (!may_be_none || to_null) return BqValue{text, Binds::kPrimary, false, may_be_none};
  return BqValue{StrCat("IFNULL(", text, ", 0)")};
}

absl::StatusOr<BqValue> ToBigQuery::ListAggregate(const ch::Expr& call, const AggregateParts& parts, Scope& scope) {
  if (parts.args.size() != 1 || call.over != nullptr || parts.or_null)
    return Unsupported(call.span, StrCat(call.text, " with these arguments, or in a window"));
  std::string limit;
  if (call.has_params) {
    if (call.params.size() != 1 || call.params[0]->kind != ch::ExprKind::kNumber)
      return Unsupported(call.span, StrCat(call.text, " with these parameters"));
    limit = StrCat(" LIMIT ", call.params[0]->text);
  }
  const ch::ChType type = TypeOf(*parts.args[0]);
  if (type.Is(ch::ChKind::kArray) || type.Is(ch::ChKind::kTuple) || type.Is(ch::ChKind::kMap))
    return Unsupported(call.span, StrCat(call.text, " of ", type.ToString()));
  const bool distinct = parts.name == "groupUniqArray" || call.distinct;
  const bool skips_null = parts.values[0].nullable || !parts.filter.empty();
  Note(call.span, "the order of the elements is not defined in both");
  std::string text = StrCat("ARRAY_AGG(", distinct ? "DISTINCT " : "", Filtered(parts.filter, parts.values[0].text),
                            skips_null ? " IGNORE NULLS" : "", limit, ")");
  if (skips_null || !scope.grouped) text = StrCat("IFNULL(", text, ", [])");
  return BqValue{std::move(text)};
}

// sumArray(list) and its like: the aggregate over the elements of the lists of all rows.
absl::StatusOr<BqValue> ToBigQuery::ElementsAggregate(const ch::Expr& call, const AggregateParts& parts) {
  const ch::ChType list = parts.args.size() == 1 ? TypeOf(*parts.args[0]) : ch::NothingType();
  const ch::ChType element = list.Is(ch::ChKind::kArray) ? list.parts[0] : ch::NothingType();
  const bool integer = element.Is(ch::ChKind::kInt), text = element.Is(ch::ChKind::kString);
  if ((!integer && !text) || element.nullable || call.over != nullptr || call.distinct || parts.or_null)
    return Unsupported(call.span, StrCat(call.text, " of other values than lists of integers or texts"));
  const std::string value = Filtered(parts.filter, parts.values[0].text);
  if (parts.name == "uniq" || parts.name == "uniqExact") {
    Note(call.span, "the distinct elements are counted in the lists of all rows behind each other");
    return BqValue{StrCat("WITH(list AS ARRAY_CONCAT_AGG(", value,
                          "), (SELECT COUNT(DISTINCT element) FROM UNNEST(list) AS element))")};
  }
  if (parts.name != "min" && parts.name != "max" && (parts.name != "sum" || !integer))
    return Unsupported(call.span, StrCat("the function ", call.text));
  const std::string name = base::ToUpper(parts.name);
  return BqValue{StrCat("IFNULL(", name, "((SELECT ", name, "(element) FROM UNNEST(", value, ") AS element)), ",
                        DefaultOf(element), ")")};
}

bool ToBigQuery::IsAggregate(const ch::Expr& expr) {
  return expr.kind == ch::ExprKind::kCall && expr.over == nullptr && expr.text != "arrayJoin" &&
         IsListed(kAggregates, NameOf(expr.text).name);
}

absl::StatusOr<BqValue> ToBigQuery::Aggregate(const ch::Expr& call, Scope& scope, bool& handled) {
  const AggregateName parsed = NameOf(call.text);
  const std::string& name = parsed.name;
  if (!IsListed(kAggregates, name) || name == "arrayJoin") {
    if (IsListed(kRefused, name)) return Unsupported(call.span, StrCat("the function ", call.text));
    handled = false;
    return BqValue();
  }
  const bool quantile = name.starts_with("quantile") || name.starts_with("median");
  const bool list = name.starts_with("group");
  if (call.has_params && !quantile && !list) return Unsupported(call.span, StrCat(call.text, " with parameters"));
  LOGQUERY_ASSIGN_OR_RETURN(AggregateParts parts, PartsOf(call, name, parsed.filtered, scope));
  parts.or_null = parsed.or_null;
  if (parsed.over_lists) return ElementsAggregate(call, parts);
  if (quantile) return QuantileCall(call, parts, scope);
  if (list) return ListAggregate(call, parts, scope);
  if (name.starts_with("arg")) return ByOtherCall(call, parts, scope);
  if (name == "count" || name.starts_with("uniq")) {
    if (parsed.or_null) return Unsupported(call.span, StrCat("the function ", call.text));
    return CountCall(call, parts, scope);
  }
  return ValueAggregate(call, parts, scope);
}

}  // namespace logquery::tools
