// The command serve: turns options into a running server.
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "lib/base/background_task.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "logquery/memory_watch.h"
#include "logquery/serving/log_receiver.h"
#include "logquery/serving/maintenance.h"
#include "logquery/serving/query_queue.h"
#include "shim/cli/folder/local_client.h"
#include "shim/cli/options/commands.h"
#include "shim/cli/options/settings_check.h"
#include "shim/cli/serve/backend_file.h"
#include "shim/cli/serve/compose.h"
#include "shim/cli/serve/engine_watch.h"
#include "shim/cli/serve/overdue_watch.h"
#include "shim/cli/serve/query_quarantine.h"
#include "shim/cli/serve/reload_settings.h"
#include "shim/cli/serve/retain_option.h"
#include "shim/cli/serve/self_probe.h"
#include "shim/cli/serve/serve_limits.h"
#include "shim/cli/serve/serve_signals.h"
#include "shim/cli/serve/serve_tracing.h"
#include "shim/cli/serve/service_manager.h"
#include "shim/cli/serve/supervised.h"
#include "shim/cli/serve/supervisor.h"
#include "shim/cli/serve/token_from.h"
#include "shim/cli/serve/token_watch.h"
#include "shim/http/calls/routes.h"
#include "shim/http/transport/cors.h"
#include "shim/http/transport/http_server.h"
#include "shim/http/transport/listener.h"
#include "shim/observe/crash_board.h"
#include "shim/observe/line_writer.h"
#include "shim/observe/request_log.h"

namespace logquery::shim {
namespace {

// Of who runs commands on this machine.
constexpr int kMaxLocalConnections = 64;
constexpr int kLocalQueries = 2;  // of the folder's owner, that run at one time
constexpr absl::Duration kMaxQueueWait = absl::Seconds(10);
// How long the end of the process waits for a sink of lines that does not take them.
constexpr absl::Duration kLastLines = absl::Seconds(1);
// How often the file of tokens is looked at for the log; calls look at it anyway.
constexpr absl::Duration kTokensEvery = absl::Seconds(1);

int DefaultQueryThreads() { return std::max(4, 2 * static_cast<int>(std::thread::hardware_concurrency())); }

std::string UrlOf(int listening_fd) {
  const std::string host = HostOf(listening_fd);
  const bool v6 = host.find(':') != std::string::npos;
  return base::StrCat("http://", v6 ? "[" : "", host, v6 ? "]" : "", ":", PortOf(listening_fd), "/");
}

// The servers of a composition: that which the world sees, and that in the folder where there is one.
class Servers {
 public:
  // `local_queue` runs the calls of the folder's owner; nullptr: there is no server in the folder. `supervised`: a supervisor
  // holds the sockets, too.
  Servers(const RoutesOptions& options, const Composition& parts, QueryQueue* local_queue, bool supervised,
          int least_upload_kib)
      : supervised_(supervised),
        least_upload_(static_cast<size_t>(least_upload_kib) << 10),
        routes_(options),
        local_routes_(ForOwner(options, parts, local_queue)),
        admin_routes_(ForAdmin(options)) {}

  // `kept`: the service manager holds the socket, too.
  absl::Status Bind(int listening_fd, bool kept, int max_connections) {
    const HttpServerOptions options = On(listening_fd, kept, max_connections);
    LOGQUERY_ASSIGN_OR_RETURN(server_, HttpServer::Bind(options, &routes_));
    return absl::OkStatus();
  }
  absl::Status BindLocal(int listening_fd) {
    const HttpServerOptions options = On(listening_fd, false, kMaxLocalConnections);
    LOGQUERY_ASSIGN_OR_RETURN(local_server_, HttpServer::Bind(options, &local_routes_));
    return absl::OkStatus();
  }
  absl::Status BindAdmin(int listening_fd, bool kept) {
    const HttpServerOptions options = On(listening_fd, kept, kMaxLocalConnections);
    LOGQUERY_ASSIGN_OR_RETURN(admin_server_, HttpServer::Bind(options, &admin_routes_));
    return absl::OkStatus();
  }
  std::vector<HttpServer*> all() const {
    std::vector<HttpServer*> servers = {server_.get()};
    if (local_server_ != nullptr) servers.push_back(local_server_.get());
    if (admin_server_ != nullptr) servers.push_back(admin_server_.get());
    return servers;
  }

