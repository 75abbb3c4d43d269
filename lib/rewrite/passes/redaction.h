// Represents redaction in a plan: `$redact` wraps what a query reads of logs, and what a caller's SQL reads of an
// endpoint's entries.
//
// Only those fields of a record that are read are redacted: REDACT(m).request.url becomes REDACT(m.request.url), so
// that passes still see paths.
#ifndef LOGQUERY_LIB_REWRITE_PASSES_REDACTION_H_
#define LOGQUERY_LIB_REWRITE_PASSES_REDACTION_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/plan.h"
#include "logquery/redactor.h"

namespace logquery::rewrite {

// Returns whether values of the type contain text: STRING or JSON, at any depth.
bool HoldsText(const Type& type);

bool IsRedaction(const Scalar& scalar);
// Returns whether the query redacts anything.
bool HoldsRedaction(const QueryPlan& query);
// Returns `value` with its text redacted by `kinds`, a STRING constant; `value` itself if its type has no text.
ScalarPtr MakeRedacted(ScalarPtr value, const Scalar& kinds);

using PlanSet = absl::flat_hash_set<const Plan*>;

// Returns the scans and projections whose columns must keep their number and order, because they are those of the
// result, an entry, a set operation's input or a subquery.
PlanSet FindExact(const Plan& root);

// Puts a projection over each TableScan and CteScan below `root` of which `is_read` is true for a column. It redacts
// these columns, if they have text, by `kinds` (lib/base/redaction_kinds.h), under the ids that they had. Columns that
// are not read cost nothing, because later passes prune them.
using IsRead = absl::FunctionRef<bool(const Plan& scan, size_t column)>;
absl::Status RedactReads(PlanPtr& root, const std::string& kinds, IsRead is_read, QueryPlan& query);

// The pass hand_on_stored: hands the stored columns of redacted ones on to where they are read.
absl::Status HandOnStored(const PassContext& context, QueryPlan& query);

// Returns whether the text can only be the redacted form of itself: redaction by `redactor` leaves it as it is, and
// makes it of no other text.
bool IsUnredacted(std::string_view text, const Redactor& redactor);

// Moves a field, element or presence access inside the redaction; the presence of a record needs no redaction.
void MoveRedactionOut(ScalarPtr& scalar);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_PASSES_REDACTION_H_
