// A window below counts each partition's rows and bytes; collecting a value raises an error if they are too many:
//
//     ARRAY_AGG(x) OVER (PARTITION BY p)
//     ARRAY_AGG($bounded_frame(x, rows, 0, 131072)) OVER (PARTITION BY p)     above rows := COUNT(*) OVER (PARTITION BY p)
#include "lib/engines/duckdb/dialect/bound_windows.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::emit {
namespace {

using rewrite::Case;
using rewrite::Clone;
using rewrite::Constant;
using rewrite::If;
using rewrite::MakeAnd;
using rewrite::MakeInt64;
using rewrite::MakeTypedCall;
using rewrite::Plan;
using rewrite::QueryPlan;
using rewrite::RefreshColumns;
using rewrite::Scalar;
using rewrite::ScalarPtr;
using rewrite::VisitPlans;
using rewrite::Window;

// A frame of so many rows needs no count.
constexpr int64_t kSmallFrame = 64;
// The limit on what all windows of a query may gather for one row, in bytes: one step of the engine holds it for some
// 2,000 rows.
constexpr int64_t kMaxFrameBytes = 128 << 10;
// A value that a window without gathering shows to many rows, in bytes.
constexpr int64_t kMaxSharedBytes = 32 << 10;

class WindowBounds {
 public:
  WindowBounds(QueryPlan& query, const LongValues& values) : query_(query), values_(values) {}

  void Apply() {
    VisitPlans(*query_.root, [&](Plan& plan) {
      Window* window = If<Window>(&plan);
      if (window == nullptr) return;
      gathering_ += std::count_if(window->calls.begin(), window->calls.end(), GathersForEachRow);
    });
    VisitPlans(*query_.root, [&](Plan& plan) {
      if (Window* window = If<Window>(&plan)) BoundWindow(*window);
    });
    if (has_more_columns_) RefreshColumns(*query_.root);
  }

 private:
  static bool IsSmallFrame(const Window::Call& call) {
    using Kind = sql::WindowBound::Kind;
    if (!call.frame.has_value() || call.frame->unit != sql::WindowFrame::Unit::kRows) return false;
    const auto is_near = [](Kind kind, const ScalarPtr& offset) {
      if (kind == Kind::kCurrentRow) return true;
      const Constant* constant = If<Constant>(offset.get());
      return constant != nullptr && !constant->value.is_null() && constant->value.int64_value() <= kSmallFrame;
    };
    return is_near(call.frame->start, call.frame->start_offset) && is_near(call.frame->end, call.frame->end_offset);
  }

  // Returns whether all rows of a partition share one value.
  static bool IsOfPartition(const Window::Call& call) { return call.order_by.empty() && !call.frame.has_value(); }

  // The engine computes ARRAY_AGG and STRING_AGG over all rows once, and copies their results over a partition.
  // Results that are derived from an array, as by other aggregates, are computed for each row.
  static bool GathersForEachRow(const Window::Call& call) {
    if (call.call.arguments.empty()) return false;
    const std::string_view name = call.call.overload->row->name;
    if (!Gathers(call.call) && name != "APPROX_TOP_COUNT") return false;
    if (!IsOfPartition(call)) return !IsSmallFrame(call);
    return !call.partition_by.empty() || (name != "ARRAY_AGG" && name != "STRING_AGG");
  }

  void BoundWindow(Window& window) {
    auto firsts = std::make_unique<Window>(nullptr);
    auto beneath = std::make_unique<Window>(nullptr);
    for (Window::Call& call : window.calls) {
      if (call.call.arguments.empty() || !HasVariableSize(call.column.type)) continue;
      if (Gathers(call.call) && call.call.distinct && IsOfPartition(call)) TakeFirsts(call, *firsts);
      if (GathersForEachRow(call)) {
        BoundFrame(call, *beneath);
        continue;
      }
      // Without an order all rows of a partition have one value, which the engine makes once.
      if (IsOfPartition(call)) continue;
      for (ScalarPtr& value : call.call.arguments) {
        if (!values_.MayBeLong(*value)) continue;
        const Type type = value->type;
        value = MakeTypedCall("$bounded_value", type, std::move(value), MakeInt64(kMaxSharedBytes));
      }
    }
    // The lowest first: what counts reads which rows are the first ones.
    PutBelow(window, std::move(firsts));
    PutBelow(window, std::move(beneath));
  }

