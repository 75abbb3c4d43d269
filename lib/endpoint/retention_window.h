// What retention does to the times that a call asks for: the tier of calls that name none, and the window that is cut.
#ifndef LOGQUERY_LIB_ENDPOINT_RETENTION_WINDOW_H_
#define LOGQUERY_LIB_ENDPOINT_RETENTION_WINDOW_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "logquery/endpoint.h"
#include "logquery/parameter_binder.h"
#include "logquery/query_answer.h"
#include "logquery/retention_policy.h"

namespace logquery::endpoint {

// InvalidArgument: the policy has no such tier; it lists those that it has. An empty tier is none, and in order.
absl::Status CheckDefaultTier(const std::string& tier, const RetentionPolicy& policy);

// Has `texts` name `tier` where the definition's tier parameter is absent or empty and has no default of its own. Texts that the
// definition does not allow are left alone.
void FillTier(const Endpoint& definition, const std::string& tier, ParameterTexts& texts);

// The call's window, where it gives a start that retention cuts.
std::optional<CutWindow> FindCutWindow(const Endpoint& definition, const BoundParameters& bound);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_RETENTION_WINDOW_H_
