// Looks for the rows that a moving bound would meet: a small query for the times of a table's rows in a stretch.
#ifndef LOGQUERY_LIB_ENDPOINT_KEPT_TIME_PROBE_H_
#define LOGQUERY_LIB_ENDPOINT_KEPT_TIME_PROBE_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "lib/endpoint/call/bound_call.h"
#include "lib/endpoint/call/query_planner.h"
#include "lib/endpoint/kept/kept_answers.h"
#include "logquery/cancellation.h"
#include "logquery/query_backend.h"

namespace logquery::endpoint {

class TimeProbe {
 public:
  // Probes the rows of `planned`'s RowsRead with this index. Everything is borrowed.
  TimeProbe(QueryBackend* backend, const QueryPlanner* planner, const BoundCall& call, const PlannedCall& planned,
            size_t rows)
      : backend_(backend), planner_(planner), call_(call), planned_(planned), rows_(rows) {}

  // Returns the part of the way from `known` to `place`, and some way beyond it, that has no rows, together with
  // `known`. nullopt: it can't be found out.
  std::optional<Stretch> Extend(const Stretch& known, int64_t place, const CancellationToken& cancellation) const;

 private:
  struct Times {
    std::optional<int64_t> first;
    std::optional<int64_t> last;
  };
  // Returns the first and last time of rows from `from` on, before `to`.
  absl::StatusOr<Times> Find(int64_t from, int64_t to, const CancellationToken& cancellation) const;

  QueryBackend* const backend_;
  const QueryPlanner* const planner_;
  const BoundCall& call_;
  const PlannedCall& planned_;
  const size_t rows_;
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_KEPT_TIME_PROBE_H_