  void PutBelow(Window& window, std::unique_ptr<Window> beneath) {
    if (beneath->calls.empty()) return;
    beneath->columns = window.input->columns;
    for (const Window::Call& call : beneath->calls) beneath->columns.push_back(call.column);
    beneath->input = std::move(window.input);
    window.input = std::move(beneath);
    has_more_columns_ = true;
  }

  // Replaces DISTINCT, which costs the engine an array for each row even if there are few values, by the first row of
  // each value.
  void TakeFirsts(Window::Call& call, Window& firsts) {
    Window::Call number;
    number.call.overload = rewrite::OverloadWith("ROW_NUMBER", 0);
    for (const ScalarPtr& key : call.partition_by) number.partition_by.push_back(Clone(*key));
    if (call.call.filter != nullptr) number.partition_by.push_back(Clone(*call.call.filter));
    number.partition_by.push_back(Clone(*call.call.arguments[0]));
    number.column = query_.NewColumn("nth", Type::Int64());
    firsts.calls.push_back(std::move(number));
    std::vector<ScalarPtr> conditions;
    if (call.call.filter != nullptr) conditions.push_back(std::move(call.call.filter));
    conditions.push_back(
        MakeTypedCall("$equal", Type::Bool(), rewrite::MakeColumnRef(firsts.calls.back().column), MakeInt64(1)));
    call.call.filter = MakeAnd(std::move(conditions));
    call.call.distinct = false;
  }

  // The number where the filter is true. DuckDB's count(*) with a filter takes the square of a partition's rows.
  static ScalarPtr OfFiltered(const Scalar& filter, ScalarPtr number) {
    auto chosen = std::make_unique<Case>(Type::Int64());
    chosen->otherwise = MakeInt64(0);
    chosen->whens.push_back({Clone(filter), std::move(number)});
    return chosen;
  }

  static ScalarPtr SizeOf(std::string_view function, const Window::Call& call) {
    ScalarPtr size = MakeTypedCall(function, Type::Int64(), Clone(*call.call.arguments[0]));
    return call.call.filter == nullptr ? std::move(size) : OfFiltered(*call.call.filter, std::move(size));
  }

  // Counts the partition's rows and bytes beneath the window, and has the value look at them.
  void BoundFrame(Window::Call& call, Window& beneath) {
    ScalarPtr& value = call.call.arguments[0];
    const ScalarPtr rows = call.call.filter == nullptr
                               ? Beneath("COUNT", nullptr, call, beneath)
                               : Beneath("SUM", OfFiltered(*call.call.filter, MakeInt64(1)), call, beneath);
    ScalarPtr size = MakeInt64(0);
    if (value->type.is(TypeKind::kString) || value->type.is(TypeKind::kBytes)) {
      size = Beneath("SUM", SizeOf("BYTE_LENGTH", call), call, beneath);
    } else if (value->type.is_array() && !value->type.is_record()) {
      size = Beneath("SUM", SizeOf("ARRAY_LENGTH", call), call, beneath);
    }
    const Type type = value->type;
    ScalarPtr most = MakeInt64(kMaxFrameBytes / std::max<int64_t>(1, gathering_));
    value = MakeTypedCall("$bounded_frame", type, std::move(value), Clone(*rows), std::move(size), std::move(most));
  }

  // NAME(argument) OVER (PARTITION BY what `call` has); nullptr: NAME(*). The argument is INT64, as SUM's first overload takes.
  ScalarPtr Beneath(std::string_view name, ScalarPtr argument, const Window::Call& call, Window& beneath) {
    Window::Call counting;
    counting.call.overload = rewrite::OverloadWith(name, argument == nullptr ? 0 : 1);
    if (argument != nullptr) counting.call.arguments.push_back(std::move(argument));
    for (const ScalarPtr& key : call.partition_by) counting.partition_by.push_back(Clone(*key));
    counting.column = query_.NewColumn("gathered", Type::Int64());
    beneath.calls.push_back(std::move(counting));
    return rewrite::MakeColumnRef(beneath.calls.back().column);
  }

  QueryPlan& query_;
  const LongValues& values_;
  int64_t gathering_ = 0;  // windows that gather for each row
  bool has_more_columns_ = false;
};

}  // namespace

void BoundWindows(QueryPlan& query, const LongValues& values) { WindowBounds(query, values).Apply(); }

}  // namespace logquery::emit
