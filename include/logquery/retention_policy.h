// How far back queries of a project's tier can read logs (specification, section 4.3).
//
//     RetentionPolicy policy = RetentionPolicy::Default(&clock);
//     absl::Time oldest = policy.Start("PRO");      // now minus 7 days
//
// Thread-safe: const after construction. The clock is borrowed and must outlive the policy.
#ifndef LOGQUERY_RETENTION_POLICY_H_
#define LOGQUERY_RETENTION_POLICY_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "logquery/clock.h"

namespace logquery {

class RetentionPolicy {
 public:
  // FREE 1 day, PRO 7 days, PAYG and ENTERPRISE 90 days, anything else 1 day.
  static RetentionPolicy Default(const Clock* clock);

  // InvalidArgument: a window, or `otherwise`, is not positive and finite.
  static absl::StatusOr<RetentionPolicy> Create(const Clock* clock, std::map<std::string, absl::Duration> windows,
                                                absl::Duration otherwise);

  // Returns the tier's window. Tiers match exactly; any other text gets the fallback window.
  absl::Duration Window(std::string_view tier) const;
  // Returns the tiers that have a window of their own, in alphabetical order.
  std::vector<std::string> Tiers() const;
  // Returns the clock's now minus the window.
  absl::Time Start(std::string_view tier) const { return Start(tier, clock_->Now()); }
  // The same, for a given now.
  absl::Time Start(std::string_view tier, absl::Time now) const { return now - Window(tier); }

 private:
  RetentionPolicy(const Clock* clock, std::map<std::string, absl::Duration, std::less<>> windows,
                  absl::Duration otherwise)
      : clock_(clock), windows_(std::move(windows)), otherwise_(otherwise) {}

  const Clock* clock_;
  std::map<std::string, absl::Duration, std::less<>> windows_;
  absl::Duration otherwise_;
};

}  // namespace logquery

#endif  // LOGQUERY_RETENTION_POLICY_H_
