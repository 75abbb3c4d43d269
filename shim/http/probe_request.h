// Tells requests for /health and /ready that a thread of their own may answer while all others are taken: those that take
// no time, whatever the client does.
#ifndef LOGQUERY_SHIM_HTTP_PROBE_REQUEST_H_
#define LOGQUERY_SHIM_HTTP_PROBE_REQUEST_H_

#include <string_view>

namespace logquery::shim {

// Whether `received` is the head of such a request, which announces no body, and nothing else.
bool IsProbeAlone(std::string_view received);

// Whether the client has taken all that was sent to it: one that leaves its answers unread holds up the next one.
bool HasNothingUnsent(int fd);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_PROBE_REQUEST_H_
