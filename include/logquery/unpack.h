// Decompresses received bytes, up to a size limit: the body of a request with Content-Encoding.
//
//     std::string text;
//     absl::Status status = Unpack(ContentCoding::kGzip, packed,
//                                  {64 << 20, [&](size_t bytes) { return admission->Grow(bytes); }}, text);
//
// Thread-safe.
#ifndef LOGQUERY_UNPACK_H_
#define LOGQUERY_UNPACK_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "logquery/content_coding.h"

namespace logquery {

struct UnpackLimits {
  size_t max_bytes;
  // Called before this many more bytes are allocated; false: there is no memory for them.
  absl::FunctionRef<bool(size_t bytes)> grow;
};

// Decompresses all of `packed` to `out`; several members or frames form one text. Zeros behind a member of gzip are
// ignored. InvalidArgument: the data is damaged, incomplete, or followed by other bytes. OutOfRange: the text exceeds `max_bytes`.
// ResourceExhausted: `grow` returned false, or there is no memory for a window of 8 MiB.
absl::Status Unpack(ContentCoding coding, std::string_view packed, const UnpackLimits& limits, std::string& out);

}  // namespace logquery

#endif  // LOGQUERY_UNPACK_H_
