// Runs queries on threads of its own: for programs that answer from an event loop, or whose threads must not run a query.
//
//     auto queue = logquery::QueryQueue::Create({.service = service.get(), .threads = 8});
//     (*queue)->Submit(*service->Find(principal, "logs.all"), request, [](logquery::QueuedAnswer answer) {
//       loop.Post([answer = std::move(answer)] { … });  // on a thread of the queue: be quick
//     });
//
// Fair between callers: those whose queries wait get a thread in turn, for one query each. When the queue is full, a caller
// with fewer waiting queries displaces the last query of the caller with the most. Callers are told apart by
// Principal::token_id.
//
// Thread-safe. The service and the observer are borrowed; both must outlive the queue.
#ifndef LOGQUERY_SERVING_QUERY_QUEUE_H_
#define LOGQUERY_SERVING_QUERY_QUEUE_H_

#include <functional>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "logquery/call_target.h"
#include "logquery/query_answer.h"
#include "logquery/query_service.h"
#include "logquery/service_observer.h"

namespace logquery {

struct QueryQueueOptions {
  QueryService* service = nullptr;              // required
  int threads = 4;                              // queries that run at one time; at least 1
  int max_waiting = 256;                        // further queries that wait for a thread; 0: none
  absl::Duration max_wait = absl::Seconds(10);  // for a thread; a query that waited for longer is refused
  ServiceObserver* observer = nullptr;          // receives calls that never reach the service; may be nullptr
};

struct QueuedAnswer {
  // Statuses: those of QueryService::Run, and
  //   Cancelled     the request's cancellation was requested
  //   Unavailable   too many queries wait, a caller with fewer waiting queries displaced this one, it waited for longer
  //                 than max_wait, or the queue was stopped
  absl::StatusOr<QueryAnswer> answer;
  absl::Duration queued;  // the time that the query waited for a thread
};

class QueryQueue {
 public:
  using Done = std::function<void(QueuedAnswer)>;
  struct Use {
    int running = 0;
    int waiting = 0;
    int threads = 0;      // that were started
    int max_threads = 0;  // QueryQueueOptions::threads
    int max_waiting = 0;
  };

  // InvalidArgument: there is no service, or a number is too small.
  static absl::StatusOr<std::unique_ptr<QueryQueue>> Create(const QueryQueueOptions& options);
  // Calls Stop.
  virtual ~QueryQueue() = default;

  // Starts threads before they are needed, until there are `threads`. ResourceExhausted: the system allows none.
  virtual absl::Status Start(int threads) = 0;

  // Queues the call and returns; `target` comes from QueryService::Find. Calls `done` once: with the answer on a thread of
  // the queue; during Submit, if the answer is in the cache (QueryService::FindCached), which waits for no turn, or for a
  // refusal; or with a refusal on the thread that requests the cancellation. `done` must not throw. Replaces the request's
  // `queued`. If the request's cancellation is requested while the query waits, `done` is called at once; while it runs, as soon
  // as the query has ended.
  virtual void Submit(CallTarget target, QueryRequest request, Done done) = 0;
  // The same for a target that another service found: its calls wait for the same threads, in turn with those of all callers.
  // `service` is borrowed until `done` has returned.
  virtual void Submit(QueryService& service, CallTarget target, QueryRequest request, Done done) = 0;
  // Submits the call and waits for its answer.
  virtual QueuedAnswer Run(CallTarget target, QueryRequest request) = 0;

  // Cancels running queries, refuses those that wait and all that come.
  virtual void CancelAll() = 0;
  // Calls CancelAll, and returns when each `done` has returned. Idempotent.
  virtual void Stop() = 0;

  virtual Use use() const = 0;
  // Returns whether queries wait and no further thread can be started.
  virtual bool IsFull() const = 0;
};

}  // namespace logquery

#endif  // LOGQUERY_SERVING_QUERY_QUEUE_H_
