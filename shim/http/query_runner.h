// Runs queries on a pool of their own, apart from the threads of connections: what a client does slowly holds no query up,
// and what a query does slowly is given up when its client has left.
//
// Thread-safe. The service and the pool are borrowed; the pool must be shut down before the service goes.
#ifndef LOGQUERY_SHIM_HTTP_QUERY_RUNNER_H_
#define LOGQUERY_SHIM_HTTP_QUERY_RUNNER_H_

#include <functional>
#include <map>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "logquery/cancellation.h"
#include "logquery/query_service.h"
#include "logquery/service_observer.h"
#include "shim/http/worker_pool.h"

namespace logquery::shim {

struct QueryRunnerOptions {
  QueryService* service = nullptr;
  WorkerPool* pool = nullptr;
  absl::Duration queue_limit = absl::Seconds(10);
  ServiceObserver* observer = nullptr;  // told of calls that never reach the service; may be nullptr
};

class QueryRunner {
 public:
  explicit QueryRunner(const QueryRunnerOptions& options) : options_(options) {}

  // Runs the request and waits for its answer; its cancellation and `queued` are replaced. Queries of one token wait behind each
  // other, and take turns with those of others. `client_left` is asked every 50 ms. `queued` becomes the time that the query waited for a thread.
  //   Cancelled     the client left; the query is told to stop, and not waited for
  //   Unavailable   too many queries wait, one of somebody with fewer took this one's place, this one waited for longer than the limit, or CancelAll was called
  //   otherwise     what QueryService::Run returns
  absl::StatusOr<QueryAnswer> Run(CallTarget target, QueryRequest request, const std::function<bool()>& client_left,
                                  absl::Duration& queued);

  // Stops the queries that run, and lets none begin.
  void CancelAll();

 private:
  struct Execution;
  std::shared_ptr<Execution> Begin(CallTarget target, QueryRequest request);
  bool Submit(const std::shared_ptr<Execution>& execution);
  absl::StatusOr<QueryAnswer> Await(Execution& execution, const std::function<bool()>& client_left,
                                    absl::Duration& queued);
  void End(const Execution* execution);

  // The call ends with this although the service has not been asked.
  absl::Status Unasked(const Execution& execution, absl::Status status) const;

  const QueryRunnerOptions options_;
  absl::Mutex mutex_;
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
  std::map<const Execution*, CancellationSource> running_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_QUERY_RUNNER_H_
