// Runs `logquery query --url`: callers' SQL on an endpoint of a running server.
#ifndef LOGQUERY_SHIM_CLI_QUERY_QUERY_BY_URL_H_
#define LOGQUERY_SHIM_CLI_QUERY_QUERY_BY_URL_H_

#include "shim/cli/options/commands.h"

namespace logquery::shim {

// Sends `call.sql` to the server of `call.server`, prints its answer, and returns the exit code. Without an endpoint, logs.all
// answers or, where it does not take the SQL and my.logs does, my.logs; SQL of ClickHouse goes to logs.all.otel.
int QueryByUrl(const SqlArguments& call, const Terminal& terminal);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_QUERY_QUERY_BY_URL_H_
