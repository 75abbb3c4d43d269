// Replaces scans of WITH entries by copies of their plans.
#include "lib/rewrite/passes/inline_entry.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "lib/rewrite/plan_walk.h"

namespace logquery::rewrite {

void DropEmptyWiths(PlanPtr& root) {
  RewritePlans(root, [](PlanPtr& node) {
    With* with = If<With>(node.get());
    if (with == nullptr || !with->entries.empty()) return absl::OkStatus();
    PlanPtr body = std::move(with->body);
    node = std::move(body);
    return absl::OkStatus();
  }).IgnoreError();  // the callback never fails
}

bool InlineEntries(QueryPlan& query, const std::vector<int>& ids) {
  const absl::flat_hash_set<int> wanted(ids.begin(), ids.end());
  absl::flat_hash_map<int, PlanPtr> plans;
  absl::flat_hash_map<int, int> reads;
  VisitPlans(*query.root, [&](const Plan& plan) {
    if (const CteScan* scan = If<CteScan>(&plan)) ++reads[scan->cte];
  });
  RewritePlans(query.root, [&](PlanPtr& node) {
    With* with = If<With>(node.get());
    if (with == nullptr) return absl::OkStatus();
    for (WithEntry& entry : with->entries) {
      if (wanted.contains(entry.id)) plans[entry.id] = std::move(entry.plan);
    }
    with->entries.erase(std::remove_if(with->entries.begin(), with->entries.end(),
                                       [&](const WithEntry& entry) { return plans.contains(entry.id); }),
                        with->entries.end());
    return absl::OkStatus();
  }).IgnoreError();  // the callback never fails
  if (plans.empty()) return false;
  ColumnMap renames;
  bool replaced = false;
  auto replace = [&](PlanPtr& node) {
    const CteScan* scan = If<CteScan>(node.get());
    if (scan == nullptr || !plans.contains(scan->cte)) return absl::OkStatus();
    PlanPtr& plan = plans[scan->cte];
    PlanPtr copy = reads[scan->cte] == 1 ? std::move(plan) : CloneWithFreshColumns(query, *plan);
    for (size_t i = 0; i < scan->columns.size(); ++i) {
      renames[scan->columns[i].id] = copy->columns[scan->ordinals[i]].id;
    }
    node = std::move(copy);
    replaced = true;
    return absl::OkStatus();
  };
  // An entry is put in place once those that it reads have been put into it, wherever their WITH clauses stand.
  absl::flat_hash_set<int> settled;
  const std::function<void(int)> settle = [&](int id) {
    if (!settled.insert(id).second) return;
    VisitPlans(*plans[id], [&](const Plan& plan) {
      const CteScan* scan = If<CteScan>(&plan);
      if (scan != nullptr && plans.contains(scan->cte)) settle(scan->cte);
    });
    PlanPtr plan = std::move(plans[id]);
    replaced = false;
    RewritePlans(plan, replace).IgnoreError();  // the callback never fails
    if (replaced) {
      RenameReferences(*plan, renames);
      RefreshColumns(*plan);
    }
    plans[id] = std::move(plan);
  };
  for (int id : ids) {
    if (plans.contains(id)) settle(id);
  }
  RewritePlans(query.root, replace).IgnoreError();
  DropEmptyWiths(query.root);
  RenameReferences(*query.root, renames);
  RefreshColumns(*query.root);
  return true;
}

}  // namespace logquery::rewrite
