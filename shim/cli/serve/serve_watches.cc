// Ends the process, or writes a line, where memory or a query is beyond its limit.
#include "shim/cli/serve/serve_watches.h"

#include <unistd.h>

#include <cstdint>

#include "lib/base/strings.h"
#include "shim/cli/options/commands.h"

namespace logquery::shim {
namespace {

// The engine counts its buffers and most of what queries hold. Beside its limit the process has the cache of answers, bodies that
// are sent, and what queries take that the engine does not count.
constexpr int64_t kBesideEngine = int64_t{384} << 20;

// Returns the line of the log for a query that does not end.
std::string SaidOfOverdue(absl::Duration ran, std::string_view then) {
  return base::StrCat("a query still runs after ", absl::FormatDuration(absl::Trunc(ran, absl::Seconds(1))),
                      ", more than 2 s beyond its deadline; ", then);
}

}  // namespace

MemoryWatchOptions WatchMemory(const ServeArguments& arguments, ExecutionGuard* next, RequestLog& log,
                               LineWriter* log_writer) {
  MemoryWatchOptions options;
  options.limit_bytes = arguments.service.engine->memory_limit_bytes + kBesideEngine +
                        (arguments.ingest ? int64_t{arguments.ingest_memory_mb} << 20 : 0);
  options.next = next;
  options.log = [&log](std::string_view line) { log.Note("warning", line); };
  options.on_stuck = [&log, log_writer, limit = options.limit_bytes] {
    log.Note("error", base::StrCat("the process has had more than ", limit >> 20,
                                   " MiB of memory for a second although queries were ended; it ends itself"));
    log_writer->Finish(kLastLines);
    _exit(kExitMemory);
  };
  return options;
}

QueryQuarantine::OnOverdue EndWithQuery(CrashBoard& board, RequestLog& log, LineWriter* log_writer) {
  return [&board, &log, log_writer](int slot, absl::Duration ran) {
    board.MarkOverdue(slot);
    log.Note("error", SaidOfOverdue(ran, "the process ends itself"));
    log_writer->Finish(kLastLines);
    _exit(kExitOverdue);
  };
}

OverdueWatchOptions WatchDeadlines(ExecutionGuard* next, RequestLog& log) {
  OverdueWatchOptions options;
  options.next = next;
  options.on_overdue = [&log](const ExecutionKey&, absl::Duration ran) {
    log.Note("error", SaidOfOverdue(ran, "it keeps its thread until the engine returns"));
  };
  return options;
}

}  // namespace logquery::shim
