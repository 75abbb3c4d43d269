// The powers of a source of rows: what it can run with exactly GoogleSQL's meaning, decided for each node separately
// from its inputs and operands. The local engine does the rest on the transferred rows (lib/split/split.h).
//
// The answers are sentences, because people read them: in `translate --explain`, in a verdict, and in the error of a
// fragment that returns too many rows.
#ifndef LOGQUERY_LIB_EMIT_POWERS_H_
#define LOGQUERY_LIB_EMIT_POWERS_H_

#include <optional>
#include <string>

#include "lib/rewrite/plan.h"

namespace logquery::emit {

// Immutable and therefore thread-safe.
class Powers {
 public:
  virtual ~Powers() = default;

  // Returns nullopt if the source can run the node on its inputs; otherwise the reason: "it has no UNNEST". Not called
  // for what is never sent to a source: expressions that may raise an error (another engine raises it for other rows),
  // subqueries, and references to columns of enclosing queries.
  virtual std::optional<std::string> WhyNot(const rewrite::Plan& node) const = 0;
  // The same for a scalar whose operands the source can compute.
  virtual std::optional<std::string> WhyNot(const rewrite::Scalar& scalar) const = 0;
  // The same for an aggregate or window function whose arguments the source can compute.
  virtual std::optional<std::string> WhyNot(const rewrite::AggregateCall& call) const = 0;
  // Returns whether the source transfers values of this type unchanged.
  virtual bool Carries(const Type& type) const = 0;
};

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_POWERS_H_
