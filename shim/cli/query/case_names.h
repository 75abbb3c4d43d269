// Finds misspelt names in the test cases of a definition: a server ignores an unknown parameter and learns an unknown field,
// so a case with a misspelt one would test something else.
#ifndef LOGQUERY_SHIM_CLI_QUERY_CASE_NAMES_H_
#define LOGQUERY_SHIM_CLI_QUERY_CASE_NAMES_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "logquery/catalog.h"
#include "logquery/endpoint.h"
#include "logquery/parameter_binder.h"

namespace logquery::shim {

// InvalidArgument: the endpoint has no such parameter, with the nearest names.
absl::Status CheckParameterNames(const Endpoint& endpoint, const ParameterTexts& parameters);

// InvalidArgument: a row in `lines`, objects of JSON, has a field that the table does not have, that resembles one which
// the row lacks, and that no query in `sql` reads. Other new fields are learned, as in a data folder.
absl::Status CheckRowNames(const Table& table, std::string_view lines, std::string_view sql);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_QUERY_CASE_NAMES_H_
