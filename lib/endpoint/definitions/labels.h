// Labels of calls: which of them an endpoint has, and their values for one call.
//
// A definition lists them as Logflare does: "environment=production,tenant=@tenant_id,session_id" is a fixed value, the value of
// a parameter, and one that callers send in the header LF-ENDPOINT-LABELS. No other label of a caller counts.
#ifndef LOGQUERY_LIB_ENDPOINT_DEFINITIONS_LABELS_H_
#define LOGQUERY_LIB_ENDPOINT_DEFINITIONS_LABELS_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "logquery/authenticator.h"
#include "logquery/call_tags.h"
#include "logquery/endpoint.h"
#include "logquery/query_service.h"

namespace logquery::endpoint {

inline constexpr size_t kMaxLabels = 16;  // of an endpoint

// The definition's field. InvalidArgument: what is wrong, to stand behind the field's name.
absl::StatusOr<std::vector<EndpointLabel>> ParseLabels(std::string_view text);

// The header, "key=value,key2=value2". InvalidArgument: it is not of that form, or too long.
absl::StatusOr<Labels> ParseLabelHeader(std::string_view header);

// Whether callers may send some.
bool TakesLabels(const Endpoint& definition);

// The labels of a call, in the definition's order. A parameter without a value gives way to what the caller has sent; a label without a
// value is left out. Values are redacted, then brought into a label's form.
Labels LabelsOf(const Principal& principal, const Endpoint& definition, const QueryRequest& request);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_DEFINITIONS_LABELS_H_
