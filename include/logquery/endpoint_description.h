// Describes endpoints as JSON for the programs that call them: what a server answers to "which endpoints are there?", and the parts
// of an OpenAPI document or another interface description.
//
//     auto registry = EndpointRegistry::Create(Endpoint::BuiltIn(), Catalog::DeclaredLogs());
//     std::string list = EndpointListJson((*registry)->All(), principal);   // {"endpoints":[{"id":…,"name":"logs.all",…},…]}
//
// Everything here is thread-safe.
#ifndef LOGQUERY_ENDPOINT_DESCRIPTION_H_
#define LOGQUERY_ENDPOINT_DESCRIPTION_H_

#include <string>
#include <vector>

#include "logquery/authenticator.h"
#include "logquery/endpoint.h"
#include "logquery/endpoint_registry.h"
#include "logquery/type.h"

namespace logquery {

// {"endpoints":[{"id":…,"name":…,"description":…,"revision":…,"max_rows":…,"settings":{…},"parameters":[{"name":…,"type":…}],
// "columns":[{"name":…,"type":…}]}],"project":…}
// Lists only endpoints that `principal` may call. Computed parameters are omitted; those that the token fixes are
// marked. A token for one project has that project as the default of `project`, and in the key "project" of the list.
std::string EndpointListJson(const std::vector<const RegisteredEndpoint*>& endpoints, const Principal& principal);

// A single endpoint in the same form.
std::string EndpointJson(const RegisteredEndpoint& endpoint, const Principal& principal);

// The JSON Schema (draft 2020-12) of the values that a caller may send for the parameter, with its default and examples.
std::string ParameterSchemaJson(const Parameter& parameter);

// The JSON Schema of a row with these columns as RowFormat::kJson writes it: an object with a member for each column.
std::string RowSchemaJson(const Schema& columns);

}  // namespace logquery

#endif  // LOGQUERY_ENDPOINT_DESCRIPTION_H_
