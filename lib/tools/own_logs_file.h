// The operator's own logs: a file that is named, or schema.json in the folder of definitions.
//
//     LOGQUERY_ASSIGN_OR_RETURN(OwnLogsFile own, ReadOwnLogsFile(schema_file, endpoint_folder));
//     if (!own.json.empty()) …
#ifndef LOGQUERY_LIB_TOOLS_OWN_LOGS_FILE_H_
#define LOGQUERY_LIB_TOOLS_OWN_LOGS_FILE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "logquery/catalog.h"
#include "logquery/endpoint.h"

namespace logquery::endpoint {

struct OwnLogsFile {
  std::string path;
  std::string json;  // valid, or empty if there are no such logs
};

// `schema` is a file, `endpoints` the folder of definitions; each may be empty. InvalidArgument: both
// declare logs, or an error in the file, with line and column. NotFound: the file can't be read.
absl::StatusOr<OwnLogsFile> ReadOwnLogsFile(const std::string& schema, const std::string& endpoints);

// Returns `catalog` with the logs of the file that it lacks. Statuses: those of ReadOwnLogsFile.
absl::StatusOr<Catalog> AddOwnLogs(const Catalog& catalog, const std::string& schema, const std::string& endpoints);

// Adds the endpoint my.logs (own_logs_endpoint.h), if there are own logs and no definition has this name: those that the file
// declares, and then those of `stored` that it does not. Returns whether it did. Statuses: those of ReadOwnLogsFile.
absl::StatusOr<bool> AddOwnLogsEndpoint(const OwnLogsFile& own, const std::vector<Table>& stored,
                                        std::vector<Endpoint>& definitions);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_TOOLS_OWN_LOGS_FILE_H_
