// Why a node of a plan can't be handed to a source, in words: what the source says of it, and what goes to no source.
#ifndef LOGQUERY_LIB_SPLIT_REASONS_H_
#define LOGQUERY_LIB_SPLIT_REASONS_H_

#include <string>

#include "lib/emit/powers.h"
#include "lib/rewrite/plan.h"

namespace logquery::split {

class Reasons {
 public:
  // Borrowed.
  explicit Reasons(const emit::Powers& powers) : powers_(powers) {}

  // Of a node whose inputs the source does; empty: it does the node too. Not asked for filters, which are split.
  std::string WhyNot(const rewrite::Plan& node) const;
  // Of a scalar over the columns of `input`.
  std::string WhyNot(const rewrite::Scalar& scalar, const rewrite::Plan& input) const;

 private:
  std::string OfScalars(const rewrite::Plan& node) const;
  std::string OfCall(const rewrite::AggregateCall& call) const;
  std::string OfColumns(const rewrite::Plan& node) const;

  const emit::Powers& powers_;
};

}  // namespace logquery::split

#endif  // LOGQUERY_LIB_SPLIT_REASONS_H_
