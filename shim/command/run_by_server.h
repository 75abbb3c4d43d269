// `run` on a folder that a server holds: the server runs it.
#ifndef LOGQUERY_SHIM_COMMAND_RUN_BY_SERVER_H_
#define LOGQUERY_SHIM_COMMAND_RUN_BY_SERVER_H_

#include <optional>

#include "logquery/query_service.h"
#include "shim/command/commands.h"

namespace logquery::shim {

// Has the server of the folder run the request, prints what it answers, and gives the exit code. nullopt: there is none.
std::optional<int> RunByServer(const RunArguments& arguments, const QueryRequest& request, const Terminal& terminal);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_COMMAND_RUN_BY_SERVER_H_
