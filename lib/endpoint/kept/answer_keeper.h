// Finds out whether the answer to an earlier call is the answer to this one, and keeps answers for later calls.
//
//     AnswerKeeper::Look look = keeper.Begin(call, planned);
//     if (look.answer) return *look.answer;              // the rows are the same, and no bound moved over a row
//     … run the query; `last` is the time of its last row …
//     keeper.Keep(std::move(look), planned, answer, last);
//
// The state is read before the query runs, so the rows are of that state or of a later one; states never come again.
// Where a bound has moved beyond what is known, one small query finds the first row in its way. Thread-safe.
#ifndef LOGQUERY_LIB_ENDPOINT_KEPT_ANSWER_KEEPER_H_
#define LOGQUERY_LIB_ENDPOINT_KEPT_ANSWER_KEEPER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "lib/backend/recent_rows.h"
#include "lib/base/strings.h"
#include "lib/endpoint/call/bound_call.h"
#include "lib/endpoint/call/query_planner.h"
#include "lib/endpoint/kept/kept_answers.h"
#include "lib/endpoint/kept/newest_rows.h"
#include "logquery/cancellation.h"
#include "logquery/query_answer.h"
#include "logquery/query_backend.h"
#include "logquery/row_encoder.h"

namespace logquery::endpoint {

class AnswerKeeper {
 public:
  struct Look {
    std::string key;  // empty: nothing is kept of this call
    RowsState state;
    std::string completed;  // RecentRows::Completed, before the state
    uint64_t clears = 0;
    std::optional<QueryAnswer> answer;  // the kept one, if it is this call's answer
    std::shared_ptr<KeptAnswer> known;  // the kept one of whatever state; nullptr: there is none
    // `known`, if it is of an earlier state of the same epoch and becomes the answer with the newest of the rows that
    // came since.
    std::shared_ptr<KeptAnswer> older;
  };

  // Facts that the engine passed on beside the answer.
  struct Passed {
    // The time of the last row, if the query is for the newest rows and found as many as it may return.
    std::optional<int64_t> last_time;
    std::optional<std::vector<RowKey>> keys;  // of all rows; nullopt: unknown
    bool is_of_state = false;                 // the rows are those of Look::state, not of a later one
  };

  // All pointers are borrowed.
  // `recent`: nullptr: the backend does not know its last rows.
  AnswerKeeper(QueryBackend* backend, RecentRows* recent, const QueryPlanner* planner, KeptAnswers* kept)
      : backend_(backend), recent_(recent), planner_(planner), kept_(kept) {}

  // Returns the answer without what depends on the call's values: its receipt, window and ignored parameters.
  Look Begin(const BoundCall& call, const PlannedCall& planned, const CancellationToken& cancellation) const;
  // As Begin, for an answer that can be had without a query of the engine; sets only `state` and `answer`.
  Look FindKnown(const BoundCall& call, const PlannedCall& planned) const;
  void Keep(Look look, const PlannedCall& planned, const QueryAnswer& answer, Passed passed) const;
  // Merges look.older, of which there is one, without its rows from `from` on, with `added`, which has all rows of the
  // answer from there on and all that came since, into `added`. Returns false if they can't be merged. Sets `passed` as
  // for a run over all rows.
  bool Merge(const Look& look, const PlannedCall& planned, RowFormat format, int64_t from, QueryAnswer& added,
             Passed& passed) const;

  // Returns the place of the table's last row in `state` or a later one; nullopt: it can't be read.
  std::optional<int64_t> FindEnd(const BoundCall& call, const PlannedCall& planned, const RowsState& state,
                                 const CancellationToken& cancellation) const;

 private:
  // Whether no row lies between the places of the call's bounds and those that are known.
  bool Reaches(const BoundCall& call, const PlannedCall& planned, KeptAnswer& kept,
               const CancellationToken& cancellation) const;

  QueryBackend* const backend_;
  RecentRows* const recent_;
  const QueryPlanner* const planner_;
  KeptAnswers* const kept_;
  // The last known ends of tables, from which the next search begins.
  struct End {
    std::string epoch;
    int64_t place = -1;
    std::shared_ptr<const PreparedQuery> query;  // searches for the next one
  };
  mutable absl::Mutex mutex_;
  mutable base::StringMap<End> ends_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_KEPT_ANSWER_KEEPER_H_
