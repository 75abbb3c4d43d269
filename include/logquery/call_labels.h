// Labels of calls: whether an endpoint takes some from its callers, and the labels of one call.
//
//     if (TakesLabels(*target.definition)) {
//       request.labels = ParseLabelHeader("environment=staging,session_id=7").value();
//     }
//     request.call_labels = std::make_shared<const Labels>(LabelsOf(target.principal, *target.definition, request));
//
// A definition lists its labels as Logflare does: "environment=production,tenant=@tenant_id,session_id" is a fixed value, the
// value of a parameter, and one that callers send. Other labels of callers are ignored. Everything here is thread-safe.
#ifndef LOGQUERY_CALL_LABELS_H_
#define LOGQUERY_CALL_LABELS_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "logquery/authenticator.h"
#include "logquery/call_tags.h"
#include "logquery/endpoint.h"

namespace logquery {

struct QueryRequest;  // query_service.h

// Returns whether callers of the endpoint may send labels.
bool TakesLabels(const Endpoint& definition);

// Parses "key=value,key2=value2", at most 64 labels in 4,096 bytes. InvalidArgument: the text has another form, or is too long.
absl::StatusOr<Labels> ParseLabelHeader(std::string_view header);

// Returns the labels of a call, in the definition's order: QueryRequest::call_labels if they are set. A parameter without a value
// gives way to the caller's label; a label without a value is left out. Values are redacted, then brought into a label's form.
Labels LabelsOf(const Principal& principal, const Endpoint& definition, const QueryRequest& request);

}  // namespace logquery

#endif  // LOGQUERY_CALL_LABELS_H_
