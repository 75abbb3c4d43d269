// Applies retention to a call: fills in the default tier, and finds the part of the requested window that retention
// cuts off.
#ifndef LOGQUERY_LIB_ENDPOINT_CALL_RETENTION_WINDOW_H_
#define LOGQUERY_LIB_ENDPOINT_CALL_RETENTION_WINDOW_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "logquery/endpoint.h"
#include "logquery/parameter_binder.h"
#include "logquery/query_answer.h"
#include "logquery/retention_policy.h"

namespace logquery::endpoint {

// InvalidArgument: the policy has no such tier; the message lists its tiers. An empty tier is valid and means no
// default.
absl::Status CheckDefaultTier(const std::string& tier, const RetentionPolicy& policy);

// Sets the tier parameter in `texts` to `tier` if it is absent or empty and has no default of its own. Does nothing if
// the definition does not allow this tier.
void FillTier(const Endpoint& definition, const std::string& tier, ParameterTexts& texts);

// Returns the call's window if retention begins after the start that the call asks for.
std::optional<CutWindow> FindCutWindow(const Endpoint& definition, const BoundParameters& bound);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_CALL_RETENTION_WINDOW_H_
