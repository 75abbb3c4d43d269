// Validates the head of an HTTP/1 request before it is parsed.
//
// Strict (RFC 9112): rejects whatever two programs could read differently, such as two body lengths or a bare line
// feed, so that no request can be smuggled past a proxy. Thread-safe.
#ifndef LOGQUERY_SHIM_HTTP_TRANSPORT_HTTP_HEAD_H_
#define LOGQUERY_SHIM_HTTP_TRANSPORT_HTTP_HEAD_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace logquery::shim {

inline constexpr size_t kMaxTargetBytes = 64 << 10;
inline constexpr size_t kMaxHeaderLineBytes = 8 << 10;
inline constexpr size_t kMaxHeaderBytes = 64 << 10;
inline constexpr int kMaxHeaders = 100;
inline constexpr int64_t kMaxBodyBytes = 1 << 20;  // of a call
// The longest body of an ingest request, as sent. Vector and rsyslog send batches of 10 MB, and Logflare takes 12,000,000 bytes.
inline constexpr int64_t kMaxIngestBodyBytes = 12 << 20;

struct HttpProblem {
  int status = 0;  // 0: no problem
  std::string message;
};

// `head` is the part received so far, before the final blank line, so that an oversized head is detected early.
HttpProblem CheckHeadSize(std::string_view head);

// `head` is everything from the request line to the blank line, inclusive.
HttpProblem CheckHead(std::string_view head);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_TRANSPORT_HTTP_HEAD_H_
