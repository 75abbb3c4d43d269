// Decides which other sites' pages may call this server from a browser (CORS, from the Fetch standard). The default is
// none.
//
//     LOGQUERY_ASSIGN_OR_RETURN(Cors cors, Cors::Create({"https://dashboard.example"}));
//     if (auto answer = cors.AnswerPreflight(request, "GET, HEAD")) return *answer;
//     cors.AddHeaders(request, response);
//
// Origins must match exactly; there is no wildcard, and cookies are never used: callers send a token in a header.
// Immutable and therefore thread-safe.
#ifndef LOGQUERY_SHIM_HTTP_TRANSPORT_CORS_H_
#define LOGQUERY_SHIM_HTTP_TRANSPORT_CORS_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "shim/http/transport/http_message.h"

namespace logquery::shim {

class Cors {
 public:
  // Allows no site.
  Cors() = default;
  // InvalidArgument: a text is not an origin as a browser writes it: http or https, the host and, unless it is the
  // scheme's default, the port; in lower case and without a path.
  static absl::StatusOr<Cors> Create(std::vector<std::string> origins);

  // Returns the response to a browser's preflight request for a path that supports `methods` ("GET, HEAD"). nullopt:
  // `request` is not a preflight request, or its site is not allowed.
  std::optional<HttpResponse> AnswerPreflight(const HttpRequest& request, const std::string& methods) const;
  // Returns whether no page of another site sent the request: it has no origin, a known one, or that of the host that it names
  // itself, which is localhost or an IP address. Any other name of the host may be a site's own that resolves to this machine
  // (DNS rebinding).
  bool IsOwnOrKnown(const HttpRequest& request) const;
  // Allows the browser to show the response to the page, if the page's site is allowed.
  void AddHeaders(const HttpRequest& request, HttpResponse& response) const;

 private:
  // Returns the request's origin if it is allowed.
  const std::string* KnownOrigin(const HttpRequest& request) const;

  std::vector<std::string> origins_;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_TRANSPORT_CORS_H_
