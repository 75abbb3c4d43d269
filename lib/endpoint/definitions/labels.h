// Reads the labels in a definition; logquery/call_labels.h has those of calls.
#ifndef LOGQUERY_LIB_ENDPOINT_DEFINITIONS_LABELS_H_
#define LOGQUERY_LIB_ENDPOINT_DEFINITIONS_LABELS_H_

#include <cstddef>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "logquery/endpoint.h"

namespace logquery::endpoint {

inline constexpr size_t kMaxLabels = 16;  // of an endpoint

// The definition's field. InvalidArgument: what is wrong, to stand behind the field's name.
absl::StatusOr<std::vector<EndpointLabel>> ParseLabels(std::string_view text);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_DEFINITIONS_LABELS_H_
