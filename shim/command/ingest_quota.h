// How much each token has brought: rows a second and bytes a day.
//
//     absl::StatusOr<IngestQuota::Charge> charge = quota.Take(principal.token_id, *principal.ingest, rows, bytes);
//     …
//     if (!outcome.ok()) quota.GiveBack(principal.token_id, *charge);
//
// Counted in this process: a restart begins anew. Thread-safe.
#ifndef LOGQUERY_SHIM_COMMAND_INGEST_QUOTA_H_
#define LOGQUERY_SHIM_COMMAND_INGEST_QUOTA_H_

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

namespace logquery::shim {

class IngestQuota {
 public:
  // What a request was counted with.
  struct Charge {
    int64_t rows = 0;
    int64_t bytes = 0;
    int64_t day = 0;  // since 1970, in UTC
  };

  // `clock` is borrowed.
  explicit IngestQuota(const Clock* clock) : clock_(clock) {}

  // Counts them, if the token has so much left. ResourceExhausted, with when to try again, and nothing is counted: it has used up
  // what it may. A request is taken when the token has any rows left, however many it brings; what goes beyond is waited
  // for afterwards.
  absl::StatusOr<Charge> Take(const std::string& token_id, const IngestRights& rights, int64_t rows, int64_t bytes);
  // For a request that stored nothing: what it was counted with is the token's again.
  void GiveBack(const std::string& token_id, const Charge& charge);

 private:
  struct Used {
    std::optional<double> rows_left;  // below 0: more came than a second's; absent: its rows were not counted
    absl::Duration counted_at;
    int64_t day = 0;  // since 1970, in UTC
    int64_t bytes = 0;
  };

  static void FillRows(const IngestRights& rights, absl::Duration now, Used& used);

  const Clock* const clock_;
  absl::Mutex mutex_;
  std::map<std::string, Used> used_ ABSL_GUARDED_BY(mutex_);  // of tokens that have a quota
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_COMMAND_INGEST_QUOTA_H_
