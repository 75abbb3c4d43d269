// Window functions. A window's name is written out, and NULL keeps its place in the order.
#include <algorithm>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/build.h"
#include "lib/tools/rewrite_sql/to_clickhouse.h"

namespace logquery::tools {

// Whether the frame of a row can be without rows: not where it holds the row itself.
bool ToClickHouse::CanBeEmpty(const sql::WindowSpec& spec) {
  using Kind = sql::WindowBound::Kind;
  if (!spec.frame) return false;
  const Kind start = spec.frame->start.kind;
  const Kind end = spec.frame->end ? spec.frame->end->kind : Kind::kCurrentRow;
  const bool begins = start == Kind::kUnboundedPreceding || start == Kind::kPreceding || start == Kind::kCurrentRow;
  const bool ends = end == Kind::kUnboundedFollowing || end == Kind::kFollowing || end == Kind::kCurrentRow;
  return !begins || !ends;
}

absl::StatusOr<std::unique_ptr<ch::WindowSpec>> ToClickHouse::Window(const sql::WindowSpec& spec, const Scope& scope) {
  auto made = std::make_unique<ch::WindowSpec>();
  if (spec.base) {
    const sql::WindowSpec* base = nullptr;
    for (const sql::Select::NamedWindow& named : *scope.windows) {
      if (base::EqualsIgnoreCase(named.name.text, spec.base->text)) base = &named.spec;
    }
    if (base == nullptr || base->base) return Unsupported(spec.span, "a window of a window");
    LOGQUERY_ASSIGN_OR_RETURN(made, Window(*base, scope));
  }
  for (const sql::ExprPtr& key : spec.partition_by) {
    LOGQUERY_ASSIGN_OR_RETURN(ChValue value, Expr(*key, scope));
    made->partition_by.push_back(std::move(value.expr));
  }
  for (const sql::OrderItem& item : spec.order_by) {
    LOGQUERY_ASSIGN_OR_RETURN(ch::OrderItem order, Order(item, scope));
    if (order.value->kind == ch::ExprKind::kName && order.value->path.size() == 1) {
      // A name of the list may be an alias; the window reads the expression.
      LOGQUERY_ASSIGN_OR_RETURN(ChValue value, Expr(*item.expr, scope));
      order.value = std::move(value.expr);
    }
    made->order_by.push_back(std::move(order));
  }
  if (!spec.frame) return made;
  if (spec.frame->unit == sql::WindowFrame::Unit::kGroups) return Unsupported(spec.span, "a frame of GROUPS");
  made->framed = true;
  made->rows = spec.frame->unit == sql::WindowFrame::Unit::kRows;
  const auto bound = [&](const sql::WindowBound& from, ch::WindowBound& to) -> absl::Status {
    to.kind = static_cast<ch::WindowBound::Kind>(from.kind);
    if (from.offset == nullptr) return absl::OkStatus();
    const auto* literal = sql::If<sql::Literal>(from.offset.get());
    if (literal == nullptr || !made->rows)
      return Unsupported(from.offset->span, "a frame's offset that is no literal, or of RANGE");
    to.offset = ch::MakeNumber(literal->text);
    return absl::OkStatus();
  };
  LOGQUERY_RETURN_IF_ERROR(bound(spec.frame->start, made->begin));
  if (spec.frame->end) LOGQUERY_RETURN_IF_ERROR(bound(*spec.frame->end, made->end));
  return made;
}

absl::StatusOr<ChValue> ToClickHouse::WindowCall(const sql::Call& call, const std::string& name, const Scope& scope,
                                                 bool& handled) {
  const size_t count = call.arguments.size();
  ChValue value;
  if ((name == "ROW_NUMBER" || name == "RANK" || name == "DENSE_RANK") && count == 0) {
    value = ChValue{ch::MakeCallOf(base::ToLower(name)), Type::Int64(), false, false};
  } else if ((name == "LAG" || name == "LEAD") && count >= 1 && count <= 2 &&
             call.nulls == sql::Call::Nulls::kDefault) {
    LOGQUERY_ASSIGN_OR_RETURN(ChValue of, Expr(*call.arguments[0].value, scope));
    std::vector<ch::ExprPtr> args;
    if (!of.nullable) {
      Note(call.span, "before the first row ClickHouse's lag gives a default; toNullable makes it NULL");
      of.expr = ch::MakeCallOf("toNullable", std::move(of.expr));
    }
    args.push_back(std::move(of.expr));
    if (count == 2) {
      LOGQUERY_ASSIGN_OR_RETURN(ChValue by, Expr(*call.arguments[1].value, scope));
      args.push_back(std::move(by.expr));
    }
    value = ChValue{ch::MakeCall(base::ToLower(name), std::move(args)), TypeOf(call), true, of.is_datetime};
  } else if (name == "NTILE" && count == 1 && call.arguments[0].value->kind == sql::ExprKind::kLiteral) {
    LOGQUERY_ASSIGN_OR_RETURN(ChValue parts, Expr(*call.arguments[0].value, scope));
    value = ChValue{ch::MakeCallOf("ntile", std::move(parts.expr)), Type::Int64(), false, false};
  } else if (name == "COUNT" || name == "COUNTIF" || name == "SUM" || name == "MIN" || name == "MAX" || name == "AVG") {
    if (call.distinct) return Unsupported(call.span, "DISTINCT in a window");
    // Arguments of an aggregate in a window see the list's aliases, and may be aggregates themselves.
    LOGQUERY_ASSIGN_OR_RETURN(value, Aggregate(call, name, scope, handled));
  } else {
    handled = false;
    return ChValue();
  }
  LOGQUERY_ASSIGN_OR_RETURN(value.expr->over, Window(*call.over, scope));
  return value;
}

}  // namespace logquery::tools
