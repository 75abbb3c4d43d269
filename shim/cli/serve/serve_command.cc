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
#include "shim/cli/serve/serve_metrics.h"
#include "shim/cli/serve/serve_signals.h"
#include "shim/cli/serve/serve_sockets.h"
#include "shim/cli/serve/serve_tracing.h"
#include "shim/cli/serve/serve_watches.h"
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

int DefaultQueryThreads() { return std::max(4, 2 * static_cast<int>(std::thread::hardware_concurrency())); }

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
    if (!erased.dry_run) deployment.ForgetAnswers();
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
  ServeProcess process;
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
  options.details = [&setting] { return ReadyDetails(setting.process); };
  if (deployment.store() != nullptr) options.projects = std::bind_front(&Deployment::ListProjects, &deployment);
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
  AddProcessMetrics(setting.process, deployment.queue(), options, metrics);
  if (deployment.maintenance() != nullptr) AddUpkeepMetrics(deployment, *deployment.maintenance(), metrics);
  if (deployment.receiver() != nullptr) AddReceiverMetrics(*deployment.receiver(), arguments.ingest_memory_mb, metrics);
  const absl::Cleanup drop = [&metrics] { metrics.DropReaders(); };
  const ListeningSockets& sockets = setting.sockets;
  const bool supervised = setting.supervisor != nullptr;
  options.listen = On(sockets.listen, supervised || sockets.listen_is_kept, arguments.max_connections);
  if (sockets.admin >= 0) options.admin = On(sockets.admin, supervised || sockets.admin_is_kept, kMaxLocalConnections);
  std::unique_ptr<McpServer> mcp, local_mcp;
  if (arguments.mcp) {
    McpOptions of_mcp = {.service = options.service, .queue = options.queue};
    // A client that listens keeps a thread, and so a connection's place.
    of_mcp.max_listeners = std::clamp(arguments.max_connections / 4, 1, of_mcp.max_listeners);
    LOGQUERY_ASSIGN_OR_RETURN(mcp, McpServer::Create(of_mcp));
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
    setting.process.log_writer->Finish(kLastLines);
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

int ServeOn(const ServeArguments& given, Setting setting, RequestLog& log, const sigset_t& signals,
            const Terminal& terminal) {
  ServeArguments arguments = given;
  setting.given = &given;
  const auto note = [&log](std::string_view level, std::string_view line) { log.Note(level, line); };
  if (arguments.query_threads == 0) arguments.query_threads = DefaultQueryThreads();
  const absl::Status fitted = FitToLimits(ReadSystemLimits(arguments), note, arguments);
  if (!fitted.ok()) return Fail(terminal, fitted);
  std::optional<QueryQuarantine> quarantine;
  if (setting.process.board != nullptr) {
    quarantine.emplace(setting.process.board, Clock::Real(),
                       EndWithQuery(*setting.process.board, log, setting.process.log_writer));
  }
  OverdueWatch overdue(WatchDeadlines(quarantine ? &*quarantine : nullptr, log));
  MemoryWatch memory(WatchMemory(arguments, &overdue, log, setting.process.log_writer));
  setting.process.memory = &memory;
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
  setting.process.board = board->get();
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
  setting.process.log_writer = &log_writer;
  if (*supervisor != nullptr) return ServeSupervised(arguments, **supervisor, setting, log, signals, terminal);

  const ServiceManager manager = ServiceManager::FromEnvironment();
  const absl::StatusOr<ServeAddresses> addresses = ServeAddressesOf(given);
  if (!addresses.ok()) return Fail(terminal, addresses.status());
  const absl::StatusOr<ListeningSockets> sockets = OpenServeSockets(*addresses, arguments.insecure_http);
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
    return LogLine("warning",
                   base::StrCat(lines, lines == 1 ? " line" : " lines", " of the log ", lines == 1 ? "was" : "were",
                                " dropped here, because its sink took none"),
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
  RequestLog log([&log_writer](std::string line) { log_writer.Add(std::move(line)); }, json, Clock::Real());
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
