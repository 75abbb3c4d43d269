// Decides which groups stay, and computes the others in at most two queries. Where the aggregates can be merged, those of the
// new rows are; otherwise groups are computed anew from the first new row on, whose time the backend knows.
#include "lib/endpoint/kept/group_keeper.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/endpoint/call/call.h"
#include "lib/endpoint/kept/group_plan.h"
#include "lib/endpoint/kept/merge_groups.h"
#include "lib/rewrite/passes/group_parts.h"
#include "lib/rewrite/passes/new_rows.h"

namespace logquery::endpoint {
namespace {

using Rows = KeptGroups::Rows;

// More groups take longer to pass to the engine than they save.
constexpr size_t kMostGroups = 10'000;
// GoogleSQL's times.
constexpr int64_t kFirstTime = -62'135'596'800'000'000;
constexpr int64_t kLastTime = 253'402'300'799'999'999;
constexpr int64_t kDay = 86'400'000'000;
// Updates that take more than this share of the whole query's time, one after another, do not pay.
constexpr double kWorthwhile = 0.7;
constexpr int kMostSlow = 3;
constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

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

// The value of the slot in this call; nullopt: it has none.
std::optional<Value> ValueIn(const PlannedCall& planned, const std::string& slot) {
  const std::vector<Slot>& slots = planned.query->slots();
  for (size_t i = 0; i < slots.size(); ++i) {
    if (slots[i].name == slot) return planned.bindings[i];
  }
  return std::nullopt;
}

// One call's groups.
class Update {
 public:
  // A time before which no row came since the older groups, up to now; kNever: none came.
  using Earliest = absl::FunctionRef<int64_t()>;

