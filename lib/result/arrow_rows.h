// Exports a part of a batch by Arrow's C data interface, in bounded memory.
#ifndef LOGQUERY_LIB_RESULT_ARROW_ROWS_H_
#define LOGQUERY_LIB_RESULT_ARROW_ROWS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "logquery/arrow.h"
#include "logquery/batch.h"

namespace logquery::result {

// Sets `out` to the rows `begin` to `end` - 1, as ExportArrow exports all of them. Statuses: those of ExportArrow, where
// ResourceExhausted means more than `max_bytes`, which is at most kMaxArrowBytes.
absl::Status ExportArrowRows(const Batch& batch, int64_t begin, int64_t end, int64_t max_bytes, ArrowArray& out);

}  // namespace logquery::result

#endif  // LOGQUERY_LIB_RESULT_ARROW_ROWS_H_
