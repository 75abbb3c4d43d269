// Runs `run` through the server that holds the folder.
#ifndef LOGQUERY_SHIM_CLI_QUERY_RUN_BY_SERVER_H_
#define LOGQUERY_SHIM_CLI_QUERY_RUN_BY_SERVER_H_

#include <optional>

#include "logquery/query_service.h"
#include "shim/cli/options/commands.h"

namespace logquery::shim {

// Sends the request to the folder's server, prints its answer, and returns the exit code. nullopt: there is no server.
std::optional<int> RunByServer(const RunArguments& arguments, const QueryRequest& request, const Terminal& terminal);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_QUERY_RUN_BY_SERVER_H_
