// Keeps groups by stretches of time, and brings them up to date: computes only groups that rows came to, that a bound
// cuts, or that lie behind the kept ones.
//
//     absl::StatusOr<std::optional<GroupKeeper::Found>> found = keeper.Find(call, planned, look, end, run);
//     … run found->query with found->bindings: the answer of the whole query, if …
//     keeper.Finish(planned, look, *std::move(found));
//
// All groups of an answer are from the same rows: those up to one place, or those of one state before a bucket and those
// that one query sees from there on. Thread-safe.
#ifndef LOGQUERY_LIB_ENDPOINT_KEPT_GROUP_KEEPER_H_
#define LOGQUERY_LIB_ENDPOINT_KEPT_GROUP_KEEPER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "lib/backend/recent_rows.h"
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

  // A query over groups.
  struct Found {
    std::shared_ptr<const PreparedQuery> query;
    Bindings bindings;
    std::string key;
    KeptGroups groups;         // to be kept
    bool updates = false;      // the groups were kept before
    RecentRows::Moment since;  // no row may have come to groups before groups.open since this moment
    int64_t lower = 0;         // the call's rows have no earlier times
    absl::Duration start;
  };

  // The pointers are borrowed. `above`: QueryServiceOptions::groups_kept_above.
  // `recent`: nullptr: the backend does not know its last rows.
  GroupKeeper(QueryBackend* backend, RecentRows* recent, KeptAnswers* kept, const Clock* clock, absl::Duration above)
      : backend_(backend), recent_(recent), kept_(kept), clock_(clock), above_(above) {}

  // Notes that the whole query ran and how long, so that the next call keeps its groups. If updates of groups turn out to take as
  // long, they are no longer kept, until the whole query takes twice as long.
  void Note(const BoundCall& call, const PlannedCall& planned, uint64_t clears, absl::Duration took) const;
  // Returns a query over groups for this call; nullopt: the whole query must run. Statuses: those of `run`, except errors
  // of rows.
  absl::StatusOr<std::optional<Found>> Find(const BoundCall& call, const PlannedCall& planned,
                                            const AnswerKeeper::Look& look, FindEnd find_end, RunQuery run) const;
  // Keeps the groups. False: rows have come or gone that the query's rows need not agree with, and the whole query must run.
  bool Finish(const PlannedCall& planned, const AnswerKeeper::Look& look, Found found) const;

 private:
  // Returns the time of the first row that came since; see EarliestAdded in RecentRows.
  int64_t EarliestSince(const PlannedCall& planned, const RecentRows::Moment& since) const;

  QueryBackend* const backend_;
  RecentRows* const recent_;
  KeptAnswers* const kept_;
  const Clock* const clock_;
  const absl::Duration above_;
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_KEPT_GROUP_KEEPER_H_
