// Dispatches requests: finds the route in the table (route_table.h), requires a token where the route does, and adds
// headers to every response.
//
// Independent of HTTP libraries: tests call Handle. Thread-safe. Everything that the options point to is borrowed.
#ifndef LOGQUERY_SHIM_HTTP_CALLS_ROUTES_H_
#define LOGQUERY_SHIM_HTTP_CALLS_ROUTES_H_

#include <atomic>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "logquery/clock.h"
#include "logquery/memory_watch.h"
#include "logquery/query_service.h"
#include "logquery/serving/log_receiver.h"
#include "logquery/serving/query_queue.h"
#include "shim/http/about/sign_in_codes.h"
#include "shim/http/calls/owner_routes.h"
#include "shim/http/calls/route_table.h"
#include "shim/http/transport/attempt_limiter.h"
#include "shim/http/transport/cors.h"
#include "shim/http/transport/http_body.h"
#include "shim/http/transport/http_head.h"
#include "shim/http/transport/http_message.h"
#include "shim/observe/crash_board.h"
#include "shim/observe/request_log.h"
#include "shim/observe/tracer.h"

namespace logquery::shim {

struct RoutesOptions {
  QueryService* service = nullptr;
  QueryQueue* queue = nullptr;  // runs the calls; of the same service
  RequestLog* log = nullptr;    // nullptr: requests leave no line
  const Clock* clock = Clock::Real();
  // Failed attempts are counted by the last address in X-Forwarded-For, which the proxy added.
  bool trust_forwarded_for = false;
  Cors cors = {};  // sites whose pages may call from a browser
  // Serves the folder's owner. Must not be reachable from elsewhere, because no token is required.
  FolderActions owner = {};
  // Whether to serve the console, a page to explore endpoints and logs.
  bool console = true;
  // Serves administrators: only /health and /ready, with more details and without a token.
  bool admin = false;
  // Further names by which clients may ask the admin listener; see IsOwnHost.
  std::vector<std::string> admin_hosts = {};
  // Returns why logs can't be accepted now. /ready reports only whether they can. Empty: logs are never accepted.
  std::function<absl::Status()> loading = {};
  // Returns why the definitions in use differ from those of their source. /ready reports only whether they do. Empty:
  // unknown.
  std::function<absl::Status()> definitions = {};
  // Returns why the engine can't be reached now, without host names; /ready then fails. Empty: the engine is in this
  // process.
  std::function<absl::Status()> engine = {};
  // Returns why the tokens in use differ from those of their file; /ready reports only whether they do. Empty: there is
  // no such file.
  std::function<absl::Status()> tokens = {};
  // Accepts logs. nullptr: there are no ingest routes.
  LogReceiver* receiver = nullptr;
  // Returns the response to /metrics. Empty: there are no metrics.
  std::function<std::string()> metrics = {};
  // Traces calls; its clock must be this one. nullptr: none is traced.
  const Tracer* tracer = nullptr;
  // The share of calls, from 0 to 1, whose parameters and SQL the log has.
  double log_parameters = 0;
  // Receives the status of each request.
  std::function<void(int status)> answered = {};
  // Returns the consequences of engine crashes, for the admin's /ready. Empty: they are not counted.
  std::function<CrashCounters()> crashes = {};
  // Returns the process's memory and the memory watch's actions, for the admin's /ready. Empty: there is no watch.
  std::function<MemoryWatch::Counters()> memory = {};
};

class Routes {
 public:
  // Returns all routes of all listeners.
  static absl::Span<const Route> Table();

  explicit Routes(const RoutesOptions& options);

  // Handles a request with its complete body and returns the whole response; writes a log line.
  HttpResponse Handle(const HttpRequest& request);
  // Returns the response to a request that violates HTTP.
  HttpResponse Refuse(const HttpRequest& request, const HttpProblem& problem);
  // Returns whether the request's body should be read before Handle; if not, Handle rejects the request with 405, 413
  // or 415.
  static bool TakesBody(const HttpRequest& request);
  // Called before the body is read: returns its maximum length, or 0 if it is not wanted; Handle then reports why. An
  // ingest body is wanted only from a token that may write, and gets its memory reserved. 413, 415; 429: not enough
  // memory.
  HttpProblem AdmitBody(HttpRequest& request, const BodyLength& length, size_t& max_bytes);

  // Makes /ready fail from now on.
  void Drain() { draining_ = true; }
  // Cancels running queries.
  void CancelAll() {
    options_.queue->CancelAll();
    owner_.CancelAll();
  }

 private:
  // The handlers of the table's routes.
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

  // Whether this listener serves the route.
  bool Serves(const Route& route) const;
  const Route* FindRoute(const HttpRequest& request) const;
  // The methods that this listener supports at `path`; 0: none.
  Methods MethodsAt(std::string_view path) const;
  Methods AllMethods() const;
  HttpResponse Dispatch(const HttpRequest& request, RequestRecord& record);
  HttpResponse Run(const Route& route, std::string_view argument, const HttpRequest& request, RequestRecord& record);
  HttpResponse NotFound(std::string_view path, RequestRecord& record) const;
  // Returns whom the request's token stands for, or, if its body was admitted, who was admitted.
  absl::StatusOr<Principal> Authenticate(const HttpRequest& request);
  // Returns the response to a failed attempt: `failure`, or, after too many, that the address must wait.
  absl::Status AfterFailure(const HttpRequest& request, absl::Status failure);
  template <typename Answer>
  HttpResponse Logged(const HttpRequest& request, Answer answer);

  const RoutesOptions options_;
  OwnerRoutes owner_;
  AttemptLimiter attempts_;
  SignInCodes codes_;
  std::atomic<bool> draining_{false};
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_CALLS_ROUTES_H_
