// ORDER BY and the limits.
#include <algorithm>

#include "lib/base/limits.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/resolve/resolver_impl.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalar_equal.h"
#include "lib/rewrite/scalars.h"

namespace logquery::clickhouse_sql {

using base::StrCat;
using rewrite::ColumnRef;

absl::StatusOr<std::vector<Resolver::SortKey>> Resolver::ResolveOrder(const Select& select,
                                                                      const std::vector<Item>& items,
                                                                      SelectScope& scope) {
  std::vector<SortKey> keys;
  if (select.order_by_all) {
    for (const Item& item : items) keys.push_back({Copy(item.value), item.span, select.order_all_descending, false});
  }
  for (const OrderItem& item : select.order_by) {
    LOGQUERY_ASSIGN_OR_RETURN(Ex value, ResolveOrdinal(*item.value, items, scope));
    if (value.type.Is(ChKind::kMap) || value.type.Is(ChKind::kArray))
      return Error(item.value->span, StrCat("ORDER BY a value of type ", value.type.ToString(), " is not supported"));
    keys.push_back({std::move(value), item.value->span, item.descending, item.nulls_first.value_or(false)});
  }
  return keys;
}

std::vector<rewrite::OrderKey> Resolver::MakeKeys(const std::vector<SortKey>& keys) {
  std::vector<rewrite::OrderKey> made;
  for (const SortKey& key : keys) {
    if (key.value.type.Is(ChKind::kFloat) && rewrite::If<rewrite::Constant>(key.value.scalar.get()) == nullptr) {
      // NaN stands beside NULL, at the end in both directions.
      ScalarPtr odd = IfNull(Call("IS_NAN", Type::Bool(), Same(key.value.scalar)), True(true));
      made.push_back({std::move(odd), key.nulls_first, false});
    }
    made.push_back({Same(key.value.scalar), key.descending, key.nulls_first});
  }
  return made;
}

absl::StatusOr<int64_t> Resolver::ResolveCount(const Expr& expr, std::string_view what, SelectScope& scope) {
  LOGQUERY_ASSIGN_OR_RETURN(const Ex value, ResolveExpr(expr, scope));
  LOGQUERY_ASSIGN_OR_RETURN(const int64_t count, WantInt(value, expr.span, what));
  if (count < 0) return Error(expr.span, StrCat(what, " must not be negative"));
  return count;
}

absl::StatusOr<PlanPtr> Resolver::ApplyLimits(const Select& select, PlanPtr plan,
                                              const std::vector<rewrite::OrderKey>& order, std::vector<ScalarPtr> by,
                                              SelectScope& scope) {
  const auto sorted = [&](PlanPtr input) -> PlanPtr {
    if (order.empty()) return input;
    std::vector<rewrite::OrderKey> keys;
    for (const rewrite::OrderKey& key : order) keys.push_back({Same(key.value), key.descending, key.nulls_first});
    return std::make_unique<rewrite::Sort>(std::move(input), std::move(keys));
  };
  // Keeps rows by their number in a window.
  const auto numbered = [&](const char* function, std::vector<ScalarPtr> partition, int64_t from, int64_t to) {
    auto window = std::make_unique<rewrite::Window>(std::move(plan));
    rewrite::Window::Call call;
    call.column = NewColumn("n", Type::Int64());
    call.call.overload = &rewrite::FindFunction(function)->overloads.front();
    call.partition_by = std::move(partition);
    for (const rewrite::OrderKey& key : order)
      call.order_by.push_back({Same(key.value), key.descending, key.nulls_first});
    const PlanColumn number = call.column;
    window->columns = window->input->columns;
    window->columns.push_back(number);
    window->calls.push_back(std::move(call));
    ScalarPtr within = Call("$between", Type::Bool(), std::make_unique<ColumnRef>(number), Number(from), Number(to));
    plan = std::make_unique<rewrite::Filter>(std::move(window), std::move(within));
  };
  if (!by.empty()) {
    LOGQUERY_ASSIGN_OR_RETURN(const int64_t count, ResolveCount(*select.limit_by_count, "LIMIT … BY", scope));
    int64_t offset = 0;
    if (select.limit_by_offset != nullptr) {
      LOGQUERY_ASSIGN_OR_RETURN(offset, ResolveCount(*select.limit_by_offset, "OFFSET", scope));
    }
    numbered("ROW_NUMBER", std::move(by), offset + 1, offset > INT64_MAX - count ? INT64_MAX : offset + count);
  }
  if (select.with_ties) {
    if (order.empty()) return Error(select.limit->span, "WITH TIES wants ORDER BY");
    if (select.offset != nullptr) return Error(select.offset->span, "WITH TIES with OFFSET is not supported");
    LOGQUERY_ASSIGN_OR_RETURN(const int64_t count, ResolveCount(*select.limit, "LIMIT", scope));
    numbered("RANK", {}, 1, count);
    return sorted(std::move(plan));
  }
  plan = sorted(std::move(plan));
  if (select.limit == nullptr && select.offset == nullptr) return plan;
  ScalarPtr limit, offset;
  if (select.limit != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(const int64_t count, ResolveCount(*select.limit, "LIMIT", scope));
    limit = Number(count);
  }
  if (select.offset != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(const int64_t count, ResolveCount(*select.offset, "OFFSET", scope));
    offset = Number(count);
  }
  return PlanPtr(std::make_unique<rewrite::Limit>(std::move(plan), std::move(limit), std::move(offset)));
}

}  // namespace logquery::clickhouse_sql
