// The definitions that commands use: the built-in ones and those of a folder.
#ifndef LOGQUERY_SHIM_CLI_QUERY_DEFINITIONS_H_
#define LOGQUERY_SHIM_CLI_QUERY_DEFINITIONS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lib/tools/definition_check.h"
#include "logquery/catalog.h"
#include "logquery/endpoint.h"

namespace logquery::shim {

// Returns the built-in definitions, or none if `built_in` is false (`--no-builtin`).
std::vector<Endpoint> BuiltInDefinitions(bool built_in);

// Returns the built-in definitions, except those that `folder` replaces by one with the same name, then those of
// `folder`. An empty `folder`: only the built-in ones. Statuses: those of ReadEndpointFolder.
absl::StatusOr<std::vector<Endpoint>> AllDefinitions(const std::string& folder);

// Returns the errors that `check` finds in the folder with this catalog, none if it finds none or can't read the folder.
// `schema` is the file of --schema; empty: none.
std::vector<endpoint::Finding> DefinitionErrors(const std::string& folder, const std::string& schema, bool built_in,
                                                Catalog catalog);

// Returns `status` with a message that lists these errors, each with its file, place, line and caret; `status` if there are
// none.
absl::Status WithDefinitionErrors(const absl::Status& status, const std::string& folder,
                                  const std::vector<endpoint::Finding>& errors);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_QUERY_DEFINITIONS_H_
