// Lists endpoints as JSON: those that a token may call, with their parameters and columns.
#ifndef LOGQUERY_SHIM_HTTP_ABOUT_ENDPOINT_LIST_H_
#define LOGQUERY_SHIM_HTTP_ABOUT_ENDPOINT_LIST_H_

#include <string>
#include <vector>

#include "logquery/authenticator.h"
#include "logquery/endpoint_registry.h"

namespace logquery::shim {

// {"endpoints":[{"id":…,"name":…,"description":…,"revision":…,"max_rows":…,"settings":{…},"parameters":[{"name":…,"type":…}],
// "columns":[{"name":…,"type":…}]}],"project":…}
// Lists only endpoints that `principal` may call. Computed parameters are omitted; those that the token fixes are
// marked. A token for one project has that project as the default of `project`, and in the key "project" of the list.
std::string EndpointListJson(const std::vector<const RegisteredEndpoint*>& endpoints, const Principal& principal);

// A single endpoint in the same form.
std::string EndpointJson(const RegisteredEndpoint& endpoint, const Principal& principal);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_ABOUT_ENDPOINT_LIST_H_
