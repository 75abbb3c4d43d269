// Puts a service together over one of the engines of engine.h.
//
//     absl::StatusOr<Composition> parts = Compose({.data = "data"}, "");
//     parts->service->Run(…);
#ifndef LOGQUERY_SHIM_CLI_SERVE_COMPOSE_H_
#define LOGQUERY_SHIM_CLI_SERVE_COMPOSE_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "logquery/authenticator.h"
#include "logquery/clock.h"
#include "logquery/endpoint_source.h"
#include "logquery/execution_guard.h"
#include "logquery/query_backend.h"
#include "logquery/query_service.h"
#include "logquery/remote_backend.h"
#include "logquery/service_observer.h"
#include "logquery/serving/log_receiver.h"
#include "logquery/serving/maintenance.h"
#include "shim/cli/folder/folder.h"
#include "shim/cli/folder/loading.h"
#include "shim/cli/options/commands.h"
#include "shim/cli/serve/definition_report.h"
#include "shim/observe/metrics.h"

namespace logquery::shim {

// In the order in which each borrows from those before it.
struct Composition {
  std::unique_ptr<Clock> fixed_clock;  // nullptr: the machine's
  const Clock* clock = nullptr;
  std::unique_ptr<QueryBackend> backend;
  std::function<EngineState()> engine_state;    // as OpenedEngine has it
  std::unique_ptr<EndpointSource> definitions;  // nullptr: the built-in ones alone
  std::unique_ptr<ServiceObserver> observer;
  std::unique_ptr<Metrics> metrics;                 // of a server; tells `observer` too
  std::function<absl::Status()> definitions_state;  // as RoutesOptions::definitions; of a server
  std::unique_ptr<Authenticator> authenticator;
  std::function<absl::Status()> tokens_state;           // as RoutesOptions::tokens; empty: there is no file of tokens
  std::unique_ptr<DefinitionReport> definition_report;  // of a server with a folder of definitions; `observer` asks it
  std::unique_ptr<QueryService> service;
  // Of a server that owns its folder.
  std::unique_ptr<QueryService> local_service;  // without tokens: for the folder's owner
  std::unique_ptr<LogIntake> intake;
  std::unique_ptr<LogReceiver> receiver;  // nullptr: nothing is taken in over HTTP
  std::unique_ptr<Maintenance> maintenance;
  FolderActions actions;
};

// Opens the engine for reading alone, so that several may do so at one time. `tokens` empty: no authenticator.
// InvalidArgument: a definition, or a time. Otherwise what OpenEngine, TokenFile::Open and QueryService::Create return.
absl::StatusOr<Composition> Compose(const ServiceArguments& arguments, const std::string& tokens);

// The same for a server: unless it is to read alone, it has the folder for itself, and takes logs in once `intake` is
// started: by the spool in the folder and, where there is one, by `arguments.spool`. `log` gets what it has to say. `guard`, which may be
// nullptr, is borrowed.
// InvalidArgument also: `arguments.retain`.
absl::StatusOr<Composition> ComposeServer(const ServeArguments& arguments, ExecutionGuard* guard, const IntakeLog& log);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_SERVE_COMPOSE_H_
