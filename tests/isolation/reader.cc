#include "tests/isolation/reader.h"

#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/source/fragment_backend.h"
#include "logquery/duckdb/source_backend.h"
#include "tests/isolation/log_folder.h"
#include "tests/isolation/stored_rows.h"
#include "tests/source/folder_source.h"
#include "tests/split/invented_engine.h"

namespace logquery::isolation {
namespace {

// No query of the checks needs so long; one that does is reported as an error and differs from one that does not.
constexpr absl::Duration kTimeLimit = absl::Seconds(60);
constexpr int64_t kMaxRows = 1'000'000;
constexpr int64_t kMaxBytes = int64_t{256} << 20;

constexpr char kByParameter[] = "by_parameter";
constexpr char kByScope[] = "by_scope";
constexpr char kByTime[] = "by_time";

Endpoint Definition(const char* name, const char* id, const std::string& condition, const ReaderOptions& options) {
  Endpoint endpoint;
  endpoint.id = id;
  endpoint.name = name;
  endpoint.query = base::StrCat("WITH logs AS (SELECT t.* FROM `", std::string_view(kTable), "` AS t WHERE ", condition,
                                ") SELECT id FROM logs");
  endpoint.max_rows = kMaxRows;
  endpoint.query_sandboxing = true;
  endpoint.redact_pii = options.redacting;
  if (options.caching) endpoint.caching = absl::Minutes(15);
  Parameter project, since, tier, retention;
  project.name = "project";
  since.name = "since";
  since.type = Type::Timestamp();
  tier.name = "project_tier";
  retention.name = "retention_start";
  retention.type = Type::Timestamp();
  retention.computed.emplace().from = "project_tier";
  endpoint.parameters = {project, since, tier, retention};
  return endpoint;
}

std::vector<Endpoint> Definitions(const ReaderOptions& options) {
  return {
      Definition(kByParameter, "5f1b0c1e-58a5-4f0e-9a53-0c1d6f1b7a11", "t.project = @project", options),
      Definition(kByScope, "5f1b0c1e-58a5-4f0e-9a53-0c1d6f1b7a12", "t.timestamp > TIMESTAMP '2000-01-01'", options),
      Definition(kByTime, "5f1b0c1e-58a5-4f0e-9a53-0c1d6f1b7a13",
                 "t.project = @project AND t.timestamp > @retention_start AND (@since IS NULL OR t.timestamp > @since)",
                 options)};
}

QueryRequest RequestOf(Caller caller, const std::string& sql) {
  QueryRequest request;
  request.format = RowFormat::kNdjson;
  request.token = CallerName(caller);
  request.parameters.push_back({"sql", sql});
  const auto add = [&](const char* name, std::string value) { request.parameters.push_back({name, std::move(value)}); };
  switch (caller) {
    case Caller::kProjectParameter:
      request.endpoint = kByParameter;
      add("project", kOwnProject);
      break;
    case Caller::kFixedParameter:
      request.endpoint = kByParameter;
      break;
    case Caller::kScopedToken:
      request.endpoint = kByScope;
      break;
    case Caller::kRetention:
      request.endpoint = kByTime;
      add("project", kOwnProject);
      add("project_tier", "PRO");
      break;
    case Caller::kTimeBound:
      request.endpoint = kByTime;
      add("project", kOwnProject);
      add("project_tier", "ENTERPRISE");
      add("since", absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", WindowStart(), absl::UTCTimeZone()));
      break;
  }
  return request;
}

absl::StatusOr<std::unique_ptr<DuckDbBackend>> OpenFolder(const ReaderOptions& options) {
  DuckDbOptions engine;
  engine.folder = options.folder;
  engine.read_only = true;
  engine.threads = options.threads;
  engine.memory_limit_bytes = int64_t{1} << 30;
  engine.schema_json = SchemaText();
  return OpenDuckDb(engine);
}

}  // namespace

// A caller's token is its name.
class Reader::Tokens : public Authenticator {
 public:
  absl::StatusOr<Principal> Authenticate(std::string_view token) override {
    Principal principal;
    principal.label = std::string(token);
    if (token == CallerName(Caller::kFixedParameter)) principal.fixed_parameters = {{"project", kOwnProject}};
    if (token == CallerName(Caller::kScopedToken)) principal.project_scope = kOwnProject;
    return principal;
  }
};

std::string_view CallerName(Caller caller) {
  switch (caller) {
    case Caller::kProjectParameter:
      return "project parameter";
    case Caller::kFixedParameter:
      return "fixed parameter";
    case Caller::kScopedToken:
      return "scoped token";
    case Caller::kRetention:
      return "retention window";
    case Caller::kTimeBound:
      return "time bound";
  }
  return "";
}

bool HidesProjects(Caller caller) { return caller != Caller::kRetention && caller != Caller::kTimeBound; }

Reader::Reader(std::unique_ptr<QueryBackend> backend)
    : clock_(CallTime()), backend_(std::move(backend)), tokens_(std::make_unique<Tokens>()) {}
Reader::~Reader() = default;

absl::StatusOr<std::unique_ptr<Reader>> Reader::Open(const ReaderOptions& options) {
  LOGQUERY_ASSIGN_OR_RETURN(std::unique_ptr<DuckDbBackend> backend, OpenFolder(options));
  return Over(std::move(backend), options);
}

absl::StatusOr<std::unique_ptr<Reader>> Reader::OpenAsSource(const ReaderOptions& options, Ways ways) {
  LOGQUERY_ASSIGN_OR_RETURN(std::unique_ptr<DuckDbBackend> folder, OpenFolder(options));
  SourceBackendOptions engine;
  engine.threads = options.threads;
  auto rows = std::make_shared<testing::FolderSource>(std::move(folder), ways == Ways::kHints);
  absl::StatusOr<std::unique_ptr<QueryBackend>> backend =
      ways == Ways::kFragments
          ? duckdb::OpenOverFragments(std::make_shared<testing::InventedEngine>(std::move(rows)), engine)
          : OpenOverSource(std::move(rows), engine);
  if (!backend.ok()) return backend.status();
  return Over(*std::move(backend), options);
}

absl::StatusOr<std::unique_ptr<Reader>> Reader::Over(std::unique_ptr<QueryBackend> backend,
                                                     const ReaderOptions& options) {
  std::unique_ptr<Reader> reader(new Reader(std::move(backend)));
  QueryServiceOptions service;
  service.backend = reader->backend_.get();
  service.endpoints = Definitions(options);
  service.authenticator = reader->tokens_.get();
  service.clock = &reader->clock_;
  service.time_limit = kTimeLimit;
  service.max_result_bytes = kMaxBytes;
  service.max_body_memory = kMaxBytes;
  service.warming_threads = 0;
  LOGQUERY_ASSIGN_OR_RETURN(reader->service_, QueryService::Create(std::move(service)));
  return reader;
}

Answer Reader::Run(Caller caller, const std::string& sql) {
  absl::StatusOr<QueryAnswer> answer = service_->Run(RequestOf(caller, sql));
  if (!answer.ok()) return {answer.status(), ""};
  return {absl::OkStatus(), std::move(answer->body), answer->cache, answer->truncated};
}

std::string Reader::EngineText(Caller caller, const std::string& sql) {
  const auto prepared = service_->Prepare(RequestOf(caller, sql));
  return prepared.ok() ? std::string((*prepared)->dialect_text()) : prepared.status().ToString();
}

}  // namespace logquery::isolation
