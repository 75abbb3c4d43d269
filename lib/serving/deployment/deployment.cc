// Puts the parts together. Each member borrows from those before it, so the order of the members is the order of their making, and
// the opposite of their end.
#include "logquery/serving/deployment.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/ascii.h"
#include "lib/base/background_task.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/endpoint/definitions/all_logs_endpoint.h"
#include "lib/serving/deployment/declaring_source.h"
#include "lib/serving/deployment/definition_errors.h"
#include "lib/serving/deployment/definition_report.h"
#include "lib/serving/deployment/engine_watch.h"
#include "lib/serving/deployment/engines.h"
#include "lib/serving/deployment/event_log.h"
#include "lib/serving/deployment/operator_logs.h"
#include "lib/serving/deployment/project_list.h"
#include "lib/serving/deployment/service_log.h"
#include "lib/serving/deployment/token_variables.h"
#include "lib/serving/deployment/token_watch.h"
#include "lib/serving/store/folder_work.h"
#include "lib/tools/own_logs_file.h"
#include "logquery/endpoint_folder.h"
#include "logquery/store/duckdb_backend.h"

namespace logquery {
namespace {

// How often the token file is compared with its last state for the log; calls do so anyway.
constexpr absl::Duration kTokensEvery = absl::Seconds(1);

class DeploymentImpl : public Deployment {
 public:
  // `has_log`: somebody reads the options' log.
  DeploymentImpl(DeploymentOptions options, bool has_log) : options_(std::move(options)), has_log_(has_log) {}
  ~DeploymentImpl() override { DeploymentImpl::Stop(); }

  absl::Status Open();

  absl::Status Start() override;
  void Stop() override;
  absl::Status Reload() override;
  absl::StatusOr<QueryAnswer> RunSql(const std::string& sql, const SqlOptions& options, QueryRequest request) override;
  absl::StatusOr<std::string> ListProjects(const Principal& principal, const QueryRequest& request,
                                           const std::function<bool()>& client_left) override;
  void ForgetAnswers() override;

  const Clock& clock() const override { return fixed_clock_ ? *fixed_clock_ : *Clock::Real(); }
  QueryBackend& backend() override { return *opened_.backend; }
  DuckDbBackend* store() override { return opened_.store; }
  QueryService& service() override { return *service_; }
  QueryQueue& queue() override { return *queue_; }
  LogReceiver* receiver() override { return work_.receiver.get(); }
  Maintenance* maintenance() override { return work_.maintenance.get(); }
  QueryService* owner_service() override { return owner_service_.get(); }
  QueryQueue* owner_queue() override { return owner_queue_.get(); }

  absl::Status definitions_state() const override { return service_log_->definitions(); }
  absl::Status tokens_state() const override {
    return token_file_ == nullptr ? absl::OkStatus() : token_file_->status();
  }
  absl::Status loading_state() const override;
  absl::Status engine_state() override { return engine_watch_ ? engine_watch_->Check() : absl::OkStatus(); }
  std::optional<SpoolState> spools() const override;

 private:
  bool OwnsFolder() const { return opened_.store != nullptr && !options_.read_only; }
  absl::Status CheckOptions() const;
  absl::Status OpenTokens();
  absl::Status OpenEngine();
  void OpenDefinitions();
  void TellColumnsLeftOut(const std::string& source, const std::string& json);
  absl::Status CreateServices();
  QueryServiceOptions OwnerOptions() const;
  absl::StatusOr<std::unique_ptr<QueryService>> CreateService(QueryServiceOptions options);
  absl::Status CreateQueues();
  std::vector<endpoint::Finding> FindDefinitionErrors();

