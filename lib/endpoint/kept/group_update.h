// Computes the groups of one call from those that an earlier call kept.
//
// Decides which groups stay, and computes the others in at most two queries. Where the aggregates can be merged, those of the
// new rows are; otherwise groups are computed anew from the first new row on, whose time the backend knows.
#ifndef LOGQUERY_LIB_ENDPOINT_KEPT_GROUP_UPDATE_H_
#define LOGQUERY_LIB_ENDPOINT_KEPT_GROUP_UPDATE_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lib/endpoint/call/query_planner.h"
#include "lib/endpoint/kept/answer_keeper.h"
#include "lib/endpoint/kept/group_plan.h"
#include "lib/endpoint/kept/kept_answers.h"
#include "logquery/batch.h"
#include "logquery/prepared_query.h"
#include "logquery/value.h"

namespace logquery::endpoint {

// The times of GoogleSQL, in microseconds.
inline constexpr int64_t kFirstTime = -62'135'596'800'000'000;
inline constexpr int64_t kLastTime = 253'402'300'799'999'999;
inline constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

// The value of the slot in this call; nullopt: it has none.
std::optional<Value> ValueIn(const PlannedCall& planned, const std::string& slot);

class GroupUpdate {
 public:
  // A time before which no row came since the older groups, up to now; kNever: none came.
  using Earliest = absl::FunctionRef<int64_t()>;
  // Executes a query with bindings, as a part of the call.
  using RunQuery = absl::FunctionRef<absl::Status(const PreparedQuery&, const Bindings&, BatchSink&)>;

  GroupUpdate(const PlannedCall& planned, const GroupQueries& queries, std::shared_ptr<const KeptGroups> older,
              const AnswerKeeper::Look& look, int64_t end, int64_t now, Earliest earliest, RunQuery run)
      : planned_(planned),
        queries_(queries),
        bucket_(planned.groups->bucket()),
        older_(std::move(older)),
        end_(end),
        now_(now),
        earliest_(earliest),
        run_(run) {
    groups_.epoch = look.state.epoch;
    groups_.moment = {look.completed, look.state.text};
    groups_.end = end;
  }

  // FailedPrecondition: the groups can't be kept. The same and InvalidArgument: the whole query must run.
  absl::StatusOr<KeptGroups> Make();
  // The first time of the call's rows, as far as its bounds say; after Make.
  int64_t lower() const { return lower_; }

 private:
  using Rows = KeptGroups::Rows;

  // The first moment of the row's stretch, in microseconds.
  int64_t BucketOf(const std::vector<Value>& row) const;
  // The first of the older rows at or behind this moment.
  size_t FirstFrom(int64_t moment) const;
  absl::StatusOr<Rows> Run(const PreparedQuery& query, const std::vector<std::pair<std::string, Value>>& own);
  // Appends the groups of the rows in a stretch of time, whose buckets must be from `first` on and before `behind`.
  absl::Status AddStretch(int64_t from, int64_t to, int64_t first, int64_t behind);
  // The groups of the rows that came since the older groups, from these rows alone.
  absl::StatusOr<Rows> FindTouched();
  // The first moment of the first older bucket that rows may have come to since; kNever: none came.
  int64_t FirstTouched() const;
  // The older groups of the bucket before `first`, which `lower` cuts, without the rows before it. nullopt: they must be computed.
  absl::StatusOr<std::optional<Rows>> CutGroups(size_t first, int64_t lower);
  // Adds the older groups, merged with these of buckets from `from` on. False: a value can't be merged.
  bool AddMerged(Rows older, int64_t from, Rows touched);
  // Whether the rest of the query shall compute the groups from this bucket on, which takes one query less than to keep
  // them.
  bool LeavesOpen(int64_t again);
  // False: the older groups are of no use.
  absl::StatusOr<bool> AddUpdated();
  absl::Status SetPlaces();
  // The earliest, or latest, of the bounds.
  int64_t Lower(const std::vector<int64_t>& places) const;
  int64_t Upper(const std::vector<int64_t>& places) const;

  const PlannedCall& planned_;
  const GroupQueries& queries_;
  const size_t bucket_;  // in the groups' columns
  const std::shared_ptr<const KeptGroups> older_;
  const int64_t end_;
  const int64_t now_;
  const Earliest earliest_;
  const RunQuery run_;
  KeptGroups groups_;
  int64_t lower_ = kFirstTime;
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_KEPT_GROUP_UPDATE_H_
