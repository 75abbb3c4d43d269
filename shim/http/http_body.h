// A request's body, read by what its head said of its length (RFC 9112, sections 6 and 7.1). Strict: what another server might
// read differently is refused, so that nothing can be hidden behind a body from a proxy in front.
//
//     std::string body;
//     HttpProblem problem = ReadBody(BodyLengthOf(request), read, body);
#ifndef LOGQUERY_SHIM_HTTP_HTTP_BODY_H_
#define LOGQUERY_SHIM_HTTP_HTTP_BODY_H_

#include <sys/types.h>

#include <cstddef>
#include <string>

#include "absl/functional/function_ref.h"
#include "shim/http/http_head.h"
#include "shim/http/http_message.h"

namespace logquery::shim {

struct BodyLength {
  size_t bytes = 0;
  bool chunked = false;
  bool has_body() const { return chunked || bytes > 0; }
};

// Of a request whose head CheckHead let pass.
BodyLength BodyLengthOf(const HttpRequest& request);

// `read` as read(2): at most so many bytes, 0 or less when no more come. Status 0: `body` is whole, and not a byte behind it
// is read. 400: it ends too early, or its chunks are malformed. 413: it is longer than kMaxBodyBytes, or what is around its
// chunks is.
HttpProblem ReadBody(const BodyLength& length, absl::FunctionRef<ssize_t(char*, size_t)> read, std::string& body);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_HTTP_BODY_H_