  Update(const PlannedCall& planned, const GroupQueries& queries, std::shared_ptr<const KeptGroups> older,
         const AnswerKeeper::Look& look, int64_t end, int64_t now, Earliest earliest, GroupKeeper::RunQuery run)
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
  // The first moment of the row's stretch, in microseconds.
  int64_t BucketOf(const std::vector<Value>& row) const {
    const Value& bucket = row[bucket_];
    return bucket.type().is(TypeKind::kDate) ? bucket.int64_value() * kDay : bucket.int64_value();
  }
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
  const GroupKeeper::RunQuery run_;
  KeptGroups groups_;
  int64_t lower_ = kFirstTime;
};

int64_t Update::Lower(const std::vector<int64_t>& places) const {
  int64_t lower = kFirstTime;
  for (size_t i = 0; i < places.size(); ++i) {
    if (queries_.kept.bounds[i].is_lower) lower = std::max(lower, places[i]);
  }
  return lower;
}

int64_t Update::Upper(const std::vector<int64_t>& places) const {
  int64_t upper = kNever;
  for (size_t i = 0; i < places.size(); ++i) {
    if (!queries_.kept.bounds[i].is_lower) upper = std::min(upper, places[i]);
  }
  return upper;
}

size_t Update::FirstFrom(int64_t moment) const {
  const Rows& rows = older_->rows;
  const auto first =
      std::partition_point(rows.begin(), rows.end(), [&](const auto& row) { return BucketOf(row) < moment; });
  return static_cast<size_t>(first - rows.begin());
}

absl::StatusOr<Rows> Update::Run(const PreparedQuery& query, const std::vector<std::pair<std::string, Value>>& own) {
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

absl::Status Update::AddStretch(int64_t from, int64_t to, int64_t first, int64_t behind) {
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

absl::StatusOr<Rows> Update::FindTouched() {
  if (older_->end == end_) return Rows();
  // The engine skips stored rows by their time sooner than by their place.
  const int64_t earliest = std::clamp(earliest_(), kFirstTime, kLastTime);
  return Run(*queries_.touched, {{rewrite::kAbovePlace, Value::Int64(older_->end)},
                                 {rewrite::kLastPlace, Value::Int64(end_)},
                                 {rewrite::kStretchFrom, Value::Timestamp(absl::FromUnixMicros(earliest))}});
}

int64_t Update::FirstTouched() const {
  const int64_t earliest = earliest_();
  if (earliest == kNever) return kNever;
  const int64_t time = std::max(earliest, lower_);
  if (time >= older_->open) return older_->open;
  // A row is in the last bucket that begins before it, or in one behind that, which had no rows.
  const size_t behind = FirstFrom(time + 1);
  return behind == 0 ? kFirstTime : BucketOf(older_->rows[behind - 1]);
}

bool Update::LeavesOpen(int64_t again) {
  if (!planned_.groups->merging().empty() || again == kFirstTime) return false;
  constexpr int64_t kSecond = 1'000'000;
  // As time goes by, the open groups become as many as there were rows in them.
  if (again == older_->open && now_ - again > 2 * (older_->opened - again) + kSecond) return false;
  groups_.open = again;
  groups_.opened = again == older_->open ? older_->opened : now_;
  return true;
}

absl::StatusOr<std::optional<Rows>> Update::CutGroups(size_t first, int64_t lower) {
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

bool Update::AddMerged(Rows older, int64_t from, Rows touched) {
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

absl::StatusOr<bool> Update::AddUpdated() {
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

absl::Status Update::SetPlaces() {
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

absl::StatusOr<KeptGroups> Update::Make() {
  LOGQUERY_RETURN_IF_ERROR(SetPlaces());
  if (older_->epoch == groups_.epoch) {
    LOGQUERY_ASSIGN_OR_RETURN(const bool updated, AddUpdated());
    if (updated) return std::move(groups_);
    groups_.rows.clear();
  }
  LOGQUERY_RETURN_IF_ERROR(AddStretch(kFirstTime, kLastTime, kFirstTime, kNever));
  return std::move(groups_);
}

Value GroupsValue(const Type& type, const Rows& rows) {
  std::vector<Value> groups;
  groups.reserve(rows.size());
  for (const std::vector<Value>& row : rows) groups.push_back(Value::Struct(type.element(), row));
  return Value::Array(type.element(), std::move(groups));
}

bool IsOwn(const std::string& slot) {
  return slot == rewrite::kStretchFrom || slot == rewrite::kStretchTo || slot == rewrite::kLastPlace;
}

// Everything that the groups depend on beside rows and bounds on their time; nullopt: the call lacks a value.
std::optional<std::string> KeyOf(const BoundCall& call, const PlannedCall& planned, const GroupQueries& queries) {
  std::string key = AnswerKey(call.spec, call.found->endpoint->revision());
  AddKeyPart(planned.variant, key);
  const std::vector<Slot>& slots = queries.stretch->slots();
  for (size_t i = 0; i < slots.size(); ++i) {
    if (IsOwn(slots[i].name)) continue;
    const std::optional<Value> value = ValueIn(planned, slots[i].name);
    if (!value) return std::nullopt;
    AddKeyPart(queries.kept.is_bound[i] && !value->is_null() ? "bound" : value->DebugString(), key);
  }
  AddKeyPart("groups", key);
  return key;
}

// The bindings of the rest, or of the tail, of the query.
Bindings RestOf(const PlannedCall& planned, const PreparedQuery& query, const KeptGroups& groups) {
  const auto value_of = [&](const std::string& slot) {
    if (slot == rewrite::kGroupsParameter) return GroupsValue(planned.groups->type(), groups.rows);
    if (slot == rewrite::kStretchFrom) return Value::Timestamp(absl::FromUnixMicros(groups.open));
    if (slot == rewrite::kStretchTo) return Value::Timestamp(absl::FromUnixMicros(kLastTime));
    if (slot == rewrite::kLastPlace) return Value::Int64(kNever);
    return ValueIn(planned, slot).value_or(Value());
  };
  Bindings bindings;
  for (const Slot& slot : query.slots()) bindings.push_back(value_of(slot.name));
  return bindings;
}

}  // namespace

// kFirstTime: it is not known. kNever: there are none.
int64_t GroupKeeper::EarliestSince(const PlannedCall& planned, const RecentRows::Moment& since) const {
  if (recent_ == nullptr) return kFirstTime;
  const std::optional<absl::Time> time = recent_->EarliestAdded(*planned.query, planned.bindings, since);
  if (!time || *time == absl::InfinitePast()) return kFirstTime;
  return *time == absl::InfiniteFuture() ? kNever : absl::ToUnixMicros(*time);
}

void GroupKeeper::Note(const BoundCall& call, const PlannedCall& planned, uint64_t clears, absl::Duration took) const {
  if (planned.groups == nullptr || took < above_) return;
  const absl::StatusOr<const GroupQueries*> queries = planned.groups->Queries();
  if (!queries.ok()) return;
  const std::optional<std::string> key = KeyOf(call, planned, **queries);
  if (!key) return;
  const std::shared_ptr<const KeptGroups> known = kept_->FindGroups(*key);
  const bool pays_now = known != nullptr && known->slow == kMostSlow && took > 2 * known->whole;
  if (known != nullptr && !pays_now) return;
  auto groups = std::make_shared<KeptGroups>();
  groups->whole = took;
  kept_->PutGroups(*key, std::move(groups), clears);
}

absl::StatusOr<std::optional<GroupKeeper::Found>> GroupKeeper::Find(const BoundCall& call, const PlannedCall& planned,
                                                                    const AnswerKeeper::Look& look, FindEnd find_end,
                                                                    RunQuery run) const {
  if (planned.groups == nullptr || look.key.empty() || look.state.epoch.empty()) return std::nullopt;
  const absl::StatusOr<const GroupQueries*> queries = planned.groups->Queries();
  if (!queries.ok()) return std::nullopt;
  std::optional<std::string> key = KeyOf(call, planned, **queries);
  if (!key) return std::nullopt;
  const std::shared_ptr<const KeptGroups> older = kept_->FindGroups(*key);
  if (older == nullptr || older->unfit) return std::nullopt;
  Found found;
  found.start = clock_->Monotonic();
  // Groups that are computed anew are of all rows that a query sees.
  const bool merges = !planned.groups->merging().empty();
  const std::optional<int64_t> end = merges ? find_end() : kNever;
  if (!end) return std::nullopt;
  const bool is_known = look.known != nullptr && look.known->state() == older->moment.state;
  found.since = is_known ? look.known->moment() : older->moment;
  const auto earliest = [&] { return EarliestSince(planned, found.since); };
  Update update(planned, **queries, older, look, *end, absl::ToUnixMicros(call.bound.now()), earliest, run);
  absl::StatusOr<KeptGroups> groups = update.Make();
  if (absl::IsInvalidArgument(groups.status())) return std::nullopt;
  if (absl::IsFailedPrecondition(groups.status())) {
    auto unfit = std::make_shared<KeptGroups>();
    unfit->unfit = true;
    kept_->PutGroups(*key, std::move(unfit), look.clears);
    return std::nullopt;
  }
  LOGQUERY_RETURN_IF_ERROR(groups.status());
  found.query = groups->open == kNever ? (*queries)->rest : (*queries)->tail;
  found.bindings = RestOf(planned, *found.query, *groups);
  found.key = *std::move(key);
  found.updates = older->epoch == groups->epoch;
  found.lower = update.lower();
  found.groups = *std::move(groups);
  found.groups.whole = older->whole;
  found.groups.slow = older->slow;
  return std::optional<Found>(std::move(found));
}

bool GroupKeeper::Finish(const PlannedCall& planned, const AnswerKeeper::Look& look, Found found) const {
  // Between two epochs rows may have gone.
  if (backend_->ReadState(*planned.query, planned.bindings).epoch != look.state.epoch) return false;
  KeptGroups& groups = found.groups;
  // The query may have seen rows that came to groups before the open ones after these were found.
  const bool is_open = groups.open != kNever;
  if (is_open && std::max(EarliestSince(planned, found.since), found.lower) < groups.open) return false;
  const bool is_slow = found.updates && clock_->Monotonic() - found.start > kWorthwhile * groups.whole;
  groups.slow = is_slow ? groups.slow + 1 : 0;
  groups.unfit = groups.slow == kMostSlow;
  if (groups.unfit) groups.rows.clear();
  kept_->PutGroups(found.key, std::make_shared<const KeptGroups>(std::move(groups)), look.clears);
  return true;
}

}  // namespace logquery::endpoint
