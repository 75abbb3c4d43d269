// Holds the endpoints in their current planned form. A new snapshot is made on a reload, when the source's definitions
// change, and when the backend's tables change.
#ifndef LOGQUERY_LIB_ENDPOINT_CALL_SNAPSHOTS_H_
#define LOGQUERY_LIB_ENDPOINT_CALL_SNAPSHOTS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "lib/base/strings.h"
#include "lib/endpoint/call/bound_call.h"
#include "logquery/endpoint.h"
#include "logquery/endpoint_source.h"
#include "logquery/project_catalogs.h"
#include "logquery/query_backend.h"
#include "logquery/service_observer.h"

namespace logquery::endpoint {

// Thread-safe. The last snapshot stays in use until a new one has been made successfully.
class Snapshots {
 public:
  // `source` and `observer` may be nullptr; all pointers are borrowed. `fixed`: definitions in addition to those of the
  // source. There is no snapshot before the first successful Reload(), which is not reported to the observer.
  Snapshots(QueryBackend* backend, std::vector<Endpoint> fixed, EndpointSource* source, ServiceObserver* observer)
      : backend_(backend),
        by_project_(dynamic_cast<ProjectCatalogs*>(backend)),
        fixed_(std::move(fixed)),
        source_(source),
        observer_(observer) {}

  // Reads the catalog and the definitions, and plans all endpoints.
  absl::Status Reload();
  // Reads the definitions and plans those that have changed; plans all of them if the tables have changed too.
  absl::Status TakeDefinitions();

  std::shared_ptr<Snapshot> last() const {
    absl::MutexLock lock(&mutex_);
    return last_;
  }
  // Returns the snapshot for new calls: the last one, or a new one if the backend's tables have changed. Endpoints that
  // can't be planned for the new tables are `unplanned` in it; the others serve.
  std::shared_ptr<Snapshot> Current();
  // The same for calls of a token that is limited to `project`: the definitions of Current(), planned for the tables as that
  // project's rows have made them. Snapshots are shared by projects that see the same fields.
  std::shared_ptr<Snapshot> Current(const std::optional<std::string>& project);
  // Returns whether the backend's tables have changed since the snapshot.
  bool IsOutdated(const Snapshot& snapshot) const { return backend_->CatalogVersion() != snapshot.catalog_version; }

 private:
  absl::StatusOr<EndpointSet> ReadDefinitions() const;
  // Plans all of `set` against the current catalog. A definition that fails is left out if the tables are to blame: it
  // served before (`served`), or can be planned for the declared tables. Otherwise returns its error.
  absl::StatusOr<std::shared_ptr<Snapshot>> Plan(const EndpointSet& set, bool served) const;
  absl::StatusOr<std::shared_ptr<Snapshot>> PlanFor(const EndpointSet& set, Catalog catalog, uint64_t version,
                                                    bool served) const;
  std::shared_ptr<Snapshot> PlanForProject(const std::string& project, const std::shared_ptr<Snapshot>& whole)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(projects_mutex_);
  absl::Status Take(DefinitionsEvent::Cause cause, absl::StatusOr<std::shared_ptr<Snapshot>> made)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(renew_mutex_);

  // A project's snapshot, and the one for all projects that it was made of.
  struct OfProject {
    std::shared_ptr<Snapshot> snapshot;
    std::shared_ptr<Snapshot> whole;
    uint64_t used = 0;
  };

  QueryBackend* const backend_;
  ProjectCatalogs* const by_project_;  // the backend; nullptr: all projects see the same tables
  const std::vector<Endpoint> fixed_;
  EndpointSource* const source_;
  ServiceObserver* const observer_;
  mutable absl::Mutex mutex_;
  std::shared_ptr<Snapshot> last_ ABSL_GUARDED_BY(mutex_);
  absl::Mutex renew_mutex_;  // one snapshot is made at a time
  // Why the source's newest definitions are not in use; OK: they are. Other tables do not change that.
  absl::Status definitions_state_ ABSL_GUARDED_BY(renew_mutex_);
  uint64_t refused_ ABSL_GUARDED_BY(renew_mutex_) = 0;  // the catalog version for which planning failed
  absl::Mutex projects_mutex_;                          // acquired after renew_mutex_ was released
  base::StringMap<OfProject> projects_ ABSL_GUARDED_BY(projects_mutex_);
  uint64_t uses_ ABSL_GUARDED_BY(projects_mutex_) = 0;
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_CALL_SNAPSHOTS_H_
