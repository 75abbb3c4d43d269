// Counts the values of APPROX_TOP_COUNT in groups, whose memory the engine accounts for and can move to disk. Its histogram takes
// 700 bytes for each text that is counted, which nothing limits, and is slower:
//
//     SELECT k, APPROX_TOP_COUNT(x, n), MAX(y) FROM t GROUP BY k
//
// becomes
//
//     SELECT k, ARRAY_AGG(STRUCT(x, c) ORDER BY place), of rows with place <= n, MAX(m)
//     FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY c DESC, x) AS place
//           FROM (SELECT k, x, COUNT(*) AS c, MAX(y) AS m FROM t GROUP BY k, x))
//     GROUP BY k
//
// With several calls, a value is in several of these groups, and its counts are added up by a window. Beside an aggregate that
// can't be computed from those of groups, such as COUNT(DISTINCT y), the rows themselves are counted by windows, which takes
// longer.
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/engines/duckdb/dialect/aggregate_texts.h"
#include "lib/engines/duckdb/dialect/passes.h"
#include "lib/engines/duckdb/dialect/projections.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::emit {
namespace {

using rewrite::Aggregate;
using rewrite::AggregateCall;
using rewrite::Clone;
using rewrite::Computed;
using rewrite::Constant;
using rewrite::If;
using rewrite::MakeColumnRef;
using rewrite::MakeInt64;
using rewrite::MakeTypedCall;
using rewrite::OverloadWith;
using rewrite::PlanColumn;
using rewrite::PlanPtr;
using rewrite::QueryPlan;
using rewrite::Scalar;
using rewrite::ScalarPtr;
using rewrite::Window;

std::string_view NameOf(const AggregateCall& call) { return call.overload->row->name; }

bool IsTopCount(const Aggregate::Call& call) { return NameOf(call.call) == "APPROX_TOP_COUNT"; }

bool HasModifiers(const AggregateCall& call) {
  return call.distinct || call.having != nullptr || call.safe || !call.order_by.empty() || call.limit != nullptr;
}

bool IsCount(const AggregateCall& call) { return NameOf(call) == "COUNT" || NameOf(call) == "COUNTIF"; }

// The function that computes the aggregate of all rows from its results for groups of them; nullptr: none does.
const rewrite::Overload* OverGroups(const AggregateCall& call) {
  if (HasModifiers(call)) return nullptr;
  if (IsCount(call)) return OverloadWith("SUM", 1);
  const std::string_view name = NameOf(call);
  const bool is_same = name == "MIN" || name == "MAX" || name == "LOGICAL_AND" || name == "LOGICAL_OR";
  return is_same ? call.overload : nullptr;
}

bool ReadsColumns(const Scalar& scalar) { return !rewrite::ReferencedColumns(scalar).empty(); }

bool CanBeGrouped(const Aggregate& aggregate) {
  if (!aggregate.grouping_sets.empty() || !aggregate.groupings.empty()) return false;
  bool some = false;
  for (const Aggregate::Call& call : aggregate.calls) {
    if (!IsTopCount(call)) continue;
    some = true;
    if (HasModifiers(call.call) || call.call.filter != nullptr || ReadsColumns(*call.call.arguments[1])) return false;
    if (HasInterval(call.call.arguments[0]->type)) return false;
  }
  // Windows and groups stay out of subqueries that read columns of an enclosing query, which DuckDB has to decorrelate.
  return some && rewrite::OuterColumns(aggregate).empty();
}

// The columns of one call of APPROX_TOP_COUNT.
struct Top {
  PlanColumn value;
  PlanColumn count;
  PlanColumn first;  // numbers the rows of a value, if it can have several
  PlanColumn place;  // of a row among those of its group
  ScalarPtr wanted;  // how many values
};

// Another call, computed for each group.
struct Part {
  PlanColumn column;
  const rewrite::Overload* merge;
  bool is_count;
};

class TopCounts {
 public:
  TopCounts(QueryPlan& query, Aggregate& aggregate) : query_(query), aggregate_(aggregate) {
    for (const Computed& key : aggregate.keys) keys_.push_back(query_.NewColumn(key.column.name, key.column.type));
    for (Aggregate::Call& call : aggregate.calls) {
      if (!IsTopCount(call)) continue;
      Top top;
      top.value = query_.NewColumn("value", call.call.arguments[0]->type);
      top.wanted = std::move(call.call.arguments[1]);
      tops_.push_back(std::move(top));
    }
    in_groups_ = std::all_of(aggregate.calls.begin(), aggregate.calls.end(), [](const Aggregate::Call& call) {
      return IsTopCount(call) || OverGroups(call.call) != nullptr;
    });
  }

