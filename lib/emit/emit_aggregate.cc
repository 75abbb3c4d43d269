// Aggregates and window functions.
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/emit/emitter_impl.h"

namespace logquery::emit {

using rewrite::Aggregate;
using rewrite::AggregateCall;
using rewrite::PlanColumn;
using rewrite::Window;
using sql::WindowBound;
using sql::WindowFrame;

namespace {

constexpr Text::Kind kOther = Text::Kind::kOther;

// Everything that the node's own scalars refer to.
rewrite::ColumnSet OwnReferences(const rewrite::Plan& plan) {
  rewrite::ColumnSet ids;
  rewrite::VisitOwnScalars(plan, [&](const rewrite::Scalar& scalar) {
    if (const auto* ref = rewrite::If<rewrite::ColumnRef>(&scalar)) ids.insert(ref->id);
  });
  return ids;
}

std::string_view UnitWord(WindowFrame::Unit unit) {
  switch (unit) {
    case WindowFrame::Unit::kRows: return "ROWS";
    case WindowFrame::Unit::kRange: return "RANGE";
    case WindowFrame::Unit::kGroups: return "GROUPS";
  }
  return "";
}

std::string BoundText(WindowBound::Kind kind, const std::string& offset) {
  switch (kind) {
    case WindowBound::Kind::kUnboundedPreceding: return "UNBOUNDED PRECEDING";
    case WindowBound::Kind::kPreceding: return offset + " PRECEDING";
    case WindowBound::Kind::kCurrentRow: return "CURRENT ROW";
    case WindowBound::Kind::kFollowing: return offset + " FOLLOWING";
    case WindowBound::Kind::kUnboundedFollowing: return "UNBOUNDED FOLLOWING";
  }
  return "";
}

}  // namespace

absl::StatusOr<Select> Emitter::BuildAggregate(const Aggregate& aggregate) {
  LOGQUERY_ASSIGN_OR_RETURN(Select select, Build(*aggregate.input, false));
  if (select.stage != Select::Stage::kOpen || select.IsLimited()) Wrap(select, aggregate.input->columns);
  select.order.clear();
  WrapIfRefers(select, aggregate.input->columns, OwnReferences(aggregate));
  absl::flat_hash_map<ColumnId, Known> known;
  for (const rewrite::Computed& key : aggregate.keys) {
    LOGQUERY_ASSIGN_OR_RETURN(Text text, ScalarText(select, *key.value));
    known[key.column.id] = {{std::move(text.sql), kOther}, true};
    select.keys.push_back(key.column);
  }
  for (const Aggregate::Call& call : aggregate.calls) {
    if (!needed_.contains(call.column.id)) continue;
    LOGQUERY_ASSIGN_OR_RETURN(AggregateTexts texts, CallTexts(select, call.call));
    LOGQUERY_ASSIGN_OR_RETURN(std::string text, dialect_.Aggregate(call.call, texts));
    known[call.column.id] = {{std::move(text), kOther}, true};
  }
  for (const Aggregate::Grouping& grouping : aggregate.groupings) {
    const PlanColumn& key = aggregate.keys[static_cast<size_t>(grouping.key)].column;
    known[grouping.column.id] = {{dialect_.Grouping(known[key.id].text.sql), kOther}, true};
  }
  if (!aggregate.grouping_sets.empty()) select.grouping_sets = aggregate.grouping_sets;
  // Without a call the SELECT would not be one of groups.
  if (aggregate.keys.empty() && (aggregate.calls.empty() || known.empty())) {
    const PlanColumn rows = Hidden("rows", Type::Int64());
    known[rows.id] = {{"count(*)", kOther}, true};
    select.keys.clear();
    select.known = std::move(known);
    select.stage = Select::Stage::kAggregated;
    Wrap(select, {rows});
    return select;
  }
  select.known = std::move(known);
  select.stage = Select::Stage::kAggregated;
  return select;
}

absl::StatusOr<Select> Emitter::BuildWindow(const Window& window) {
  LOGQUERY_ASSIGN_OR_RETURN(Select select, Build(*window.input, false));
  const bool fits = select.stage == Select::Stage::kOpen || select.stage == Select::Stage::kWindowed;
  if (!fits || select.IsLimited()) Wrap(select, window.input->columns);
  select.order.clear();
  WrapIfRefers(select, window.input->columns, OwnReferences(window));
  absl::flat_hash_map<ColumnId, Known> known;
  for (const Window::Call& call : window.calls) {
    if (!needed_.contains(call.column.id)) continue;
    LOGQUERY_ASSIGN_OR_RETURN(AggregateTexts texts, CallTexts(select, call.call));
    LOGQUERY_ASSIGN_OR_RETURN(texts.over, OverText(select, call));
    LOGQUERY_ASSIGN_OR_RETURN(std::string text, dialect_.Aggregate(call.call, texts));
    known[call.column.id] = {{std::move(text), kOther}, true};
  }
  select.known.insert(known.begin(), known.end());
  select.stage = Select::Stage::kWindowed;
  return select;
}

absl::StatusOr<AggregateTexts> Emitter::CallTexts(const Select& select, const AggregateCall& call) {
  AggregateTexts texts;
  for (const rewrite::ScalarPtr& argument : call.arguments) {
    LOGQUERY_ASSIGN_OR_RETURN(Text text, ScalarText(select, *argument));
    texts.args.push_back(std::move(text.sql));
  }
  LOGQUERY_ASSIGN_OR_RETURN(texts.order_by, OrderText(select, call.order_by));
  if (call.having != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(Text text, ScalarText(select, *call.having));
    texts.having = std::move(text.sql);
  }
  if (call.limit != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(texts.limit, Count(*call.limit));
  }
  if (call.filter != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(texts.filter, Conjunction(select, *call.filter));
  }
  return texts;
}

absl::StatusOr<std::string> Emitter::ListText(const Select& select, const std::vector<rewrite::ScalarPtr>& scalars) {
  std::vector<std::string> texts;
  for (const rewrite::ScalarPtr& scalar : scalars) {
    LOGQUERY_ASSIGN_OR_RETURN(Text text, ScalarText(select, *scalar));
    texts.push_back(std::move(text.sql));
  }
  return base::Join(texts, ", ");
}

// Inside an aggregate or OVER; empty without keys. A constant there sorts nothing, and would be taken for a place.
absl::StatusOr<std::string> Emitter::OrderText(const Select& select, const std::vector<rewrite::OrderKey>& keys) {
  std::vector<std::string> texts;
  for (const rewrite::OrderKey& key : keys) {
    LOGQUERY_ASSIGN_OR_RETURN(Text text, ScalarText(select, *key.value));
    if (text.kind == Text::Kind::kConstant) continue;
    const std::string nulls = key.nulls_first ? " NULLS FIRST" : " NULLS LAST";
    if (std::string nan = dialect_.NanTest(key.value->type, text.sql); !nan.empty()) {
      texts.push_back(base::StrCat(nan, key.descending ? " ASC" : " DESC", nulls));
    }
    texts.push_back(base::StrCat(text.sql, key.descending ? " DESC" : " ASC", nulls));
  }
  return texts.empty() ? "" : base::StrCat("ORDER BY ", base::Join(texts, ", "));
}

absl::StatusOr<std::string> Emitter::FrameText(const Select& select, const rewrite::WindowFramePlan& frame) {
  std::string start, end;
  if (frame.start_offset != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(Text text, ScalarText(select, *frame.start_offset));
    start = std::move(text.sql);
  }
  if (frame.end_offset != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(Text text, ScalarText(select, *frame.end_offset));
    end = std::move(text.sql);
  }
  return base::StrCat(UnitWord(frame.unit), " BETWEEN ", BoundText(frame.start, start), " AND ",
                      BoundText(frame.end, end));
}

absl::StatusOr<std::string> Emitter::OverText(const Select& select, const Window::Call& call) {
  std::vector<std::string> parts;
  if (!call.partition_by.empty()) {
    LOGQUERY_ASSIGN_OR_RETURN(std::string partition, ListText(select, call.partition_by));
    parts.push_back(base::StrCat("PARTITION BY ", partition));
  }
  LOGQUERY_ASSIGN_OR_RETURN(std::string order, OrderText(select, call.order_by));
  if (!order.empty()) parts.push_back(std::move(order));
  if (call.frame.has_value()) {
    LOGQUERY_ASSIGN_OR_RETURN(std::string frame, FrameText(select, *call.frame));
    parts.push_back(std::move(frame));
  }
  return base::StrCat("OVER (", base::Join(parts, " "), ")");
}

}  // namespace logquery::emit
