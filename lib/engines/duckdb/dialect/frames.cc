// Gives windows frames that DuckDB evaluates as GoogleSQL does, in reasonable time.
#include <algorithm>
#include <string_view>
#include <utility>

#include "lib/engines/duckdb/dialect/passes.h"
#include "lib/engines/duckdb/dialect/pins.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::emit {

using rewrite::Constant;
using rewrite::If;
using rewrite::ScalarPtr;
using rewrite::Window;

namespace {

using Kind = sql::WindowBound::Kind;

std::string_view NameOf(const Window::Call& call) { return call.call.overload->row->name; }

// Returns whether the frame holds the partition's first row for each row.
bool BeginsPartition(const Window::Call& call) {
  return call.frame->start == Kind::kUnboundedPreceding && call.frame->end != Kind::kPreceding;
}

// FIRST_VALUE(x) OVER (ROWS BETWEEN CURRENT ROW AND …): without PARTITION BY and ORDER BY, DuckDB keeps the first row's value
// for all rows, whatever the frame is (duckdb/duckdb#24458, mended after 1.5.6). It does so only for a window of one partition
// by construction. DuckDB drops keys that it finds to be constant, such as columns of `SELECT 1 AS k`, so that an ORDER BY is
// no protection.
void KeepFrame(Window::Call& call) {
  if (NameOf(call) != "FIRST_VALUE" || !call.frame.has_value() || !call.partition_by.empty()) return;
  if (!call.order_by.empty() && BeginsPartition(call)) return;
  call.partition_by.push_back(Pinned(rewrite::MakeBool(true)));
}

// No partition has so many rows. DuckDB adds offsets to row numbers, which wrap near 2^63 (duckdb/duckdb#24307).
constexpr int64_t kMaxRowOffset = int64_t{1} << 60;

void BoundOffset(ScalarPtr& offset) {
  if (offset == nullptr) return;
  auto* const constant = If<Constant>(offset.get());
  if (constant != nullptr && constant->value.is_null()) return;
  if (constant != nullptr) {
    constant->value = Value::Int64(std::min(constant->value.int64_value(), kMaxRowOffset));
    return;
  }
  std::vector<ScalarPtr> operands;
  operands.push_back(std::move(offset));
  operands.push_back(std::make_unique<Constant>(Value::Int64(kMaxRowOffset)));
  offset = rewrite::MakeTypedCall("LEAST", Type::Int64(), std::move(operands));
}

void BoundOffsets(Window::Call& call) {
  if (!call.frame.has_value() || call.frame->unit != sql::WindowFrame::Unit::kRows) return;
  BoundOffset(call.frame->start_offset);
  BoundOffset(call.frame->end_offset);
}

bool IsWholePartition(const Window::Call& call) {
  return call.frame.has_value() && call.frame->start == Kind::kUnboundedPreceding &&
         call.frame->end == Kind::kUnboundedFollowing;
}

// DENSE_RANK() OVER (ORDER BY FALSE): all rows are peers, and get 1, as from RANK. DuckDB's DENSE_RANK without an order reads
// bits of peers that nobody has set, and crashes now and then (seen over a FULL JOIN in 1.5.6, by the oracle).
void RankPeers(Window::Call& call) {
  const auto is_constant = [](const rewrite::OrderKey& key) {
    return rewrite::IsPath(*key.value) && rewrite::ReferencedColumns(*key.value).empty();
  };
  if (NameOf(call) != "DENSE_RANK" || !std::all_of(call.order_by.begin(), call.order_by.end(), is_constant)) return;
  call.call.overload = &rewrite::FindFunction("RANK")->overloads[0];
}

bool GathersInOrder(const Window::Call& call) {
  const std::string_view name = NameOf(call);
  return name == "ARRAY_AGG" || name == "STRING_AGG" || name == "ARRAY_CONCAT_AGG";
}

// DuckDB evaluates an aggregate whose frame is the whole partition once for the partition if it has no ORDER BY. With
// one, it evaluates it for each row, and builds a tree over the partition's rows for each partition. An aggregate that
// gathers values gets the order as its own ORDER BY. GoogleSQL promises no order of DISTINCT values.
void DropOrder(Window::Call& call) {
  if (call.call.overload->row->kind != rewrite::FunctionKind::kAggregate || !IsWholePartition(call)) return;
  if (GathersInOrder(call) && !call.call.distinct) {
    if (!call.call.order_by.empty()) return;
    call.call.order_by = std::move(call.order_by);
  }
  call.order_by.clear();
  call.frame.reset();
}

}  // namespace

absl::Status PlainFrames(const rewrite::PassContext& /*context*/, rewrite::QueryPlan& query) {
  rewrite::VisitPlans(*query.root, [](rewrite::Plan& plan) {
    auto* const window = If<Window>(&plan);
    if (window == nullptr) return;
    for (Window::Call& call : window->calls) {
      KeepFrame(call);
      RankPeers(call);
      BoundOffsets(call);
      DropOrder(call);
    }
  });
  return absl::OkStatus();
}

}  // namespace logquery::emit
