// What engines elsewhere have in common that are asked for one table at a time: projections, conditions, sorted and limited rows, and
// groups, over the types whose values sort there as here.
#ifndef LOGQUERY_LIB_EMIT_TABLE_POWERS_H_
#define LOGQUERY_LIB_EMIT_TABLE_POWERS_H_

#include <optional>
#include <string>

#include "lib/emit/powers.h"
#include "lib/rewrite/plan.h"
#include "logquery/type.h"

namespace logquery::emit {

// Answers for a node of a plan; what is asked of scalars and aggregates differs from engine to engine.
class TablePowers : public Powers {
 public:
  using Powers::WhyNot;
  std::optional<std::string> WhyNot(const rewrite::Plan& node) const final;
};

// BOOL, INT64, STRING, DATE and TIMESTAMP, whose values also compare and group there as here. FLOAT64 is not: engines differ in
// where NaN stands.
bool SortsAlike(const Type& type);

std::string DoesNotCompare(const Type& type);

// Whether a call of TIMESTAMP_TRUNC is to SECOND, MINUTE, HOUR or DAY, without a zone: all days have the same length.
bool TruncatesToFixedPart(const rewrite::FunctionCall& call);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_TABLE_POWERS_H_
