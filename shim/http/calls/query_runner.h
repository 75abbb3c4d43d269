// Runs queries on their own thread pool, apart from the connections' threads: a slow client does not delay queries, and
// a query is cancelled when its client has left.
//
// Thread-safe. The service and the pool are borrowed; the pool must be shut down before the service is destroyed.
#ifndef LOGQUERY_SHIM_HTTP_CALLS_QUERY_RUNNER_H_
#define LOGQUERY_SHIM_HTTP_CALLS_QUERY_RUNNER_H_

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
#include "shim/http/transport/worker_pool.h"

namespace logquery::shim {

struct QueryRunnerOptions {
  QueryService* service = nullptr;
  WorkerPool* pool = nullptr;
  absl::Duration queue_limit = absl::Seconds(10);
  ServiceObserver* observer = nullptr;  // receives calls that never reach the service; may be nullptr
};

class QueryRunner {
 public:
  explicit QueryRunner(const QueryRunnerOptions& options) : options_(options) {}

  // Runs the request and waits for its answer; replaces the request's cancellation and `queued`. Queries of one token
  // wait for each other, and alternate with those of other tokens. Calls `client_left` every 50 ms. Sets `queued` to
  // the time that the query waited for a thread.
  //   Cancelled     the client left; the query is cancelled, and not waited for
  //   Unavailable   too many queries wait, a caller with fewer waiting queries displaced this one, it waited longer
  //                 than the limit, or CancelAll was called
  //   otherwise     see QueryService::Run
  absl::StatusOr<QueryAnswer> Run(CallTarget target, QueryRequest request, const std::function<bool()>& client_left,
                                  absl::Duration& queued);

  // Cancels running queries, and prevents new ones.
  void CancelAll();

 private:
  struct Execution;
  std::shared_ptr<Execution> Begin(CallTarget target, QueryRequest request);
  bool Submit(const std::shared_ptr<Execution>& execution);
  absl::StatusOr<QueryAnswer> Await(Execution& execution, const std::function<bool()>& client_left,
                                    absl::Duration& queued);
  void End(const Execution* execution);

  // The call ends with this status without reaching the service.
  absl::Status Unasked(const Execution& execution, absl::Status status) const;

  const QueryRunnerOptions options_;
  absl::Mutex mutex_;
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
  std::map<const Execution*, CancellationSource> running_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_CALLS_QUERY_RUNNER_H_
