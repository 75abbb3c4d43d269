// The newest rows of a log are at its end. A query for them gets a condition `time >= @floor`, and the plan records
// this. A backend that stores rows by time raises the floor until just enough rows are above it. Bound to the earliest
// possible time, the condition changes nothing.
//
// Applies to `SELECT … FROM log … ORDER BY time DESC, … LIMIT n` if the time of each result row comes from one row of
// one scan: the nodes in between may filter, project, unnest or join rows, but not aggregate them.
#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/base/strings.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"
#include "logquery/error.h"

namespace logquery::rewrite {
namespace {

// A backend holds this many rows before it knows whether they are enough.
constexpr int64_t kMaxRows = 10'001;

bool Gives(const Plan& plan, ColumnId id) {
  return std::any_of(plan.columns.begin(), plan.columns.end(), [&](const PlanColumn& c) { return c.id == id; });
}

// The side of the join whose rows with too early a time may be left out without anything else in the result changing.
PlanPtr* SideOf(Join& join, ColumnId time) {
  if (Gives(*join.left, time)) {
    return join.type == Join::Type::kRight || join.type == Join::Type::kFull ? nullptr : &join.left;
  }
  return join.type == Join::Type::kLeft || join.type == Join::Type::kFull ? nullptr : &join.right;
}

// The origin of the rows with the column `time`.
struct Source {
  const TableScan* scan = nullptr;
  PlanPtr* place = nullptr;  // the scan's, or that of the filter directly above it
  bool row_by_row = true;    // each of its rows gives one row at the most
  std::vector<const Scalar*> conditions;
};

Source FindSource(PlanPtr* node, ColumnId time) {
  Source source;
  while (node != nullptr && Gives(**node, time)) {
    switch ((*node)->kind) {
      case PlanKind::kTableScan:
        source.scan = &As<TableScan>(**node);
        if (source.place == nullptr) source.place = node;
        return source;
      case PlanKind::kFilter:
        source.conditions.push_back(As<Filter>(**node).condition.get());
        source.place = node;
        node = &As<Filter>(**node).input;
        continue;
      case PlanKind::kProject:
        node = &As<Project>(**node).input;
        break;
      case PlanKind::kUnnest:
        source.row_by_row = false;
        node = &As<Unnest>(**node).input;
        break;
      case PlanKind::kSort:
        node = &As<Sort>(**node).input;
        break;
      case PlanKind::kJoin:
        source.row_by_row = false;
        node = SideOf(As<Join>(**node), time);
        break;
      default:
        return {};
    }
    source.place = nullptr;
  }
  return {};
}

struct TopN {
  Sort* sort = nullptr;
  int64_t rows = std::numeric_limits<int64_t>::max();
  bool offset = false;  // some rows are skipped
};

// The sort that gives the result its order, and how many of its rows the result has at the most.
TopN FindTopN(Plan& root) {
  TopN top;
  Plan* node = &root;
  while (true) {
    switch (node->kind) {
      case PlanKind::kSort:
        top.sort = &As<Sort>(*node);
        return top;
      case PlanKind::kWith:
        node = As<With>(*node).body.get();
        break;
      case PlanKind::kProject:
        node = As<Project>(*node).input.get();
        break;
      case PlanKind::kLimit: {
        const Limit& limit = As<Limit>(*node);
        if (limit.limit != nullptr) {
          const Constant* count = If<Constant>(limit.limit.get());
          if (count == nullptr || count->value.is_null()) return {};
          top.rows = std::min(top.rows, count->value.int64_value());
        }
        top.offset = top.offset || limit.offset != nullptr;
        node = As<Limit>(*node).input.get();
        break;
      }
      default:
        return {};
    }
  }
}

// Returns the engine's name of a scan's column; empty: the id is not one of its columns.
std::string_view StoredName(const TableScan& scan, ColumnId id) {
  for (size_t i = 0; i < scan.columns.size(); ++i) {
    if (scan.columns[i].id == id) return scan.storage[i];
  }
  return {};
}

bool IsTimeOf(const TableScan& scan, ColumnId id) {
  const std::string_view name = StoredName(scan, id);
  return !name.empty() && base::EqualsIgnoreCase(name, scan.table->time_column);
}

// The result's place of the scan's column of that name, which may be empty.
std::optional<size_t> PlaceOf(const Plan& root, const TableScan& scan, std::string_view name) {
  if (name.empty()) return std::nullopt;
  for (size_t i = 0; i < root.columns.size(); ++i) {
    if (base::EqualsIgnoreCase(StoredName(scan, root.columns[i].id), name)) return i;
  }
  return std::nullopt;
}

// Orders rows of equal time by id if nothing else orders them, so that the end of a page is well defined.
std::optional<NewestRows::Page> MakePages(const Plan& root, const TopN& top, const Source& source) {
  if (top.offset || !source.row_by_row || top.sort->keys.size() > 2) return std::nullopt;
  const std::optional<size_t> time = PlaceOf(root, *source.scan, source.scan->table->time_column);
  const std::optional<size_t> id = PlaceOf(root, *source.scan, source.scan->table->id_column);
  if (!time || !id || !root.columns[*id].type.is(TypeKind::kString)) return std::nullopt;
  const PlanColumn& column = root.columns[*id];
  if (top.sort->keys.size() == 1) {
    if (!Gives(*top.sort, column.id)) return std::nullopt;
    top.sort->keys.push_back({std::make_unique<ColumnRef>(column), false, true});
  } else {
    const OrderKey& second = top.sort->keys[1];
    const ColumnRef* ordered = If<ColumnRef>(second.value.get());
    if (ordered == nullptr || ordered->id != column.id || second.descending) return std::nullopt;
  }
  return NewestRows::Page{*time, *id};
}

// `time <= @cursor_time AND (time < @cursor_time OR id > @cursor_id)`.
ScalarPtr AfterCursor(const PlanColumn& time, const PlanColumn& id) {
  const auto compare = [](const char* function, const PlanColumn& column, const char* parameter) {
    std::vector<ScalarPtr> sides;
    sides.push_back(std::make_unique<ColumnRef>(column));
    sides.push_back(std::make_unique<ParameterRef>(parameter, column.type));
    return MakeTypedCall(function, Type::Bool(), std::move(sides));
  };
  std::vector<ScalarPtr> either;
  either.push_back(compare("$less", time, kCursorTimeParameter));
  either.push_back(compare("$greater", id, kCursorIdParameter));
  std::vector<ScalarPtr> both;
  both.push_back(compare("$less_or_equal", time, kCursorTimeParameter));
  both.push_back(MakeTypedCall("$or", Type::Bool(), std::move(either)));
  return MakeAnd(std::move(both));
}

// Parameters that bound the time: `time <= @p`, either way round.
void FindBounds(const Scalar& condition, ColumnId time, NewestRows& newest) {
  const FunctionCall* call = If<FunctionCall>(&condition);
  if (call == nullptr) return;
  if (IsCallOf(condition, "$and")) {
    for (const ScalarPtr& part : call->arguments) FindBounds(*part, time, newest);
    return;
  }
  const bool less = IsCallOf(condition, "$less") || IsCallOf(condition, "$less_or_equal");
  const bool greater = IsCallOf(condition, "$greater") || IsCallOf(condition, "$greater_or_equal");
  if (!less && !greater) return;
  for (size_t side : {0, 1}) {
    const ColumnRef* column = If<ColumnRef>(call->arguments[side].get());
    const ParameterRef* bound = If<ParameterRef>(call->arguments[1 - side].get());
    if (column == nullptr || column->id != time || bound == nullptr) continue;
    (less == (side == 0) ? newest.not_after : newest.not_before).push_back(bound->name);
  }
}

// Says in the plan that it wants the newest rows, where it does.
void FindNewest(QueryPlan& query, bool after_cursor) {
  const TopN top = FindTopN(*query.root);
  if (top.sort == nullptr || top.rows < 1 || top.rows > kMaxRows) return;
  const OrderKey& first = top.sort->keys[0];
  const ColumnRef* time = If<ColumnRef>(first.value.get());
  if (time == nullptr || !first.descending) return;
  const ColumnId id = time->id;
  Source source = FindSource(&top.sort->input, id);
  if (source.scan == nullptr || !IsTimeOf(*source.scan, id)) return;
  NewestRows newest;
  newest.table = source.scan->table->name;
  newest.rows = top.rows;
  for (const Scalar* condition : source.conditions) FindBounds(*condition, id, newest);
  std::vector<ScalarPtr> sides;
  sides.push_back(Clone(*time));
  sides.push_back(std::make_unique<ParameterRef>(kFloorParameter, Type::Timestamp()));
  newest.page = MakePages(*query.root, top, source);
  PutFilter(*source.place, MakeTypedCall("$greater_or_equal", Type::Bool(), std::move(sides)));
  if (after_cursor && newest.page) {
    newest.not_after.emplace_back(kCursorTimeParameter);
    PutFilter(*source.place, AfterCursor(query.root->columns[newest.page->time], query.root->columns[newest.page->id]));
  }
  query.newest = std::move(newest);
}

}  // namespace

absl::Status NewestFirst(const PassContext& context, QueryPlan& query) {
  FindNewest(query, context.after_cursor);
  if (!context.after_cursor || (query.newest && query.newest->page)) return absl::OkStatus();
  ErrorDetails details;
  details.parameter = "cursor";
  return WithErrorDetails(
      absl::InvalidArgumentError(
          "parameter cursor: this query has no pages. It has them where it returns rows of one log, "
          "with its time and id columns (`timestamp` and `id` unless it declares others), ORDER BY timestamp DESC, id, "
          "without OFFSET"),
      details);
}

}  // namespace logquery::rewrite
