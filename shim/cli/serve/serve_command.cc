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
#include "lib/base/listen_socket.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/serving/deployment/token_variables.h"
#include "logquery/http_server.h"
#include "logquery/memory_watch.h"
#include "logquery/overdue_watch.h"
#include "logquery/serving/deployment.h"
#include "logquery/serving/mcp_server.h"
#include "logquery/serving/saved_queries.h"
#include "logquery/version.h"
#include "shim/cli/folder/folder.h"
#include "shim/cli/folder/local_client.h"
#include "shim/cli/folder/owner_actions.h"
#include "shim/cli/options/commands.h"
#include "shim/cli/options/settings_check.h"
#include "shim/cli/query/sql_call.h"
#include "shim/cli/serve/backend_option.h"
#include "shim/cli/serve/deployment_options.h"
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
#include "shim/observe/crash_board.h"
#include "shim/observe/line_writer.h"
#include "shim/observe/metrics.h"
#include "shim/observe/request_log.h"
#include "shim/observe/request_observer.h"

namespace logquery::shim {
namespace {

// The most connections of people who run commands on this machine.
constexpr int kMaxLocalConnections = 64;
// How long the end of the process waits for a sink of lines that does not take them.
constexpr absl::Duration kLastLines = absl::Seconds(1);

int DefaultQueryThreads() { return std::max(4, 2 * static_cast<int>(std::thread::hardware_concurrency())); }

std::string UrlOf(int listening_fd) {
  const std::string host = base::HostOf(listening_fd);
  const bool v6 = host.find(':') != std::string::npos;
  return base::StrCat("http://", v6 ? "[" : "", host, v6 ? "]" : "", ":", base::PortOf(listening_fd), "/");
}

HttpListener On(int listening_fd, bool shared, int max_connections) {
  HttpListener listener;
  listener.fd = listening_fd;
  listener.shared = shared;
  listener.max_connections = max_connections;
  return listener;
}

FolderActions ActionsOf(Deployment& deployment, const std::string& folder) {
  FolderActions actions = ActionsOn(*deployment.store(), folder);
  // Answers are forgotten also after a failure: some rows may be gone by then.
  actions.erase = [erase = std::move(actions.erase), &deployment](const ProjectToErase& erased) {
    absl::StatusOr<std::string> report = erase(erased);
    if (!erased.dry_run) deployment.service().ForgetAnswers();
    return report;
  };
  return actions;
}

// For the folder's owner: the same service without tokens, and the actions on the folder.
HttpServerOptions ForOwner(HttpServerOptions options, Deployment& deployment, const std::string& folder,
                           RequestLog* log) {
  options.service = deployment.owner_service();
  options.queue = deployment.owner_queue();
  options.observer = log;
  options.receiver = nullptr;
  options.saved = nullptr;
  options.admin = std::nullopt;
  options.cors_origins.clear();
  options.log_parameters = 0;
  options.actions = OwnerActions(ActionsOf(deployment, folder));
  options.actions.push_back(SqlAction(deployment));
  return options;
}

struct Addresses {
  base::ListenAddress listen;
  std::optional<base::ListenAddress> admin;
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
    const std::string host = fd >= 0 ? base::HostOf(fd) : std::string();
    if (host.empty() || insecure_http || base::IsLoopback(host)) continue;
    return absl::InvalidArgumentError(
        base::StrCat("a socket of LISTEN_FDS listens on ", host,
                     ", which can be reached from other machines, and HTTP sends tokens unencrypted; put a proxy with "
                     "TLS in front and listen on 127.0.0.1, or say --insecure-http"));
  }
  if (sockets.listen < 0) {
    LOGQUERY_ASSIGN_OR_RETURN(sockets.listen, base::ListenOn(addresses.listen));
  }
  if (sockets.admin < 0 && addresses.admin) {
    LOGQUERY_ASSIGN_OR_RETURN(sockets.admin, base::ListenOn(*addresses.admin));
  }
  return sockets;
}

// Reports that the server answers: to its supervisor or, without one, to the service manager.
struct Reports {
  std::function<void()> ready;
  std::function<void()> alive;
  absl::Duration alive_every;  // zero: nobody wants to know
};

// The sockets that a server serves on, and the parts that it reports to.
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
  LOGQUERY_ASSIGN_OR_RETURN(const int fd, base::ListenOnUnix(path));
  if (setting.supervisor != nullptr) setting.supervisor->HandUp(fd);
  return fd;
}