  const DeploymentOptions options_;
  const bool has_log_;
  const serving::Engine* engine_ = nullptr;
  std::unique_ptr<Clock> fixed_clock_;
  std::vector<Endpoint> built_in_;
  OpenedBackend opened_;
  absl::Mutex left_out_mutex_;
  std::string left_out_ ABSL_GUARDED_BY(left_out_mutex_);  // what the last declarations lacked
  std::optional<serving::EngineWatch> engine_watch_;
  std::unique_ptr<EndpointSource> definitions_;  // nullptr: only the built-in ones
  std::unique_ptr<serving::ServiceLog> service_log_;
  TokenFile* token_file_ = nullptr;               // nullptr: there is no file; otherwise owned by authenticator_
  std::unique_ptr<Authenticator> authenticator_;  // nullptr: there are no tokens
  std::unique_ptr<serving::DefinitionReport> definition_report_;
  const std::unique_ptr<ParquetWriter> parquet_ = serving::MakeParquetWriter();
  std::unique_ptr<QueryService> owner_service_;
  std::unique_ptr<QueryService> service_;
  std::unique_ptr<serving::ProjectList> projects_;  // nullptr: the engine has no data folder
  std::unique_ptr<QueryQueue> queue_;
  std::unique_ptr<QueryQueue> owner_queue_;
  serving::FolderWork work_;
  std::optional<serving::TokenWatch> token_watch_;
  std::optional<base::BackgroundTask> token_looks_;
};

absl::Status DeploymentImpl::Open() {
  LOGQUERY_ASSIGN_OR_RETURN(engine_, serving::FindEngine(options_.backend.engine));
  LOGQUERY_RETURN_IF_ERROR(CheckOptions());
  if (options_.now.has_value()) fixed_clock_ = std::make_unique<FixedClock>(*options_.now);
  if (options_.built_in) built_in_ = Endpoint::BuiltIn();
  LOGQUERY_RETURN_IF_ERROR(OpenTokens());
  LOGQUERY_RETURN_IF_ERROR(OpenEngine());
  OpenDefinitions();
  LOGQUERY_RETURN_IF_ERROR(CreateServices());
  LOGQUERY_RETURN_IF_ERROR(CreateQueues());
  if (OwnsFolder()) {
    LOGQUERY_ASSIGN_OR_RETURN(work_, engine_->open_work(*opened_.store, options_));
  }
  return absl::OkStatus();
}

absl::Status DeploymentImpl::CheckOptions() const {
  const std::string& folder = options_.backend.folder;
  if (folder.empty() && !options_.schema_file.empty()) {
    return absl::InvalidArgumentError(base::StrCat("the schema file ", options_.schema_file,
                                                   " is for a data folder; the tables of ", options_.backend.engine,
                                                   " are named by its backend file"));
  }
  if (options_.owner_threads < 0) return absl::InvalidArgumentError("owner_threads must not be negative");
  if (folder.empty() || options_.read_only) {
    const char* const option = !options_.spools.empty()           ? "spools"
                               : options_.receiver.has_value()    ? "receiver"
                               : options_.maintenance.has_value() ? "maintenance"
                                                                  : nullptr;
    if (option == nullptr) return absl::OkStatus();
    return absl::InvalidArgumentError(
        base::StrCat("the option ", option, " is for a deployment that owns a data folder; ",
                     folder.empty() ? base::StrCat("the engine ", options_.backend.engine, " has none")
                                    : "opened read-only, it does not"));
  }
  std::error_code unknown;  // opening the folder says why it can't be looked at
  if (!options_.create_folder && !std::filesystem::exists(folder, unknown) && !unknown) {
    return absl::NotFoundError(base::StrCat("there is no folder ", folder, "; make it, or load logs into it"));
  }
  return absl::OkStatus();
}

absl::Status DeploymentImpl::OpenTokens() {
  if (!options_.token_file.empty()) {
    // Tokens expire by the machine's clock, whatever time the queries are told.
    LOGQUERY_ASSIGN_OR_RETURN(std::unique_ptr<TokenFile> file, TokenFile::Open(options_.token_file, Clock::Real()));
    token_file_ = file.get();
    authenticator_ = std::move(file);
    token_watch_.emplace([file = token_file_] { return file->status(); }, options_.log);
  }
  if (options_.token_variables.empty()) return absl::OkStatus();
  const auto variable = [](const std::string& name) -> const char* { return std::getenv(name.c_str()); };
  LOGQUERY_ASSIGN_OR_RETURN(authenticator_,
                            serving::ReadTokenVariables(options_.token_variables, variable, std::move(authenticator_)));
  return absl::OkStatus();
}

absl::Status DeploymentImpl::OpenEngine() {
  BackendUse use;
  use.read_only = options_.read_only;
  use.packed_records = options_.packed_records;
  if (!options_.backend.folder.empty()) {
    LOGQUERY_ASSIGN_OR_RETURN(endpoint::OwnLogsFile own,
                              endpoint::ReadOwnLogsFile(options_.schema_file, options_.endpoint_folder));
    use.own_logs_json = std::move(own.json);
    use.own_logs_source = std::move(own.path);
  }
  LOGQUERY_ASSIGN_OR_RETURN(opened_, engine_->open(options_.backend, use));
  if (!use.own_logs_json.empty()) TellColumnsLeftOut(use.own_logs_source, use.own_logs_json);
  if (opened_.remote != nullptr) {
    engine_watch_.emplace([remote = opened_.remote] { return remote->State(); }, options_.log);
  }
  return absl::OkStatus();
}

void DeploymentImpl::OpenDefinitions() {
  const std::string& folder = options_.endpoint_folder;
  if (!folder.empty()) definitions_ = EndpointFolder::Open(folder, options_.look_every);
  if (opened_.store == nullptr) return;
  serving::DeclaringSource::Declare declare;
  if (OwnsFolder()) {
    declare = [this](const std::string& source, const std::string& json) {
      const absl::Status status = engine_->declare_logs(*opened_.store, options_.backend.folder, source, json);
      if (status.ok()) TellColumnsLeftOut(source, json);
      return status;
    };
  }
  definitions_ = std::make_unique<serving::DeclaringSource>(std::move(definitions_), options_.schema_file, folder,
                                                            std::move(declare),
                                                            [this] { return serving::OperatorLogs(*opened_.store); });
}

// Once for each set of columns: the declarations are read with each change of a definition.
void DeploymentImpl::TellColumnsLeftOut(const std::string& source, const std::string& json) {
  if (opened_.store == nullptr) return;
  const auto columns = opened_.store->ColumnsLeftOut(source, json);
  if (!columns.ok()) return;
  std::string text = base::Join(*columns, ", ");
  const absl::MutexLock lock(&left_out_mutex_);
  if (std::exchange(left_out_, text) == text || text.empty() || !options_.log) return;
  options_.log("warning", base::StrCat(source, " no longer declares ", text, ": what the folder has of them stays"));
}

// For the owner's commands, which read the current rows and not cached answers.
QueryServiceOptions DeploymentImpl::OwnerOptions() const {
  QueryServiceOptions owner = options_.service;
  owner.backend = opened_.backend.get();
  owner.clock = &clock();
  owner.authenticator = nullptr;
  owner.cache_bytes = 0;
  owner.kept_bytes = 0;
  owner.cache = nullptr;
  owner.warming_threads = 0;
  owner.observer = nullptr;
  if (owner.parquet == nullptr) owner.parquet = parquet_.get();
  return owner;
}

absl::StatusOr<QueryAnswer> DeploymentImpl::RunSql(const std::string& sql, const SqlOptions& options,
                                                   QueryRequest request) {
  // A call without SQL would get the rows of the definition's own query.
  if (absl::StripAsciiWhitespace(sql).empty()) return absl::InvalidArgumentError("the SQL is empty");
  LOGQUERY_ASSIGN_OR_RETURN(const Catalog catalog, opened_.backend->ReadCatalog());
  const bool is_scoped = options.project.has_value() && options.language == QueryLanguage::kBigQuery;
  endpoint::AllLogsOptions all;
  all.language = options.language;
  all.max_rows = options.max_rows;
  all.of_project = options.project.has_value() && !is_scoped;
  LOGQUERY_ASSIGN_OR_RETURN(Endpoint definition, endpoint::MakeAllLogsEndpoint(catalog, all));
  const std::string name = definition.name;
  QueryServiceOptions service_options = OwnerOptions();
  service_options.endpoints = {std::move(definition)};
  service_options.source = nullptr;
  service_options.body_folder.clear();  // the answer outlives the service
  service_options.max_result_bytes = options.max_result_bytes.value_or(service_options.max_result_bytes);
  LOGQUERY_ASSIGN_OR_RETURN(const std::unique_ptr<QueryService> service,
                            QueryService::Create(std::move(service_options)));
  Principal owner;
  owner.label = "owner";
  if (is_scoped) owner.project_scope = options.project;
  LOGQUERY_ASSIGN_OR_RETURN(const CallTarget target, service->Find(std::move(owner), name));
  request.parameters = {{"sql", sql}};
  if (all.of_project) request.parameters.emplace_back("project", *options.project);
  return service->Run(target, request);
}

absl::StatusOr<std::string> DeploymentImpl::ListProjects(const Principal& principal, const QueryRequest& request,
                                                         const std::function<bool()>& client_left) {
  if (projects_ == nullptr) return absl::UnimplementedError("projects are listed only from a data folder");
  return projects_->Read(*queue_, principal, request, client_left);
}

void DeploymentImpl::ForgetAnswers() {
  service_->ForgetAnswers();
  if (projects_ != nullptr) projects_->ForgetAnswers();
}

absl::Status DeploymentImpl::CreateServices() {
  service_log_ = std::make_unique<serving::ServiceLog>(options_.log, options_.service.observer);
  QueryServiceOptions options = options_.service;
  options.backend = opened_.backend.get();
  options.endpoints = built_in_;
  options.source = definitions_.get();
  options.clock = &clock();
  if (options.parquet == nullptr) options.parquet = parquet_.get();
  if (OwnsFolder() && options_.owner_threads > 0) {
    QueryServiceOptions owner = OwnerOptions();
    owner.endpoints = built_in_;
    owner.source = definitions_.get();
    LOGQUERY_ASSIGN_OR_RETURN(owner_service_, CreateService(std::move(owner)));
  }
  if (opened_.store != nullptr) {
    QueryServiceOptions projects = OwnerOptions();
    projects.observer = service_log_.get();
    projects.body_folder.clear();
    projects_ = std::make_unique<serving::ProjectList>(std::move(projects));
  }
  options.observer = service_log_.get();
  if (authenticator_ != nullptr) options.authenticator = authenticator_.get();
  LOGQUERY_ASSIGN_OR_RETURN(service_, CreateService(std::move(options)));
  if (!has_log_ || options_.endpoint_folder.empty()) return absl::OkStatus();
  definition_report_ = std::make_unique<serving::DefinitionReport>(
      [this] {
        std::vector<std::string> lines;
        for (const endpoint::Finding& error : FindDefinitionErrors()) {
          lines.push_back(base::StrCat(error.file, ":", error.line, ":", error.column, ": ", error.message));
        }
        return lines;
      },
      options_.log);
  service_log_->ReportTo(definition_report_.get());
  return absl::OkStatus();
}

// If definitions of the folder keep the service from being made, the error lists all that is wrong with them.
absl::StatusOr<std::unique_ptr<QueryService>> DeploymentImpl::CreateService(QueryServiceOptions options) {
  absl::StatusOr<std::unique_ptr<QueryService>> service = QueryService::Create(std::move(options));
  if (!absl::IsInvalidArgument(service.status()) || options_.endpoint_folder.empty()) return service;
  return serving::WithDefinitionErrors(service.status(), options_.endpoint_folder, FindDefinitionErrors());
}

absl::Status DeploymentImpl::CreateQueues() {
  QueryQueueOptions options = options_.queue;
  options.service = service_.get();
  options.observer = service_log_.get();
  LOGQUERY_ASSIGN_OR_RETURN(queue_, QueryQueue::Create(options));
  if (owner_service_ == nullptr) return absl::OkStatus();
  LOGQUERY_ASSIGN_OR_RETURN(owner_queue_,
                            QueryQueue::Create({.service = owner_service_.get(), .threads = options_.owner_threads}));
  return absl::OkStatus();
}

std::vector<endpoint::Finding> DeploymentImpl::FindDefinitionErrors() {
  absl::StatusOr<Catalog> catalog = opened_.backend->ReadCatalog();
  if (!catalog.ok()) return {};
  return serving::DefinitionErrors(options_.endpoint_folder, options_.schema_file, built_in_, *std::move(catalog));
}

absl::Status DeploymentImpl::Start() {
  LOGQUERY_RETURN_IF_ERROR(queue_->Start(options_.queue.threads));
  if (token_watch_.has_value()) {
    token_looks_.emplace(kTokensEvery, [this](const CancellationToken&) { token_watch_->Look(); });
    LOGQUERY_RETURN_IF_ERROR(token_looks_->Start());
  }
  for (const auto& spool : work_.spools) LOGQUERY_RETURN_IF_ERROR(spool->Start());
  return work_.maintenance == nullptr ? absl::OkStatus() : work_.maintenance->Start();
}

void DeploymentImpl::Stop() {
  if (token_looks_.has_value()) token_looks_->Stop();
  if (work_.maintenance != nullptr) work_.maintenance->Stop();
  for (const auto& spool : work_.spools) spool->Stop();
  if (work_.receiver != nullptr) work_.receiver->Stop();
  if (queue_ != nullptr) queue_->Stop();
  if (owner_queue_ != nullptr) owner_queue_->Stop();
}

absl::Status DeploymentImpl::Reload() {
  LOGQUERY_RETURN_IF_ERROR(service_->Reload());
  return owner_service_ == nullptr ? absl::OkStatus() : owner_service_->Reload();
}

absl::Status DeploymentImpl::loading_state() const {
  absl::Status status;
  for (const auto& spool : work_.spools) status.Update(spool->state().stopped);
  return status;
}

std::optional<SpoolState> DeploymentImpl::spools() const {
  if (work_.spools.empty()) return std::nullopt;
  SpoolState all;
  for (const auto& spool : work_.spools) {
    const SpoolState state = spool->state();
    all.waiting_files += state.waiting_files;
    all.waiting_bytes += state.waiting_bytes;
    all.ignored_files += state.ignored_files;
    all.files_loaded += state.files_loaded;
    all.files_failed += state.files_failed;
    all.rows += state.rows;
    all.lag = std::max(all.lag, state.lag);
    all.full = all.full || state.full;
    all.stopped.Update(state.stopped);
  }
  return all;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Deployment>> Deployment::Open(DeploymentOptions options) {
  const bool has_log = static_cast<bool>(options.log);
  if (!has_log) options.log = [](std::string_view, std::string_view) {};
  try {
    auto deployment = std::make_unique<DeploymentImpl>(std::move(options), has_log);
    LOGQUERY_RETURN_IF_ERROR(deployment->Open());
    return deployment;
  } catch (const std::system_error& error) {
    // A part that has no other way to say that it got no thread.
    return absl::ResourceExhaustedError(base::StrCat("the server can't start: ", error.what()));
  }
}

}  // namespace logquery
