// Answers in a content coding, and what tells their bytes from others'.
#ifndef LOGQUERY_LIB_ENDPOINT_PACKED_ANSWER_H_
#define LOGQUERY_LIB_ENDPOINT_PACKED_ANSWER_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lib/result/body_builder.h"
#include "logquery/cancellation.h"
#include "logquery/clock.h"
#include "logquery/content_coding.h"
#include "logquery/query_answer.h"
#include "logquery/result_cache.h"

namespace logquery::endpoint {

// A body shorter than this stays as it is: packing it would save nothing.
inline constexpr int64_t kLeastToPack = 1'024;

// Whether `plain` is given packed to who asks for `coding`.
bool IsPackedFor(ContentCoding coding, const QueryAnswer& plain);

// Gives the answer the digest of its body. Unavailable: that is in a file which can't be read.
absl::Status SetDigest(QueryAnswer& plain);

// The same answer with its body packed, which takes its part of encode_time. Cancelled. Unavailable: there is no memory, or no
// room on the disk.
absl::StatusOr<CachedAnswer> PackAnswer(const CachedAnswer& plain, ContentCoding coding, const result::BodyPlace& place,
                                        const Clock* clock, const CancellationToken& cancellation);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_PACKED_ANSWER_H_
