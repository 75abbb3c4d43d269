// Which parameter of an endpoint names the project of a call, so that a token for one project can fill it in.
#ifndef LOGQUERY_LIB_ENDPOINT_DEFINITIONS_PROJECT_PARAMETER_H_
#define LOGQUERY_LIB_ENDPOINT_DEFINITIONS_PROJECT_PARAMETER_H_

#include <optional>
#include <string>

#include "logquery/authenticator.h"
#include "logquery/endpoint.h"
#include "logquery/query_service.h"

namespace logquery::endpoint {

// Returns the parameter `project` if it takes a project's reference; null if there is none, or if it is a pattern.
const Parameter* ProjectParameter(const Endpoint& definition);

// Returns the project that the token is for, if the request names another one: the call then reads no row of that one.
std::optional<std::string> OtherScope(const Principal& principal, const Endpoint& definition,
                                      const QueryRequest& request);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_DEFINITIONS_PROJECT_PARAMETER_H_
