// Checks the head of an HTTP/1 request before anything is made of it.
//
// Strict (RFC 9112): what two programs could read in two ways, such as two lengths of a body or a bare line feed, is
// refused, so that nothing can be smuggled past a proxy. Thread-safe.
#ifndef LOGQUERY_SHIM_HTTP_HTTP_HEAD_H_
#define LOGQUERY_SHIM_HTTP_HTTP_HEAD_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace logquery::shim {

inline constexpr size_t kMaxTargetBytes = 64 << 10;
inline constexpr size_t kMaxHeaderLineBytes = 8 << 10;
inline constexpr size_t kMaxHeaderBytes = 64 << 10;
inline constexpr int kMaxHeaders = 100;
inline constexpr int64_t kMaxBodyBytes = 1 << 20;        // of a call
inline constexpr int64_t kMaxIngestBodyBytes = 8 << 20;  // of a request that brings logs, as it is sent

struct HttpProblem {
  int status = 0;  // 0: none
  std::string message;
};

// `head` is what has come so far, without the blank line's end: too much of it can be told before all is there.
HttpProblem CheckHeadSize(std::string_view head);

// `head` goes from the request line to the blank line, both included.
HttpProblem CheckHead(std::string_view head);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_HTTP_HEAD_H_