  // Puts what it makes of the aggregate in its place; its columns stay.
  void Replace(PlanPtr& plan) {
    const std::vector<PlanColumn> shown = aggregate_.columns;
    PlanPtr rows = in_groups_ ? Groups() : Rows();
    AddCounts(rows);
    AddPlaces(rows);
    std::vector<Computed> results = Collect(rows);
    AddColumns(rows, std::move(results));
    ShowOnly(rows, shown);
    plan = std::move(rows);
  }

 private:
  // Each value of a call has one row among those with the same keys.
  bool HasOneRowEach() const { return in_groups_ && tops_.size() == 1; }

  // One row for each combination of keys and values, with the aggregates of its rows.
  PlanPtr Groups() {
    auto groups = std::make_unique<Aggregate>(std::move(aggregate_.input));
    groups->may_hold_subqueries = aggregate_.may_hold_subqueries;
    for (size_t i = 0; i < keys_.size(); ++i) groups->keys.push_back({keys_[i], std::move(aggregate_.keys[i].value)});
    size_t top = 0;
    for (Aggregate::Call& call : aggregate_.calls) {
      if (IsTopCount(call)) {
        groups->keys.push_back({tops_[top++].value, std::move(call.call.arguments[0])});
        continue;
      }
      Part part{query_.NewColumn("part", call.column.type), OverGroups(call.call), IsCount(call.call)};
      groups->calls.push_back({part.column, std::move(call.call)});
      parts_.push_back(std::move(part));
    }
    rows_ = query_.NewColumn("rows", Type::Int64());
    Aggregate::Call count{rows_, {}};
    count.call.overload = OverloadWith("COUNT", 0);
    groups->calls.push_back(std::move(count));
    for (const Computed& key : groups->keys) groups->columns.push_back(key.column);
    for (const Aggregate::Call& call : groups->calls) groups->columns.push_back(call.column);
    return groups;
  }

  // The rows themselves, with columns for keys and values.
  PlanPtr Rows() {
    PlanPtr rows = std::move(aggregate_.input);
    rows->may_hold_subqueries = rows->may_hold_subqueries || aggregate_.may_hold_subqueries;
    std::vector<Computed> computed;
    for (size_t i = 0; i < keys_.size(); ++i) computed.push_back({keys_[i], std::move(aggregate_.keys[i].value)});
    size_t top = 0;
    for (Aggregate::Call& call : aggregate_.calls) {
      if (IsTopCount(call)) computed.push_back({tops_[top++].value, std::move(call.call.arguments[0])});
    }
    AddColumns(rows, std::move(computed));
    return rows;
  }

  void AddCounts(PlanPtr& rows) {
    if (HasOneRowEach()) {
      tops_.front().count = rows_;
      return;
    }
    auto window = WindowOver(std::move(rows));
    for (Top& top : tops_) {
      top.first = AddCall(*window, "first", "ROW_NUMBER", nullptr, &top.value);
      top.count = in_groups_ ? AddCall(*window, "count", "SUM", MakeColumnRef(rows_), &top.value)
                             : AddCall(*window, "count", "COUNT", nullptr, &top.value);
    }
    rows = std::move(window);
  }

  void AddPlaces(PlanPtr& rows) {
    auto window = WindowOver(std::move(rows));
    for (Top& top : tops_) {
      top.place = AddCall(*window, "place", "ROW_NUMBER", nullptr, nullptr);
      Window::Call& call = window->calls.back();
      if (!HasOneRowEach())
        call.partition_by.push_back(MakeTypedCall("$equal", Type::Bool(), MakeColumnRef(top.first), MakeInt64(1)));
      call.order_by.push_back({MakeColumnRef(top.count), /*descending=*/true, /*nulls_first=*/false});
      call.order_by.push_back({MakeColumnRef(top.value), /*descending=*/false, /*nulls_first=*/false});
    }
    rows = std::move(window);
  }

  // Aggregates the rows by the keys, and returns how the calls' columns are computed from the result.
  std::vector<Computed> Collect(PlanPtr& rows) {
    auto all = std::make_unique<Aggregate>(std::move(rows));
    all->may_hold_subqueries = aggregate_.may_hold_subqueries;
    for (size_t i = 0; i < keys_.size(); ++i) all->keys.push_back({aggregate_.keys[i].column, MakeColumnRef(keys_[i])});
    std::vector<Computed> results;
    size_t top = 0, part = 0;
    for (Aggregate::Call& call : aggregate_.calls) {
      if (IsTopCount(call)) {
        Aggregate::Call list = Listed(tops_[top], call.column.type);
        results.push_back({call.column, Checked(std::move(tops_[top].wanted), MakeColumnRef(list.column))});
        all->calls.push_back(std::move(list));
        ++top;
      } else if (in_groups_) {
        const Part& of_groups = parts_[part++];
        const PlanColumn merged = query_.NewColumn("merged", call.column.type);
        all->calls.push_back({merged, CallOf(of_groups.merge, MakeColumnRef(of_groups.column))});
        // The sum of no counts is NULL.
        results.push_back({call.column, of_groups.is_count ? MakeTypedCall("IFNULL", Type::Int64(),
                                                                           MakeColumnRef(merged), MakeInt64(0))
                                                           : MakeColumnRef(merged)});
      } else {
        all->calls.push_back(std::move(call));
      }
    }
    for (const Computed& key : all->keys) all->columns.push_back(key.column);
    for (const Aggregate::Call& call : all->calls) all->columns.push_back(call.column);
    rows = std::move(all);
    return results;
  }

