// The powers that a source has left after it failed to compute a fragment: a scan, and comparisons of its columns and
// fields with values. These restrict the scan to the query's project and time, in a form that any engine computes.
#ifndef LOGQUERY_LIB_SPLIT_BARE_POWERS_H_
#define LOGQUERY_LIB_SPLIT_BARE_POWERS_H_

#include <optional>
#include <string>

#include "lib/emit/powers.h"
#include "lib/rewrite/plan.h"

namespace logquery::split {

class BarePowers : public emit::Powers {
 public:
  // Borrows the source's own powers, which these never exceed.
  explicit BarePowers(const emit::Powers& powers) : powers_(powers) {}

  std::optional<std::string> WhyNot(const rewrite::Plan& node) const override;
  std::optional<std::string> WhyNot(const rewrite::Scalar& scalar) const override;
  std::optional<std::string> WhyNot(const rewrite::AggregateCall& call) const override;
  bool Carries(const Type& type) const override { return powers_.Carries(type); }

 private:
  const emit::Powers& powers_;
};

}  // namespace logquery::split

#endif  // LOGQUERY_LIB_SPLIT_BARE_POWERS_H_
