// What the server can be asked: one table of routes. Dispatch, 404, 405 with Allow and CORS are made of it, and so is any
// description of the interface.
//
//     for (const Route& route : Routes::Table()) {
//       if (std::optional<std::string_view> endpoint = MatchPath(route.pattern, request.path)) …
//     }
#ifndef LOGQUERY_SHIM_HTTP_ROUTE_TABLE_H_
#define LOGQUERY_SHIM_HTTP_ROUTE_TABLE_H_

#include <optional>
#include <string>
#include <string_view>

#include "absl/types/span.h"
#include "logquery/authenticator.h"
#include "shim/http/http_message.h"
#include "shim/http/request_log.h"

namespace logquery::shim {

class Routes;

// A set of methods.
using Methods = unsigned;
inline constexpr Methods kGet = 1;
inline constexpr Methods kHead = 2;
inline constexpr Methods kPost = 4;

// 0: a method that no route takes.
Methods MethodNamed(std::string_view name);
// "GET, HEAD, POST", as the header Allow has them.
std::string MethodNames(Methods methods);

// Who may ask, and so which listener has the route.
enum class Audience {
  kAnybody,
  kToken,  // who sends an access token that is known
  kAdmin,  // who runs the server: on its admin listener, without a token
  kOwner,  // the data folder's owner: on the socket in the folder, without a token
};

struct RouteParameter {
  enum class In { kPath, kQuery, kHeader, kBody };
  In in;
  std::string_view name;
  std::string_view type;  // as JSON Schema has it: string, boolean
  bool required;
  std::string_view what;
  std::string_view values = {};  // what it may be, with commas between; empty: anything
};

struct RouteAnswer {
  int status;
  std::string_view content_type;  // empty: there is no body
  std::string_view what;
};

// A request that a route takes.
struct RoutedRequest {
  const HttpRequest& http;
  std::string_view argument;   // the path's part that stands for the name in braces, as sent; empty: the route has none
  const Principal& principal;  // of a route for who has a token
};

// What a server has to have for a route to be there.
enum class RouteNeeds {
  kNothing,
  kConsole,
  kIngest,  // takes logs in, with longer bodies, which may be packed
};

struct Route {
  std::string_view
      pattern;  // "/api/endpoints/query/{endpoint}": the name in braces stands for the last part, without a /
  Methods methods;
  Audience audience;
  HttpResponse (Routes::*handler)(const RoutedRequest& request, RequestRecord& record);
  std::string_view what;  // a sentence
  absl::Span<const RouteParameter> parameters = {};
  absl::Span<const RouteAnswer> answers =
      {};                                  // where all goes well; errors have one form, docs/http.md has their table
  bool takes_endpoint_parameters = false;  // beside `parameters`: those that the endpoint's definition has
  bool alias = false;                      // another path of a route before it
  RouteNeeds needs = RouteNeeds::kNothing;
};

// Whether `pattern` is about `path`, and what then stands for its name in braces; empty where it has none.
std::optional<std::string_view> MatchPath(std::string_view pattern, std::string_view path);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_ROUTE_TABLE_H_
