// The small JSON files beside a spool's files: their options and outcomes.
#ifndef LOGQUERY_LIB_STORE_SPOOL_SPOOL_OUTCOME_H_
#define LOGQUERY_LIB_STORE_SPOOL_SPOOL_OUTCOME_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "logquery/store/log_store.h"

namespace logquery::store {

// {"timestamp_unit":"ms","dedupe":"id","again":true,"urgent":true}; every field is optional.
struct SpoolFileOptions {
  TimestampUnit timestamp_unit = TimestampUnit::kMicroseconds;
  bool dedupe_by_id = false;
  bool again = false;   // LoadRequest::again
  bool urgent = false;  // a caller waits for it: do not wait for more files

  std::string ToJson() const;
  // InvalidArgument: malformed; the message says what is wrong. Empty text: the defaults.
  static absl::StatusOr<SpoolFileOptions> Parse(std::string_view text);
};

struct SpoolOutcome {
  struct Rejected {
    int64_t line = 0;
    std::string reason;
  };
  std::string outcome;  // loaded, skipped (a file with the same bytes was loaded before), failed
  std::string reason;   // if it failed
  int64_t rows = 0;
  int64_t rejected_rows = 0;
  int64_t duplicate_rows = 0;
  std::vector<Rejected> rejected;  // the first ones
  std::vector<RejectedCount> rejected_by_reason;
  std::vector<std::string> undeclared_fields;
  std::vector<LearnedField> learned_fields;  // by this file and those that were loaded with it
  std::vector<LearnedField> widened_fields;

  std::string ToJson() const;
  // DataLoss: malformed.
  static absl::StatusOr<SpoolOutcome> Parse(std::string_view text);
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_SPOOL_SPOOL_OUTCOME_H_
