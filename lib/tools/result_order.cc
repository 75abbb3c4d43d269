// Looks at the last ORDER BY of the text, and at nothing below it.
#include "lib/tools/result_order.h"

#include <optional>

#include "absl/strings/numbers.h"
#include "lib/sql/parser.h"

namespace logquery::endpoint {
namespace {

std::optional<ResultOrder::Key> KeyOf(const sql::Expr& expr) {
  if (expr.kind == sql::ExprKind::kPath) {
    return ResultOrder::Key{sql::As<sql::PathExpr>(expr).names.back().text, 0};
  }
  if (expr.kind != sql::ExprKind::kLiteral) return std::nullopt;
  ResultOrder::Key key;
  const bool whole = sql::As<sql::Literal>(expr).form == sql::Literal::Form::kInteger;
  if (!whole || !absl::SimpleAtoi(sql::As<sql::Literal>(expr).text, &key.ordinal)) return std::nullopt;
  return key;
}

ResultOrder OrderBy(const std::vector<sql::OrderItem>& items) {
  ResultOrder order;
  order.ordered = !items.empty();
  for (const sql::OrderItem& item : items) {
    const std::optional<ResultOrder::Key> key = KeyOf(*item.expr);
    if (!key) {
      order.keys.clear();
      return order;
    }
    order.keys.push_back(*key);
  }
  return order;
}

// SELECT DISTINCT … in parentheses and the like: the order is that of what is inside.
const sql::Query& Innermost(const sql::Query& query) {
  const bool only_parentheses = query.order_by.empty() && query.pipes.empty() && query.body != nullptr &&
                                query.body->kind == sql::BodyKind::kParenthesized;
  if (!only_parentheses) return query;
  return Innermost(*sql::As<sql::ParenthesizedBody>(*query.body).query);
}

}  // namespace

ResultOrder OrderOf(std::string_view text) {
  const absl::StatusOr<sql::QueryPtr> parsed = sql::ParseQuery(text, {});
  if (!parsed.ok()) return {};
  const sql::Query& query = Innermost(**parsed);
  bool limited = false;
  const auto ordered_by = [&](const std::vector<sql::OrderItem>& items) {
    ResultOrder order = OrderBy(items);
    order.limited = limited;
    return order;
  };
  for (auto pipe = query.pipes.rbegin(); pipe != query.pipes.rend(); ++pipe) {
    if (pipe->kind == sql::PipeKind::kOrderBy) return ordered_by(pipe->order_by);
    if (pipe->kind != sql::PipeKind::kLimit) return ordered_by({});
    limited = true;
  }
  limited = limited || query.limit != nullptr;
  return ordered_by(query.order_by);
}

}  // namespace logquery::endpoint
