// Unpacks bytes that somebody sent, no further than they may become.
//
//     std::string text;
//     LOGQUERY_RETURN_IF_ERROR(Unpack(ContentCoding::kGzip, packed, {64 << 20, [&](size_t bytes) { return room->Grow(bytes); }}, text));
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
  // Asked before so many bytes more are taken; false: there is no memory for them.
  absl::FunctionRef<bool(size_t bytes)> grow;
};

// All of `packed` (several members or frames one after another are one text) goes to `out`. InvalidArgument: it is damaged,
// ends early or has something behind it. OutOfRange: it becomes longer than `max_bytes`. ResourceExhausted: `grow` said no,
// or there is no memory for a window of 8 MiB.
absl::Status Unpack(ContentCoding coding, std::string_view packed, const UnpackLimits& limits, std::string& out);

}  // namespace logquery::result

#endif  // LOGQUERY_LIB_RESULT_UNPACKER_H_
