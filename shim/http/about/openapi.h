// Describes the interface as an OpenAPI 3.1 document, from the table of routes and the endpoints' definitions.
#ifndef LOGQUERY_SHIM_HTTP_ABOUT_OPENAPI_H_
#define LOGQUERY_SHIM_HTTP_ABOUT_OPENAPI_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "logquery/authenticator.h"
#include "logquery/endpoint_registry.h"
#include "shim/http/calls/route_table.h"

namespace logquery::shim {

// Includes the routes for everybody and for tokens. Each endpoint that `principal` may call has its own path with its
// result's columns and its parameters, except those that the token fixes.
std::string OpenApiJson(absl::Span<const Route> routes, const std::vector<const RegisteredEndpoint*>& endpoints,
                        const Principal& principal, std::string_view version);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_ABOUT_OPENAPI_H_
