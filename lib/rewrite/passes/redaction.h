// Redaction as a part of a plan: `$redact` around what a caller's SQL reads of an endpoint's entries.
//
// Of a record only the fields that are read are redacted: REDACT(m).request.url is REDACT(m.request.url), so that paths
// stay paths to the passes.
#ifndef LOGQUERY_LIB_REWRITE_PASSES_REDACTION_H_
#define LOGQUERY_LIB_REWRITE_PASSES_REDACTION_H_

#include "lib/rewrite/plan.h"

namespace logquery::rewrite {

// Whether values of the type hold text: STRING or JSON, at any depth.
bool HoldsText(const Type& type);
// A STRUCT or a record.
bool HasFields(const Type& type);

bool IsRedaction(const Scalar& scalar);
// `value` with its text redacted by `kinds`, a STRING constant; `value` itself where there is no text in it.
ScalarPtr MakeRedacted(ScalarPtr value, const Scalar& kinds);

// A field, element or presence of what is redacted becomes the redacted field or element, or the plain presence.
void MoveRedactionOut(ScalarPtr& scalar);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_PASSES_REDACTION_H_
