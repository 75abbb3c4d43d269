// The SQL has one SELECT for each log, each of which reads the project and the time alone.
#include "lib/serving/deployment/project_list.h"

#include <utility>

#include "lib/base/await_answer.h"
#include "lib/base/back_quoted.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/model/all_logs.h"
#include "logquery/cancellation.h"
#include "logquery/endpoint.h"
#include "logquery/query_backend.h"

namespace logquery::serving {
namespace {

using base::BackQuoted;
using base::StrAppend;
using base::StrCat;

constexpr char kNewProjects[] = "projects";
constexpr char kAllProjects[] = "projects of all rows";
constexpr int kDaysOfProjects = 7;
constexpr absl::Duration kProjectsKept = absl::Minutes(1);
constexpr int64_t kCacheBytes = 1 << 20;
constexpr std::string_view kNoProjects = R"({"result":[]})";

// Records are arrays of one struct.
std::string OfLog(const Table& log, std::optional<int> days) {
  std::string from = StrCat(BackQuoted(log.name), " AS t"), column = "t";
  for (size_t i = 0; i + 1 < log.project_path.size(); ++i) {
    const std::string record = StrCat("r", i);
    StrAppend(&from, " CROSS JOIN UNNEST(", column, ".", BackQuoted(log.project_path[i]), ") AS ", record);
    column = record;
  }
  const std::string time = StrCat("t.", BackQuoted(log.time_column));
  const std::string where =
      days ? StrCat(" WHERE ", time, " >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL ", *days, " DAY)") : "";
  return StrCat("SELECT ", column, ".", BackQuoted(log.project_path.back()), " AS project, MAX(", time,
                ") AS newest FROM ", from, where, " GROUP BY 1");
}

Endpoint ListingEndpoint(std::string name, std::string id, std::string sql) {
  Endpoint endpoint;
  endpoint.id = std::move(id);
  endpoint.name = std::move(name);
  endpoint.query = std::move(sql);
  endpoint.max_rows = kMostListedProjects;
  endpoint.caching = kProjectsKept;
  return endpoint;
}

}  // namespace

std::string ListProjectsSql(const Catalog& catalog, std::optional<int> days) {
  std::string logs;
  for (const Table& log : catalog.tables()) {
    if (model::HoldsAllLogs(log) || log.project_path.empty() || log.time_column.empty()) continue;
    StrAppend(&logs, logs.empty() ? "" : "\nUNION ALL\n", OfLog(log, days));
  }
  if (logs.empty()) return "";
  return StrCat("SELECT project, MAX(newest) AS newest FROM (\n", logs,
                "\n) WHERE project IS NOT NULL GROUP BY project ORDER BY newest DESC, project LIMIT ",
                kMostListedProjects);
}

void ProjectList::Events::OnCall(const CallEvent& event) noexcept {
  if (next_ != nullptr) next_->OnCall(event);
}
void ProjectList::Events::OnQueryStart(const QueryEvent& event) noexcept {
  if (next_ != nullptr) next_->OnQueryStart(event);
}
void ProjectList::Events::OnQueryEnd(const QueryEvent& event) noexcept {
  if (next_ != nullptr) next_->OnQueryEnd(event);
}
void ProjectList::Events::OnEngineFailure(const EngineFailureEvent& event) noexcept {
  if (next_ != nullptr) next_->OnEngineFailure(event);
}
void ProjectList::Events::OnCache(const CacheEvent& event) noexcept {
  if (next_ != nullptr) next_->OnCache(event);
}

ProjectList::ProjectList(QueryServiceOptions options)
    : events_(std::exchange(options.observer, nullptr)), options_(std::move(options)) {}

absl::StatusOr<std::shared_ptr<QueryService>> ProjectList::ServiceNow() {
  const absl::MutexLock lock(&mutex_);
  const uint64_t version = options_.backend->CatalogVersion();
  if (catalog_version_ == version) return service_;
  LOGQUERY_ASSIGN_OR_RETURN(const Catalog catalog, options_.backend->ReadCatalog());
  std::string sql = ListProjectsSql(catalog, std::nullopt);
  // Learned fields change nothing here: the service plans its endpoints again by itself.
  if (!catalog_version_.has_value() || sql != sql_) {
    std::shared_ptr<QueryService> service;
    if (!sql.empty()) {
      QueryServiceOptions options = options_;
      options.endpoints = {ListingEndpoint(kNewProjects, "0f5d3a86-2f0e-4a0d-8f0f-5b9a5a3d7c11",
                                           ListProjectsSql(catalog, kDaysOfProjects)),
                           ListingEndpoint(kAllProjects, "0f5d3a86-2f0e-4a0d-8f0f-5b9a5a3d7c12", sql)};
      options.observer = &events_;
      options.cache = nullptr;
      options.cache_bytes = kCacheBytes;
      options.kept_bytes = 0;
      LOGQUERY_ASSIGN_OR_RETURN(service, QueryService::Create(std::move(options)));
    }
    service_ = std::move(service);
    sql_ = std::move(sql);
  }
  catalog_version_ = version;
  return service_;
}

absl::StatusOr<std::string> ProjectList::Read(QueryQueue& queue, const Principal& principal,
                                              const QueryRequest& request, const std::function<bool()>& client_left) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::shared_ptr<QueryService> service, ServiceNow());
  if (service == nullptr) return std::string(kNoProjects);
  std::string list;
  for (const char* const name : {kNewProjects, kAllProjects}) {
    LOGQUERY_ASSIGN_OR_RETURN(CallTarget target, service->Find(principal, name));
    CancellationSource cancellation;
    QueryRequest call;
    call.call_id = request.call_id;
    call.traceparent = request.traceparent;
    call.trace = request.trace;
    call.cancellation = cancellation.token();
    // A call whose client left may end after the service has been replaced.
    std::optional<QueuedAnswer> answer = base::AwaitWhileConnected<QueuedAnswer>(
        client_left ? client_left : [] { return false; }, cancellation,
        [&](QueryQueue::Done done) {
          queue.Submit(*service, std::move(target), std::move(call),
                       [service, done = std::move(done)](QueuedAnswer made) { done(std::move(made)); });
        });
    if (!answer.has_value()) return absl::CancelledError("the client left");
    LOGQUERY_RETURN_IF_ERROR(answer->answer.status());
    list = std::string(std::string_view(answer->answer->body));
    if (list != kNoProjects) break;
  }
  return list;
}

void ProjectList::ForgetAnswers() {
  const absl::MutexLock lock(&mutex_);
  if (service_ != nullptr) service_->ForgetAnswers();
}

}  // namespace logquery::serving
