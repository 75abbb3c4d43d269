// Options of the watches over a server's memory and over its queries' deadlines. Everything is borrowed.
#ifndef LOGQUERY_SHIM_CLI_SERVE_SERVE_WATCHES_H_
#define LOGQUERY_SHIM_CLI_SERVE_SERVE_WATCHES_H_

#include "absl/time/time.h"
#include "logquery/memory_watch.h"
#include "logquery/overdue_watch.h"
#include "shim/cli/options/commands.h"
#include "shim/cli/serve/query_quarantine.h"
#include "shim/observe/crash_board.h"
#include "shim/observe/line_writer.h"
#include "shim/observe/request_log.h"

namespace logquery::shim {

// How long the end of the process waits for a sink of lines that does not take them.
inline constexpr absl::Duration kLastLines = absl::Seconds(1);

// Ends the process when queries that are cancelled do not give their memory back.
MemoryWatchOptions WatchMemory(const ServeArguments& arguments, ExecutionGuard* next, RequestLog& log,
                               LineWriter* log_writer);

// Ends the process, which its supervisor starts again without the query.
QueryQuarantine::OnOverdue EndWithQuery(CrashBoard& board, RequestLog& log, LineWriter* log_writer);

// Writes a line. Without a supervisor an overdue query keeps its thread until the engine returns.
OverdueWatchOptions WatchDeadlines(ExecutionGuard* next, RequestLog& log);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_SERVE_SERVE_WATCHES_H_
