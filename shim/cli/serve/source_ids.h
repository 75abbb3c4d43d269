// The option --source-ids: the UUIDs by which clients of Logflare may name a source, and the logs that they stand for.
#ifndef LOGQUERY_SHIM_CLI_SERVE_SOURCE_IDS_H_
#define LOGQUERY_SHIM_CLI_SERVE_SOURCE_IDS_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace logquery::shim {

// Returns LogReceiverOptions::source_ids, with UUIDs in lower case. Each option is UUID=LOG, or a list of these.
// InvalidArgument: an option has another form, or a UUID comes twice.
absl::StatusOr<std::map<std::string, std::string>> ParseSourceIds(const std::vector<std::string>& options);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_SERVE_SOURCE_IDS_H_
