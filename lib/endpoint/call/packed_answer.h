// Compresses answers with a content coding, and computes the digests that identify their bodies.
#ifndef LOGQUERY_LIB_ENDPOINT_CALL_PACKED_ANSWER_H_
#define LOGQUERY_LIB_ENDPOINT_CALL_PACKED_ANSWER_H_

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

// A shorter body is not compressed, because that would save nothing.
inline constexpr int64_t kLeastToPack = 1'024;

// Returns whether a caller that accepts `coding` gets `plain` compressed.
bool IsPackedFor(ContentCoding coding, const QueryAnswer& plain);

// Sets the answer's digest from its body. Unavailable: the body is in a file that can't be read.
absl::Status SetDigest(QueryAnswer& plain);

// Returns the answer with a compressed body, and adds the time to encode_time. Cancelled. Unavailable: no memory or
// disk space.
absl::StatusOr<CachedAnswer> PackAnswer(const CachedAnswer& plain, ContentCoding coding, const result::BodyPlace& place,
                                        const Clock* clock, const CancellationToken& cancellation);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_CALL_PACKED_ANSWER_H_
