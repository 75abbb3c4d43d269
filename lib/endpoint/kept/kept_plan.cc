// Replaces parameters by the slots that are bound to them.
#include "lib/endpoint/kept/kept_plan.h"

#include <utility>

namespace logquery::endpoint {
namespace {

// The first slot of the parameter.
std::optional<size_t> SlotOf(const std::string& parameter, const std::vector<Slot>& slots) {
  for (size_t i = 0; i < slots.size(); ++i) {
    if (slots[i].name == parameter) return i;
  }
  return std::nullopt;
}

}  // namespace

std::optional<int64_t> PlaceOf(const KeptBound& bound, const Bindings& bindings) {
  const Value& value = bindings[bound.slot];
  return value.is_null() ? std::nullopt : std::optional<int64_t>(bound.PlaceOf(value));
}

KeptPlan MakeKeptPlan(const rewrite::KeptShape& shape, const std::vector<Slot>& slots) {
  KeptPlan plan;
  plan.text = rewrite::DescribeKeptShape(shape);
  plan.keeps = shape.refused.empty();
  if (!plan.keeps) return plan;
  for (const rewrite::KeptShape::Rows& rows : shape.rows) {
    RowsRead read{rows.table, std::nullopt, rows.project};
    if (rows.project_parameter) read.project_slot = SlotOf(*rows.project_parameter, slots);
    plan.rows.push_back(std::move(read));
  }
  plan.one_scan = shape.rows.size() == 1 && shape.rows[0].scans == 1;
  plan.is_bound.resize(slots.size());
  for (const rewrite::KeptShape::Bound& bound : shape.bounds) {
    const std::optional<size_t> slot = SlotOf(bound.parameter, slots);
    if (!slot) continue;
    plan.bounds.push_back({*slot, bound.rows, bound.is_lower, bound.is_inclusive});
    for (size_t i = 0; i < slots.size(); ++i) {
      if (slots[i].name == bound.parameter) plan.is_bound[i] = true;
    }
  }
  return plan;
}

}  // namespace logquery::endpoint
