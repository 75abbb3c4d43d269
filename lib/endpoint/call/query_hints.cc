// Replaces parameters by their slots.
#include "lib/endpoint/call/query_hints.h"

#include <algorithm>
#include <string>
#include <utility>

#include "lib/rewrite/passes/scan_hints.h"

namespace logquery::endpoint {
namespace {

// The slots of those parameters; one that the query does not read has none.
std::vector<size_t> SlotsOf(const std::vector<std::string>& parameters, const std::vector<Slot>& slots) {
  std::vector<size_t> found;
  for (size_t i = 0; i < slots.size(); ++i) {
    if (std::find(parameters.begin(), parameters.end(), slots[i].name) != parameters.end()) found.push_back(i);
  }
  return found;
}

}  // namespace

std::optional<TopNByTime> NewestHint(const rewrite::NewestRows& newest, const std::vector<Slot>& slots) {
  const std::vector<size_t> floor = SlotsOf({rewrite::kFloorParameter}, slots);
  if (floor.size() != 1) return std::nullopt;
  return TopNByTime{newest.table, newest.rows, floor[0], SlotsOf(newest.not_after, slots),
                    SlotsOf(newest.not_before, slots)};
}

std::vector<TableHints> HintsOf(const rewrite::QueryPlan& plan, const std::vector<Slot>& slots) {
  std::vector<TableHints> tables;
  for (rewrite::ScanHints& hints : rewrite::FindScanHints(plan)) {
    TableHints& table = tables.emplace_back();
    table.table = std::move(hints.table);
    table.newest_suffice = hints.newest_suffice;
    for (rewrite::HintedCondition& condition : hints.conditions) {
      std::optional<size_t> slot;
      if (condition.parameter.has_value()) {
        const std::vector<size_t> found = SlotsOf({*condition.parameter}, slots);
        if (found.empty()) {
          table.newest_suffice = false;
          continue;
        }
        slot = found[0];
      }
      table.conditions.push_back({std::move(condition.path), condition.comparison, slot, std::move(condition.value)});
    }
  }
  return tables;
}

}  // namespace logquery::endpoint
