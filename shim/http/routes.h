// What the server answers to which request: finds the route in the table (route_table.h), asks for a token where the route
// wants one, and gives every answer its headers.
//
// Knows no HTTP library: tests call Handle. Thread-safe. What the options point to is borrowed.
#ifndef LOGQUERY_SHIM_HTTP_ROUTES_H_
#define LOGQUERY_SHIM_HTTP_ROUTES_H_

#include <atomic>
#include <functional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "logquery/clock.h"
#include "logquery/memory_watch.h"
#include "logquery/query_service.h"
#include "logquery/service_observer.h"
#include "shim/http/attempt_limiter.h"
#include "shim/http/cors.h"
#include "shim/http/http_body.h"
#include "shim/http/http_head.h"
#include "shim/http/http_message.h"
#include "shim/http/owner_routes.h"
#include "shim/http/query_runner.h"
#include "shim/http/request_log.h"
#include "shim/http/route_table.h"
#include "shim/http/sign_in_codes.h"
#include "shim/http/worker_pool.h"
#include "shim/serve/crash_board.h"

namespace logquery::shim {

struct RoutesOptions {
  QueryService* service = nullptr;
  WorkerPool* queries = nullptr;
  RequestLog* log = nullptr;
  const Clock* clock = Clock::Real();
  absl::Duration queue_limit = absl::Seconds(10);
  // Failed attempts count for the last address in X-Forwarded-For: what the proxy in front has seen.
  bool trust_forwarded_for = false;
  Cors cors = {};  // whose pages may call from a browser
  // For the folder's owner. Not for the world: nobody is asked for a token.
  FolderActions owner = {};
  // Whether there is a page to explore endpoints and logs with.
  bool console = true;
  // For who runs the server: only /health and /ready, which says more; nobody is asked for a token.
  bool admin = false;
  // Why logs are not taken in just now, for /ready, which says only whether. Empty: nothing is taken in.
  std::function<absl::Status()> loading = {};
  // Why the definitions that serve are not those that their source has, for /ready, which says only whether. Empty: nobody knows.
  std::function<absl::Status()> definitions = {};
  // Why the engine can't be asked just now, without a host's name: then /ready says no. Empty: it is in this process.
  std::function<absl::Status()> engine = {};
  // Why the tokens that count are not those of their file, for /ready likewise. Empty: there is no such file.
  std::function<absl::Status()> tokens = {};
  // Takes logs in. nullptr: no route does.
  LogIngest* ingest = nullptr;
  // Told of calls that got no turn; the service tells it of all others. nullptr: nobody is.
  ServiceObserver* observer = nullptr;
  // The answer to /metrics. Empty: nothing is counted.
  std::function<std::string()> metrics = {};
  // Told of each request's status.
  std::function<void(int status)> answered = {};
  // What crashes of the engine have led to, for the admin's /ready. Empty: nobody counts them.
  std::function<CrashCounters()> crashes = {};
  // The process's memory and what the watch on it did, for the same. Empty: nobody watches it.
  std::function<MemoryWatch::Counters()> memory = {};
};

class Routes {
 public:
  // All routes, of all listeners.
  static absl::Span<const Route> Table();

  explicit Routes(const RoutesOptions& options);

  // The whole answer to a request, its body complete; logged.
  HttpResponse Handle(const HttpRequest& request);
  // The answer to a request that HTTP itself forbids.
  HttpResponse Refuse(const HttpRequest& request, const HttpProblem& problem);
  // Whether this request's body is to be read before Handle; otherwise it is refused with 405, 413 or 415.
  static bool TakesBody(const HttpRequest& request);
  // Before the body is read: how long it may be, 0 where it is not wanted and Handle says why. One that brings logs is only
  // wanted from a token that may write, and has its room reserved. 413, 415; 429: there is no room.
  HttpProblem AdmitBody(HttpRequest& request, const BodyLength& length, size_t& max_bytes);

  // /ready says no from now on.
  void Drain() { draining_ = true; }
  // Stops the queries that run.
  void CancelAll() {
    runner_.CancelAll();
    owner_.CancelAll();
  }

 private:
  // The handlers of the table.
  HttpResponse Call(const RoutedRequest& request, RequestRecord& record);
  HttpResponse List(const RoutedRequest& request, RequestRecord& record);
  HttpResponse Show(const RoutedRequest& request, RequestRecord& record);
  HttpResponse OpenApi(const RoutedRequest& request, RequestRecord& record);
  HttpResponse Metrics(const RoutedRequest& request, RequestRecord& record);
  HttpResponse MetricsForToken(const RoutedRequest& request, RequestRecord& record);
  HttpResponse Health(const RoutedRequest& request, RequestRecord& record);
  HttpResponse Ready(const RoutedRequest& request, RequestRecord& record);
  HttpResponse ReadyInDetail(const RoutedRequest& request, RequestRecord& record);
  HttpResponse Web(const RoutedRequest& request, RequestRecord& record);
  HttpResponse MakeCode(const RoutedRequest& request, RequestRecord& record);
  HttpResponse TakeCode(const RoutedRequest& request, RequestRecord& record);
  HttpResponse Stats(const RoutedRequest& request, RequestRecord& record);
  HttpResponse BackUp(const RoutedRequest& request, RequestRecord& record);
  HttpResponse Check(const RoutedRequest& request, RequestRecord& record);
  HttpResponse Erase(const RoutedRequest& request, RequestRecord& record);

  HttpResponse Ingest(const RoutedRequest& request, RequestRecord& record);
  HttpResponse IngestOtlp(const RoutedRequest& request, RequestRecord& record);
  HttpResponse Sources(const RoutedRequest& request, RequestRecord& record);
  HttpResponse Backends(const RoutedRequest& request, RequestRecord& record);

  // Whether this listener has the route.
  bool Serves(const Route& route) const;
  const Route* FindRoute(const HttpRequest& request) const;
  // What this listener takes at `path`; 0: there is nothing.
  Methods MethodsAt(std::string_view path) const;
  Methods AllMethods() const;
  HttpResponse Dispatch(const HttpRequest& request, RequestRecord& record);
  HttpResponse Run(const Route& route, std::string_view argument, const HttpRequest& request, RequestRecord& record);
  HttpResponse NotFound(std::string_view path, RequestRecord& record) const;
  absl::StatusOr<Principal> Authenticate(const HttpRequest& request, const std::string& token);
  // What the address is told of an attempt that failed with `failure`: that, or after too many of them to wait.
  absl::Status AfterFailure(const HttpRequest& request, absl::Status failure);
  template <typename Answer>
  HttpResponse Logged(const HttpRequest& request, Answer answer);

  const RoutesOptions options_;
  OwnerRoutes owner_;
  QueryRunner runner_;
  AttemptLimiter attempts_;
  SignInCodes codes_;
  std::atomic<bool> draining_{false};
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_ROUTES_H_
