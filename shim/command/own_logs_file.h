// Logs of one's own on the command line: the file of --schema, or schema.json in the folder of definitions.
//
//     LOGQUERY_ASSIGN_OR_RETURN(OwnLogsFile own, ReadOwnLogsFile(arguments.schema, arguments.endpoints));
//     if (!own.json.empty()) …
#ifndef LOGQUERY_SHIM_COMMAND_OWN_LOGS_FILE_H_
#define LOGQUERY_SHIM_COMMAND_OWN_LOGS_FILE_H_

#include <string>

#include "absl/status/statusor.h"
#include "logquery/catalog.h"

namespace logquery::shim {

struct OwnLogsFile {
  std::string path;
  std::string json;  // right, or empty: there are no such logs
};

// `schema` is the file of --schema, `endpoints` the folder of definitions; each may be empty.
// InvalidArgument: both have logs; the file's text, with line and column. NotFound: the file can't be read.
absl::StatusOr<OwnLogsFile> ReadOwnLogsFile(const std::string& schema, const std::string& endpoints);

// `catalog` with the logs of that file that it does not have. ReadOwnLogsFile's statuses.
absl::StatusOr<Catalog> AddOwnLogs(const Catalog& catalog, const std::string& schema, const std::string& endpoints);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_COMMAND_OWN_LOGS_FILE_H_
