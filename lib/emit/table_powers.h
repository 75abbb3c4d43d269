// What remote engines that read one table at a time have in common: projections, conditions, sorted and limited rows,
// and groups, over the types whose values sort there as in GoogleSQL.
#ifndef LOGQUERY_LIB_EMIT_TABLE_POWERS_H_
#define LOGQUERY_LIB_EMIT_TABLE_POWERS_H_

#include <optional>
#include <string>

#include "lib/emit/powers.h"
#include "lib/rewrite/plan.h"
#include "logquery/type.h"

namespace logquery::emit {

// Decides for plan nodes; engines differ in scalars and aggregates.
class TablePowers : public Powers {
 public:
  using Powers::WhyNot;
  std::optional<std::string> WhyNot(const rewrite::Plan& node) const final;
};

// Returns true for BOOL, INT64, STRING, DATE and TIMESTAMP, whose values also compare and group as in GoogleSQL.
// FLOAT64 is excluded, because engines sort NaN differently.
bool SortsAlike(const Type& type);

std::string DoesNotCompare(const Type& type);

// Returns whether a call of TIMESTAMP_TRUNC has the part SECOND, MINUTE, HOUR or DAY and no zone: then all units have
// the same length.
bool TruncatesToFixedPart(const rewrite::FunctionCall& call);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_TABLE_POWERS_H_
