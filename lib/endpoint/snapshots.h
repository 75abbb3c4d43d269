// The endpoints as they are planned now: made anew when they are reloaded, and when the backend's tables have changed.
#ifndef LOGQUERY_LIB_ENDPOINT_SNAPSHOTS_H_
#define LOGQUERY_LIB_ENDPOINT_SNAPSHOTS_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "lib/endpoint/bound_call.h"
#include "logquery/endpoint.h"
#include "logquery/query_backend.h"

namespace logquery::endpoint {

// Thread-safe.
class Snapshots {
 public:
  // `backend` is borrowed. There is no snapshot before the first Reload() that succeeds.
  Snapshots(QueryBackend* backend, std::vector<Endpoint> endpoints)
      : backend_(backend), endpoints_(std::move(endpoints)) {}

  // Reads the catalog and plans all endpoints against it; until that is done, and if it fails, the last one stays.
  absl::Status Reload();

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
  QueryBackend* const backend_;
  const std::vector<Endpoint> endpoints_;
  mutable absl::Mutex mutex_;
  std::shared_ptr<Snapshot> last_ ABSL_GUARDED_BY(mutex_);
  absl::Mutex renew_mutex_;
  uint64_t refused_ ABSL_GUARDED_BY(renew_mutex_) = 0;  // the catalog's version that endpoints could not be planned for
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_SNAPSHOTS_H_
