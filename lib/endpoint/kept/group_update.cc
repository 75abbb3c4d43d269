// Decides which groups stay, and computes the others in at most two queries.
#include "lib/endpoint/kept/group_update.h"

#include <algorithm>
#include <iterator>

#include "absl/time/time.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/endpoint/call/call.h"
#include "lib/endpoint/kept/merge_groups.h"
#include "lib/rewrite/passes/group_parts.h"
#include "lib/rewrite/passes/new_rows.h"

namespace logquery::endpoint {
namespace {

using Rows = KeptGroups::Rows;

// More groups take longer to pass to the engine than they save.
constexpr size_t kMostGroups = 10'000;
constexpr int64_t kDay = 86'400'000'000;

class GroupSink : public BatchSink {
 public:
  absl::Status Append(const Batch& batch) override {
    if (rows_.rows().size() + static_cast<size_t>(batch.rows()) > kMostGroups)
      return absl::FailedPreconditionError("too many groups");
    return rows_.Append(batch);
  }
  const Rows& rows() const { return rows_.rows(); }

 private:
  CollectingSink rows_;
};

}  // namespace

std::optional<Value> ValueIn(const PlannedCall& planned, const std::string& slot) {
  const std::vector<Slot>& slots = planned.query->slots();
  for (size_t i = 0; i < slots.size(); ++i) {
    if (slots[i].name == slot) return planned.bindings[i];
  }
  return std::nullopt;
}

int64_t GroupUpdate::Lower(const std::vector<int64_t>& places) const {
  int64_t lower = kFirstTime;
  for (size_t i = 0; i < places.size(); ++i) {
    if (queries_.kept.bounds[i].is_lower) lower = std::max(lower, places[i]);
  }
  return lower;
}

int64_t GroupUpdate::Upper(const std::vector<int64_t>& places) const {
  int64_t upper = kNever;
  for (size_t i = 0; i < places.size(); ++i) {
    if (!queries_.kept.bounds[i].is_lower) upper = std::min(upper, places[i]);
  }
  return upper;
}

int64_t GroupUpdate::BucketOf(const std::vector<Value>& row) const {
  const Value& bucket = row[bucket_];
  return bucket.type().is(TypeKind::kDate) ? bucket.int64_value() * kDay : bucket.int64_value();
}

size_t GroupUpdate::FirstFrom(int64_t moment) const {
  const Rows& rows = older_->rows;
  const auto first =
      std::partition_point(rows.begin(), rows.end(), [&](const auto& row) { return BucketOf(row) < moment; });
  return static_cast<size_t>(first - rows.begin());
}

absl::StatusOr<Rows> GroupUpdate::Run(const PreparedQuery& query,
                                      const std::vector<std::pair<std::string, Value>>& own) {
  Bindings bindings;
  for (const Slot& slot : query.slots()) {
    const auto found =
        std::find_if(own.begin(), own.end(), [&](const auto& value) { return value.first == slot.name; });
    const std::optional<Value> value =
        found != own.end() ? std::optional<Value>(found->second) : ValueIn(planned_, slot.name);
    if (!value) return absl::FailedPreconditionError(base::StrCat("the call has no ", slot.name));
    bindings.push_back(*value);
  }
  GroupSink sink;
  LOGQUERY_RETURN_IF_ERROR(run_(query, bindings, sink));
  Rows rows = sink.rows();
  for (const std::vector<Value>& row : rows) {
    if (row[bucket_].is_null()) return absl::FailedPreconditionError("a group has no bucket");
  }
  std::sort(rows.begin(), rows.end(), [&](const auto& a, const auto& b) { return BucketOf(a) < BucketOf(b); });
  return rows;
}

absl::Status GroupUpdate::AddStretch(int64_t from, int64_t to, int64_t first, int64_t behind) {
  if (from > to) return absl::OkStatus();
  LOGQUERY_ASSIGN_OR_RETURN(
      Rows rows, Run(*queries_.stretch, {{rewrite::kStretchFrom, Value::Timestamp(absl::FromUnixMicros(from))},
                                         {rewrite::kStretchTo, Value::Timestamp(absl::FromUnixMicros(to))},
                                         {rewrite::kLastPlace, Value::Int64(end_)}}));
  for (std::vector<Value>& row : rows) {
    if (BucketOf(row) < first || BucketOf(row) >= behind) return absl::FailedPreconditionError("stretches overlap");
    groups_.rows.push_back(std::move(row));
  }
  return groups_.rows.size() <= kMostGroups ? absl::OkStatus() : absl::FailedPreconditionError("too many groups");
}

absl::StatusOr<Rows> GroupUpdate::FindTouched() {
  if (older_->end == end_) return Rows();
  // The engine skips stored rows by their time sooner than by their place.
  const int64_t earliest = std::clamp(earliest_(), kFirstTime, kLastTime);
  return Run(*queries_.touched, {{rewrite::kAbovePlace, Value::Int64(older_->end)},
                                 {rewrite::kLastPlace, Value::Int64(end_)},
                                 {rewrite::kStretchFrom, Value::Timestamp(absl::FromUnixMicros(earliest))}});
}

int64_t GroupUpdate::FirstTouched() const {
  const int64_t earliest = earliest_();
  if (earliest == kNever) return kNever;
  const int64_t time = std::max(earliest, lower_);
  if (time >= older_->open) return older_->open;
  // A row is in the last bucket that begins before it, or in one behind that, which had no rows.
  const size_t behind = FirstFrom(time + 1);
  return behind == 0 ? kFirstTime : BucketOf(older_->rows[behind - 1]);
}

bool GroupUpdate::LeavesOpen(int64_t again) {
  if (!planned_.groups->merging().empty() || again == kFirstTime) return false;
  constexpr int64_t kSecond = 1'000'000;
  // As time goes by, the open groups become as many as there were rows in them.
  if (again == older_->open && now_ - again > 2 * (older_->opened - again) + kSecond) return false;
  groups_.open = again;
  groups_.opened = again == older_->open ? older_->opened : now_;
  return true;
}

absl::StatusOr<std::optional<Rows>> GroupUpdate::CutGroups(size_t first, int64_t lower) {
  const std::vector<rewrite::Merging>& merging = planned_.groups->merging();
  if (first == 0 || !MayLoseRows(merging)) return std::nullopt;
  const int64_t bucket = BucketOf(older_->rows[first - 1]);
  Rows rest(older_->rows.begin() + static_cast<std::ptrdiff_t>(FirstFrom(bucket)),
            older_->rows.begin() + static_cast<std::ptrdiff_t>(first));
  const int64_t from = std::max(Lower(older_->places), bucket), to = std::min(Upper(older_->places), lower) - 1;
  if (from > to) return rest;
  // The rows that left pass the bounds of the older groups only.
  std::vector<std::pair<std::string, Value>> own = {
      {rewrite::kStretchFrom, Value::Timestamp(absl::FromUnixMicros(from))},
      {rewrite::kStretchTo, Value::Timestamp(absl::FromUnixMicros(to))},
      {rewrite::kLastPlace, Value::Int64(older_->end)}};
  for (size_t i = 0; i < older_->places.size(); ++i) {
    const KeptBound& bound = queries_.kept.bounds[i];
    if (bound.is_lower) own.emplace_back(queries_.stretch->slots()[bound.slot].name, bound.ValueAt(older_->places[i]));
  }
  LOGQUERY_ASSIGN_OR_RETURN(const Rows left, Run(*queries_.stretch, own));
  for (const std::vector<Value>& row : left) {
    const auto group =
        std::find_if(rest.begin(), rest.end(), [&](const auto& other) { return HaveSameKeys(merging, other, row); });
    if (group == rest.end() || !SubtractRow(merging, row, *group)) return std::nullopt;
  }
  return rest;
}

bool GroupUpdate::AddMerged(Rows older, int64_t from, Rows touched) {
  const std::vector<rewrite::Merging>& merging = planned_.groups->merging();
  std::vector<bool> merged(touched.size(), false);
  for (std::vector<Value>& row : older) {
    const auto same_bucket = std::partition_point(touched.begin(), touched.end(),
                                                  [&](const auto& t) { return BucketOf(t) < BucketOf(row); });
    for (auto t = same_bucket; t != touched.end() && BucketOf(*t) == BucketOf(row); ++t) {
      if (!HaveSameKeys(merging, row, *t)) continue;
      if (!MergeRow(merging, *t, row)) return false;
      merged[static_cast<size_t>(t - touched.begin())] = true;
    }
    groups_.rows.push_back(std::move(row));
  }
  for (size_t i = 0; i < touched.size(); ++i) {
    if (!merged[i] && BucketOf(touched[i]) >= from) groups_.rows.push_back(std::move(touched[i]));
  }
  std::stable_sort(groups_.rows.begin(), groups_.rows.end(),
                   [&](const auto& a, const auto& b) { return BucketOf(a) < BucketOf(b); });
  return groups_.rows.size() <= kMostGroups;
}

absl::StatusOr<bool> GroupUpdate::AddUpdated() {
  const int64_t old_lower = Lower(older_->places), lower = Lower(groups_.places);
  const int64_t old_upper = Upper(older_->places), upper = Upper(groups_.places);
  if (lower < old_lower || upper < old_upper) return false;
  const bool merges = !planned_.groups->merging().empty() && upper == old_upper && !older_->rows.empty();
  Rows touched;
  if (merges) {
    LOGQUERY_ASSIGN_OR_RETURN(touched, FindTouched());
  }
  int64_t again = std::min(merges ? kNever : FirstTouched(), older_->open);
  // Rows of the future, which were there and did not count.
  if (upper > old_upper && older_->open == kNever) {
    again = std::min(again, older_->rows.empty() ? kFirstTime : BucketOf(older_->rows.back()));
  }
  const size_t last = FirstFrom(again);
  const size_t first = lower > old_lower ? std::min(FirstFrom(lower), last) : 0;
  Rows kept(older_->rows.begin() + static_cast<std::ptrdiff_t>(first),
            older_->rows.begin() + static_cast<std::ptrdiff_t>(last));
  int64_t whole = std::numeric_limits<int64_t>::min();
  if (lower > old_lower) {
    std::optional<Rows> cut;
    if (merges) {
      LOGQUERY_ASSIGN_OR_RETURN(cut, CutGroups(first, lower));
    }
    if (cut) {
      whole = BucketOf(cut->front());
      kept.insert(kept.begin(), cut->begin(), cut->end());
    } else {
      // The group that the bound cuts, from the rows that are left of it.
      whole = kept.empty() ? again : BucketOf(kept.front());
      LOGQUERY_RETURN_IF_ERROR(AddStretch(lower, whole == kNever ? kLastTime : whole - 1, kFirstTime, whole));
    }
  }
  if (merges) return AddMerged(std::move(kept), whole, std::move(touched));
  std::move(kept.begin(), kept.end(), std::back_inserter(groups_.rows));
  if (again != kNever && !LeavesOpen(again)) LOGQUERY_RETURN_IF_ERROR(AddStretch(again, kLastTime, again, kNever));
  // The queries may have read rows of later states: none of them may belong to the groups that stay.
  if (FirstTouched() < again) return absl::InvalidArgumentError("a late row came");
  return true;
}

absl::Status GroupUpdate::SetPlaces() {
  Bindings bindings;
  for (const Slot& slot : queries_.stretch->slots()) bindings.push_back(ValueIn(planned_, slot.name).value_or(Value()));
  for (const KeptBound& bound : queries_.kept.bounds) {
    const std::optional<int64_t> place = PlaceOf(bound, bindings);
    if (!place) return absl::FailedPreconditionError("a bound is NULL");
    groups_.places.push_back(*place);
  }
  lower_ = Lower(groups_.places);
  return absl::OkStatus();
}

absl::StatusOr<KeptGroups> GroupUpdate::Make() {
  LOGQUERY_RETURN_IF_ERROR(SetPlaces());
  if (older_->epoch == groups_.epoch) {
    LOGQUERY_ASSIGN_OR_RETURN(const bool updated, AddUpdated());
    if (updated) return std::move(groups_);
    groups_.rows.clear();
  }
  LOGQUERY_RETURN_IF_ERROR(AddStretch(kFirstTime, kLastTime, kFirstTime, kNever));
  return std::move(groups_);
}

}  // namespace logquery::endpoint
