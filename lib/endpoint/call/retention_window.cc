// Finds the definition's parameter that is computed by retention, and uses its tier, start and end parameters.
#include "lib/endpoint/call/retention_window.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "lib/base/nearest_names.h"
#include "lib/base/quoted_text.h"
#include "lib/base/strings.h"
#include "logquery/value.h"

namespace logquery::endpoint {
namespace {

bool IsByRetention(const Parameter& parameter) {
  return parameter.computed.has_value() && parameter.computed->by == ComputedParameter::By::kRetention;
}

std::optional<absl::Time> TimeOf(const BoundParameters& bound, std::string_view name) {
  const Value* value = name.empty() ? nullptr : bound.Find(name);
  if (value == nullptr || value->is_null()) return std::nullopt;
  return absl::FromUnixMicros(value->int64_value());
}

}  // namespace

absl::Status CheckDefaultTier(const std::string& tier, const RetentionPolicy& policy) {
  const std::vector<std::string> tiers = policy.Tiers();
  if (tier.empty() || std::find(tiers.begin(), tiers.end(), tier) != tiers.end()) return absl::OkStatus();
  return absl::InvalidArgumentError(base::StrCat("the default tier must be one of ", base::Join(tiers, ", "), ", is ",
                                                 base::QuotedText(tier),
                                                 base::DidYouMean(base::NearestNames(tier, tiers))));
}

void FillTier(const Endpoint& definition, const std::string& tier, ParameterTexts& texts) {
  if (tier.empty()) return;
  for (const Parameter& parameter : definition.parameters) {
    if (!IsByRetention(parameter)) continue;
    const Parameter* from = definition.FindParameter(parameter.computed->from);
    if (from == nullptr || from->default_text.has_value()) continue;
    const auto& own = parameter.computed->windows;
    if (!own.empty() && !own.contains(tier)) continue;
    const std::vector<std::string>& allowed = from->allowed;
    if (!allowed.empty() && std::find(allowed.begin(), allowed.end(), tier) == allowed.end()) continue;
    const auto sent =
        std::find_if(texts.begin(), texts.end(), [from](const auto& text) { return text.first == from->name; });
    if (sent == texts.end()) {
      texts.emplace_back(from->name, tier);
    } else if (sent->second.empty()) {
      sent->second = tier;
    }
  }
}

std::optional<CutWindow> FindCutWindow(const Endpoint& definition, const BoundParameters& bound) {
  for (const Parameter& parameter : definition.parameters) {
    if (!IsByRetention(parameter)) continue;
    const std::optional<absl::Time> floor = TimeOf(bound, parameter.name);
    const std::optional<absl::Time> asked = TimeOf(bound, parameter.computed->start);
    if (!floor || !asked || *asked >= *floor) continue;
    const std::optional<absl::Time> end = TimeOf(bound, parameter.computed->end);
    // A window that ends before retention begins is empty.
    return CutWindow{*floor, end ? std::optional(std::max(*end, *floor)) : std::nullopt, *asked, end};
  }
  return std::nullopt;
}

}  // namespace logquery::endpoint
