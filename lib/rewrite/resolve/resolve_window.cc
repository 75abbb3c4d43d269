// Resolves aggregates and window functions.
#include <algorithm>

#include "lib/base/status_macros.h"
#include "lib/rewrite/resolve/coercion.h"
#include "lib/rewrite/resolve/frame_error.h"
#include "lib/rewrite/resolve/resolver_impl.h"
#include "lib/rewrite/scalar_equal.h"
#include "lib/sql/text_error.h"

namespace logquery::rewrite {

using base::StrCat;

namespace {

// Returns whether the expression is an argument of the call, as it is written.
bool IsArgument(const Scalar& scalar, const AggregateCall& call) {
  return std::any_of(call.arguments.begin(), call.arguments.end(), [&](const ScalarPtr& argument) {
    const Cast* cast = If<Cast>(argument.get());
    return Equal(scalar, *argument) || (cast != nullptr && Equal(scalar, *cast->operand));
  });
}

}  // namespace

std::string_view FrameError(sql::WindowBound::Kind start, sql::WindowBound::Kind end) {
  using Kind = sql::WindowBound::Kind;
  if (start == Kind::kUnboundedFollowing) return "a window frame can't begin at UNBOUNDED FOLLOWING";
  if (end == Kind::kUnboundedPreceding) return "a window frame can't end at UNBOUNDED PRECEDING";
  if (start <= end) return "";
  return "a window frame ends before it begins; write PRECEDING first, then CURRENT ROW, then FOLLOWING";
}

absl::StatusOr<AggregateCall> Resolver::ResolveAggregateCall(const sql::Call& call, const Function& function,
                                                             const ExprContext& context, Type& type) {
  AggregateCall out;
  LOGQUERY_ASSIGN_OR_RETURN(out.arguments, ResolveArguments(call, function, context));
  if (function.name == "COUNT") {
    for (ScalarPtr& argument : out.arguments) argument = ElementOfOwnRecord(std::move(argument));
  }
  LOGQUERY_ASSIGN_OR_RETURN(out.overload, PickOverload(function, out.arguments, type, call.span));
  out.distinct = call.distinct;
  out.safe = call.safe;
  out.ignore_nulls = call.nulls == sql::Call::Nulls::kIgnore;
  out.respect_nulls = call.nulls == sql::Call::Nulls::kRespect;
  if (call.distinct && (out.arguments.empty() || !IsGroupable(out.arguments[0]->type))) {
    return Error(call.span, StrCat("DISTINCT in ", function.name, " wants values that can be compared"));
  }
  if (call.having != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(out.having, ResolveExpr(*call.having, context));
    out.having_max = call.having_max;
  }
  for (const sql::OrderItem& item : call.order_by) {
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr value, ResolveExpr(*item.expr, context));
    LOGQUERY_RETURN_IF_ERROR(CheckOrder(item, *value));
    if (call.distinct && !IsArgument(*value, out)) {
      return Error(item.expr->span, StrCat(function.name,
                                           " with DISTINCT can be ordered only by its own arguments: "
                                           "other values of equal arguments may differ"));
    }
    out.order_by.push_back(MakeKey(item, std::move(value)));
  }
  if (call.limit != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(out.limit, ResolveCount(*call.limit, "LIMIT"));
  }
  return out;
}

absl::StatusOr<ScalarPtr> Resolver::ResolveAggregate(const sql::Call& call, const Function& function,
                                                     const ExprContext& context) {
  if (context.inside_aggregate) {
    return Error(call.span, StrCat("the aggregate ", function.name, " can't stand inside another aggregate"));
  }
  if (context.state == nullptr) {
    const std::string_view clause = context.clause;
    return Error(call.span, StrCat("the aggregate ", function.name, " is not allowed in ", clause,
                                   clause == "WHERE" ? "; a condition on it stands in HAVING" : ""));
  }
  ExprContext inside{context.scope, context.clause, nullptr, false, nullptr, true};
  Type type;
  LOGQUERY_ASSIGN_OR_RETURN(AggregateCall resolved, ResolveAggregateCall(call, function, inside, type));
  PlanColumn column = NewColumn(base::ToLower(function.name), type);
  context.state->own.insert(column.id);
  context.state->aggregates.push_back({column, std::move(resolved)});
  return ScalarPtr(std::make_unique<ColumnRef>(column));
}

