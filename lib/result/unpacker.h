// Decompresses received bytes, up to a size limit.
//
//     std::string text;
//     LOGQUERY_RETURN_IF_ERROR(
//         Unpack(ContentCoding::kGzip, packed, {64 << 20, [&](size_t bytes) { return room->Grow(bytes); }}, text));
#ifndef LOGQUERY_LIB_RESULT_UNPACKER_H_
#define LOGQUERY_LIB_RESULT_UNPACKER_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "logquery/content_coding.h"

namespace logquery::result {

struct UnpackLimits {
  size_t max_bytes;
  // Called before this many more bytes are allocated; false: there is no memory for them.
  absl::FunctionRef<bool(size_t bytes)> grow;
};

// Decompresses all of `packed` to `out`; several members or frames form one text. Zeros behind a member of gzip are
// ignored. InvalidArgument: the data is damaged, incomplete, or followed by other bytes. OutOfRange: the text exceeds `max_bytes`. ResourceExhausted: `grow` returned
// false, or there is no memory for a window of 8 MiB.
absl::Status Unpack(ContentCoding coding, std::string_view packed, const UnpackLimits& limits, std::string& out);

}  // namespace logquery::result

#endif  // LOGQUERY_LIB_RESULT_UNPACKER_H_
