// The endpoints as they are planned now: made anew when they are reloaded, when their source has other definitions, and when the
// backend's tables have changed.
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

// Thread-safe. Until a new snapshot is made, and when that fails, the last one stays.
class Snapshots {
 public:
  // `source` and `observer` may be nullptr; all are borrowed. `fixed`: definitions beside those of the source. There is no
  // snapshot before the first Reload() that succeeds, which the observer is not told of.
  Snapshots(QueryBackend* backend, std::vector<Endpoint> fixed, EndpointSource* source, ServiceObserver* observer)
      : backend_(backend), fixed_(std::move(fixed)), source_(source), observer_(observer) {}

  // Reads the catalog and the definitions, and plans all endpoints.
  absl::Status Reload();
  // Reads the definitions; plans those that are others than before, unless the tables have changed too.
  absl::Status TakeDefinitions();

  std::shared_ptr<Snapshot> last() const {
    absl::MutexLock lock(&mutex_);
    return last_;
  }
  // What calls are planned with from now on: the last one, or one for the tables that there are now. Where the endpoints can't
  // be planned for these, they go on as they were.
  std::shared_ptr<Snapshot> Current();
  // Whether the backend's tables are others than those of the snapshot.
  bool IsOutdated(const Snapshot& snapshot) const { return backend_->CatalogVersion() != snapshot.catalog_version; }

 private:
  absl::StatusOr<EndpointSet> ReadDefinitions() const;
  // All of `set`, against the catalog as it is now.
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
  bool stayed_ ABSL_GUARDED_BY(renew_mutex_) = false;   // the last attempt to make one failed
  uint64_t refused_ ABSL_GUARDED_BY(renew_mutex_) = 0;  // the catalog's version that endpoints could not be planned for
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_SNAPSHOTS_H_
