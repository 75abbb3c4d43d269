// Counts the reads of each WITH entry to decide which ones to remove or inline.
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "lib/rewrite/passes/inline_entry.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/passes/subplans.h"
#include "lib/rewrite/plan_walk.h"

namespace logquery::rewrite {
namespace {

absl::flat_hash_map<int, int> CountReads(const Plan& root) {
  absl::flat_hash_map<int, int> reads;
  VisitPlans(root, [&](const Plan& plan) {
    if (const CteScan* scan = If<CteScan>(&plan)) ++reads[scan->cte];
  });
  return reads;
}

// Removes entries that nothing reads; true when there were any, as then others may be read no more.
bool DropUnread(QueryPlan& query) {
  absl::flat_hash_map<int, int> reads = CountReads(*query.root);
  bool dropped = false;
  RewritePlans(query.root, [&](PlanPtr& node) {
    With* with = If<With>(node.get());
    if (with == nullptr) return absl::OkStatus();
    std::vector<WithEntry> kept;
    for (WithEntry& entry : with->entries) {
      // A recursive entry reads itself.
      int needed = entry.recursive ? CountReads(*entry.plan)[entry.id] : 0;
      if (reads[entry.id] > needed)
        kept.push_back(std::move(entry));
      else
        dropped = true;
    }
    with->entries = std::move(kept);
    return absl::OkStatus();
  }).IgnoreError();  // the callback never fails
  return dropped;
}

}  // namespace

void DropUnreadEntries(QueryPlan& query) {
  while (DropUnread(query)) {
  }
}

namespace {

// `seen`: the order of the node's rows can be told from the result. Filters, projections and UNNEST keep the order of
// what they read, and so do WITH entries that are put in place: `SELECT … FROM edge_logs LIMIT 100` over an entry that
// ends in ORDER BY gives the first 100.
void DropOrder(PlanPtr& node, bool seen) {
  ForEachSubplan(*node, [](PlanPtr& subplan) { DropOrder(subplan, true); });
  if (Sort* sort = If<Sort>(node.get()); sort != nullptr && !seen) {
    PlanPtr input = std::move(sort->input);
    node = std::move(input);
    return DropOrder(node, false);
  }
  bool below = false;
  switch (node->kind) {
    case PlanKind::kProject:
    case PlanKind::kFilter:
    case PlanKind::kUnnest:
    case PlanKind::kWith:
      below = seen;
      break;
    case PlanKind::kLimit:
      below = true;
      break;
    case PlanKind::kSort:
    case PlanKind::kJoin:
    case PlanKind::kAggregate:
    case PlanKind::kWindow:
    case PlanKind::kSetOperation:
      below = false;
      break;
    case PlanKind::kSingleRow:
    case PlanKind::kTableScan:
    case PlanKind::kCteScan:
      break;
  }
  // An entry that is read by several may be read in order by one of them.
  if (With* with = If<With>(node.get())) {
    for (WithEntry& entry : with->entries) DropOrder(entry.plan, true);
    return DropOrder(with->body, below);
  }
  ForEachInput(*node, [&](PlanPtr& input) { DropOrder(input, below); });
}

}  // namespace

absl::Status PruneCtes(const PassContext&, QueryPlan& query) {
  DropUnreadEntries(query);
  absl::flat_hash_map<int, int> reads = CountReads(*query.root);
  std::vector<int> once;
  VisitPlans(*query.root, [&](const Plan& plan) {
    const With* with = If<With>(&plan);
    if (with == nullptr) return;
    for (const WithEntry& entry : with->entries) {
      if (!entry.recursive && reads[entry.id] == 1) once.push_back(entry.id);
    }
  });
  if (once.empty() || !InlineEntries(query, once)) {
    DropEmptyWiths(query.root);
    RefreshColumns(*query.root);
  }
  DropOrder(query.root, true);
  return absl::OkStatus();
}

}  // namespace logquery::rewrite
