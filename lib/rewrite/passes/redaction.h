// Represents redaction in a plan: `$redact` wraps what a caller's SQL reads of an endpoint's entries.
//
// Only those fields of a record that are read are redacted: REDACT(m).request.url becomes REDACT(m.request.url), so
// that passes still see paths.
#ifndef LOGQUERY_LIB_REWRITE_PASSES_REDACTION_H_
#define LOGQUERY_LIB_REWRITE_PASSES_REDACTION_H_

#include "lib/rewrite/plan.h"

namespace logquery::rewrite {

// Returns whether values of the type contain text: STRING or JSON, at any depth.
bool HoldsText(const Type& type);
// Returns whether the type is a STRUCT or a record.
bool HasFields(const Type& type);

bool IsRedaction(const Scalar& scalar);
// Returns `value` with its text redacted by `kinds`, a STRING constant; `value` itself if its type has no text.
ScalarPtr MakeRedacted(ScalarPtr value, const Scalar& kinds);

// Moves a field, element or presence access inside the redaction; the presence of a record needs no redaction.
void MoveRedactionOut(ScalarPtr& scalar);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_PASSES_REDACTION_H_
