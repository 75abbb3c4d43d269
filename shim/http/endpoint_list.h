// The list of endpoints as JSON: what a token may call, and how.
#ifndef LOGQUERY_SHIM_HTTP_ENDPOINT_LIST_H_
#define LOGQUERY_SHIM_HTTP_ENDPOINT_LIST_H_

#include <string>
#include <vector>

#include "logquery/authenticator.h"
#include "logquery/endpoint_registry.h"

namespace logquery::shim {

// {"endpoints":[{"id":…,"name":…,"description":…,"revision":…,"max_rows":…,"settings":{…},"parameters":[{"name":…,"type":…}],
// "columns":[{"name":…,"type":…}]}]}
// Only what `principal` may call; parameters that the service computes are left out, those that the token fixes are marked.
std::string EndpointListJson(const std::vector<const RegisteredEndpoint*>& endpoints, const Principal& principal);

// One of them.
std::string EndpointJson(const RegisteredEndpoint& endpoint, const Principal& principal);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_ENDPOINT_LIST_H_
