// Writes window functions: OVER and frames.
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/emit/emitter_impl.h"

namespace logquery::emit {

using rewrite::Window;
using sql::WindowBound;
using sql::WindowFrame;

namespace {

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

std::string FrameText(WindowFrame::Unit unit, const RangeTexts& bounds) {
  return base::StrCat(UnitWord(unit), " BETWEEN ", BoundText(bounds.start, bounds.start_offset), " AND ",
                      BoundText(bounds.end, bounds.end_offset));
}

bool IsZero(const rewrite::Scalar* scalar) {
  const auto* constant = rewrite::If<rewrite::Constant>(scalar);
  if (constant == nullptr || constant->value.is_null()) return false;
  if (constant->type.is(TypeKind::kInt64)) return constant->value.int64_value() == 0;
  if (constant->type.is(TypeKind::kFloat64)) return constant->value.float64_value() == 0;
  return constant->value.string_value().find_first_not_of("0.") == std::string::npos;
}

bool HasOffset(const rewrite::WindowFramePlan& frame) {
  return frame.start_offset != nullptr || frame.end_offset != nullptr;
}

bool HasRangeOffset(const Window::Call& call) {
  return call.frame.has_value() && call.frame->unit == WindowFrame::Unit::kRange && HasOffset(*call.frame);
}

std::string InParentheses(std::string_view word, std::string_view text) {
  return text.empty() ? std::string() : base::StrCat(word, text, " ");
}

// Returns a range of the key's peers only. Special values of a key apply to its peers alone.
RangeTexts OfPeers(RangeTexts range) {
  if (range.start != WindowBound::Kind::kUnboundedPreceding) range.start = WindowBound::Kind::kCurrentRow;
  if (range.end != WindowBound::Kind::kUnboundedFollowing) range.end = WindowBound::Kind::kCurrentRow;
  return range;
}

}  // namespace

absl::StatusOr<Select> Emitter::BuildWindow(const Window& window) {
  LOGQUERY_ASSIGN_OR_RETURN(Select select, Build(*window.input, false));
  const bool fits = select.stage == Select::Stage::kOpen || select.stage == Select::Stage::kWindowed;
  if (!fits || select.IsLimited()) Wrap(select, window.input->columns);
  select.order.clear();
  WrapIfRefers(select, window.input->columns, OwnReferences(window));
  absl::flat_hash_map<ColumnId, Known> known;
  for (const Window::Call& call : window.calls) {
    if (!needed_.contains(call.column.id)) continue;
    LOGQUERY_ASSIGN_OR_RETURN(Sql text, WindowCallText(select, call));
    known[call.column.id] = {{text, Text::Kind::kOther}, true};
  }
  select.known.insert(known.begin(), known.end());
  select.stage = Select::Stage::kWindowed;
  return select;
}

absl::StatusOr<Sql> Emitter::WindowCallText(const Select& select, const Window::Call& call) {
  LOGQUERY_ASSIGN_OR_RETURN(AggregateTexts texts, CallTexts(select, call.call));
  texts.has_frame = call.frame.has_value();
  if (!HasRangeOffset(call)) {
    LOGQUERY_ASSIGN_OR_RETURN(std::string over, OverText(select, call));
    texts.over = Sql(std::move(over));
    return AggregateText(call.call, texts);
  }
  if (call.order_by.size() != 1) return absl::InvalidArgumentError("RANGE with an offset wants one ORDER BY key");
  const rewrite::OrderKey& key = call.order_by[0];
  LOGQUERY_ASSIGN_OR_RETURN(std::string partition, ListText(select, call.partition_by));
  LOGQUERY_ASSIGN_OR_RETURN(Text value, ScalarText(select, *key.value));
  LOGQUERY_ASSIGN_OR_RETURN(RangeTexts range, FrameBounds(select, *call.frame));
  range.key = value.sql;
  range.descending = key.descending;
  dialect_.AdaptRange(key.value->type, range);
  if (!range.partition.empty()) base::StrAppend(&partition, partition.empty() ? "" : ", ", range.partition);
  const std::string before =
      base::StrCat("OVER (", InParentheses("PARTITION BY ", partition), "ORDER BY ", range.key,
                   key.descending ? " DESC" : " ASC", key.nulls_first ? " NULLS FIRST " : " NULLS LAST ");
  texts.over = Cat(before, FrameText(call.frame->unit, range), ")");
  LOGQUERY_ASSIGN_OR_RETURN(Sql text, AggregateText(call.call, texts));
  if (range.only_peers.empty()) return text;
  texts.over = Cat(before, FrameText(call.frame->unit, OfPeers(range)), ")");
  LOGQUERY_ASSIGN_OR_RETURN(Sql of_peers, AggregateText(call.call, texts));
  return Cat("CASE WHEN ", range.only_peers, " THEN ", of_peers, " ELSE ", text, " END");
}

absl::StatusOr<std::string> Emitter::OffsetText(const Select& select, const rewrite::Scalar* offset) {
  if (offset == nullptr) return std::string();
  LOGQUERY_ASSIGN_OR_RETURN(Text text, ScalarText(select, *offset));
  if (offset->kind == rewrite::ScalarKind::kConstant) return text.sql;
  return dialect_.NotNegative(offset->type, text.sql, "the offset of a window frame");
}

absl::StatusOr<RangeTexts> Emitter::FrameBounds(const Select& select, const rewrite::WindowFramePlan& frame) {
  RangeTexts bounds;
  bounds.start = frame.start;
  bounds.end = frame.end;
  // In a RANGE, 0 PRECEDING and 0 FOLLOWING are the current row with its peers; an engine may leave some of these out. It takes no
  // frame from the current row to a preceding one, or from a following row to the current one: these have no rows.
  const bool is_range = frame.unit == WindowFrame::Unit::kRange;
  const bool zero_start = is_range && IsZero(frame.start_offset.get()),
             zero_end = is_range && IsZero(frame.end_offset.get());
  if (zero_start && (zero_end || frame.end != WindowBound::Kind::kPreceding))
    bounds.start = WindowBound::Kind::kCurrentRow;
  if (zero_end && (zero_start || frame.start != WindowBound::Kind::kFollowing))
    bounds.end = WindowBound::Kind::kCurrentRow;
  LOGQUERY_ASSIGN_OR_RETURN(bounds.start_offset, OffsetText(select, frame.start_offset.get()));
  LOGQUERY_ASSIGN_OR_RETURN(bounds.end_offset, OffsetText(select, frame.end_offset.get()));
  bounds.fixed = (frame.start_offset == nullptr || frame.start_offset->kind == rewrite::ScalarKind::kConstant) &&
                 (frame.end_offset == nullptr || frame.end_offset->kind == rewrite::ScalarKind::kConstant);
  return bounds;
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
    LOGQUERY_ASSIGN_OR_RETURN(RangeTexts bounds, FrameBounds(select, *call.frame));
    parts.push_back(FrameText(call.frame->unit, bounds));
  }
  return base::StrCat("OVER (", base::Join(parts, " "), ")");
}

}  // namespace logquery::emit
