// The routes by which the server tells of itself: its endpoints, its projects and its counts.
#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/percent_encoding.h"
#include "logquery/endpoint_description.h"
#include "logquery/version.h"
#include "shim/http/about/openapi.h"
#include "shim/http/calls/endpoint_call.h"
#include "shim/http/calls/routes.h"

namespace logquery::shim {
namespace {

// A token without any limit on what it reads.
bool ReadsAll(const Principal& principal) {
  return !principal.project_scope && principal.fixed_parameters.empty() && !principal.endpoints;
}

// The registry is to live for as long as what is returned.
std::vector<const RegisteredEndpoint*> EndpointsOf(const std::shared_ptr<const EndpointRegistry>& registry) {
  return registry == nullptr ? std::vector<const RegisteredEndpoint*>() : registry->All();
}

}  // namespace

HttpResponse Routes::List(Exchange& exchange) {
  const auto registry = options_.service->registry();
  std::string list = EndpointListJson(EndpointsOf(registry), **exchange.principal);
  if (options_.saved != nullptr) list.insert(list.size() - 1, ",\"saves_queries\":true");
  if (options_.projects && ReadsAll(**exchange.principal)) list.insert(list.size() - 1, ",\"lists_projects\":true");
  return JsonResponse(200, list);
}

HttpResponse Routes::Show(Exchange& exchange) {
  const absl::StatusOr<std::string> name = base::PercentDecode(exchange.argument, false);
  if (!name.ok()) return AnswerError(name.status(), true, exchange.record);
  const absl::StatusOr<CallTarget> target = options_.service->Find(**exchange.principal, *name);
  if (!target.ok()) return AnswerError(target.status(), true, exchange.record);
  const auto registry = options_.service->registry();
  const RegisteredEndpoint* endpoint = registry == nullptr ? nullptr : registry->Find(target->definition->name);
  if (endpoint == nullptr) return AnswerError(absl::NotFoundError("the endpoint has just gone"), true, exchange.record);
  return JsonResponse(200, EndpointJson(*endpoint, **exchange.principal));
}

HttpResponse Routes::OpenApi(Exchange& exchange) {
  const auto registry = options_.service->registry();
  std::vector<Route> routes;
  // MCP describes itself.
  std::copy_if(served_.begin(), served_.end(), std::back_inserter(routes),
               [](const Route& route) { return route.needs != RouteNeeds::kMcp; });
  return JsonResponse(200, OpenApiJson(routes, EndpointsOf(registry), **exchange.principal, LOGQUERY_VERSION_STRING));
}

// Where logs go on to from here: nowhere.
HttpResponse Routes::Backends(Exchange&) { return JsonResponse(200, "[]"); }

HttpResponse Routes::Metrics(Exchange& exchange) {
  if (!options_.metrics)
    return AnswerError(absl::NotFoundError("metrics are disabled on this server"), true, exchange.record);
  HttpResponse response = JsonResponse(200, options_.metrics());
  response.content_type = "text/plain; version=0.0.4; charset=utf-8";
  return response;
}

HttpResponse Routes::MetricsForToken(Exchange& exchange) {
  const Principal& principal = **exchange.principal;
  if (ReadsAll(principal) || principal.may_read_metrics) return Metrics(exchange);
  return AnswerError(absl::PermissionDeniedError("this token may not see what the server counts: that takes the right "
                                                 "to read metrics, or one for all projects and all endpoints"),
                     true, exchange.record);
}

HttpResponse Routes::Projects(Exchange& exchange) {
  const Principal& caller = **exchange.principal;
  QueryRequest query;
  query.call_id = exchange.record.request_id;
  query.traceparent = exchange.record.traceparent;
  query.trace = exchange.record.trace;
  absl::Status refused = absl::PermissionDeniedError("listing projects takes a token for all projects and endpoints");
  const absl::StatusOr<std::string> list =
      ReadsAll(caller) ? options_.projects(caller, query, exchange.http.client_left) : std::move(refused);
  return list.ok() ? JsonResponse(200, *list) : AnswerError(list.status(), true, exchange.record);
}

}  // namespace logquery::shim
