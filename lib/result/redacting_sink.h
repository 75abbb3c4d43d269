// Passes rows on with their strings redacted, for a caller that takes batches instead of bytes.
#ifndef LOGQUERY_LIB_RESULT_REDACTING_SINK_H_
#define LOGQUERY_LIB_RESULT_REDACTING_SINK_H_

#include "absl/status/status.h"
#include "logquery/batch.h"
#include "logquery/redactor.h"

namespace logquery::result {

// Redacts strings, and strings and keys of JSON values, at any depth. Columns in which nothing is found go on as they
// are; of the others only the pointers to their strings are copied. JSON values come out compact.
class RedactingSink : public BatchSink {
 public:
  // Both are borrowed.
  RedactingSink(const Redactor* redactor, BatchSink* next) : redactor_(redactor), next_(next) {}

  // What the next sink returns.
  absl::Status Append(const Batch& batch) override;

 private:
  const Redactor* redactor_;
  BatchSink* next_;
};

}  // namespace logquery::result

#endif  // LOGQUERY_LIB_RESULT_REDACTING_SINK_H_
