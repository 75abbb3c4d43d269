// The small JSON files that stand beside a spool's files: what they want, and what became of them.
#ifndef LOGQUERY_LIB_STORE_SPOOL_SPOOL_OUTCOME_H_
#define LOGQUERY_LIB_STORE_SPOOL_SPOOL_OUTCOME_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "logquery/store/log_store.h"

namespace logquery::store {

// {"timestamp_unit":"ms","dedupe":"id","urgent":true}; each may be left out.
struct SpoolFileOptions {
  TimestampUnit timestamp_unit = TimestampUnit::kMicroseconds;
  bool dedupe_by_id = false;
  bool urgent = false;  // somebody waits for it: it does not wait for others

  std::string ToJson() const;
  // InvalidArgument: not that, with what is wrong. Empty text: the defaults.
  static absl::StatusOr<SpoolFileOptions> Parse(std::string_view text);
};

struct SpoolOutcome {
  struct Rejected {
    int64_t line = 0;
    std::string reason;
  };
  std::string outcome;  // loaded, skipped (a file with the same bytes is in), failed
  std::string reason;   // of failed
  int64_t rows = 0;
  int64_t rejected_rows = 0;
  int64_t duplicate_rows = 0;
  std::vector<Rejected> rejected;  // the first ones
  std::vector<std::string> undeclared_fields;
  std::vector<LearnedField> learned_fields;  // by this file and those that were loaded with it
  std::vector<LearnedField> widened_fields;

  std::string ToJson() const;
  // DataLoss: not that.
  static absl::StatusOr<SpoolOutcome> Parse(std::string_view text);
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_SPOOL_SPOOL_OUTCOME_H_