  // ARRAY_AGG(STRUCT(value, count) ORDER BY place) of the rows that are wanted.
  Aggregate::Call Listed(const Top& top, const Type& type) {
    std::vector<ScalarPtr> fields;
    fields.push_back(MakeColumnRef(top.value));
    fields.push_back(MakeColumnRef(top.count));
    Aggregate::Call list{
        query_.NewColumn("top", type),
        CallOf(OverloadWith("ARRAY_AGG", 1), std::make_unique<rewrite::StructMake>(type.element(), std::move(fields)))};
    list.call.order_by.push_back({MakeColumnRef(top.place)});
    std::vector<ScalarPtr> conditions;
    if (!HasOneRowEach())
      conditions.push_back(MakeTypedCall("$equal", Type::Bool(), MakeColumnRef(top.first), MakeInt64(1)));
    conditions.push_back(MakeTypedCall("$less_or_equal", Type::Bool(), MakeColumnRef(top.place), Clone(*top.wanted)));
    list.call.filter = rewrite::MakeAnd(std::move(conditions));
    return list;
  }

  // An error where the number of values is not positive, also for no rows.
  static ScalarPtr Checked(ScalarPtr wanted, ScalarPtr list) {
    const auto* const literal = If<Constant>(wanted.get());
    if (literal != nullptr && !literal->value.is_null() && literal->value.int64_value() > 0) return list;
    const Type type = list->type;
    ScalarPtr message =
        std::make_unique<Constant>(Value::String("APPROX_TOP_COUNT: the number of values must be positive"));
    ScalarPtr positive = MakeTypedCall("$greater", Type::Bool(), std::move(wanted), MakeInt64(0));
    auto checked = std::make_unique<rewrite::Case>(type);
    checked->whens.push_back({std::move(positive), std::move(list)});
    checked->otherwise = MakeTypedCall("ERROR", type, std::move(message));
    return checked;
  }

  std::unique_ptr<Window> WindowOver(PlanPtr rows) {
    auto window = std::make_unique<Window>(std::move(rows));
    window->columns = window->input->columns;
    window->may_hold_subqueries = window->input->may_hold_subqueries;
    return window;
  }

  // Adds a call over the rows with the same keys, and, unless nullptr, the same value.
  PlanColumn AddCall(Window& window, std::string name, std::string_view function, ScalarPtr argument,
                     const PlanColumn* value) {
    Window::Call call;
    call.column = query_.NewColumn(std::move(name), Type::Int64());
    const rewrite::Overload* const overload = OverloadWith(function, argument == nullptr ? 0 : 1);
    call.call = CallOf(overload, std::move(argument));
    for (const PlanColumn& key : keys_) call.partition_by.push_back(MakeColumnRef(key));
    if (value != nullptr) call.partition_by.push_back(MakeColumnRef(*value));
    window.columns.push_back(call.column);
    window.calls.push_back(std::move(call));
    return window.columns.back();
  }

  static AggregateCall CallOf(const rewrite::Overload* overload, ScalarPtr argument) {
    AggregateCall call;
    call.overload = overload;
    if (argument != nullptr) call.arguments.push_back(std::move(argument));
    return call;
  }

  QueryPlan& query_;
  Aggregate& aggregate_;
  std::vector<PlanColumn> keys_;
  std::vector<Top> tops_;
  std::vector<Part> parts_;
  bool in_groups_ = false;  // the other calls can be computed from those of groups
  PlanColumn rows_;         // how many a group has
};

}  // namespace

absl::Status GroupTopCounts(const rewrite::PassContext& /*context*/, QueryPlan& query) {
  return rewrite::RewritePlans(query.root, [&](PlanPtr& plan) {
    auto* const aggregate = If<Aggregate>(plan.get());
    if (aggregate != nullptr && CanBeGrouped(*aggregate)) TopCounts(query, *aggregate).Replace(plan);
    return absl::OkStatus();
  });
}

}  // namespace logquery::emit
