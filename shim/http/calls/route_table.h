// The table of all routes of the server. Dispatching, 404, 405 with Allow, CORS and the description of the interface
// are derived from it.
//
//     for (const Route& route : Routes::Table()) {
//       if (std::optional<std::string_view> endpoint = MatchPath(route.pattern, request.path)) …
//     }
#ifndef LOGQUERY_SHIM_HTTP_CALLS_ROUTE_TABLE_H_
#define LOGQUERY_SHIM_HTTP_CALLS_ROUTE_TABLE_H_

#include <optional>
#include <string>
#include <string_view>

#include "absl/types/span.h"
#include "shim/http/transport/http_message.h"

namespace logquery::shim {

class Routes;
struct Exchange;

// A set of methods.
using Methods = unsigned;
inline constexpr Methods kGet = 1;
inline constexpr Methods kHead = 2;
inline constexpr Methods kPost = 4;
inline constexpr Methods kPut = 8;
inline constexpr Methods kDelete = 16;

// Returns 0 for a method that no route has.
Methods MethodNamed(std::string_view name);
// Formats methods for the Allow header: "GET, HEAD, POST".
std::string MethodNames(Methods methods);

// The audience of a route, which determines its listener.
enum class Audience {
  kAnybody,
  kToken,  // callers with a valid access token
  kAdmin,  // administrators: on the admin listener, without a token
  kOwner,  // whoever may call the actions of the options, without a token
};

struct RouteParameter {
  enum class In { kPath, kQuery, kHeader, kBody };
  In in;
  std::string_view name;
  std::string_view type;  // in JSON Schema: string, boolean, integer
  bool required;
  std::string_view what;
  std::string_view values = {};  // the allowed values, separated by commas; empty: any
};

struct RouteAnswer {
  int status;
  std::string_view content_type;  // empty: no body
  std::string_view what;
};

// A feature that the server must have for a route to exist.
enum class RouteNeeds {
  kNothing,
  kConsole,
  kIngest,  // accepts logs, with longer bodies, which may be compressed
  kMcp,     // answers messages of MCP; pages of other sites may not send any
  kSaved,   // keeps queries
  kProjects,
};

struct Route {
  std::string_view
      pattern;  // "/api/endpoints/query/{endpoint}": the name in braces stands for the last part, without a /
  Methods methods;
  Audience audience;
  HttpResponse (Routes::*handler)(Exchange& exchange);
  std::string_view what;  // one sentence
  absl::Span<const RouteParameter> parameters = {};
  absl::Span<const RouteAnswer> answers =
      {};                                  // where all goes well; errors have one form, docs/http.md has their table
  bool takes_endpoint_parameters = false;  // in addition to `parameters`: those of the endpoint's definition
  bool alias = false;                      // another path for an earlier route
  RouteNeeds needs = RouteNeeds::kNothing;
};

// Returns the part of `path` for the name in braces, empty if there is none; nullopt if `pattern` does not match.
std::optional<std::string_view> MatchPath(std::string_view pattern, std::string_view path);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_CALLS_ROUTE_TABLE_H_
