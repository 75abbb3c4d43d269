// Holds the endpoints in their current planned form. A new snapshot is made on a reload, when the source's definitions
// change, and when the backend's tables change.
#ifndef LOGQUERY_LIB_ENDPOINT_SNAPSHOTS_H_
#define LOGQUERY_LIB_ENDPOINT_SNAPSHOTS_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "lib/endpoint/bound_call.h"
#include "logquery/endpoint.h"
#include "logquery/endpoint_source.h"
#include "logquery/query_backend.h"
#include "logquery/service_observer.h"

namespace logquery::endpoint {

// Thread-safe. The last snapshot stays in use until a new one has been made successfully.
class Snapshots {
 public:
  // `source` and `observer` may be nullptr; all pointers are borrowed. `fixed`: definitions in addition to those of the
  // source. There is no snapshot before the first successful Reload(), which is not reported to the observer.
  Snapshots(QueryBackend* backend, std::vector<Endpoint> fixed, EndpointSource* source, ServiceObserver* observer)
      : backend_(backend), fixed_(std::move(fixed)), source_(source), observer_(observer) {}

  // Reads the catalog and the definitions, and plans all endpoints.
  absl::Status Reload();
  // Reads the definitions and plans those that have changed; plans all of them if the tables have changed too.
  absl::Status TakeDefinitions();

  std::shared_ptr<Snapshot> last() const {
    absl::MutexLock lock(&mutex_);
    return last_;
  }
  // Returns the snapshot for new calls: the last one, or a new one if the backend's tables have changed. If the
  // endpoints can't be planned for the new tables, the last one stays.
  std::shared_ptr<Snapshot> Current();
  // Returns whether the backend's tables have changed since the snapshot.
  bool IsOutdated(const Snapshot& snapshot) const { return backend_->CatalogVersion() != snapshot.catalog_version; }

 private:
  absl::StatusOr<EndpointSet> ReadDefinitions() const;
  // Plans all of `set` against the current catalog.
  absl::StatusOr<std::shared_ptr<Snapshot>> Plan(EndpointSet set) const;
  absl::Status Take(DefinitionsEvent::Cause cause, absl::StatusOr<std::shared_ptr<Snapshot>> made)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(renew_mutex_);

  QueryBackend* const backend_;
  const std::vector<Endpoint> fixed_;
  EndpointSource* const source_;
  ServiceObserver* const observer_;
  mutable absl::Mutex mutex_;
  std::shared_ptr<Snapshot> last_ ABSL_GUARDED_BY(mutex_);
  absl::Mutex renew_mutex_;                             // one snapshot is made at a time
  bool stayed_ ABSL_GUARDED_BY(renew_mutex_) = false;   // the last attempt failed
  uint64_t refused_ ABSL_GUARDED_BY(renew_mutex_) = 0;  // the catalog version for which planning failed
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_SNAPSHOTS_H_
