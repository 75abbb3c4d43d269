// Forwards rows with their strings redacted, for a caller that takes batches instead of bytes.
#ifndef LOGQUERY_LIB_RESULT_REDACTING_SINK_H_
#define LOGQUERY_LIB_RESULT_REDACTING_SINK_H_

#include "absl/status/status.h"
#include "logquery/batch.h"
#include "logquery/redactor.h"

namespace logquery::result {

// Redacts strings, and strings and keys in JSON values, at any depth. Columns without matches are forwarded unchanged;
// for the others only the pointers to their strings are copied. JSON values become compact.
class RedactingSink : public BatchSink {
 public:
  // Both pointers are borrowed.
  RedactingSink(const Redactor* redactor, BatchSink* next) : redactor_(redactor), next_(next) {}

  // Statuses: those of the next sink.
  absl::Status Append(const Batch& batch) override;

 private:
  const Redactor* redactor_;
  BatchSink* next_;
};

}  // namespace logquery::result

#endif  // LOGQUERY_LIB_RESULT_REDACTING_SINK_H_
