// Registers readers of the counters that a server's parts keep.
#include "shim/cli/serve/serve_metrics.h"

#include <cstdint>

#include "lib/base/strings.h"

namespace logquery::shim {

void AddReceiverMetrics(const LogReceiver& receiver, int memory_mb, Metrics& metrics) {
  metrics.AddCounter("logquery_ingest_requests_total", "Requests with logs that were stored",
                     [&] { return static_cast<double>(receiver.state().ingest.requests); });
  metrics.AddCounter("logquery_ingest_rows_total", "Rows that arrived over HTTP",
                     [&] { return static_cast<double>(receiver.state().ingest.rows); });
  metrics.AddCounter("logquery_ingest_rejected_rows_total", "Rows over HTTP that were rejected",
                     [&] { return static_cast<double>(receiver.state().ingest.rejected_rows); });
  metrics.AddGauge("logquery_ingest_rejected_bytes",
                   "Bytes of rejected rows and their reasons that the data folder keeps",
                   [&] { return static_cast<double>(receiver.state().rejected_bytes); });
  metrics.AddCounter("logquery_ingest_rejected_removed_total",
                     "Rejected rows that the data folder removed, because they were old or too many",
                     [&] { return static_cast<double>(receiver.state().removed_rejected_rows); });
  metrics.AddCounter("logquery_ingest_misfit_values_total",
                     "Values of rows that did not fit the column of their field, and are kept as JSON",
                     [&] { return static_cast<double>(receiver.state().misfit_values); });
  metrics.AddCounter("logquery_ingest_refused_requests_total",
                     "Requests with logs that were refused for lack of memory",
                     [&] { return static_cast<double>(receiver.state().ingest.refused); });
  metrics.AddCounter("logquery_ingest_batches_total", "Transactions that stored rows from HTTP",
                     [&] { return static_cast<double>(receiver.state().ingest.batches); });
  metrics.AddGauge("logquery_ingest_held_bytes", "Memory of request bodies that are not stored yet",
                   [&] { return static_cast<double>(receiver.state().ingest.held_bytes); });
  metrics.AddGauge("logquery_ingest_memory_limit_bytes", "The memory for request bodies; beyond it they are refused",
                   [memory_mb] { return static_cast<double>(int64_t{memory_mb} << 20); });
  metrics.AddGauge("logquery_ingest_lag_seconds", "How long the oldest request with logs has waited to be stored",
                   [&] { return absl::ToDoubleSeconds(receiver.state().ingest.lag); });
}

void AddUpkeepMetrics(const Deployment& deployment, const Maintenance& maintenance, Metrics& metrics) {
  metrics.AddGauge("logquery_spool_waiting_files", "Files that wait in the spool",
                   [&] { return static_cast<double>(deployment.spools()->waiting_files); });
  metrics.AddGauge("logquery_spool_waiting_bytes", "Bytes of these",
                   [&] { return static_cast<double>(deployment.spools()->waiting_bytes); });
  metrics.AddGauge("logquery_spool_ignored_files",
                   "Files in the spool that are not loaded, because of their names or places",
                   [&] { return static_cast<double>(deployment.spools()->ignored_files); });
  metrics.AddGauge("logquery_spool_lag_seconds", "Since the oldest file that waits was written",
                   [&] { return absl::ToDoubleSeconds(deployment.spools()->lag); });
  metrics.AddCounter("logquery_spool_files_loaded_total", "Files of the spool that were loaded",
                     [&] { return static_cast<double>(deployment.spools()->files_loaded); });
  metrics.AddCounter("logquery_spool_files_failed_total", "Files of the spool that could not be loaded",
                     [&] { return static_cast<double>(deployment.spools()->files_failed); });
  metrics.AddCounter("logquery_spool_rows_total", "Rows that were loaded from the spool",
                     [&] { return static_cast<double>(deployment.spools()->rows); });
  metrics.AddCounter("logquery_retained_rows_total", "Rows that were removed by their age or by the size of their log",
                     [&] { return static_cast<double>(maintenance.counters().retained_rows); });
  metrics.AddCounter("logquery_clustered_rows_total", "Rows of closed days that were put in the order of projects",
                     [&] { return static_cast<double>(maintenance.counters().clustered_rows); });
  metrics.AddCounter("logquery_upkeep_failures_total",
                     "Times that retention or clustering failed, or that rows were kept because the clock had jumped",
                     [&] { return static_cast<double>(maintenance.counters().failures); });
}

void AddProcessMetrics(const ServeProcess& process, const QueryQueue& queries, const HttpServerOptions& options,
                       Metrics& metrics) {
  metrics.AddGauge("logquery_queries_running", "Queries that run", [&] { return queries.use().running; });
  metrics.AddGauge("logquery_queries_waiting", "Queries that wait for a thread", [&] { return queries.use().waiting; });
  metrics.AddGauge("logquery_query_threads", "How many queries may run at one time",
                   [&] { return queries.use().max_threads; });
  const MemoryWatch& memory = *process.memory;
  metrics.AddGauge("logquery_memory_resident_bytes", "The memory of the process",
                   [&] { return static_cast<double>(memory.counters().resident_bytes); });
  metrics.AddGauge("logquery_memory_limit_bytes", "The limit of the process's memory; above it queries are cancelled",
                   [&] { return static_cast<double>(memory.counters().limit_bytes); });
  metrics.AddCounter("logquery_queries_ended_for_memory_total",
                     "Queries that were cancelled because the process was above its memory limit",
                     [&] { return static_cast<double>(memory.counters().ended); });
  metrics.AddCounter("logquery_log_lines_dropped_total",
                     "Lines of the log that were dropped, because its sink took none or failed",
                     [writer = process.log_writer] { return static_cast<double>(writer->dropped()); });
  if (options.loading) {
    metrics.AddGauge("logquery_loading_stopped", "1 while logs are not loaded",
                     [loading = options.loading] { return loading().ok() ? 0 : 1; });
  }
  if (options.tokens) {
    metrics.AddGauge("logquery_tokens_outdated",
                     "1 while the current token file cannot be used, and older tokens count",
                     [tokens = options.tokens] { return tokens().ok() ? 0 : 1; });
  }
  if (process.board == nullptr) return;
  const CrashBoard& board = *process.board;
  metrics.AddCounter("logquery_server_crashes_total", "How often the server was restarted after a crash",
                     [&] { return static_cast<double>(board.counters().crashes); });
  metrics.AddGauge("logquery_queries_quarantined", "Queries that are refused because the server crashed while they ran",
                   [&] { return static_cast<double>(board.counters().quarantined); });
  metrics.AddCounter("logquery_quarantined_calls_refused_total",
                     "Calls that were refused because the server crashed while an equal one ran",
                     [&] { return static_cast<double>(board.counters().refused); });
}

std::string ReadyDetails(const ServeProcess& process) {
  const MemoryWatch::Counters memory = process.memory->counters();
  std::string json = base::StrCat(R"({"memory":{"resident_bytes":)", memory.resident_bytes, R"(,"limit_bytes":)",
                                  memory.limit_bytes, R"(,"queries_ended":)", memory.ended, "}");
  if (process.board != nullptr) {
    const CrashCounters crashes = process.board->counters();
    base::StrAppend(&json, R"(,"crashes":{"servers":)", crashes.crashes, R"(,"suspected":)", crashes.suspected,
                    R"(,"quarantined":)", crashes.quarantined, R"(,"cleared":)", crashes.cleared, R"(,"refused":)",
                    crashes.refused, R"(,"running":)", crashes.running, R"(,"overdue":)", crashes.overdue, "}");
  }
  return json + "}";
}

}  // namespace logquery::shim
