// Messages name the options of the command line.
#include "shim/cli/serve/deployment_options.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "logquery/parameter_binder.h"
#include "shim/cli/options/packed_records_option.h"
#include "shim/cli/serve/backend_option.h"
#include "shim/cli/serve/retain_option.h"
#include "shim/cli/serve/source_ids.h"
#include "shim/cli/serve/token_from.h"

namespace logquery::shim {
namespace {

// For the commands of the folder's owner.
constexpr int kOwnerQueries = 2;
constexpr absl::Duration kMaxQueueWait = absl::Seconds(10);

absl::StatusOr<DeploymentOptions> OptionsOf(ServiceArguments arguments) {
  LOGQUERY_RETURN_IF_ERROR(ReadBackend(arguments));
  DeploymentOptions options;
  options.backend = *std::move(arguments.engine);
  if (options.backend.folder.empty() && !arguments.schema.empty()) {
    return absl::InvalidArgumentError(base::StrCat("--schema ", arguments.schema,
                                                   " is for a data folder; the tables of ", options.backend.engine,
                                                   " are named by its backend file"));
  }
  options.endpoint_folder = arguments.endpoints;
  options.built_in = arguments.built_in;
  options.schema_file = arguments.schema;
  if (!arguments.now.empty()) {
    const absl::StatusOr<absl::Time> now = ParseTimestamp(arguments.now);
    if (!now.ok()) return absl::InvalidArgumentError(base::StrCat("--now: ", base::Message(now.status())));
    options.now = *now;
  }
  options.service.default_tier = arguments.default_tier;
  options.service.time_limit = absl::Seconds(arguments.time_limit_seconds);
  return options;
}

// Rejects options that mean nothing where the server does not own a data folder.
absl::Status RefuseUpkeep(const ServeArguments& arguments, const BackendOptions& backend) {
  const char* const option = !arguments.spool.empty()    ? "--spool"
                             : !arguments.retain.empty() ? "--retain"
                             : arguments.ingest          ? "--ingest"
                                                         : nullptr;
  if (option == nullptr) return absl::OkStatus();
  return absl::InvalidArgumentError(base::StrCat(option, " is for a server that owns a data folder; ",
                                                 !backend.folder.empty()
                                                     ? "with --read-only it does not"
                                                     : base::StrCat("the engine ", backend.engine, " has none")));
}

// The folder in which answers that are too long for memory wait for their clients.
absl::StatusOr<std::string> BodyFolder(const ServeArguments& arguments, const std::string& owned_folder) {
  if (!arguments.temporary.empty()) return arguments.temporary;
  if (!owned_folder.empty()) return owned_folder + "/tmp";  // as the engine lays the folder out
  std::error_code error;
  std::string folder = std::filesystem::temp_directory_path(error).string();
  if (error) return absl::InvalidArgumentError(base::StrCat("--temp: the system has no folder: ", error.message()));
  return folder;
}

absl::StatusOr<LogReceiverOptions> ReceiverOptions(const ServeArguments& arguments) {
  LogReceiverOptions options;
  options.max_bytes = int64_t{arguments.ingest_memory_mb} << 20;
  // A request with logs keeps a thread until its rows are on the disk: most threads are left to queries.
  options.max_requests = std::max(1, arguments.max_connections / 4);
  options.max_new_logs = arguments.new_sources;
  LOGQUERY_ASSIGN_OR_RETURN(options.source_ids, ParseSourceIds(arguments.source_ids));
  return options;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Deployment>> OpenToRead(const ServiceArguments& arguments) {
  LOGQUERY_ASSIGN_OR_RETURN(DeploymentOptions options, OptionsOf(arguments));
  options.read_only = true;
  options.look_every = absl::ZeroDuration();
  return Deployment::Open(std::move(options));
}

absl::StatusOr<DeploymentOptions> ServerOptions(const ServeArguments& arguments) {
  LOGQUERY_ASSIGN_OR_RETURN(DeploymentOptions options, OptionsOf(arguments.service));
  options.read_only = arguments.read_only;
  options.token_file = arguments.tokens;
  LOGQUERY_ASSIGN_OR_RETURN(options.token_variables, ParseTokenFrom(arguments.token_from));
  const bool owns_folder = !options.backend.folder.empty() && !arguments.read_only;
  LOGQUERY_ASSIGN_OR_RETURN(options.service.body_folder,
                            BodyFolder(arguments, owns_folder ? options.backend.folder : ""));
  options.service.max_result_bytes = int64_t{arguments.max_answer_mb} << 20;
  options.service.max_body_memory = int64_t{arguments.answer_memory_mb} << 20;
  options.service.kept_bytes = int64_t{arguments.kept_answers_mb} << 20;
  options.queue.threads = arguments.query_threads;
  options.queue.max_waiting = arguments.max_queued;
  options.queue.max_wait = kMaxQueueWait;
  if (!owns_folder) {
    LOGQUERY_RETURN_IF_ERROR(RefuseUpkeep(arguments, options.backend));
    return options;
  }
  options.owner_threads = kOwnerQueries;
  LOGQUERY_ASSIGN_OR_RETURN(options.packed_records, ParsePackedRecords(arguments.packed_records));
  if (!arguments.spool.empty()) options.spools = {arguments.spool};
  if (arguments.ingest) {
    LOGQUERY_ASSIGN_OR_RETURN(options.receiver, ReceiverOptions(arguments));
  }
  LOGQUERY_ASSIGN_OR_RETURN(options.maintenance.emplace().rules, MaintenanceRulesOf(arguments));
  return options;
}

absl::StatusOr<std::unique_ptr<Deployment>> OpenServer(DeploymentOptions options) {
  absl::StatusOr<std::unique_ptr<Deployment>> deployment = Deployment::Open(std::move(options));
  if (!absl::IsPermissionDenied(deployment.status())) return deployment;
  // A folder that can't be read is no more readable with --read-only.
  if (base::Message(deployment.status()).starts_with("can't read ")) return deployment;
  return absl::PermissionDeniedError(base::StrCat(base::Message(deployment.status()),
                                                  "; a folder that may not be written is served with --read-only"));
}

}  // namespace logquery::shim
