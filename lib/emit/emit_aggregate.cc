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
    case WindowFrame::Unit::kRows:
      return "ROWS";
    case WindowFrame::Unit::kRange:
      return "RANGE";
    case WindowFrame::Unit::kGroups:
      return "GROUPS";
  }
  return "";
}

std::string BoundText(WindowBound::Kind kind, const std::string& offset) {
  switch (kind) {
    case WindowBound::Kind::kUnboundedPreceding:
      return "UNBOUNDED PRECEDING";
    case WindowBound::Kind::kPreceding:
      return offset + " PRECEDING";
    case WindowBound::Kind::kCurrentRow:
      return "CURRENT ROW";
    case WindowBound::Kind::kFollowing:
      return offset + " FOLLOWING";
    case WindowBound::Kind::kUnboundedFollowing:
      return "UNBOUNDED FOLLOWING";
  }
  return "";
}

bool IsZero(const rewrite::Scalar* scalar) {
  const auto* constant = rewrite::If<rewrite::Constant>(scalar);
  if (constant == nullptr || constant->value.is_null()) return false;
  if (constant->type.is(TypeKind::kInt64)) return constant->value.int64_value() == 0;
  if (constant->type.is(TypeKind::kFloat64)) return constant->value.float64_value() == 0;
  return constant->value.string_value().find_first_not_of("0.") == std::string::npos;
}

bool HasRangeOffset(const rewrite::WindowFramePlan& frame) {
  return frame.unit == WindowFrame::Unit::kRange && (frame.start_offset != nullptr || frame.end_offset != nullptr);
}

// In a RANGE, 0 PRECEDING and 0 FOLLOWING are the current row with its peers; DuckDB leaves some of these out.
WindowBound::Kind BoundKind(const rewrite::WindowFramePlan& frame, bool start) {
  const rewrite::Scalar* offset = (start ? frame.start_offset : frame.end_offset).get();
  if (HasRangeOffset(frame) && IsZero(offset)) return WindowBound::Kind::kCurrentRow;
  return start ? frame.start : frame.end;
}

const PlanColumn& FirstCall(const Aggregate& aggregate, const absl::flat_hash_map<rewrite::ColumnId, Known>& known) {
  size_t i = 0;
  while (i + 1 < aggregate.calls.size() && !known.contains(aggregate.calls[i].column.id)) ++i;
  return aggregate.calls[i].column;
}

}  // namespace

