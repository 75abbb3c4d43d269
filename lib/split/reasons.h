// Explains in words why a source can't run a node of a plan: the source's own limits, and what is never sent to a
// source.
#ifndef LOGQUERY_LIB_SPLIT_REASONS_H_
#define LOGQUERY_LIB_SPLIT_REASONS_H_

#include <string>

#include "lib/emit/powers.h"
#include "lib/rewrite/plan.h"

namespace logquery::split {

class Reasons {
 public:
  // `powers` is borrowed.
  explicit Reasons(const emit::Powers& powers) : powers_(powers) {}

  // The reason for a node whose inputs run in the source; empty: the source can run it too. Not called for filters,
  // which are split.
  std::string WhyNot(const rewrite::Plan& node) const;
  // The reason for a scalar on the columns of `input`.
  std::string WhyNot(const rewrite::Scalar& scalar, const rewrite::Plan& input) const;

 private:
  std::string OfScalars(const rewrite::Plan& node) const;
  std::string OfCall(const rewrite::AggregateCall& call) const;
  std::string OfColumns(const rewrite::Plan& node) const;

  const emit::Powers& powers_;
};

}  // namespace logquery::split

#endif  // LOGQUERY_LIB_SPLIT_REASONS_H_
