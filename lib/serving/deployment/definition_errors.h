// Finds every error of a folder of definitions that can't be served: a service reports only the first.
#ifndef LOGQUERY_LIB_SERVING_DEPLOYMENT_DEFINITION_ERRORS_H_
#define LOGQUERY_LIB_SERVING_DEPLOYMENT_DEFINITION_ERRORS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "lib/tools/definition_check.h"
#include "logquery/catalog.h"
#include "logquery/endpoint.h"

namespace logquery::serving {

// Returns the errors in the folder with this catalog; none if there are none or the folder can't be read. `schema` is the file
// that declares logs; empty: the folder's.
std::vector<endpoint::Finding> DefinitionErrors(const std::string& folder, const std::string& schema,
                                                const std::vector<Endpoint>& built_in, Catalog catalog);

// Returns `status` with a message that lists these errors, each with its file, place, line and caret; `status` if there are
// none.
absl::Status WithDefinitionErrors(const absl::Status& status, const std::string& folder,
                                  const std::vector<endpoint::Finding>& errors);

}  // namespace logquery::serving

#endif  // LOGQUERY_LIB_SERVING_DEPLOYMENT_DEFINITION_ERRORS_H_
