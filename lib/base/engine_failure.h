// Marks the error of a remote engine that failed to compute a part of a query that it was expected to compute. The query
// may succeed when the engine only scans its tables and the rest runs locally.
#ifndef LOGQUERY_LIB_BASE_ENGINE_FAILURE_H_
#define LOGQUERY_LIB_BASE_ENGINE_FAILURE_H_

#include "absl/status/status.h"
#include "absl/strings/cord.h"

namespace logquery::base {

inline constexpr char kEngineFailureUrl[] = "logquery/EngineFailure";

// Returns `status` with the mark, which stays in the process. OK has no mark.
inline absl::Status MarkEngineFailure(absl::Status status) {
  status.SetPayload(kEngineFailureUrl, absl::Cord());
  return status;
}

inline void ClearEngineFailure(absl::Status& status) { status.ErasePayload(kEngineFailureUrl); }

inline bool IsEngineFailure(const absl::Status& status) { return status.GetPayload(kEngineFailureUrl).has_value(); }

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_ENGINE_FAILURE_H_
