// The projects that have rows, for those who may read the rows of all projects. Two endpoints of a service of its own read them,
// so that the list has limits, deadlines, events and a cache as other calls have; no token can name these endpoints.
#ifndef LOGQUERY_LIB_SERVING_DEPLOYMENT_PROJECT_LIST_H_
#define LOGQUERY_LIB_SERVING_DEPLOYMENT_PROJECT_LIST_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "logquery/authenticator.h"
#include "logquery/catalog.h"
#include "logquery/query_service.h"
#include "logquery/service_observer.h"
#include "logquery/serving/query_queue.h"

namespace logquery::serving {

// A list has no more than so many projects: those with the newest rows.
inline constexpr int kMostListedProjects = 500;

// Returns a definition's SQL with the columns `project` and `newest`, the time of the project's newest row, the newest first. With
// `days`, only rows of so many days until now count. Empty: no log has projects.
std::string ListProjectsSql(const Catalog& catalog, std::optional<int> days);

// Thread-safe.
class ProjectList {
 public:
  // `options` are those of the services that it makes, but for their endpoints and caches; its observer is not told of
  // definitions. The options' pointers are borrowed.
  explicit ProjectList(QueryServiceOptions options);

  // See Deployment::ListProjects. `queue` must be stopped before the list ends.
  absl::StatusOr<std::string> Read(QueryQueue& queue, const Principal& principal, const QueryRequest& request,
                                   const std::function<bool()>& client_left);
  void ForgetAnswers();

 private:
  // Passes on events of calls and queries.
  class Events : public ServiceObserver {
   public:
    explicit Events(ServiceObserver* next) : next_(next) {}
    void OnCall(const CallEvent& event) noexcept override;
    void OnQueryStart(const QueryEvent& event) noexcept override;
    void OnQueryEnd(const QueryEvent& event) noexcept override;
    void OnEngineFailure(const EngineFailureEvent& event) noexcept override;
    void OnCache(const CacheEvent& event) noexcept override;

   private:
    ServiceObserver* const next_;  // may be nullptr
  };

  // Returns the service for the logs that there are now; nullptr: no log has projects.
  absl::StatusOr<std::shared_ptr<QueryService>> ServiceNow();

  Events events_;
  const QueryServiceOptions options_;
  absl::Mutex mutex_;
  std::optional<uint64_t> catalog_version_ ABSL_GUARDED_BY(mutex_);  // that `sql_` is of
  std::string sql_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<QueryService> service_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::serving

#endif  // LOGQUERY_LIB_SERVING_DEPLOYMENT_PROJECT_LIST_H_