absl::StatusOr<Select> Emitter::BuildAggregate(const Aggregate& aggregate) {
  LOGQUERY_ASSIGN_OR_RETURN(Select select, Build(*aggregate.input, false));
  if (select.stage != Select::Stage::kOpen || select.IsLimited()) Wrap(select, aggregate.input->columns);
  select.order.clear();
  // Without a FROM of its own, an aggregate over columns of a query around it would be taken for one of that query's.
  if (select.from.empty()) Wrap(select, aggregate.input->columns);
  WrapIfRefers(select, aggregate.input->columns, OwnReferences(aggregate));
  for (const Aggregate::Call& call : aggregate.calls) ImportOuter(call.call, aggregate.input->columns, select);
  absl::flat_hash_map<ColumnId, Known> known;
  for (const rewrite::Computed& key : aggregate.keys) {
    LOGQUERY_ASSIGN_OR_RETURN(Text text, ScalarText(select, *key.value));
    known[key.column.id] = {{std::move(text.sql), kOther}, true};
    select.required.push_back(key.column);
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
  // Without a call in its list the SELECT would not be one of groups.
  if (aggregate.keys.empty()) {
    PlanColumn rows = known.empty() ? Hidden("rows", Type::Int64()) : FirstCall(aggregate, known);
    if (known.empty()) known[rows.id] = {{"COUNT(*)", kOther}, true};
    select.required.push_back(std::move(rows));
    select.is_one_group = !select.grouping_sets.has_value();
  }
  select.known = std::move(known);
  select.stage = Select::Stage::kAggregated;
  return select;
}

// SQL takes a call over nothing but columns of a query around it for a call of that query: such columns come in first.
void Emitter::ImportOuter(const AggregateCall& call, const Columns& columns, Select& select) {
  if (scopes_.empty()) return;
  rewrite::ColumnSet referenced;
  for (const rewrite::ScalarPtr& argument : call.arguments) {
    for (ColumnId id : rewrite::OuterColumns(*argument)) referenced.insert(id);
  }
  Columns imported = columns;
  for (ColumnId id : referenced) {
    if (select.known.contains(id)) return;
    if (lambda_parameters_.contains(id)) continue;
    imported.push_back({id, "outer", Type()});
  }
  if (imported.size() == columns.size()) return;
  for (size_t i = columns.size(); i < imported.size(); ++i) {
    select.known[imported[i].id] = {{Find(select, imported[i].id).text.sql, kOther}, true};
  }
  Wrap(select, imported);
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

// `key`: what a RANGE adds the offset to.
absl::StatusOr<std::string> Emitter::OffsetText(const Select& select, const Type* key, const rewrite::Scalar* offset) {
  if (offset == nullptr) return std::string();
  LOGQUERY_ASSIGN_OR_RETURN(Text text, ScalarText(select, *offset));
  return key == nullptr ? text.sql : dialect_.RangeOperand(*key, text.sql);
}

absl::StatusOr<std::string> Emitter::FrameText(const Select& select, const rewrite::WindowFramePlan& frame,
                                               const Type* key) {
  LOGQUERY_ASSIGN_OR_RETURN(std::string start, OffsetText(select, key, frame.start_offset.get()));
  LOGQUERY_ASSIGN_OR_RETURN(std::string end, OffsetText(select, key, frame.end_offset.get()));
  return base::StrCat(UnitWord(frame.unit), " BETWEEN ", BoundText(BoundKind(frame, true), start), " AND ",
                      BoundText(BoundKind(frame, false), end));
}

absl::StatusOr<std::string> Emitter::OverText(const Select& select, const Window::Call& call) {
  if (call.frame.has_value() && HasRangeOffset(*call.frame)) return RangeOverText(select, call);
  std::vector<std::string> parts;
  if (!call.partition_by.empty()) {
    LOGQUERY_ASSIGN_OR_RETURN(std::string partition, ListText(select, call.partition_by));
    parts.push_back(base::StrCat("PARTITION BY ", partition));
  }
  LOGQUERY_ASSIGN_OR_RETURN(std::string order, OrderText(select, call.order_by));
  if (!order.empty()) parts.push_back(std::move(order));
  if (call.frame.has_value()) {
    LOGQUERY_ASSIGN_OR_RETURN(std::string frame, FrameText(select, *call.frame, nullptr));
    parts.push_back(std::move(frame));
  }
  return base::StrCat("OVER (", base::Join(parts, " "), ")");
}

// RANGE BETWEEN n PRECEDING …: exactly one key, which numbers are added to.
absl::StatusOr<std::string> Emitter::RangeOverText(const Select& select, const Window::Call& call) {
  if (call.order_by.size() != 1) return absl::InvalidArgumentError("RANGE with an offset wants one ORDER BY key");
  const rewrite::OrderKey& key = call.order_by[0];
  LOGQUERY_ASSIGN_OR_RETURN(std::string partition, ListText(select, call.partition_by));
  LOGQUERY_ASSIGN_OR_RETURN(Text value, ScalarText(select, *key.value));
  LOGQUERY_ASSIGN_OR_RETURN(std::string frame, FrameText(select, *call.frame, &key.value->type));
  // NaN plus a number is NaN: between two such bounds lie NaN's own rows alone.
  const bool bounded = call.frame->start != WindowBound::Kind::kUnboundedPreceding &&
                       call.frame->end != WindowBound::Kind::kUnboundedFollowing;
  if (std::string nan = dialect_.NanTest(key.value->type, value.sql); bounded && !nan.empty()) {
    base::StrAppend(&partition, partition.empty() ? "" : ", ", nan);
  }
  return base::StrCat("OVER (", partition.empty() ? "" : "PARTITION BY ", partition, partition.empty() ? "" : " ",
                      "ORDER BY ", dialect_.RangeOperand(key.value->type, value.sql), key.descending ? " DESC" : " ASC",
                      key.nulls_first ? " NULLS FIRST " : " NULLS LAST ", frame, ")");
}

}  // namespace logquery::emit
