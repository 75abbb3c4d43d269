// Answers the requests of one listener: finds the route in the table (route_table.h), requires a token where the route does, and
// adds headers to every response. exchange.h has what is found out about a request on the way.
//
//     Exchange exchange(std::move(request));           // its head alone
//     routes.Begin(exchange);
//     problem = routes.AdmitBody(exchange, length, max_bytes);
//     …                                                // reads exchange.http.body
//     HttpResponse response = problem.status == 0 ? routes.Answer(exchange) : routes.Refuse(exchange, problem);
//
// Independent of HTTP libraries. Thread-safe. Everything that the options point to is borrowed.
#ifndef LOGQUERY_SHIM_HTTP_CALLS_ROUTES_H_
#define LOGQUERY_SHIM_HTTP_CALLS_ROUTES_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "lib/base/sign_in_codes.h"
#include "logquery/cancellation.h"
#include "logquery/http_server.h"
#include "shim/http/calls/exchange.h"
#include "shim/http/calls/route_table.h"
#include "shim/http/calls/token_check.h"
#include "shim/http/transport/cors.h"
#include "shim/http/transport/http_body.h"
#include "shim/http/transport/http_head.h"
#include "shim/http/transport/http_message.h"

namespace logquery::shim {

class Routes {
 public:
  // Returns all routes of all listeners, except for actions.
  static absl::Span<const Route> Table();

  // The routes of the admin listener, or of the other one.
  explicit Routes(const HttpServerOptions& options, Cors cors = {}, bool admin = false);

  // Finds the route. Called first, except by Refuse for a request without a path.
  void Begin(Exchange& exchange);
  // Returns the maximum length of the request's body, or 0 if it is not wanted; Answer then reports why. A body with logs is
  // wanted only from a token that may write, and gets its memory reserved. 413, 415; 429: not enough memory.
  HttpProblem AdmitBody(Exchange& exchange, const BodyLength& length, size_t& max_bytes);
  // Returns whether the route takes parameters as JSON in the request's body.
  static bool TakesJson(const Exchange& exchange);
  // Returns the whole response to a request with its complete body, and tells the observer.
  HttpResponse Answer(Exchange& exchange);
  // Returns the response to a request that violates HTTP, and tells the observer.
  HttpResponse Refuse(Exchange& exchange, const HttpProblem& problem);
  // Begin and Answer, for a request with its complete body.
  HttpResponse Handle(HttpRequest request);

  // Makes /ready fail from now on.
  void Drain() { draining_ = true; }
  // Cancels running queries and actions.
  void CancelAll();
  bool draining() const { return draining_; }
  int64_t look_ups() const { return look_ups_; }

 private:
  // The handlers of the table's routes.
  HttpResponse Call(Exchange& exchange);
  HttpResponse List(Exchange& exchange);
  HttpResponse Show(Exchange& exchange);
  HttpResponse OpenApi(Exchange& exchange);
  HttpResponse Metrics(Exchange& exchange);
  HttpResponse MetricsForToken(Exchange& exchange);
  HttpResponse Projects(Exchange& exchange);
  HttpResponse Health(Exchange& exchange);
  HttpResponse Ready(Exchange& exchange);
  HttpResponse ReadyInDetail(Exchange& exchange);
  HttpResponse Web(Exchange& exchange);
  HttpResponse MakeCode(Exchange& exchange);
  HttpResponse TakeCode(Exchange& exchange);
  HttpResponse Ingest(Exchange& exchange);
  HttpResponse IngestOtlp(Exchange& exchange);
  HttpResponse Sources(Exchange& exchange);
  HttpResponse Backends(Exchange& exchange);
  HttpResponse Mcp(Exchange& exchange);
  HttpResponse Saved(Exchange& exchange);
  HttpResponse Rewrite(Exchange& exchange);
  // Runs an action of the options.
  HttpResponse Act(Exchange& exchange);

  // Whether the log gets the parameters of a call that is about to run, of which the observer is told.
  bool BeginCall(Exchange& exchange);
  // Whether this listener serves the table's route.
  bool Serves(const Route& route) const;
  // Gives the request an id, and starts its time.
  void Identify(Exchange& exchange);
  HttpResponse Respond(Exchange& exchange);
  HttpResponse Finish(Exchange& exchange, HttpResponse response);
  HttpResponse NotFound(Exchange& exchange) const;

  const HttpServerOptions options_;
  const Cors cors_;
  const bool admin_;
  std::vector<Route> served_;
  // Those of served_ without a name in braces, and those with one.
  absl::flat_hash_map<std::string_view, std::vector<const Route*>> plain_;
  std::vector<const Route*> named_;
  TokenCheck tokens_;
  base::SignInCodes codes_;
  CancellationSource stopping_;
  std::atomic<bool> draining_{false};
  std::atomic<int64_t> look_ups_{0};
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_CALLS_ROUTES_H_
