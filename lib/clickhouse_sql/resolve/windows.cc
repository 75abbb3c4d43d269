// Window functions.
#include <algorithm>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/resolve/aggregate_maker.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/resolve/frame_error.h"
#include "lib/rewrite/scalars.h"

namespace logquery::clickhouse_sql {

using base::StrCat;
using rewrite::AggregateCall;
using rewrite::ColumnRef;

namespace {

// Makes the only key of a RANGE with an offset a number, as ClickHouse counts it: days of a Date, seconds of a DateTime. Returns
// whether it can be one.
bool CountKey(const std::vector<ChType>& types, rewrite::Window::Call& window) {
  if (types.size() != 1) return false;
  ScalarPtr& key = window.order_by[0].value;
  switch (types[0].kind) {
    case ChKind::kInt:
    case ChKind::kFloat:
      return true;
    case ChKind::kDate:
      key = Call("UNIX_DATE", Type::Int64(), std::move(key));
      return true;
    case ChKind::kDateTime:
      key = Call("UNIX_SECONDS", Type::Int64(), std::move(key));
      return true;
    default:
      return false;
  }
}

}  // namespace

absl::StatusOr<rewrite::WindowFramePlan> Resolver::ResolveFrame(const Expr& call, const std::vector<ChType>& types,
                                                                rewrite::Window::Call& window, SelectScope& scope) {
  const WindowSpec& spec = *call.over;
  rewrite::WindowFramePlan frame;
  frame.unit = spec.rows ? sql::WindowFrame::Unit::kRows : sql::WindowFrame::Unit::kRange;
  frame.start = static_cast<sql::WindowBound::Kind>(spec.begin.kind);
  frame.end = static_cast<sql::WindowBound::Kind>(spec.end.kind);
  const std::string_view wrong = rewrite::FrameError(frame.start, frame.end);
  if (!wrong.empty()) return Error(call.span, wrong);
  bool has_offset = false;
  for (const auto& [bound, offset] :
       {std::pair(&spec.begin, &frame.start_offset), std::pair(&spec.end, &frame.end_offset)}) {
    if (bound->offset == nullptr) continue;
    LOGQUERY_ASSIGN_OR_RETURN(const Ex value, ResolveExpr(*bound->offset, scope));
    LOGQUERY_ASSIGN_OR_RETURN(const int64_t count, WantInt(value, bound->offset->span, "the frame's offset"));
    if (count < 0) return Error(bound->offset->span, "a window frame's offset can't be negative");
    *offset = Number(count);
    has_offset = true;
  }
  if (has_offset && !spec.rows && !CountKey(types, window)) {
    return Error(call.span,
                 "RANGE with an offset wants an ORDER BY of exactly one number, Date or DateTime, such as "
                 "toDateTime(timestamp), whose offset is in seconds; without one, use ROWS");
  }
  return frame;
}

absl::StatusOr<Ex> Resolver::AddWindow(const Expr& call, AggregateCall made, const Type& type, SelectScope& scope) {
  const WindowSpec& spec = *call.over;
  rewrite::Window::Call window;
  window.column = NewColumn(call.text, type);
  window.call = std::move(made);
  for (const ExprPtr& part : spec.partition_by) {
    LOGQUERY_ASSIGN_OR_RETURN(Ex value, ResolveExpr(*part, scope));
    window.partition_by.push_back(Plain(std::move(value)).scalar);
  }
  std::vector<ChType> types;  // of the keys
  for (const OrderItem& item : spec.order_by) {
    LOGQUERY_ASSIGN_OR_RETURN(Ex value, ResolveExpr(*item.value, scope));
    types.push_back(value.type);
    window.order_by.push_back({Plain(std::move(value)).scalar, item.descending, item.nulls_first.value_or(false)});
  }
  if (spec.framed) {
    LOGQUERY_ASSIGN_OR_RETURN(window.frame, ResolveFrame(call, types, window, scope));
  }
  const PlanColumn column = window.column;
  scope.windows.push_back(std::move(window));
  scope.made.insert(column.id);
  return Ex{std::make_unique<ColumnRef>(column), UInt64()};
}

absl::StatusOr<std::optional<Ex>> Resolver::ResolveWindowFunction(const Expr& call, SelectScope& scope) {
  if (scope.clause == SelectScope::Clause::kRows)
    return Error(call.span, "a window function is not allowed here; write QUALIFY, or a subquery");
  if (scope.in_aggregate) return Error(call.span, "a window function stands inside of an aggregate");
  for (const auto& [name, function] :
       {std::pair("row_number", "ROW_NUMBER"), std::pair("rank", "RANK"), std::pair("dense_rank", "DENSE_RANK")}) {
    if (!base::EqualsIgnoreCase(call.text, name)) continue;
    if (!call.args.empty()) return Error(call.span, StrCat(call.text, " takes no arguments"));
    AggregateCall made;
    made.overload = AggregateOverload(function, {});
    LOGQUERY_ASSIGN_OR_RETURN(Ex value, AddWindow(call, std::move(made), Type::Int64(), scope));
    return std::optional<Ex>(std::move(value));
  }
  if (base::EqualsIgnoreCase(call.text, "ntile")) {
    if (call.args.size() != 1) return Error(call.span, "ntile takes the number of parts");
    if (call.over->order_by.empty() || call.over->framed)
      return Error(call.span, "ntile wants a window with ORDER BY and without a frame");
    LOGQUERY_ASSIGN_OR_RETURN(Ex parts, ResolveExpr(*call.args[0], scope));
    LOGQUERY_ASSIGN_OR_RETURN(const int64_t count, WantInt(parts, call.args[0]->span, "the number of parts"));
    if (count < 1) return Error(call.args[0]->span, "ntile wants a number of parts above 0");
    AggregateCall made;
    made.arguments.push_back(Number(count));
    made.overload = AggregateOverload("NTILE", made.arguments);
    LOGQUERY_ASSIGN_OR_RETURN(Ex value, AddWindow(call, std::move(made), Type::Int64(), scope));
    return std::optional<Ex>(std::move(value));
  }
  const bool lag = base::EqualsIgnoreCase(call.text, "lag") || call.text == "lagInFrame";
  const bool lead = base::EqualsIgnoreCase(call.text, "lead") || call.text == "leadInFrame";
  if (lag || lead) {
    if (call.args.empty() || call.args.size() > 3)
      return Error(call.span, StrCat(call.text, " takes 1 to 3 arguments"));
    std::vector<Ex> args;
    for (const ExprPtr& arg : call.args) {
      LOGQUERY_ASSIGN_OR_RETURN(Ex value, ResolveExpr(*arg, scope));
      args.push_back(Plain(std::move(value)));
    }
    AggregateCall made;
    ChType type = args[0].type;
    int64_t offset = 1;
    if (args.size() > 1) {
      LOGQUERY_ASSIGN_OR_RETURN(offset, WantInt(args[1], call.args[1]->span, "the offset"));
    }
    ScalarPtr otherwise = DefaultOf(type);
    if (args.size() > 2) {
      LOGQUERY_ASSIGN_OR_RETURN(type, Common({&args[0].type, &args[2].type}, call.span));
      LOGQUERY_ASSIGN_OR_RETURN(Ex given, Convert(std::move(args[2]), type, call.span));
      otherwise = std::move(given.scalar);
    }
    made.arguments.push_back(std::move(args[0].scalar));
    made.arguments.push_back(Number(offset));
    made.overload = AggregateOverload(lag ? "LAG" : "LEAD", made.arguments);
    LOGQUERY_ASSIGN_OR_RETURN(Ex value, AddWindow(call, std::move(made), type.PlanType(), scope));
    if (!type.nullable) value.scalar = IfNull(std::move(value.scalar), std::move(otherwise));
    value.type = type;
    return std::optional<Ex>(std::move(value));
  }
  const AggregateName name = ParseAggregateName(call.text);
  if (name.base.empty() || name.of_array) return std::optional<Ex>();
  scope.in_window = true;
  std::vector<Ex> args, params;
  for (const ExprPtr& arg : call.args) {
    if (arg->kind == ExprKind::kStar && name.base == "count") continue;
    LOGQUERY_ASSIGN_OR_RETURN(Ex value, ResolveExpr(*arg, scope));
    args.push_back(std::move(value));
  }
  for (const ExprPtr& param : call.params) {
    LOGQUERY_ASSIGN_OR_RETURN(Ex value, ResolveExpr(*param, scope));
    params.push_back(std::move(value));
  }
  scope.in_window = false;
  ScalarPtr filter;
  if (name.filtered) {
    if (args.empty()) return Error(call.span, StrCat(call.text, " wants a condition"));
    LOGQUERY_ASSIGN_OR_RETURN(filter, ToBool(std::move(args.back()), call.args.back()->span));
    args.pop_back();
  }
  absl::Status status;
  const AddAggregate add = [&](AggregateCall made, const Type& type) -> ScalarPtr {
    absl::StatusOr<Ex> value = AddWindow(call, std::move(made), type, scope);
    if (value.ok()) return std::move(value->scalar);
    status = value.status();
    return NullOf(type);
  };
  LOGQUERY_ASSIGN_OR_RETURN(
      Ex value, MakeAggregate(*this, call, name, {std::move(args), std::move(params), std::move(filter)}, add));
  LOGQUERY_RETURN_IF_ERROR(status);
  return std::optional<Ex>(std::move(value));
}

}  // namespace logquery::clickhouse_sql
