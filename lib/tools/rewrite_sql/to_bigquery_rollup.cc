// ROLLUP and CUBE. In the rows of subtotals ClickHouse gives the keys that are summed over the default of their type, GoogleSQL
// NULL; and ClickHouse has no total of no rows.
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/sql/printer.h"
#include "lib/tools/rewrite_sql/to_bigquery.h"

namespace logquery::tools {

using base::StrCat;

absl::StatusOr<std::string> ToBigQuery::SubtotalsText(const ch::Select& select, Scope& scope) {
  const sql::Span span = select.group_by[0]->span;
  if (select.having != nullptr || select.qualify != nullptr || !select.limit_by.empty() || select.with_ties)
    return Unsupported(span, "ROLLUP and CUBE beside HAVING, QUALIFY, LIMIT BY or WITH TIES");
  // An alias has the name of a column: the key is the column.
  for (Source& source : scope.sources) source.qualifies = true;
  std::vector<std::string> keys;
  for (const ch::ExprPtr& expr : select.group_by) {
    const ch::Expr* key = expr.get();
    if (key->kind == ch::ExprKind::kNumber) {
      const size_t ordinal = static_cast<size_t>(std::atoll(key->text.c_str()));
      if (ordinal < 1 || ordinal > select.items.size()) return Unsupported(key->span, "this key of ROLLUP or CUBE");
      key = select.items[ordinal - 1].get();
    }
    LOGQUERY_ASSIGN_OR_RETURN(const BqValue value, Value(*key, scope));
    const ch::ChType type = TypeOf(*key);
    const std::string otherwise = type.nullable ? "" : DefaultOf(type);
    const bool constant = value.text.starts_with("'") || value.text.starts_with("@");
    if (constant || (otherwise.empty() && !type.nullable) || key->kind == ch::ExprKind::kNumber)
      return Unsupported(key->span, StrCat("ROLLUP and CUBE by a constant, or by ", type.ToString()));
    if (!scope.subtotals.emplace(value.text, otherwise).second)
      return Unsupported(key->span, "ROLLUP and CUBE with a key twice");
    keys.push_back(value.text);
  }
  LOGQUERY_RETURN_IF_ERROR(CheckSubtotalOrder(select, scope));
  Note(
      span,
      "in subtotals a key has the default of its type in ClickHouse, and is NULL in BigQuery; IFNULL makes them equal");
  Note(span, "of no rows BigQuery has a total, and ClickHouse has none");
  return StrCat(select.grouping == ch::Grouping::kRollup ? "ROLLUP(" : "CUBE(", base::Join(keys, ", "),
                ")\nHAVING COUNT(*) > 0");
}

absl::Status ToBigQuery::CheckSubtotalOrder(const ch::Select& select, Scope& scope) const {
  for (size_t i = 0; i < select.items.size(); ++i) {
    const ch::Expr& item = *select.items[i];
    if (item.alias.empty() && item.kind == ch::ExprKind::kName) scope.ordinals.emplace(item.path.back(), i + 1);
  }
  for (const ch::OrderItem& order : select.order_by) {
    const ch::Expr& value = *order.value;
    const bool name = value.kind == ch::ExprKind::kName && value.path.size() == 1 &&
                      (scope.listed.contains(value.path[0]) || scope.ordinals.contains(value.path[0]));
    if (!name && value.kind != ch::ExprKind::kNumber && !IsAggregate(value))
      return Unsupported(value.span, "ROLLUP and CUBE with ORDER BY of other values than columns of the result");
  }
  return absl::OkStatus();
}

absl::StatusOr<BqValue> ToBigQuery::SubtotalItem(const ch::Expr& item, const BqValue& value, const Scope& scope) const {
  const auto key = scope.subtotals.find(value.text);
  if (key == scope.subtotals.end()) {
    if (IsAggregate(item)) return value;
    return Unsupported(item.span, "ROLLUP and CUBE with a column that is neither a key nor an aggregate");
  }
  if (key->second.empty()) return BqValue{value.text, value.binds, value.is_condition, true};
  return BqValue{StrCat("IFNULL(", value.text, ", ", key->second, ")")};
}

}  // namespace logquery::tools
