// Uses the passes that plan an entry which is read once.
#include "lib/split/unshare_entries.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "lib/base/status_macros.h"
#include "lib/rewrite/passes/inline_entry.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/plan_walk.h"

namespace logquery::split {
namespace {

using rewrite::If;
using rewrite::Plan;
using rewrite::PlanKind;
using rewrite::QueryPlan;

// Readers beyond this number would make the query too long.
constexpr int kMostReaders = 8;

// Returns whether reading the entry twice gives the same rows as long as the table does not change.
bool IsRepeatable(const rewrite::WithEntry& entry) {
  bool repeatable = !entry.recursive;
  rewrite::VisitPlans(*entry.plan, [&](const Plan& plan) {
    repeatable = repeatable && plan.kind != PlanKind::kLimit && plan.kind != PlanKind::kWindow;
  });
  rewrite::VisitScalars(*entry.plan, [&](const rewrite::Scalar& scalar) {
    const auto* const call = If<rewrite::FunctionCall>(&scalar);
    repeatable = repeatable && (call == nullptr || !call->overload->function->Has(rewrite::kVolatile));
  });
  return repeatable;
}

// The entries that several readers read; empty also if one of them has to stay.
std::vector<int> SharedEntries(const Plan& root) {
  absl::flat_hash_map<int, int> readers;
  rewrite::VisitPlans(root, [&](const Plan& plan) {
    if (const auto* const scan = If<rewrite::CteScan>(&plan)) ++readers[scan->cte];
  });
  std::vector<int> shared;
  bool all_repeatable = true;
  rewrite::VisitPlans(root, [&](const Plan& plan) {
    const auto* const with = If<rewrite::With>(&plan);
    if (with == nullptr) return;
    for (const rewrite::WithEntry& entry : with->entries) {
      all_repeatable = all_repeatable && IsRepeatable(entry) && readers[entry.id] <= kMostReaders;
      shared.push_back(entry.id);
    }
  });
  return all_repeatable ? shared : std::vector<int>();
}

}  // namespace

absl::StatusOr<std::optional<QueryPlan>> UnshareEntries(const QueryPlan& plan) {
  const std::vector<int> shared = SharedEntries(*plan.root);
  if (shared.empty()) return std::nullopt;
  QueryPlan copy = rewrite::CopyPlan(plan);
  rewrite::InlineEntries(copy, shared);
  using Pass = absl::Status (*)(const rewrite::PassContext&, QueryPlan&);
  for (const Pass pass : {Pass{rewrite::PruneCtes}, Pass{rewrite::RemoveUnnest}, Pass{rewrite::ReadHotColumns},
                          Pass{rewrite::PushFilters}, Pass{rewrite::PruneColumns}}) {
    LOGQUERY_RETURN_IF_ERROR(pass({}, copy));
  }
  return copy;
}

}  // namespace logquery::split
