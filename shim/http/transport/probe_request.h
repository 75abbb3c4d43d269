// Recognizes requests for /health and /ready that a separate thread may answer while all others are busy: those that
// can't block, whatever the client does.
#ifndef LOGQUERY_SHIM_HTTP_TRANSPORT_PROBE_REQUEST_H_
#define LOGQUERY_SHIM_HTTP_TRANSPORT_PROBE_REQUEST_H_

#include <string_view>

namespace logquery::shim {

// Returns whether `received` is exactly the head of such a request, without a body.
bool IsProbeAlone(std::string_view received);

// Returns whether the client has received everything that was sent; a client that does not read its responses would
// block the next one.
bool HasNothingUnsent(int fd);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_TRANSPORT_PROBE_REQUEST_H_
