// The definitions that commands use: the built-in ones and those of a folder.
#ifndef LOGQUERY_SHIM_CLI_QUERY_DEFINITIONS_H_
#define LOGQUERY_SHIM_CLI_QUERY_DEFINITIONS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "logquery/endpoint.h"

namespace logquery::shim {

// Returns the built-in definitions, or none if `built_in` is false (`--no-builtin`).
std::vector<Endpoint> BuiltInDefinitions(bool built_in);

// Returns the built-in definitions, except those that `folder` replaces by one with the same name, then those of
// `folder`, and my.logs if it or the file `schema` declares logs. An empty `folder`: only the built-in ones. Statuses: those of
// ReadEndpointFolder and ReadOwnLogsFile.
absl::StatusOr<std::vector<Endpoint>> AllDefinitions(const std::string& folder, const std::string& schema = "");

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_QUERY_DEFINITIONS_H_