absl::StatusOr<ScalarPtr> Resolver::ResolveWindow(const sql::Call& call, const Function& function,
                                                  const ExprContext& context) {
  if (context.state == nullptr || !context.windows_allowed) {
    return Error(call.span, StrCat("the window function ", function.name, " is not allowed in ",
                                   std::string_view(context.clause), "; compute it in a subquery, or use QUALIFY"));
  }
  if (function.kind == FunctionKind::kScalar) {
    return Error(call.over->span,
                 StrCat(function.name, " is neither an aggregate nor a window function: OVER does not go with it"));
  }
  ExprContext inside = context;
  inside.windows_allowed = false;
  inside.clause = "a window function";
  Window::Call out;
  Type type;
  LOGQUERY_ASSIGN_OR_RETURN(out.call, ResolveAggregateCall(call, function, inside, type));
  LOGQUERY_RETURN_IF_ERROR(ResolveWindowSpec(*call.over, inside, out, 0));
  if (function.Has(kNeedsOrder) && out.order_by.empty()) {
    return Error(call.over->span, StrCat(function.name, " needs ORDER BY in its OVER (…)"));
  }
  const bool framed = function.kind == FunctionKind::kAggregate || function.name == "FIRST_VALUE" ||
                      function.name == "LAST_VALUE" || function.name == "NTH_VALUE";
  if (out.frame && !framed) {
    return Error(call.over->span, StrCat(function.name, " takes no window frame (ROWS or RANGE)"));
  }
  if (base::EqualsIgnoreCase(function.name.substr(0, 11), "PERCENTILE_") && !out.order_by.empty()) {
    return Error(call.over->span,
                 StrCat(function.name, " takes no ORDER BY in its OVER (…): it sorts by its argument"));
  }
  if (call.distinct && (out.frame || !out.order_by.empty())) {
    return Error(call.over->span, StrCat("DISTINCT in ", function.name, " goes with PARTITION BY alone"));
  }
  out.column = NewColumn(base::ToLower(function.name), type);
  context.state->own.insert(out.column.id);
  auto ref = std::make_unique<ColumnRef>(out.column);
  context.state->windows.push_back(std::move(out));
  return ScalarPtr(std::move(ref));
}

absl::Status Resolver::ResolveWindowSpec(const sql::WindowSpec& spec, const ExprContext& context, Window::Call& out,
                                         int depth) {
  if (spec.base) {
    const sql::WindowSpec* named = nullptr;
    std::vector<std::string> names;
    if (context.state->windows_named != nullptr) {
      for (const sql::Select::NamedWindow& window : *context.state->windows_named) {
        names.push_back(window.name.text);
        if (base::EqualsIgnoreCase(window.name.text, spec.base->text)) named = &window.spec;
      }
    }
    if (named == nullptr || depth > 20) {
      return Error(spec.base->span, StrCat("unknown window ", spec.base->text),
                   sql::NearestNames(spec.base->text, names));
    }
    LOGQUERY_RETURN_IF_ERROR(ResolveWindowSpec(*named, context, out, depth + 1));
  }
  for (const sql::ExprPtr& expr : spec.partition_by) {
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr value, ResolveExpr(*expr, context));
    if (!IsGroupable(value->type) || value->type.is(TypeKind::kFloat64)) {
      return Error(expr->span, StrCat("can't partition by a value of type ", value->type.ToString()));
    }
    out.partition_by.push_back(std::move(value));
  }
  for (const sql::OrderItem& item : spec.order_by) {
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr value, ResolveExpr(*item.expr, context));
    LOGQUERY_RETURN_IF_ERROR(CheckOrder(item, *value));
    out.order_by.push_back(MakeKey(item, std::move(value)));
  }
  if (spec.frame) {
    using Kind = sql::WindowBound::Kind;
    const sql::WindowFrame& frame = *spec.frame;
    const std::string_view wrong = FrameError(frame.start.kind, frame.end ? frame.end->kind : Kind::kCurrentRow);
    if (!frame.end && frame.start.kind == Kind::kFollowing) {
      return Error(spec.span, "a window frame without BETWEEN ends at CURRENT ROW, so it can't begin at FOLLOWING");
    }
    if (!wrong.empty()) return Error(spec.span, wrong);
    LOGQUERY_ASSIGN_OR_RETURN(out.frame, ResolveFrame(*spec.frame, context, out));
  }
  return absl::OkStatus();
}

absl::StatusOr<ScalarPtr> Resolver::ResolveFrameOffset(const sql::Expr& expr, const Type& type,
                                                       const ExprContext& context) {
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr offset, ResolveExpr(expr, context.Without()));
  LOGQUERY_ASSIGN_OR_RETURN(offset, CoerceAt(std::move(offset), type, "a window frame"));
  if (!ReferencedColumns(*offset).empty() || offset->kind == ScalarKind::kSubquery) {
    return Error(expr.span, "a window frame's offset has to be a literal or a parameter");
  }
  const Constant* constant = If<Constant>(offset.get());
  if (constant != nullptr && (constant->value.is_null() || constant->value.DebugString()[0] == '-')) {
    return Error(expr.span, "a window frame's offset can't be negative or NULL");
  }
  return offset;
}

absl::StatusOr<WindowFramePlan> Resolver::ResolveFrame(const sql::WindowFrame& written, const ExprContext& context,
                                                       const Window::Call& call) {
  WindowFramePlan frame;
  frame.unit = written.unit;
  frame.start = written.start.kind;
  frame.end = written.end ? written.end->kind : sql::WindowBound::Kind::kCurrentRow;
  const sql::Expr* start = written.start.offset.get();
  const sql::Expr* end = written.end ? written.end->offset.get() : nullptr;
  if (start == nullptr && end == nullptr) return frame;
  Type type = Type::Int64();
  if (frame.unit == sql::WindowFrame::Unit::kRange) {
    const bool one = call.order_by.size() == 1 && IsNumeric(call.order_by[0].value->type);
    if (!one) {
      return Error((start != nullptr ? start : end)->span,
                   "RANGE with an offset wants an ORDER BY of exactly one number; without one, use ROWS");
    }
    type = call.order_by[0].value->type;
  }
  if (start != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(frame.start_offset, ResolveFrameOffset(*start, type, context));
  }
  if (end != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(frame.end_offset, ResolveFrameOffset(*end, type, context));
  }
  return frame;
}

}  // namespace logquery::rewrite
