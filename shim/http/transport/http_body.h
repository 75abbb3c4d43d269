// Reads a request's body by the length in its head (RFC 9112, sections 6 and 7.1). Strict: rejects whatever another
// server might read differently, so that no request can be hidden in a body from a proxy.
//
//     std::string body;
//     HttpProblem problem = ReadBody(BodyLengthOf(request), read, body);
#ifndef LOGQUERY_SHIM_HTTP_TRANSPORT_HTTP_BODY_H_
#define LOGQUERY_SHIM_HTTP_TRANSPORT_HTTP_BODY_H_

#include <sys/types.h>

#include <cstddef>
#include <string>

#include "absl/functional/function_ref.h"
#include "shim/http/transport/http_head.h"
#include "shim/http/transport/http_message.h"

namespace logquery::shim {

struct BodyLength {
  size_t bytes = 0;
  bool chunked = false;
  bool has_body() const { return chunked || bytes > 0; }
};

// A chunked body reserves this much before it is read, and more as it arrives.
inline constexpr size_t kChunkedRoomBytes = 64 << 10;

// For a request whose head CheckHead accepted.
BodyLength BodyLengthOf(const HttpRequest& request);

// `read` works like read(2): it returns 0 or less at the end. Status 0: `body` is complete, and no byte after it has
// been read. 400: the body is too short, or its chunks are malformed. 413: it is longer than `max_bytes`, or its chunk
// headers are too long. `body` grows with the received data, whatever the head says.
HttpProblem ReadBody(const BodyLength& length, absl::FunctionRef<ssize_t(char*, size_t)> read, std::string& body,
                     size_t max_bytes = static_cast<size_t>(kMaxBodyBytes));
// Returns "the request's body is longer than 1 MiB".
HttpProblem BodyTooLong(size_t max_bytes);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_TRANSPORT_HTTP_BODY_H_
