// How far back a project's tier may look into the logs (specification, section 4.3).
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

  // InvalidArgument: a window that is not positive and finite.
  static absl::StatusOr<RetentionPolicy> Create(const Clock* clock, std::map<std::string, absl::Duration> windows,
                                                absl::Duration otherwise);

  // The tier's window; tiers match exactly, and every other text has the fallback's.
  absl::Duration Window(std::string_view tier) const;
  // The tiers that have a window of their own, in alphabetical order.
  std::vector<std::string> Tiers() const;
  // The clock's now minus the window.
  absl::Time Start(std::string_view tier) const { return Start(tier, clock_->Now()); }
  // The same for a now that was read before.
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
