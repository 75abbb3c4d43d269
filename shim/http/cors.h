// Which other sites' pages may call this server from a browser (the Fetch standard's CORS protocol). None, unless the server
// is told of them.
//
//     LOGQUERY_ASSIGN_OR_RETURN(Cors cors, Cors::Create({"https://dashboard.example"}));
//     if (auto answer = cors.AnswerPreflight(request, "GET, HEAD")) return *answer;
//     cors.AddHeaders(request, response);
//
// Origins compare whole; there is no wildcard, and cookies are never involved: who calls sends a token in a header. Immutable,
// so thread-safe.
#ifndef LOGQUERY_SHIM_HTTP_CORS_H_
#define LOGQUERY_SHIM_HTTP_CORS_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "shim/http/http_message.h"

namespace logquery::shim {

class Cors {
 public:
  // No site.
  Cors() = default;
  // InvalidArgument: one is no origin as a browser writes it: http or https, host and, where it is not the scheme's own, port;
  // in lower case and without a path.
  static absl::StatusOr<Cors> Create(std::vector<std::string> origins);

  // The answer to a question of a browser whether it may send a call to a path that takes `methods` ("GET, HEAD"); nothing:
  // `request` is no such question, or comes from a site that is not known.
  std::optional<HttpResponse> AnswerPreflight(const HttpRequest& request, const std::string& methods) const;
  // Lets the browser show the answer to the page, where the page's site is known.
  void AddHeaders(const HttpRequest& request, HttpResponse& response) const;

 private:
  // The request's origin, if it is one of ours.
  const std::string* KnownOrigin(const HttpRequest& request) const;

  std::vector<std::string> origins_;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_CORS_H_