// Does what SIGHUP asks for. Tokens and definitions do not need it: the server looks at their files anyway.
void Reload(Deployment& deployment, RequestLog& log) {
  if (const absl::Status status = deployment.Reload(); !status.ok()) {
    log.Note("error", base::StrCat("SIGHUP: the tables and definitions can't be taken over; the endpoints stay as they "
                                   "were: ",
                                   base::Message(status)));
    return;
  }
  log.Note(
      "info",
      "SIGHUP: the tables are read again, and so are the definitions; the endpoints are planned anew. A backend file "
      "is read at the start alone, tokens when their file changes");
}

absl::Status ChangeMaintenance(Deployment& deployment, const ServeArguments& now) {
  if (deployment.maintenance() == nullptr) return absl::OkStatus();
  LOGQUERY_ASSIGN_OR_RETURN(const MaintenanceRules rules, MaintenanceRulesOf(now));
  return deployment.maintenance()->Change(rules);
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

// Adds metrics of the work that a server does with its data folder by itself.
void AddUpkeep(const Deployment& deployment, const Maintenance& maintenance, Metrics& metrics) {
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

// Adds metrics of what is counted elsewhere, or is a state.
void AddReaders(const Setting& setting, const QueryQueue& queries, const HttpServerOptions& options, Metrics& metrics) {
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

// Further members of the admin's /ready, as JSON.
std::string DetailsOf(const Setting& setting) {
  const MemoryWatch::Counters memory = setting.memory->counters();
  std::string json = base::StrCat(R"({"memory":{"resident_bytes":)", memory.resident_bytes, R"(,"limit_bytes":)",
                                  memory.limit_bytes, R"(,"queries_ended":)", memory.ended, "}");
  if (setting.board != nullptr) {
    const CrashCounters crashes = setting.board->counters();
    base::StrAppend(&json, R"(,"crashes":{"servers":)", crashes.crashes, R"(,"suspected":)", crashes.suspected,
                    R"(,"quarantined":)", crashes.quarantined, R"(,"cleared":)", crashes.cleared, R"(,"refused":)",
                    crashes.refused, R"(,"running":)", crashes.running, R"(,"overdue":)", crashes.overdue, "}");
  }
  return json + "}";
}

HttpServerOptions OptionsFor(const ServeArguments& arguments, const Setting& setting, Deployment& deployment,
                             Metrics& metrics) {
  HttpServerOptions options;
  options.service = &deployment.service();
  options.queue = &deployment.queue();
  options.receiver = deployment.receiver();
  options.metrics = [&metrics] { return metrics.Text(); };
  options.log_parameters = arguments.log_parameters;
  options.trust_forwarded_for = arguments.trust_forwarded_for;
  options.api_key_in_query = arguments.api_key_in_query;
  options.console = arguments.console;
  options.admin_hosts = arguments.admin_hosts;
  options.cors_origins = arguments.cors_origins;
  options.allow_remote = arguments.insecure_http;
  options.limits.least_upload = int64_t{arguments.least_upload_kib} << 10;
  options.definitions = [&deployment] { return deployment.definitions_state(); };
  if (deployment.spools().has_value()) options.loading = [&deployment] { return deployment.loading_state(); };
  if (deployment.store() == nullptr) options.engine = [&deployment] { return deployment.engine_state(); };
  if (!arguments.tokens.empty()) options.tokens = [&deployment] { return deployment.tokens_state(); };
  options.details = [&setting] { return DetailsOf(setting); };
  return options;
}

absl::Status Serve(const ServeArguments& arguments, const Setting& setting, Deployment& deployment, Metrics& metrics,
                   RequestLog& log, const sigset_t& signals, const Terminal& terminal) {
  HttpServerOptions options = OptionsFor(arguments, setting, deployment, metrics);
  LOGQUERY_ASSIGN_OR_RETURN(
      const std::unique_ptr<ServeTracing> tracing,
      ServeTracing::Open(arguments, [&log](std::string_view level, std::string_view line) { log.Note(level, line); }));
  if (tracing != nullptr) tracing->AddTo(metrics);
  RequestObserver observer(&log, tracing != nullptr ? &tracing->tracer() : nullptr, &metrics);
  options.observer = &observer;
  AddReaders(setting, deployment.queue(), options, metrics);
  if (deployment.maintenance() != nullptr) AddUpkeep(deployment, *deployment.maintenance(), metrics);
  if (deployment.receiver() != nullptr) AddReceiver(*deployment.receiver(), arguments.ingest_memory_mb, metrics);
  const absl::Cleanup drop = [&metrics] { metrics.DropReaders(); };
  const ListeningSockets& sockets = setting.sockets;
  const bool supervised = setting.supervisor != nullptr;
  options.listen = On(sockets.listen, supervised || sockets.listen_is_kept, arguments.max_connections);
  if (sockets.admin >= 0) options.admin = On(sockets.admin, supervised || sockets.admin_is_kept, kMaxLocalConnections);
  std::unique_ptr<McpServer> mcp, local_mcp;
  if (arguments.mcp) {
    LOGQUERY_ASSIGN_OR_RETURN(mcp, McpServer::Create({.service = options.service, .queue = options.queue}));
  }
  options.mcp = mcp.get();
  std::unique_ptr<SavedQueries> saved;
  if (!arguments.saved.empty()) {
    LOGQUERY_ASSIGN_OR_RETURN(
        saved,
        SavedQueries::Open({.folder = arguments.saved,
                            .service = options.service,
                            .log = [&log](std::string_view level, std::string_view line) { log.Note(level, line); }}));
  }
  options.saved = saved.get();
  LOGQUERY_ASSIGN_OR_RETURN(const std::unique_ptr<HttpServer> server, HttpServer::Create(options));
  std::vector<HttpServer*> servers = {server.get()};
  const std::string socket = SocketIn(arguments.service.data);
  std::unique_ptr<HttpServer> local_server;
  if (deployment.owner_service() != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(const int local, LocalSocket(setting, socket));
    HttpServerOptions owner = ForOwner(options, deployment, arguments.service.data, &log);
    // For `logquery mcp`, whatever the options say of others.
    LOGQUERY_ASSIGN_OR_RETURN(local_mcp, McpServer::Create({.service = owner.service, .queue = owner.queue}));
    owner.mcp = local_mcp.get();
    owner.listen = On(local, supervised, kMaxLocalConnections);
    LOGQUERY_ASSIGN_OR_RETURN(local_server, HttpServer::Create(std::move(owner)));
    servers.push_back(local_server.get());
  }
  // Stops the deployment before the routes go, which its queries use.
  const absl::Cleanup stop = [&deployment] { deployment.Stop(); };
  LOGQUERY_RETURN_IF_ERROR(deployment.Start());
  if (setting.supervisor == nullptr || setting.supervisor->given().starts == 1) {
    PrintAddresses(setting.sockets, terminal);
  }
  setting.reports.ready();
  base::BackgroundTask heartbeat(setting.reports.alive_every, [&setting](const CancellationToken&) {
    if (AnswersHealth(setting.sockets.listen, setting.reports.alive_every)) setting.reports.alive();
  });
  if (setting.reports.alive_every > absl::ZeroDuration()) LOGQUERY_RETURN_IF_ERROR(heartbeat.Start());
  log.Note("info",
           base::StrCat("serving ", arguments.service.data.empty() ? arguments.service.backend : arguments.service.data,
                        " with ", deployment.backend().capabilities().engine,
                        arguments.read_only ? ", for reading alone" : ""));
  if (arguments.api_key_in_query) {
    log.Note("warning",
             "--api-key-in-query: tokens are taken from URLs, which proxies, browsers and collectors write into their "
             "logs; send them in the header X-API-KEY as soon as the clients can");
  }
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
        current, [&deployment](const ServeArguments& now) { return ChangeMaintenance(deployment, now); }, log);
    until.grace = absl::Seconds(current.stop_seconds);
    Reload(deployment, log);
  };
  StopCount stops(setting.supervisor != nullptr ? setting.supervisor->given().supervisor : 0);
  const absl::Status served = ServeUntilSignal(servers, signals, until, stops, log);
  const LastSignals last_signals(signals, &stops);
  heartbeat.Stop();
  if (deployment.owner_service() != nullptr) unlink(socket.c_str());
  deployment.Stop();
  if (tracing != nullptr) tracing->Stop();
  return served;
}

// The engine counts its buffers and most of what queries hold. Beside its limit the process has the cache of answers, bodies that
// are sent, and what queries take that the engine does not count.
constexpr int64_t kBesideEngine = int64_t{384} << 20;

MemoryWatchOptions WatchOptions(const ServeArguments& arguments, ExecutionGuard* next, RequestLog& log,
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

// The supervisor starts the server again without the query.
QueryQuarantine::OnOverdue EndWithQuery(CrashBoard& board, RequestLog& log, LineWriter* log_writer) {
  return [&board, &log, log_writer](int slot, absl::Duration ran) {
    board.MarkOverdue(slot);
    log.Note("error",
             base::StrCat("a query still runs after ", absl::FormatDuration(absl::Trunc(ran, absl::Seconds(1))),
                          ", more than 2 s beyond its deadline; the process ends itself"));
    log_writer->Finish(kLastLines);
    _exit(kExitOverdue);
  };
}

// Without a supervisor an overdue query keeps its thread until the engine returns.
OverdueWatchOptions WatchDeadlines(ExecutionGuard* next, RequestLog& log) {
  OverdueWatchOptions options;
  options.next = next;
  options.on_overdue = [&log](const ExecutionKey&, absl::Duration ran) {
    log.Note("error",
             base::StrCat("a query still runs after ", absl::FormatDuration(absl::Trunc(ran, absl::Seconds(1))),
                          ", more than 2 s beyond its deadline; it keeps its thread until the engine returns"));
  };
  return options;
}

int ServeOn(const ServeArguments& given, Setting setting, RequestLog& log, const sigset_t& signals,
            const Terminal& terminal) {
  ServeArguments arguments = given;
  setting.given = &given;
  const auto note = [&log](std::string_view level, std::string_view line) { log.Note(level, line); };
  if (arguments.query_threads == 0) arguments.query_threads = DefaultQueryThreads();
  const absl::Status fitted = FitToLimits(ReadSystemLimits(arguments), note, arguments);
  if (!fitted.ok()) return Fail(terminal, fitted);
  std::optional<QueryQuarantine> quarantine;
  if (setting.board != nullptr) {
    quarantine.emplace(setting.board, Clock::Real(), EndWithQuery(*setting.board, log, setting.log_writer));
  }
  OverdueWatch overdue(WatchDeadlines(quarantine ? &*quarantine : nullptr, log));
  MemoryWatch memory(WatchOptions(arguments, &overdue, log, setting.log_writer));
  setting.memory = &memory;
  absl::StatusOr<DeploymentOptions> options = ServerOptions(arguments);
  if (!options.ok()) return Fail(terminal, options.status());
  Metrics metrics(LOGQUERY_VERSION_STRING, nullptr);
  options->service.observer = &metrics;
  options->service.guard = &memory;
  options->log = note;
  const absl::StatusOr<std::unique_ptr<Deployment>> deployment = OpenServer(*std::move(options));
  if (!deployment.ok()) return Fail(terminal, deployment.status());
  const absl::Status served = Serve(arguments, setting, **deployment, metrics, log, signals, terminal);
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

// Reports what is wrong with the settings, or with the tokens that variables have. Reads the backend file.
absl::Status CheckedStart(ServeArguments& arguments) {
  LOGQUERY_RETURN_IF_ERROR(CheckedSettings(arguments));
  const auto variable = [](const std::string& name) -> const char* { return std::getenv(name.c_str()); };
  if (!arguments.trace_header_from.empty()) {
    LOGQUERY_RETURN_IF_ERROR(TraceHeaderFrom(arguments.trace_header_from, variable).status());
  }
  LOGQUERY_ASSIGN_OR_RETURN(const std::vector<TokenVariable> tokens, ParseTokenFrom(arguments.token_from));
  return serving::ReadTokenVariables(tokens, variable, nullptr).status();
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
  ServeArguments arguments = given;
  const absl::Status checked = is_supervised ? absl::OkStatus() : CheckedStart(arguments);
  if (!checked.ok()) return Fail(terminal, checked);
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
