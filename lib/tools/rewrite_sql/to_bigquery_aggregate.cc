// Aggregates and windows. Over values that are never NULL, ClickHouse's have defaults for no rows; a group has rows.
#include <algorithm>
#include <array>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/tools/rewrite_sql/to_bigquery.h"

namespace logquery::tools {

using base::StrCat;

namespace {

// What the aggregate of no values gives.
std::string DefaultOf(const ch::ChType& type) {
  if (type.Is(ch::ChKind::kInt) || type.Is(ch::ChKind::kFloat)) return "0";
  if (type.Is(ch::ChKind::kString)) return "''";
  if (type.Is(ch::ChKind::kDateTime) || type.Is(ch::ChKind::kDateTime64)) return "TIMESTAMP '1970-01-01 00:00:00'";
  return "";
}

}  // namespace

absl::StatusOr<std::string> ToBigQuery::WindowText(const ch::WindowSpec& spec, Scope& scope) {
  if (spec.framed) return Unsupported({}, "a window's frame");
  std::vector<std::string> parts;
  std::vector<std::string> keys;
  for (const ch::ExprPtr& key : spec.partition_by) {
    LOGQUERY_ASSIGN_OR_RETURN(BqValue value, Value(*key, scope));
    keys.push_back(value.text);
  }
  if (!keys.empty()) parts.push_back(StrCat("PARTITION BY ", base::Join(keys, ", ")));
  keys.clear();
  for (const ch::OrderItem& item : spec.order_by) {
    LOGQUERY_ASSIGN_OR_RETURN(BqValue value, Value(*item.value, scope));
    const bool first = item.nulls_first.value_or(false);
    const char* nulls = !value.nullable || first != item.descending ? "" : first ? " NULLS FIRST" : " NULLS LAST";
    keys.push_back(StrCat(value.text, item.descending ? " DESC" : "", nulls));
  }
  if (!keys.empty()) parts.push_back(StrCat("ORDER BY ", base::Join(keys, ", ")));
  return StrCat("(", base::Join(parts, " "), ")");
}

absl::StatusOr<BqValue> ToBigQuery::Aggregate(const ch::Expr& call, Scope& scope, bool& handled) {
  std::string name = call.text;
  if (call.over != nullptr && (name == "row_number" || name == "rank" || name == "dense_rank") && call.args.empty()) {
    LOGQUERY_ASSIGN_OR_RETURN(const std::string window, WindowText(*call.over, scope));
    return BqValue{StrCat(base::ToUpper(name), "() OVER ", window)};
  }
  constexpr std::array<std::string_view, 8> kCaseless = {"count", "sum", "min",  "max",
                                                         "avg",   "any", "uniq", "uniqExact"};
  bool filtered = false;
  const std::string whole = name;
  if (name.size() > 2 && name.ends_with("If") && name != "if" && name != "multiIf" && name != "nullIf") {
    name.resize(name.size() - 2);
    filtered = true;
  }
  const bool distinct_count = name == "countDistinct";
  if (distinct_count) name = "uniqExact";
  const auto* const known = std::find_if(kCaseless.begin(), kCaseless.end(), [&](std::string_view k) {
    return k == name ||
           (k.size() <= 5 && !k.starts_with("u") && !k.starts_with("any") && base::EqualsIgnoreCase(k, name));
  });
  if (known == kCaseless.end()) {
    constexpr std::array<std::string_view, 12> kOthers = {"quantile",  "quantileExact", "median",         "argMin",
                                                          "argMax",    "groupArray",    "groupUniqArray", "anyLast",
                                                          "stddevPop", "varPop",        "quantiles",      "arrayJoin"};
    const bool other = std::find(kOthers.begin(), kOthers.end(), name) != kOthers.end();
    if (other) return Unsupported(call.span, StrCat("the function ", whole));
    handled = false;
    return BqValue();
  }
  if (call.has_params) return Unsupported(call.span, StrCat(whole, " with parameters"));
  const bool was = scope.in_aggregate;
  scope.in_aggregate = true;
  std::string filter;
  absl::Status status;
  std::vector<const ch::Expr*> args;
  for (const ch::ExprPtr& arg : call.args) {
    if (arg->kind != ch::ExprKind::kStar) args.push_back(arg.get());
  }
  if (filtered && !args.empty()) {
    absl::StatusOr<BqValue> condition = Condition(*args.back(), scope);
    status = condition.status();
    if (condition.ok()) filter = condition->text;
    args.pop_back();
  }
  BqValue value;
  if (status.ok() && args.size() == 1) {
    absl::StatusOr<BqValue> made = Value(*args[0], scope);
    status = made.status();
    if (made.ok()) value = *std::move(made);
  }
  scope.in_aggregate = was;
  LOGQUERY_RETURN_IF_ERROR(status);
  if (args.size() > 1) return Unsupported(call.span, StrCat(whole, " of several values"));
  const auto over = [&](std::string text) -> absl::StatusOr<std::string> {
    if (call.over == nullptr) return text;
    LOGQUERY_ASSIGN_OR_RETURN(const std::string window, WindowText(*call.over, scope));
    return StrCat(text, " OVER ", window);
  };
  const bool unique = *known == "uniq" || *known == "uniqExact";
  if (*known == "count" || unique) {
    std::string text = "COUNT(*)";
    if (filtered && args.empty()) text = StrCat("COUNTIF(", filter, ")");
    const bool distinct = unique || call.distinct;
    if (args.empty() && distinct) return Unsupported(call.span, "DISTINCT of nothing");
    if (!args.empty() && (distinct || value.nullable || filtered)) {
      const std::string of = filter.empty() ? value.text : StrCat("IF(", filter, ", ", value.text, ", NULL)");
      text = StrCat("COUNT(", distinct ? "DISTINCT " : "", of, ")");
    }
    LOGQUERY_ASSIGN_OR_RETURN(text, over(std::move(text)));
    return BqValue{text};
  }
  if (args.size() != 1 || call.distinct) return Unsupported(call.span, StrCat(whole, " with these arguments"));
  const ch::ChType type = TypeOf(*args[0]);
  const std::string fallback = *known == "avg" ? "" : DefaultOf(type);
  if (fallback.empty() && *known != "avg") return Unsupported(call.span, StrCat(whole, " of ", type.ToString()));
  const std::string of = filter.empty() ? value.text : StrCat("IF(", filter, ", ", value.text, ", NULL)");
  const std::string function = *known == "any" ? "ANY_VALUE" : base::ToUpper(std::string(*known));
  if (*known == "any") Note(call.span, "any and ANY_VALUE take the value of any row");
  LOGQUERY_ASSIGN_OR_RETURN(std::string text, over(StrCat(function, "(", of, ")")));
  if (type.nullable) return BqValue{text, Binds::kPrimary, false, true};
  if (*known == "avg") {
    Note(call.span, "avg of nothing is nan in ClickHouse, null in the answer, and NULL in BigQuery");
    return BqValue{text, Binds::kPrimary, false, !scope.grouped || filtered};
  }
  const bool may_be_none = filtered || (!scope.grouped && call.over == nullptr);
  if (!may_be_none) return BqValue{text};
  Note(call.span, "of no rows ClickHouse's aggregates give 0, '' or 1970; IFNULL does the same");
  return BqValue{StrCat("IFNULL(", text, ", ", fallback, ")")};
}

}  // namespace logquery::tools
