// What a source of rows does by itself, with exactly GoogleSQL's meaning: asked of one node at a time, its inputs and operands
// apart. What it does not do, the finisher does, on the rows that travel (lib/split/split.h).
//
// The answers are sentences, because people read them: in `translate --explain`, in a verdict, and in the error of a fragment
// that gave too many rows.
#ifndef LOGQUERY_LIB_EMIT_POWERS_H_
#define LOGQUERY_LIB_EMIT_POWERS_H_

#include <optional>
#include <string>

#include "lib/rewrite/plan.h"

namespace logquery::emit {

// Immutable, and so thread-safe.
class Powers {
 public:
  virtual ~Powers() = default;

  // nullopt: the source does what the node adds to its inputs. Else why not: "it has no UNNEST". Is not asked for what never
  // goes to a source: what may raise an error (another engine raises it for other rows), subqueries, references to columns of
  // queries around.
  virtual std::optional<std::string> WhyNot(const rewrite::Plan& node) const = 0;
  // The scalar with operands that it can.
  virtual std::optional<std::string> WhyNot(const rewrite::Scalar& scalar) const = 0;
  // The aggregate or window function, with arguments that it can.
  virtual std::optional<std::string> WhyNot(const rewrite::AggregateCall& call) const = 0;
  // Whether values of the type come from there as they are.
  virtual bool Carries(const Type& type) const = 0;
};

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_POWERS_H_
