// The operator's own logs on the command line: the file of --schema, or schema.json in the folder of definitions.
//
//     LOGQUERY_ASSIGN_OR_RETURN(OwnLogsFile own, ReadOwnLogsFile(arguments.schema, arguments.endpoints));
//     if (!own.json.empty()) …
#ifndef LOGQUERY_SHIM_CLI_QUERY_OWN_LOGS_FILE_H_
#define LOGQUERY_SHIM_CLI_QUERY_OWN_LOGS_FILE_H_

#include <string>

#include "absl/status/statusor.h"
#include "logquery/catalog.h"

namespace logquery::shim {

struct OwnLogsFile {
  std::string path;
  std::string json;  // valid, or empty if there are no such logs
};

// `schema` is the file of --schema, `endpoints` the folder of definitions; each may be empty. InvalidArgument: both
// declare logs, or an error in the file, with line and column. NotFound: the file can't be read.
absl::StatusOr<OwnLogsFile> ReadOwnLogsFile(const std::string& schema, const std::string& endpoints);

// Returns `catalog` with the logs of the file that it lacks. Statuses: those of ReadOwnLogsFile.
absl::StatusOr<Catalog> AddOwnLogs(const Catalog& catalog, const std::string& schema, const std::string& endpoints);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_QUERY_OWN_LOGS_FILE_H_
