// Puts a service together: engine, definitions, tokens, clock.
#include "shim/cli/serve/compose.h"

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "logquery/endpoint_folder.h"
#include "logquery/parameter_binder.h"
#include "logquery/version.h"
#include "shim/cli/query/definitions.h"
#include "shim/cli/serve/declaring_source.h"
#include "shim/cli/serve/engine.h"
#include "shim/cli/serve/service_log.h"
#include "shim/cli/serve/token_from.h"

namespace logquery::shim {
namespace {

constexpr absl::Duration kLookEvery = absl::Seconds(1);

struct Tokens {
  std::string file;               // empty: there is none
  std::vector<std::string> from;  // as token_from.h has it
};

absl::Status OpenTokens(const Tokens& tokens, Composition& parts) {
  if (!tokens.file.empty()) {
    // Tokens expire by the machine's clock, whatever time the queries are told.
    LOGQUERY_ASSIGN_OR_RETURN(std::unique_ptr<TokenFile> file, TokenFile::Open(tokens.file, Clock::Real()));
    parts.tokens_state = [kept = file.get()] { return kept->status(); };
    parts.authenticator = std::move(file);
  }
  if (tokens.from.empty()) return absl::OkStatus();
  const auto variable = [](const std::string& name) -> const char* { return std::getenv(name.c_str()); };
  LOGQUERY_ASSIGN_OR_RETURN(parts.authenticator, WithTokensFrom(tokens.from, variable, std::move(parts.authenticator)));
  return absl::OkStatus();
}

std::vector<endpoint::Finding> FindDefinitionErrors(const ServiceArguments& arguments, QueryBackend& backend) {
  absl::StatusOr<Catalog> catalog = backend.ReadCatalog();
  if (!catalog.ok()) return {};
  return DefinitionErrors(arguments.endpoints, arguments.schema, arguments.built_in, *std::move(catalog));
}

// The service; where definitions of the folder keep it from being made, the error lists all that is wrong with them.
absl::StatusOr<std::unique_ptr<QueryService>> CreateService(QueryServiceOptions options,
                                                            const ServiceArguments& arguments) {
  QueryBackend* const backend = options.backend;
  absl::StatusOr<std::unique_ptr<QueryService>> service = QueryService::Create(std::move(options));
  if (!absl::IsInvalidArgument(service.status()) || arguments.endpoints.empty()) return service;
  return WithDefinitionErrors(service.status(), arguments.endpoints, FindDefinitionErrors(arguments, *backend));
}

// `look_every`: how often the folder of definitions is looked at; zero: only when it is asked for. `engine` becomes the
// arguments' engine, opened; the composition owns its backend.
absl::StatusOr<Composition> ComposeWith(QueryServiceOptions options, const ServiceArguments& arguments,
                                        const Tokens& tokens, bool read_only, absl::Duration look_every,
                                        OpenedEngine& engine) {
  Composition parts;
  options.endpoints = BuiltInDefinitions(arguments.built_in);
  options.default_tier = arguments.default_tier;
  parts.clock = Clock::Real();
  if (!arguments.now.empty()) {
    const absl::StatusOr<absl::Time> now = ParseTimestamp(arguments.now);
    if (!now.ok()) return absl::InvalidArgumentError(base::StrCat("--now: ", base::Message(now.status())));
    parts.fixed_clock = std::make_unique<FixedClock>(*now);
    parts.clock = parts.fixed_clock.get();
  }
  if (!arguments.endpoints.empty()) parts.definitions = EndpointFolder::Open(arguments.endpoints, look_every);
  LOGQUERY_RETURN_IF_ERROR(OpenTokens(tokens, parts));
  LOGQUERY_ASSIGN_OR_RETURN(engine, OpenEngine(arguments, read_only));
  if (engine.declare_logs && !(arguments.schema.empty() && arguments.endpoints.empty())) {
    parts.definitions = std::make_unique<DeclaringSource>(std::move(parts.definitions), arguments.schema,
                                                          arguments.endpoints, engine.declare_logs);
  }
  options.source = parts.definitions.get();
  parts.actions = engine.actions;
  parts.backend = std::move(engine.backend);
  parts.engine_state = std::move(engine.state);
  options.backend = parts.backend.get();
  options.clock = parts.clock;
  options.time_limit = absl::Seconds(arguments.time_limit_seconds);
  if (!read_only && !arguments.data.empty()) {
    // Commands read the current rows, not cached answers.
    QueryServiceOptions local = options;
    local.cache_bytes = 0;
    local.warming_threads = 0;
    local.observer = nullptr;
    LOGQUERY_ASSIGN_OR_RETURN(parts.local_service, CreateService(std::move(local), arguments));
  }
  options.authenticator = parts.authenticator.get();
  LOGQUERY_ASSIGN_OR_RETURN(parts.service, CreateService(std::move(options), arguments));
  if (parts.actions.erase) {
    // Also after a failure: some rows may be gone by then.
    parts.actions.erase = [erase = parts.actions.erase, service = parts.service.get()](const ProjectToErase& erased) {
      absl::StatusOr<std::string> report = erase(erased);
      if (!erased.dry_run) service->ForgetAnswers();
      return report;
    };
  }
  return parts;
}

// As the engine lays the folder out.
std::string TemporaryIn(const std::string& data_folder) { return data_folder + "/tmp"; }

// How long answers may be, and where long ones wait for their clients.
absl::StatusOr<QueryServiceOptions> AnswerOptions(const ServeArguments& arguments) {
  QueryServiceOptions options;
  options.max_result_bytes = int64_t{arguments.max_answer_mb} << 20;
  options.max_body_memory = int64_t{arguments.answer_memory_mb} << 20;
  options.body_folder = arguments.temporary;
  if (!options.body_folder.empty()) return options;
  std::error_code error;
  const bool owns_folder = !arguments.read_only && !arguments.service.data.empty();
  options.body_folder =
      !owns_folder ? std::filesystem::temp_directory_path(error).string() : TemporaryIn(arguments.service.data);
  if (error) return absl::InvalidArgumentError(base::StrCat("--temp: the system has no folder: ", error.message()));
  return options;
}

// Options that would say nothing where the server does not own a data folder.
absl::Status RefuseUpkeep(const ServeArguments& arguments) {
  const char* const option = !arguments.spool.empty()    ? "--spool"
                             : !arguments.retain.empty() ? "--retain"
                             : arguments.ingest          ? "--ingest"
                                                         : nullptr;
  if (option == nullptr) return absl::OkStatus();
  const bool has_folder = !arguments.service.data.empty();
  return absl::InvalidArgumentError(
      base::StrCat(option, " is for a server that owns a data folder; ",
                   has_folder ? "with --read-only it does not"
                              : base::StrCat("the engine ", arguments.service.engine, " has none")));
}

}  // namespace

absl::StatusOr<Composition> Compose(const ServiceArguments& arguments, const std::string& tokens) {
  OpenedEngine engine;
  return ComposeWith({}, arguments, {tokens, {}}, /*read_only=*/true, absl::ZeroDuration(), engine);
}

absl::StatusOr<Composition> ComposeServer(const ServeArguments& arguments, ExecutionGuard* guard,
                                          const IntakeLog& log) {
  const std::string& data = arguments.service.data;
  // A mistyped name is not to become a new folder.
  std::error_code ignored;
  if (!data.empty() && !std::filesystem::exists(data, ignored)) {
    return absl::NotFoundError(base::StrCat("there is no folder ", data, "; make it, or load logs into it"));
  }
  LOGQUERY_ASSIGN_OR_RETURN(QueryServiceOptions options, AnswerOptions(arguments));
  options.guard = guard;
  auto observer = std::make_unique<ServiceLog>(log);
  auto metrics = std::make_unique<Metrics>(LOGQUERY_VERSION_STRING, observer.get());
  options.observer = metrics.get();
  OpenedEngine engine;
  absl::StatusOr<Composition> parts =
      ComposeWith(std::move(options), arguments.service, {arguments.tokens, arguments.token_from}, arguments.read_only,
                  kLookEvery, engine);
  if (absl::IsPermissionDenied(parts.status())) {
    return absl::PermissionDeniedError(
        base::StrCat(base::Message(parts.status()), "; a folder that may not be written is served with --read-only"));
  }
  if (!parts.ok()) return parts;
  parts->definitions_state = [kept = observer.get()] { return kept->definitions(); };
  if (!arguments.service.endpoints.empty()) {
    parts->definition_report = std::make_unique<DefinitionReport>(
        [given = arguments.service, backend = parts->backend.get()] {
          std::vector<std::string> lines;
          for (const endpoint::Finding& error : FindDefinitionErrors(given, *backend)) {
            lines.push_back(base::StrCat(error.file, ":", error.line, ":", error.column, ": ", error.message));
          }
          return lines;
        },
        log);
    observer->ReportTo(parts->definition_report.get());
  }
  parts->observer = std::move(observer);
  parts->metrics = std::move(metrics);
  if (!engine.make_upkeep) {
    LOGQUERY_RETURN_IF_ERROR(RefuseUpkeep(arguments));
    return parts;
  }
  LOGQUERY_ASSIGN_OR_RETURN(EngineUpkeep upkeep, engine.make_upkeep(arguments, log));
  parts->intake = std::move(upkeep.intake);
  parts->receiver = std::move(upkeep.receiver);
  parts->maintenance = std::move(upkeep.maintenance);
  return parts;
}

}  // namespace logquery::shim
