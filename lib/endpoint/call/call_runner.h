// Runs one bound call: plans it, executes it on the backend, and encodes its answer.
//
//     LOGQUERY_ASSIGN_OR_RETURN(CachedAnswer made, runner.MakeAnswer(call, cancellation));
//
// If a remote engine fails to compute a part of the query, the call runs once more with bare scans in that engine
// (split::Extent), and the failure goes to the observer. Independent of caches and tokens. Thread-safe.
#ifndef LOGQUERY_LIB_ENDPOINT_CALL_CALL_RUNNER_H_
#define LOGQUERY_LIB_ENDPOINT_CALL_CALL_RUNNER_H_

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
#include "lib/endpoint/call/observed.h"
#include "lib/endpoint/call/query_planner.h"
#include "lib/endpoint/kept/answer_keeper.h"
#include "lib/endpoint/kept/group_keeper.h"
#include "lib/endpoint/kept/kept_answers.h"
#include "lib/result/answer_encoder.h"
#include "lib/result/body_builder.h"
#include "logquery/batch.h"
#include "logquery/cancellation.h"
#include "logquery/query_service.h"
#include "logquery/result_cache.h"

namespace logquery::endpoint {

class CallRunner {
 public:
  // Borrows everything that the options point to, and `kept`.
  CallRunner(const QueryServiceOptions& options, result::BodyPlace body_place, KeptAnswers* kept);

  const Capabilities& capabilities() const { return capabilities_; }

  // Returns the answer, a kept one if that is exact: then its `cache` is kCurrent. Statuses: those of QueryService::Run that
  // concern planning and execution.
  absl::StatusOr<CachedAnswer> MakeAnswer(const BoundCall& call, const CancellationToken& cancellation) const;
  // Returns a kept answer that is exact, if that is known without a query of the engine.
  std::optional<CachedAnswer> FindKept(const BoundCall& call) const;
  // As MakeAnswer, but passes the rows to `sink`. Adds the number of rows that were passed on to `rows`, after an error too.
  absl::StatusOr<QueryAnswer> RunInto(const BoundCall& call, const CancellationToken& cancellation, BatchSink& sink,
                                      int64_t& rows) const;
  absl::StatusOr<std::shared_ptr<const PreparedQuery>> Prepare(const BoundCall& call) const;
  // Explains how the call would run. Redacts the explanation if the call's answers are redacted.
  absl::StatusOr<QueryExplanation> Explain(const BoundCall& call, const CancellationToken& cancellation) const;

 private:
  struct Plan {
    PlannedCall planned;
    std::shared_ptr<const ResolvedQuery> callers;  // the caller's SQL; nullptr: the call has none
    bool new_rows = false;                         // it reads only rows that came since an earlier answer
    absl::Duration time_limit;                     // what is left of the call's
    absl::Duration parse_time;
    absl::Duration plan_time;
  };

  using Passed = AnswerKeeper::Passed;
  using RunPlan = absl::FunctionRef<absl::Status(const Plan&, QueryAnswer&)>;

  // `above`: the value of rewrite::kAbovePlace; nullopt: the query reads all rows. `whole`: as in QueryPlanner::Plan.
  absl::StatusOr<Plan> MakePlan(const BoundCall& call, bool bare_scans = false,
                                std::optional<int64_t> above = std::nullopt, bool whole = false) const;
  absl::StatusOr<Plan> MakePlanPlainly(const BoundCall& call, bool bare_scans, std::optional<int64_t> above,
                                       bool whole) const;
  // Calls `run` with the call's plan, and with bare scans if the engine fails.
  absl::StatusOr<QueryAnswer> RunPlanned(const BoundCall& call, RunPlan run) const;
  absl::StatusOr<QueryAnswer> RunPlanned(const BoundCall& call, Plan plan, RunPlan run) const;
  absl::StatusOr<std::unique_ptr<result::AnswerEncoder>> MakeEncoder(const BoundCall& call, const Plan& plan) const;
  // Adds the rows that look.older lacks to it. nullopt: the whole query must run.
  absl::StatusOr<std::optional<QueryAnswer>> AddNewRows(const BoundCall& call, const Plan& whole,
                                                        const AnswerKeeper::Look& look,
                                                        const CancellationToken& cancellation, Passed& passed) const;
  // Merges look.older with rows that the backend has at hand.
  absl::StatusOr<std::optional<QueryAnswer>> ReadNewRows(const BoundCall& call, const Plan& whole,
                                                         const AnswerKeeper::Look& look, Passed& passed) const;
  // Runs the query over the times of the rows that look.older lacks, and merges both.
  absl::StatusOr<std::optional<QueryAnswer>> RunNewRows(const BoundCall& call, const Plan& whole,
                                                        const AnswerKeeper::Look& look,
                                                        const CancellationToken& cancellation, Passed& passed) const;
  // Merges the rows of look.older before `from` with those of `added`. False: they can't be merged.
  bool MergeNewRows(const BoundCall& call, const Plan& whole, const AnswerKeeper::Look& look, int64_t from,
                    QueryAnswer& added, Passed& passed) const;
  // Runs the rest of the query over groups that are kept or computed anew. nullopt: the whole query must run.
  absl::StatusOr<std::optional<QueryAnswer>> RunGroups(const BoundCall& call, const Plan& whole,
                                                       const AnswerKeeper::Look& look,
                                                       const CancellationToken& cancellation) const;
  // Fills in what of a kept answer depends on the call's values.
  void Complete(const BoundCall& call, const Plan& plan, const RowsState& state, QueryAnswer& answer) const;
  absl::Status Execute(const BoundCall& call, const Plan& plan, const CancellationToken& cancellation, BatchSink& sink,
                       QueryAnswer& answer, Passed* passed = nullptr) const;
  absl::Status Encode(const BoundCall& call, const Plan& plan, const CancellationToken& cancellation,
                      QueryAnswer& answer, Passed* passed) const;

  QueryBackend* const backend_;
  RecentRows* const recent_;  // the same backend; nullptr: it does not know its last rows
  const Clock* const clock_;
  ExecutionGuard* const guard_;
  ServiceObserver* const observer_;
  const absl::Duration slow_query_;
  const result::BodyPlace body_place_;
  ParquetWriter* const parquet_;  // nullptr: there is none
  const Capabilities capabilities_;
  const QueryPlanner planner_;
  const AnswerKeeper keeper_;
  const GroupKeeper groups_;
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_CALL_CALL_RUNNER_H_
