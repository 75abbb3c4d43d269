// Keeps groups by stretches of time, and brings them up to date: computes only groups that rows came to, that a bound
// cuts, or that lie behind the kept ones.
//
//     absl::StatusOr<std::optional<Bindings>> rest = keeper.Find(call, planned, look, end, run);
//     … run GroupQueries::rest with these bindings: the answer of the whole query …
//
// All groups of an answer are from the same rows: those up to one place. Thread-safe.
#ifndef LOGQUERY_LIB_ENDPOINT_KEPT_GROUP_KEEPER_H_
#define LOGQUERY_LIB_ENDPOINT_KEPT_GROUP_KEEPER_H_

#include <cstdint>
#include <memory>
#include <optional>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "lib/endpoint/call/bound_call.h"
#include "lib/endpoint/call/query_planner.h"
#include "lib/endpoint/kept/answer_keeper.h"
#include "lib/endpoint/kept/kept_answers.h"
#include "logquery/batch.h"
#include "logquery/clock.h"
#include "logquery/prepared_query.h"
#include "logquery/query_backend.h"

namespace logquery::endpoint {

class GroupKeeper {
 public:
  // Executes a query with bindings, as a part of the call.
  using RunQuery = absl::FunctionRef<absl::Status(const PreparedQuery&, const Bindings&, BatchSink&)>;
  // Returns the place of the table's last row; nullopt: it can't be read.
  using FindEnd = absl::FunctionRef<std::optional<int64_t>()>;

  // The pointers are borrowed. `above`: QueryServiceOptions::groups_kept_above.
  GroupKeeper(QueryBackend* backend, KeptAnswers* kept, const Clock* clock, absl::Duration above)
      : backend_(backend), kept_(kept), clock_(clock), above_(above) {}

  // Notes that the whole query ran and how long, so that the next call keeps its groups. If updates of groups turn out to take as
  // long, they are no longer kept, until the whole query takes twice as long.
  void Note(const BoundCall& call, const PlannedCall& planned, uint64_t clears, absl::Duration took) const;
  // Returns the bindings of the rest for this call; nullopt: the whole query must run. Statuses: those of `run`, except
  // errors of rows.
  absl::StatusOr<std::optional<Bindings>> Find(const BoundCall& call, const PlannedCall& planned,
                                               const AnswerKeeper::Look& look, FindEnd find_end, RunQuery run) const;

 private:
  QueryBackend* const backend_;
  KeptAnswers* const kept_;
  const Clock* const clock_;
  const absl::Duration above_;
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_KEPT_GROUP_KEEPER_H_
