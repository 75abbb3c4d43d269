// The retention windows of the tiers.
#include "logquery/retention_policy.h"

#include <utility>

#include "absl/strings/string_view.h"
#include "lib/base/strings.h"

namespace logquery {
namespace {

absl::Status CheckWindow(std::string_view whose, absl::Duration window) {
  const char* wanted = nullptr;
  if (window <= absl::ZeroDuration()) wanted = "positive";
  if (window == absl::InfiniteDuration()) wanted = "finite";
  if (wanted == nullptr) return absl::OkStatus();
  return absl::InvalidArgumentError(
      base::StrCat("retention of ", whose, " must be ", wanted, ", is ", absl::FormatDuration(window)));
}

}  // namespace

RetentionPolicy RetentionPolicy::Default(const Clock* clock) {
  constexpr absl::Duration kDay = absl::Hours(24);
  return RetentionPolicy(clock, {{"FREE", 1 * kDay}, {"PRO", 7 * kDay}, {"PAYG", 90 * kDay}, {"ENTERPRISE", 90 * kDay}},
                         1 * kDay);
}

absl::StatusOr<RetentionPolicy> RetentionPolicy::Create(const Clock* clock,
                                                        std::map<std::string, absl::Duration> windows,
                                                        absl::Duration otherwise) {
  for (const auto& [tier, window] : windows) {
    if (absl::Status status = CheckWindow(base::StrCat("tier ", tier), window); !status.ok()) return status;
  }
  if (absl::Status status = CheckWindow("all other tiers", otherwise); !status.ok()) return status;
  return RetentionPolicy(clock, {windows.begin(), windows.end()}, otherwise);
}

std::vector<std::string> RetentionPolicy::Tiers() const {
  std::vector<std::string> tiers;
  for (const auto& [tier, unused] : windows_) tiers.push_back(tier);
  return tiers;
}

absl::Duration RetentionPolicy::Window(std::string_view tier) const {
  const auto found = windows_.find(tier);
  return found == windows_.end() ? otherwise_ : found->second;
}

}  // namespace logquery
