// Metrics of a server that are counted elsewhere, or are states. Everything is borrowed, until Metrics::DropReaders.
#ifndef LOGQUERY_SHIM_CLI_SERVE_SERVE_METRICS_H_
#define LOGQUERY_SHIM_CLI_SERVE_SERVE_METRICS_H_

#include <string>

#include "logquery/http_server.h"
#include "logquery/memory_watch.h"
#include "logquery/serving/deployment.h"
#include "logquery/serving/log_receiver.h"
#include "logquery/serving/maintenance.h"
#include "logquery/serving/query_queue.h"
#include "shim/observe/crash_board.h"
#include "shim/observe/line_writer.h"
#include "shim/observe/metrics.h"

namespace logquery::shim {

// The parts of a server's process beside its deployment.
struct ServeProcess {
  CrashBoard* board = nullptr;  // the supervisor's; nullptr: there is none
  const MemoryWatch* memory = nullptr;
  LineWriter* log_writer = nullptr;
};

void AddProcessMetrics(const ServeProcess& process, const QueryQueue& queries, const HttpServerOptions& options,
                       Metrics& metrics);
// Adds metrics of logs that arrive over HTTP.
void AddReceiverMetrics(const LogReceiver& receiver, int memory_mb, Metrics& metrics);
// Adds metrics of the work that a server does with its data folder by itself.
void AddUpkeepMetrics(const Deployment& deployment, const Maintenance& maintenance, Metrics& metrics);

// Returns further members of the admin's /ready, as a JSON object.
std::string ReadyDetails(const ServeProcess& process);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_SERVE_SERVE_METRICS_H_
