// The parameter of an endpoint that names the project of a call. A token for one project fills it in.
//
//     if (std::optional<std::string> own = OtherScope(target.principal, *target.definition, request)) …  // no row is read
//
// Everything here is thread-safe.
#ifndef LOGQUERY_PROJECT_PARAMETER_H_
#define LOGQUERY_PROJECT_PARAMETER_H_

#include <optional>
#include <string>

#include "logquery/authenticator.h"
#include "logquery/endpoint.h"

namespace logquery {

struct QueryRequest;  // query_service.h

// Returns the parameter `project` if it takes a project's reference; nullptr if there is none, or if it is a pattern.
const Parameter* ProjectParameter(const Endpoint& definition);

// Returns the project that the token is for, if the request names another one: the call then reads no row of that one.
std::optional<std::string> OtherScope(const Principal& principal, const Endpoint& definition,
                                      const QueryRequest& request);

}  // namespace logquery

#endif  // LOGQUERY_PROJECT_PARAMETER_H_
