// The engines that this program has: how each is configured and opened. compose_engines.cc holds the one table of them.
//
//     LOGQUERY_ASSIGN_OR_RETURN(OpenedEngine engine, OpenEngine(arguments, /*read_only=*/true));
//     options.backend = engine.backend.get();
#ifndef LOGQUERY_SHIM_CLI_SERVE_ENGINE_H_
#define LOGQUERY_SHIM_CLI_SERVE_ENGINE_H_

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lib/base/json_fields.h"
#include "logquery/remote_backend.h"
#include "logquery/serving/log_receiver.h"
#include "logquery/serving/maintenance.h"
#include "shim/cli/folder/folder.h"
#include "shim/cli/folder/loading.h"
#include "shim/cli/options/commands.h"

namespace logquery::shim {

// What a server does beside answering, for an engine whose data it owns.
struct EngineUpkeep {
  std::unique_ptr<LogIntake> intake;
  std::unique_ptr<LogReceiver> receiver;  // nullptr: it is not asked for
  std::unique_ptr<Maintenance> maintenance;
};

struct OpenedEngine {
  std::unique_ptr<QueryBackend> backend;
  // Whether an engine elsewhere can be asked now (RemoteBackend::State). Empty: the engine is in this process.
  std::function<EngineState()> state;
  // Takes the logs that a schema file declares into data that this program owns (DuckDbBackend::DeclareLogs). Empty: it owns none.
  std::function<absl::Status(const std::string& source, const std::string& json)> declare_logs;
  FolderActions actions;  // empty functions where the engine has no data folder
  // What a server that owns the data starts. Empty: nothing, as for data that is opened to be read.
  std::function<absl::StatusOr<EngineUpkeep>(const ServeArguments&, const IntakeLog&)> make_upkeep;
};

inline OpenedEngine RemoteEngine(std::unique_ptr<RemoteBackend> backend) {
  OpenedEngine engine;
  engine.state = [remote = backend.get()] { return remote->State(); };
  engine.backend = std::move(backend);
  return engine;
}

struct Engine {
  std::string_view name;  // as "engine" in a backend file has it
  // Takes the engine's own fields of a backend file over into the arguments; relative names in it are taken from `folder`.
  // Called only where the program is built with the engine.
  void (*read_settings)(base::JsonFields& fields, const std::string& folder, ServiceArguments& arguments) = nullptr;
  // nullptr: this program is built without the engine.
  absl::StatusOr<OpenedEngine> (*open)(const ServiceArguments& arguments, bool read_only) = nullptr;
};

// All engines that logquery knows, those that this program is built without included.
const std::vector<Engine>& KnownEngines();

// InvalidArgument: there is no engine of that name. Unimplemented: this program is built without it.
absl::StatusOr<const Engine*> FindEngine(std::string_view name);

// Opens the engine that the arguments name. FindEngine's statuses, and those of the engine, such as OpenDuckDb's.
absl::StatusOr<OpenedEngine> OpenEngine(const ServiceArguments& arguments, bool read_only);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_SERVE_ENGINE_H_
