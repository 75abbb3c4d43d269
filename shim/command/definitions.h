// Definitions of endpoints from a folder: NAME.json with the settings, NAME.sql with the query.
#ifndef LOGQUERY_SHIM_COMMAND_DEFINITIONS_H_
#define LOGQUERY_SHIM_COMMAND_DEFINITIONS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "logquery/endpoint.h"

namespace logquery::shim {

// In the order of their files' names. InvalidArgument: a file that is missing its other half, or what Endpoint::FromJson
// says. NotFound: no such folder, or no definition in it.
absl::StatusOr<std::vector<Endpoint>> ReadDefinitions(const std::string& folder);

// The built-in definitions, then those of `folder`; empty: the built-in alone.
absl::StatusOr<std::vector<Endpoint>> AllDefinitions(const std::string& folder);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_COMMAND_DEFINITIONS_H_
