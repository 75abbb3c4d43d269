// Limits how much each token may send: rows per second and bytes per day.
//
//     absl::StatusOr<IngestQuota::Charge> charge = quota.Take(principal.token_id, *principal.ingest, rows, bytes);
//     …
//     if (!outcome.ok()) quota.GiveBack(principal.token_id, *charge);
//
// Counted in this process: a restart resets the counts. Thread-safe.
#ifndef LOGQUERY_LIB_SERVING_STORE_INGEST_QUOTA_H_
#define LOGQUERY_LIB_SERVING_STORE_INGEST_QUOTA_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "logquery/clock.h"
#include "logquery/ingest_rights.h"

namespace logquery::serving {

class IngestQuota {
 public:
  // The amounts charged for a request.
  struct Charge {
    int64_t rows = 0;
    int64_t bytes = 0;
    int64_t day = 0;  // days since 1970, in UTC
  };

  // `clock` is borrowed.
  explicit IngestQuota(const Clock* clock) : clock_(clock) {}

  // Charges the token if its quota allows it. ResourceExhausted, with a time to retry, if the quota is used up; then
  // nothing is charged. A request is accepted if the token has any rows left, however many it brings; the excess delays
  // later requests.
  absl::StatusOr<Charge> Take(const std::string& token_id, const IngestRights& rights, int64_t rows, int64_t bytes);
  // Returns a charge, for a request that stored nothing.
  void GiveBack(const std::string& token_id, const Charge& charge);

 private:
  struct Used {
    // Negative: more rows than one second's quota arrived; absent: rows were not counted.
    std::optional<double> rows_left;
    absl::Duration counted_at;
    int64_t day = 0;  // days since 1970, in UTC
    int64_t bytes = 0;
  };

  static void FillRows(const IngestRights& rights, absl::Duration now, Used& used);

  const Clock* const clock_;
  absl::Mutex mutex_;
  std::map<std::string, Used> used_ ABSL_GUARDED_BY(mutex_);  // only tokens with a quota
};

}  // namespace logquery::serving

#endif  // LOGQUERY_LIB_SERVING_STORE_INGEST_QUOTA_H_
