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

// A body in chunks has room for so many bytes before it is read, and gets more as it comes.
inline constexpr size_t kChunkedRoomBytes = 64 << 10;

// Of a request whose head CheckHead let pass.
BodyLength BodyLengthOf(const HttpRequest& request);

// `read` as read(2): at most so many bytes, 0 or less when no more come. Status 0: `body` is whole, and not a byte behind it
// is read. 400: it ends too early, or its chunks are malformed. 413: it is longer than `max_bytes`, or what is around its
// chunks is. `body` grows with what comes, whatever the head says.
HttpProblem ReadBody(const BodyLength& length, absl::FunctionRef<ssize_t(char*, size_t)> read, std::string& body,
                     size_t max_bytes = static_cast<size_t>(kMaxBodyBytes));
// "the request's body is longer than 1 MiB"
HttpProblem BodyTooLong(size_t max_bytes);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_HTTP_BODY_H_