 private:
  HttpServerOptions On(int listening_fd, bool kept, int max_connections) const {
    HttpServerOptions options;
    options.listening_fd = listening_fd;
    options.shared = supervised_ || kept;
    options.max_connections = max_connections;
    options.limits.SetLeastSpeed(least_upload_);
    return options;
  }

  static RoutesOptions ForOwner(RoutesOptions options, const Composition& parts, QueryQueue* queue) {
    options.cors = Cors();
    options.receiver = nullptr;
    options.service = parts.local_service.get();
    options.queue = queue;
    options.tracer = nullptr;
    options.log_parameters = 0;
    options.answered = nullptr;
    options.owner = parts.actions;
    return options;
  }

  static RoutesOptions ForAdmin(RoutesOptions options) {
    options.cors = Cors();
    options.receiver = nullptr;
    options.admin = true;
    options.tracer = nullptr;
    options.answered = nullptr;
    return options;
  }

  const bool supervised_;
  const size_t least_upload_;  // bytes in a second
  Routes routes_;
  Routes local_routes_;
  Routes admin_routes_;
  std::unique_ptr<HttpServer> server_;
  std::unique_ptr<HttpServer> local_server_;
  std::unique_ptr<HttpServer> admin_server_;
};

struct Addresses {
  ListenAddress listen;
  std::optional<ListenAddress> admin;
};

absl::StatusOr<Addresses> AddressesOf(const ServeArguments& arguments) {
  Addresses addresses;
  LOGQUERY_ASSIGN_OR_RETURN(addresses.listen, AddressOf("--listen", arguments.listen, arguments.insecure_http));
  if (arguments.admin.empty()) return addresses;
  LOGQUERY_ASSIGN_OR_RETURN(addresses.admin, AddressOf("--admin", arguments.admin, arguments.insecure_http));
  return addresses;
}

// The sockets of the addresses, where the service manager has not opened them already.
absl::StatusOr<ListeningSockets> OpenSockets(const Addresses& addresses, bool insecure_http) {
  LOGQUERY_ASSIGN_OR_RETURN(ListeningSockets sockets, TakeActivatedSockets());
  for (const int fd : {sockets.listen, sockets.admin}) {
    const std::string host = fd >= 0 ? HostOf(fd) : std::string();
    if (host.empty() || insecure_http || IsLoopback(host)) continue;
    return absl::InvalidArgumentError(
        base::StrCat("a socket of LISTEN_FDS listens on ", host,
                     ", which can be reached from other machines, and HTTP sends tokens unencrypted; put a proxy with "
                     "TLS in front and listen on 127.0.0.1, or say --insecure-http"));
  }
  if (sockets.listen < 0) {
    LOGQUERY_ASSIGN_OR_RETURN(sockets.listen, ListenOn(addresses.listen));
  }
  if (sockets.admin < 0 && addresses.admin) {
    LOGQUERY_ASSIGN_OR_RETURN(sockets.admin, ListenOn(*addresses.admin));
  }
  return sockets;
}

// Who is told that the server answers: its supervisor or, without one, the service manager.
struct Reports {
  std::function<void()> ready;
  std::function<void()> alive;
  absl::Duration alive_every;  // zero: nobody wants to know
};

// What a server serves on, and to whom it reports.
struct Setting {
  ListeningSockets sockets;
  SupervisorLink* supervisor = nullptr;  // nullptr: none
  Reports reports;
  CrashBoard* board = nullptr;  // the supervisor's
  const MemoryWatch* memory = nullptr;
  LineWriter* log_writer = nullptr;
  const ServeArguments* given = nullptr;  // before they were fitted to the system's limits
};

// The socket in the folder; a supervisor keeps it for the servers to come.
absl::StatusOr<int> LocalSocket(const Setting& setting, const std::string& path) {
  if (setting.supervisor != nullptr && setting.supervisor->given().local >= 0) return setting.supervisor->given().local;
  LOGQUERY_ASSIGN_OR_RETURN(const int fd, ListenOnUnix(path));
  if (setting.supervisor != nullptr) setting.supervisor->HandUp(fd);
  return fd;
}

// What SIGHUP asks for. Tokens and definitions need no asking: their files are looked at anyway.
void Reload(Composition& parts, RequestLog& log) {
  for (QueryService* service : {parts.service.get(), parts.local_service.get()}) {
    if (service == nullptr) continue;
    if (const absl::Status status = service->Reload(); !status.ok()) {
      log.Note("error",
               base::StrCat("SIGHUP: the tables and definitions can't be taken over; the endpoints stay as they "
                            "were: ",
                            base::Message(status)));
      return;
    }
  }
  log.Note(
      "info",
      "SIGHUP: the tables are read again, and so are the definitions; the endpoints are planned anew. A backend file "
      "is read at the start alone, tokens when their file changes");
}

absl::Status ChangeMaintenance(const Composition& parts, const ServeArguments& now) {
  if (parts.maintenance == nullptr) return absl::OkStatus();
  LOGQUERY_ASSIGN_OR_RETURN(const MaintenanceRules rules, MaintenanceRulesOf(now));
  return parts.maintenance->Change(rules);
}

// For programs that started the server with port 0: a line for each address, when it answers for the first time.
void PrintAddresses(const ListeningSockets& sockets, const Terminal& terminal) {
  terminal.out << "listening on " << UrlOf(sockets.listen) << std::endl;
  if (sockets.admin >= 0) terminal.out << "admin on " << UrlOf(sockets.admin) << std::endl;
}

void AddReceiver(const LogReceiver& receiver, int memory_mb, Metrics& metrics) {
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

// What a server does with its data folder by itself.
void AddUpkeep(const LogIntake& intake, const Maintenance& maintenance, Metrics& metrics) {
  metrics.AddGauge("logquery_spool_waiting_files", "Files that wait in the spool",
                   [&] { return static_cast<double>(intake.counters().waiting_files); });
  metrics.AddGauge("logquery_spool_waiting_bytes", "Bytes of these",
                   [&] { return static_cast<double>(intake.counters().waiting_bytes); });
  metrics.AddGauge("logquery_spool_ignored_files", "Files in the spool that are not loaded, because of their names",
                   [&] { return static_cast<double>(intake.counters().ignored_files); });
  metrics.AddGauge("logquery_spool_lag_seconds", "Since the oldest file that waits was written",
                   [&] { return absl::ToDoubleSeconds(intake.counters().lag); });
  metrics.AddCounter("logquery_spool_files_loaded_total", "Files of the spool that were loaded",
                     [&] { return static_cast<double>(intake.counters().files_loaded); });
  metrics.AddCounter("logquery_spool_files_failed_total", "Files of the spool that could not be loaded",
                     [&] { return static_cast<double>(intake.counters().files_failed); });
  metrics.AddCounter("logquery_spool_rows_total", "Rows that were loaded from the spool",
                     [&] { return static_cast<double>(intake.counters().rows); });
  metrics.AddCounter("logquery_retained_rows_total", "Rows that were removed by their age or by the size of their log",
                     [&] { return static_cast<double>(maintenance.counters().retained_rows); });
  metrics.AddCounter("logquery_clustered_rows_total", "Rows of closed days that were put in the order of projects",
                     [&] { return static_cast<double>(maintenance.counters().clustered_rows); });
  metrics.AddCounter("logquery_upkeep_failures_total",
                     "Times that retention or clustering failed, or that rows were kept because the clock had jumped",
                     [&] { return static_cast<double>(maintenance.counters().failures); });
}

// What is counted elsewhere, or is a state.
void AddReaders(const Setting& setting, const QueryQueue& queries, const RoutesOptions& options, Metrics& metrics) {
  metrics.AddGauge("logquery_queries_running", "Queries that run", [&] { return queries.use().running; });
  metrics.AddGauge("logquery_queries_waiting", "Queries that wait for a thread", [&] { return queries.use().waiting; });
  metrics.AddGauge("logquery_query_threads", "How many queries may run at one time",
                   [&] { return queries.use().max_threads; });
  const MemoryWatch& memory = *setting.memory;
  metrics.AddGauge("logquery_memory_resident_bytes", "The memory of the process",
                   [&] { return static_cast<double>(memory.counters().resident_bytes); });
  metrics.AddGauge("logquery_memory_limit_bytes", "The limit of the process's memory; above it queries are cancelled",
                   [&] { return static_cast<double>(memory.counters().limit_bytes); });
  metrics.AddCounter("logquery_queries_ended_for_memory_total",
                     "Queries that were cancelled because the process was above its memory limit",
                     [&] { return static_cast<double>(memory.counters().ended); });
  metrics.AddCounter("logquery_log_lines_dropped_total",
                     "Lines of the log that were dropped, because its sink took none or failed",
                     [&] { return static_cast<double>(setting.log_writer->dropped()); });
  if (options.loading) {
    metrics.AddGauge("logquery_loading_stopped", "1 while logs are not loaded",
                     [loading = options.loading] { return loading().ok() ? 0 : 1; });
  }
  if (options.tokens) {
    metrics.AddGauge("logquery_tokens_outdated",
                     "1 while the current token file cannot be used, and older tokens count",
                     [tokens = options.tokens] { return tokens().ok() ? 0 : 1; });
  }
  if (setting.board == nullptr) return;
  const CrashBoard& board = *setting.board;
  metrics.AddCounter("logquery_server_crashes_total", "How often the server was restarted after a crash",
                     [&] { return static_cast<double>(board.counters().crashes); });
  metrics.AddGauge("logquery_queries_quarantined", "Queries that are refused because the server crashed while they ran",
                   [&] { return static_cast<double>(board.counters().quarantined); });
  metrics.AddCounter("logquery_quarantined_calls_refused_total",
                     "Calls that were refused because the server crashed while an equal one ran",
                     [&] { return static_cast<double>(board.counters().refused); });
}

absl::Status Serve(const ServeArguments& arguments, const Setting& setting, Composition& parts, QueryQueue& queue,
                   RequestLog& log, const sigset_t& signals, const Terminal& terminal) {
  RoutesOptions options;
  options.service = parts.service.get();
  options.metrics = [&parts] { return parts.metrics->Text(); };
  options.answered = [&parts](int status) { parts.metrics->OnRequest(status); };
  options.queue = &queue;
  options.log = &log;
  options.trust_forwarded_for = arguments.trust_forwarded_for;
  options.console = arguments.console;
  options.admin_hosts = arguments.admin_hosts;
  LOGQUERY_ASSIGN_OR_RETURN(options.cors, Cors::Create(arguments.cors_origins));
  if (parts.intake != nullptr) options.loading = [&parts] { return parts.intake->state(); };
  if (setting.board != nullptr) options.crashes = [&setting] { return setting.board->counters(); };
  options.definitions = parts.definitions_state;
  EngineWatch engine(parts.engine_state,
                     [&log](std::string_view level, std::string_view line) { log.Note(level, line); });
  if (parts.engine_state) options.engine = [&engine] { return engine.Check(); };
  options.tokens = parts.tokens_state;
  options.memory = [&setting] { return setting.memory->counters(); };
  options.receiver = parts.receiver.get();
  LOGQUERY_ASSIGN_OR_RETURN(
      const std::unique_ptr<ServeTracing> tracing,
      ServeTracing::Open(arguments, [&log](std::string_view level, std::string_view line) { log.Note(level, line); }));
  if (tracing != nullptr) {
    options.tracer = &tracing->tracer();
    tracing->AddTo(*parts.metrics);
  }
  options.log_parameters = arguments.log_parameters;
  AddReaders(setting, queue, options, *parts.metrics);
  if (parts.intake != nullptr && parts.maintenance != nullptr) {
    AddUpkeep(*parts.intake, *parts.maintenance, *parts.metrics);
  }
  if (parts.receiver != nullptr) AddReceiver(*parts.receiver, arguments.ingest_memory_mb, *parts.metrics);
  const absl::Cleanup drop = [&parts] { parts.metrics->DropReaders(); };
  std::unique_ptr<QueryQueue> local_queue;
  if (parts.local_service != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(local_queue,
                              QueryQueue::Create({.service = parts.local_service.get(), .threads = kLocalQueries}));
  }
  Servers servers(options, parts, local_queue.get(), setting.supervisor != nullptr, arguments.least_upload_kib);
  const ListeningSockets& sockets = setting.sockets;
  LOGQUERY_RETURN_IF_ERROR(servers.Bind(sockets.listen, sockets.listen_is_kept, arguments.max_connections));
  if (sockets.admin >= 0) LOGQUERY_RETURN_IF_ERROR(servers.BindAdmin(sockets.admin, sockets.admin_is_kept));
  const std::string socket = SocketIn(arguments.service.data);
  if (parts.local_service != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(const int local, LocalSocket(setting, socket));
    LOGQUERY_RETURN_IF_ERROR(servers.BindLocal(local));
  }
  TokenWatch token_watch(parts.tokens_state,
                         [&log](std::string_view level, std::string_view line) { log.Note(level, line); });
  base::BackgroundTask token_looks(kTokensEvery, [&token_watch](const CancellationToken&) { token_watch.Look(); });
  if (parts.tokens_state) LOGQUERY_RETURN_IF_ERROR(token_looks.Start());
  if (parts.intake != nullptr) parts.intake->Start();
  if (parts.maintenance != nullptr) LOGQUERY_RETURN_IF_ERROR(parts.maintenance->Start());
  if (setting.supervisor == nullptr || setting.supervisor->given().starts == 1) {
    PrintAddresses(setting.sockets, terminal);
  }
  setting.reports.ready();
  base::BackgroundTask heartbeat(setting.reports.alive_every, [&setting](const CancellationToken&) {
    if (AnswersHealth(setting.sockets.listen, setting.reports.alive_every)) setting.reports.alive();
  });
  if (setting.reports.alive_every > absl::ZeroDuration()) LOGQUERY_RETURN_IF_ERROR(heartbeat.Start());
  log.Note(
      "info",
      base::StrCat("serving ", arguments.service.data.empty() ? arguments.service.backend : arguments.service.data,
                   " with ", parts.backend->capabilities().engine, arguments.read_only ? ", for reading alone" : ""));
  LastResort last_resort([&log, &setting] {
    log.Note("error", "a query does not end although it was interrupted; the process ends without it");
    setting.log_writer->Finish(kLastLines);
    _exit(kExitFailed);
  });
  LOGQUERY_RETURN_IF_ERROR(last_resort.status());
  ServeUntil until;
  until.last_resort = &last_resort;
  until.grace = absl::Seconds(arguments.stop_seconds);
  ServeArguments current = *setting.given;
  until.reload = [&] {
    ReloadSettings(
        current, [&parts](const ServeArguments& now) { return ChangeMaintenance(parts, now); }, log);
    until.grace = absl::Seconds(current.stop_seconds);
    Reload(parts, log);
  };
  StopCount stops(setting.supervisor != nullptr ? setting.supervisor->given().supervisor : 0);
  const absl::Status served = ServeUntilSignal(servers.all(), signals, until, stops, log);
  const LastSignals last_signals(signals, &stops);
  heartbeat.Stop();
  token_looks.Stop();
  if (parts.local_service != nullptr) unlink(socket.c_str());
  if (parts.maintenance != nullptr) parts.maintenance->Stop();
  if (parts.intake != nullptr) parts.intake->Stop();
  if (parts.receiver != nullptr) parts.receiver->Stop();
  // Their queries use the routes, which go now.
  queue.Stop();
  if (local_queue != nullptr) local_queue->Stop();
  if (tracing != nullptr) tracing->Stop();
  return served;
}

// The engine counts its buffers and most of what queries hold. Beside its limit the process has the cache of answers, bodies that
// are sent, and what queries take that the engine does not count.
constexpr int64_t kBesideEngine = int64_t{384} << 20;

MemoryWatchOptions WatchOptions(const ServeArguments& arguments, ExecutionGuard* next, RequestLog& log,
                                LineWriter* log_writer) {
  MemoryWatchOptions options;
  options.limit_bytes = arguments.service.memory_limit_mb * 1'000'000 + kBesideEngine +
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

// The supervisor starts the server again without the query.
OverdueWatch::OnOverdue EndWithQuery(CrashBoard& board, RequestLog& log, LineWriter* log_writer) {
  return [&board, &log, log_writer](int query, absl::Duration ran) {
    board.MarkOverdue(query);
    log.Note("error",
             base::StrCat("a query still runs after ", absl::FormatDuration(absl::Trunc(ran, absl::Seconds(1))),
                          ", more than 2 s beyond its deadline; the process ends itself"));
    log_writer->Finish(kLastLines);
    _exit(kExitOverdue);
  };
}

int ServeOn(const ServeArguments& given, Setting setting, RequestLog& log, const sigset_t& signals,
            const Terminal& terminal) {
  ServeArguments arguments = given;
  setting.given = &given;
  const auto note = [&log](std::string_view level, std::string_view line) { log.Note(level, line); };
  if (arguments.query_threads == 0) arguments.query_threads = DefaultQueryThreads();
  const absl::Status fitted = FitToLimits(ReadSystemLimits(arguments), note, arguments);
  if (!fitted.ok()) return Fail(terminal, fitted);
  std::optional<OverdueWatch> overdue;
  std::optional<QueryQuarantine> quarantine;
  if (setting.board != nullptr) {
    overdue.emplace(RealOverdueClocks(), EndWithQuery(*setting.board, log, setting.log_writer));
    overdue->Start();
    quarantine.emplace(setting.board, Clock::Real(), &*overdue);
  }
  MemoryWatch memory(WatchOptions(arguments, quarantine ? &*quarantine : nullptr, log, setting.log_writer));
  setting.memory = &memory;
  absl::StatusOr<Composition> parts = ComposeServer(arguments, &memory, note);
  if (!parts.ok()) return Fail(terminal, parts.status());
  const absl::StatusOr<std::unique_ptr<QueryQueue>> queue = QueryQueue::Create(
      {parts->service.get(), arguments.query_threads, arguments.max_queued, kMaxQueueWait, parts->metrics.get()});
  if (!queue.ok()) return Fail(terminal, queue.status());
  if (const absl::Status started = (*queue)->Start(arguments.query_threads); !started.ok()) {
    return Fail(terminal, started);
  }
  const absl::Status served = Serve(arguments, setting, *parts, **queue, log, signals, terminal);
  if (!served.ok()) return Fail(terminal, served);
  log.Note("info", "stopped");
  return kExitOk;
}

int ServeSupervised(const ServeArguments& arguments, SupervisorLink& supervisor, Setting setting, RequestLog& log,
                    const sigset_t& signals, const Terminal& terminal) {
  const absl::StatusOr<std::unique_ptr<CrashBoard>> board = CrashBoard::Open(supervisor.given().board);
  if (!board.ok()) return Fail(terminal, board.status());
  setting.board = board->get();
  setting.sockets.listen = supervisor.given().listen;
  setting.sockets.admin = supervisor.given().admin;
  setting.supervisor = &supervisor;
  setting.reports = {[&supervisor] { supervisor.SayReady(); }, [&supervisor] { supervisor.SayAlive(); },
                     supervisor.given().heartbeat};
  return ServeOn(arguments, setting, log, signals, terminal);
}

// What is wrong with the settings, or with the tokens that variables have.
absl::Status CheckedStart(const ServeArguments& arguments) {
  LOGQUERY_RETURN_IF_ERROR(CheckedSettings(arguments));
  const auto variable = [](const std::string& name) -> const char* { return std::getenv(name.c_str()); };
  if (!arguments.trace_header_from.empty()) {
    LOGQUERY_RETURN_IF_ERROR(TraceHeaderFrom(arguments.trace_header_from, variable).status());
  }
  return WithTokensFrom(arguments.token_from, variable, nullptr).status();
}

// Writes to the process's own descriptors without the streams' buffers, which the end of the process would flush.
LineWriter::Sink SinkOf(std::ostream& stream) {
  const int fd = &stream == &std::cout ? STDOUT_FILENO : &stream == &std::cerr ? STDERR_FILENO : -1;
  if (fd >= 0) return [fd](std::string_view line) { return WriteWhole(fd, line); };
  return [&stream](std::string_view line) { return static_cast<bool>(stream << line << std::flush); };
}

int ServeWith(const ServeArguments& given, RequestLog& log, LineWriter& log_writer, const sigset_t& signals,
              const Terminal& terminal) {
  // A supervised server has its sockets, and its supervisor has checked what it was started with: an edit of the file since then
  // must not keep it from coming back.
  const bool is_supervised = std::getenv(Supervision::kVariable) != nullptr;
  const absl::Status checked = is_supervised ? absl::OkStatus() : CheckedStart(given);
  if (!checked.ok()) return Fail(terminal, checked);
  ServeArguments arguments = given;
  if (const absl::Status backend = ReadBackend(arguments.service); !backend.ok()) return Fail(terminal, backend);
  const absl::StatusOr<std::unique_ptr<SupervisorLink>> supervisor = SupervisorLink::FromEnvironment();
  if (!supervisor.ok()) return Fail(terminal, supervisor.status());
  Setting setting;
  setting.log_writer = &log_writer;
  if (*supervisor != nullptr) return ServeSupervised(arguments, **supervisor, setting, log, signals, terminal);

  const ServiceManager manager = ServiceManager::FromEnvironment();
  const absl::StatusOr<Addresses> addresses = AddressesOf(given);
  if (!addresses.ok()) return Fail(terminal, addresses.status());
  const absl::StatusOr<ListeningSockets> sockets = OpenSockets(*addresses, arguments.insecure_http);
  if (!sockets.ok()) return Fail(terminal, sockets.status());
  if (arguments.supervise) {
    const absl::StatusOr<std::unique_ptr<CrashBoard>> board = CrashBoard::Create();
    if (!board.ok()) return Fail(terminal, board.status());
    return Supervise({*sockets, manager, board->get(),
                      [&log](std::string_view level, std::string_view line) { log.Note(level, line); }});
  }
  setting.sockets = *sockets;
  setting.reports = {[&manager] { manager.Notify("READY=1"); }, [&manager] { manager.Notify("WATCHDOG=1"); },
                     manager.watchdog() / 3};
  return ServeOn(arguments, setting, log, signals, terminal);
}

}  // namespace

int RunServe(const ServeArguments& arguments, const Terminal& terminal) {
  const sigset_t signals = BlockServeSignals();
  const bool json = !terminal.err_is_terminal;
  const auto notice = [json](int64_t lines) {
    return LogLine("warning", base::StrCat(lines, " lines of the log were dropped here, because its sink took none"),
                   json, Clock::Real()->Now());
  };
  LineWriter log_writer(SinkOf(terminal.err), notice);
  LineWriter out_writer(SinkOf(terminal.out), [](int64_t) { return std::string(); });
  LineBuffer err_buffer(&log_writer);
  LineBuffer out_buffer(&out_writer);
  std::ostream err(&err_buffer);
  std::ostream out(&out_buffer);
  // All that a server prints goes through the writers: a terminal that is stopped must not stop it.
  const Terminal lines{terminal.in,     out, err, terminal.out_is_terminal, terminal.err_is_terminal, terminal.columns,
                       terminal.colours};
  RequestLog log([&log_writer](std::string_view line) { log_writer.Add(line); }, json, Clock::Real());
  int code = kExitFailed;
  try {
    code = ServeWith(arguments, log, log_writer, signals, lines);
  } catch (const std::system_error& error) {
    // A thread of a part that has no other way to say so, while the server starts.
    code = Fail(lines, absl::ResourceExhaustedError(base::StrCat("the server can't start: ", error.what())));
  }
  const absl::Duration until = Clock::Real()->Monotonic() + kLastLines;
  bool is_written = true;
  for (LineWriter* writer : {&log_writer, &out_writer}) {
    is_written = writer->Finish(until - Clock::Real()->Monotonic()) && is_written;
  }
  // The thread that still writes may use the streams.
  if (!is_written) _exit(code);
  return code;
}

}  // namespace logquery::shim
