// The definitions that commands know: the built-in ones and those of a folder.
#ifndef LOGQUERY_SHIM_COMMAND_DEFINITIONS_H_
#define LOGQUERY_SHIM_COMMAND_DEFINITIONS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "logquery/endpoint.h"

namespace logquery::shim {

// The built-in definitions or, as `--no-builtin` wants it, none.
std::vector<Endpoint> BuiltInDefinitions(bool built_in);

// The built-in definitions but those that `folder` replaces by one of the same name, then those of `folder`; empty: the
// built-in alone. ReadEndpointFolder's statuses.
absl::StatusOr<std::vector<Endpoint>> AllDefinitions(const std::string& folder);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_COMMAND_DEFINITIONS_H_
