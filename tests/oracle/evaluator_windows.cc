// Evaluates window functions: partitions, order, frames.
#include <algorithm>
#include <cmath>
#include <map>

#include "lib/base/strings.h"
#include "tests/oracle/evaluator_impl.h"

namespace logquery::oracle {

using Bound = sql::WindowBound::Kind;
using rewrite::OrderKey;

// The rows of one partition in the window's order.
struct Evaluator::Partition {
  RowRefs rows;
  std::vector<std::vector<Value>> keys;  // of each row
  const std::vector<OrderKey>* order = nullptr;

  bool ArePeers(size_t a, size_t b) const { return OrderOf(*order, keys[a], keys[b]) == 0; }
  size_t FirstPeer(size_t place) const {
    while (place > 0 && ArePeers(place - 1, place)) --place;
    return place;
  }
  size_t BehindPeers(size_t place) const {
    size_t end = place + 1;
    while (end < rows.size() && ArePeers(end, place)) ++end;
    return end;
  }
};

Rows Evaluator::Window(const rewrite::Window& window) {
  Rows rows = RowsOf(*window.input);
  std::vector<std::vector<Value>> values;
  for (const rewrite::Window::Call& call : window.calls) {
    values.push_back(WindowValues(call, window.input->columns, rows));
  }
  for (size_t i = 0; i < rows.size(); ++i) {
    for (std::vector<Value>& of_call : values) rows[i].push_back(std::move(of_call[i]));
  }
  return rows;
}

std::vector<Value> Evaluator::WindowValues(const rewrite::Window::Call& call, const Columns& columns,
                                           const Rows& rows) {
  struct Member {
    size_t row;
    std::vector<Value> keys;
  };
  std::map<Row, std::vector<Member>, RowLess> partitions;
  for (size_t i = 0; i < rows.size(); ++i) {
    Bind(columns, rows[i]);
    const Row key = Scalars(call.partition_by);
    partitions[key].push_back({i, Keys(call.order_by)});
  }
  std::vector<Value> values(rows.size());
  for (auto& [key, members] : partitions) {
    std::stable_sort(members.begin(), members.end(),
                     [&](const Member& a, const Member& b) { return OrderOf(call.order_by, a.keys, b.keys) < 0; });
    Partition partition;
    partition.order = &call.order_by;
    for (const Member& member : members) {
      partition.rows.push_back(&rows[member.row]);
      partition.keys.push_back(member.keys);
    }
    for (size_t i = 0; i < members.size(); ++i) values[members[i].row] = WindowValue(call, columns, partition, i);
  }
  return values;
}

Value Evaluator::WindowValue(const rewrite::Window::Call& call, const Columns& columns, const Partition& partition,
                             size_t place) {
  const std::string_view name = call.call.overload->row->name;
  const auto whole = [](size_t number) { return Value::Int64(static_cast<int64_t>(number)); };
  const size_t size = partition.rows.size();
  if (name == "ROW_NUMBER") return whole(place + 1);
  if (name == "RANK") return whole(partition.FirstPeer(place) + 1);
  if (name == "DENSE_RANK") {
    size_t rank = 1;
    for (size_t i = 1; i <= place; ++i) rank += partition.ArePeers(i - 1, i) ? 0 : 1;
    return whole(rank);
  }
  if (name == "CUME_DIST") {
    return Value::Float64(static_cast<double>(partition.BehindPeers(place)) / static_cast<double>(size));
  }
  if (name == "LAG" || name == "LEAD") {
    const std::vector<rewrite::ScalarPtr>& arguments = call.call.arguments;
    const int64_t distance = arguments.size() > 1 ? Count(*arguments[1]) : 1;
    const int64_t at = static_cast<int64_t>(place) + (name == "LAG" ? -distance : distance);
    const bool is_there = at >= 0 && at < static_cast<int64_t>(size);
    Bind(columns, *partition.rows[is_there ? static_cast<size_t>(at) : place]);
    if (is_there) return Scalar(*arguments[0]);
    return arguments.size() > 2 ? Scalar(*arguments[2]) : Value::Null(call.column.type);
  }
  return ValueOfFrame(call, columns, partition, FrameOf(call, columns, partition, place));
}

Value Evaluator::ValueOfFrame(const rewrite::Window::Call& call, const Columns& columns, const Partition& partition,
                              std::pair<size_t, size_t> frame) {
  const std::string_view name = call.call.overload->row->name;
  RowRefs rows;
  for (size_t i = frame.first; i < frame.second; ++i) rows.push_back(partition.rows[i]);
  if (call.call.overload->row->kind == rewrite::FunctionKind::kAggregate) {
    return AggregateOf(call.call, call.column.type, columns, rows);
  }
  std::vector<Value> values;
  for (const Row* row : rows) {
    Bind(columns, *row);
    Value value = Scalar(*call.call.arguments[0]);
    if (!call.call.ignore_nulls || !value.is_null()) values.push_back(std::move(value));
  }
  size_t nth = 0;
  if (name == "NTH_VALUE") {
    nth = static_cast<size_t>(Count(*call.call.arguments[1])) - 1;
  } else if (name == "LAST_VALUE") {
    nth = values.size() - 1;
  } else if (name != "FIRST_VALUE") {
    return Fail(absl::UnimplementedError(base::StrCat("the evaluator has no window function ", name)));
  }
  return nth < values.size() ? values[nth] : Value::Null(call.column.type);
}

namespace {

// The key that lies `offset` before or behind, in the order of a key.
Value Moved(const Value& key, const Value& offset, bool up) {
  if (key.type().is(TypeKind::kFloat64)) {
    return Value::Float64(up ? key.float64_value() + offset.float64_value()
                             : key.float64_value() - offset.float64_value());
  }
  return Value::Int64(up ? key.int64_value() + offset.int64_value() : key.int64_value() - offset.int64_value());
}

// NULL, NaN and infinities stay where they are whatever is added: their frames reach to their peers.
bool IsFixed(const Value& key) {
  return key.is_null() || (key.type().is(TypeKind::kFloat64) && !std::isfinite(key.float64_value()));
}

size_t RowPlace(int64_t place, size_t size) {
  return static_cast<size_t>(std::clamp<int64_t>(place, 0, static_cast<int64_t>(size)));
}

int64_t Sum(int64_t a, int64_t b) { return b > INT64_MAX - a ? INT64_MAX : a + b; }

}  // namespace

// The first row of the frame, and the one behind its last.
std::pair<size_t, size_t> Evaluator::FrameOf(const rewrite::Window::Call& call, const Columns& columns,
                                             const Partition& partition, size_t place) {
  const size_t size = partition.rows.size();
  if (!call.frame.has_value()) {
    return {0, call.order_by.empty() ? size : partition.BehindPeers(place)};
  }
  const rewrite::WindowFramePlan& frame = *call.frame;
  Bind(columns, *partition.rows[place]);
  const auto here = static_cast<int64_t>(place);
  const bool in_rows = frame.unit == sql::WindowFrame::Unit::kRows;
  // For RANGE, finds the first row that is not before the bound, or the first behind it.
  const auto reach = [&](bool preceding, const rewrite::Scalar& offset, bool is_start) {
    const OrderKey& order = call.order_by[0];
    const Value& key = partition.keys[place][0];
    if (IsFixed(key)) return is_start ? partition.FirstPeer(place) : partition.BehindPeers(place);
    const Value bound = Moved(key, Scalar(offset), preceding == order.descending);
    size_t at = 0;
    const auto is_before = [&](size_t i) {
      const int there = Order(partition.keys[i][0], bound, order.descending, order.nulls_first);
      return is_start ? there < 0 : there <= 0;
    };
    while (at < size && is_before(at)) ++at;
    return at;
  };
  const auto place_of = [&](Bound kind, const rewrite::ScalarPtr& offset, bool is_start) -> size_t {
    switch (kind) {
      case Bound::kUnboundedPreceding:
        return 0;
      case Bound::kUnboundedFollowing:
        return size;
      case Bound::kCurrentRow:
        if (in_rows) return is_start ? place : place + 1;
        return is_start ? partition.FirstPeer(place) : partition.BehindPeers(place);
      case Bound::kPreceding:
        if (!in_rows) return reach(true, *offset, is_start);
        return RowPlace(here - Count(*offset) + (is_start ? 0 : 1), size);
      case Bound::kFollowing:
        if (!in_rows) return reach(false, *offset, is_start);
        return RowPlace(Sum(here + (is_start ? 0 : 1), Count(*offset)), size);
    }
    return 0;
  };
  const size_t start = place_of(frame.start, frame.start_offset, true);
  return {start, std::max(start, place_of(frame.end, frame.end_offset, false))};
}

}  // namespace logquery::oracle
