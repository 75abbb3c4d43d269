// Makes keys of plans and values, and widens what is known of the bounds.
#include "lib/endpoint/kept/answer_keeper.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "lib/base/strings.h"
#include "lib/endpoint/call/call.h"
#include "lib/endpoint/kept/time_probe.h"
#include "logquery/batch.h"
#include "logquery/catalog.h"

namespace logquery::endpoint {
namespace {

constexpr int64_t kEarliest = std::numeric_limits<int64_t>::min();

// Everything that the answer's bytes depend on beside rows and bounds on their time. The plan follows from the
// definition, the caller's SQL, and the variant.
std::string KeptKey(const BoundCall& call, const PlannedCall& planned) {
  std::string key = AnswerKey(call.spec, call.found->endpoint->revision());
  AddKeyPart(planned.variant, key);
  for (size_t i = 0; i < planned.bindings.size(); ++i) {
    const Value& value = planned.bindings[i];
    if (planned.kept->is_bound[i]) {
      AddKeyPart(value.is_null() ? "null" : "bound", key);
    } else {
      AddKeyPart(value.DebugString(), key);
    }
  }
  return key;
}

// Whether all rows of the kept answer's state that this call reads are in it. Rows from its lower bound on may be cut off.
bool HoldsAll(const PlannedCall& planned, const KeptAnswer& kept) {
  const std::vector<Stretch> known = kept.stretches();
  for (size_t i = 0; i < known.size(); ++i) {
    const KeptBound& bound = planned.kept->bounds[i];
    const std::optional<int64_t> place = PlaceOf(bound, planned.bindings);
    if (place && !known[i].Has(*place) && !(bound.is_lower && *place > known[i].to)) return false;
  }
  return true;
}

int64_t EarliestOf(const PlannedCall& planned) {
  int64_t earliest = kEarliest;
  for (const KeptBound& bound : planned.kept->bounds) {
    if (bound.is_lower) earliest = std::max(earliest, PlaceOf(bound, planned.bindings).value_or(kEarliest));
  }
  return earliest;
}

}  // namespace

AnswerKeeper::Look AnswerKeeper::Begin(const BoundCall& call, const PlannedCall& planned,
                                       const CancellationToken& cancellation) const {
  Look look;
  if (!kept_->enabled() || planned.kept == nullptr || !planned.kept->keeps || call.spec.no_store) return look;
  look.clears = kept_->clears();
  if (recent_ != nullptr) look.completed = recent_->Completed(*planned.query, planned.bindings);
  look.state = backend_->ReadState(*planned.query, planned.bindings);
  if (look.state.text.empty()) return look;
  look.key = KeptKey(call, planned);
  look.known = kept_->Find(look.key);
  if (look.known == nullptr) return look;
  KeptAnswer& kept = *look.known;
  if (kept.state() == look.state.text && Reaches(call, planned, kept, cancellation)) {
    look.answer = kept.answer();
    kept.SetCompleted(look.completed);
    return look;
  }
  const bool same_epoch =
      kept.mergeable().has_value() && !look.state.epoch.empty() && kept.mergeable()->epoch == look.state.epoch;
  if (planned.kept->merges && same_epoch && HoldsAll(planned, kept)) look.older = look.known;
  return look;
}

AnswerKeeper::Look AnswerKeeper::FindKnown(const BoundCall& call, const PlannedCall& planned) const {
  Look look;
  if (!kept_->enabled() || planned.kept == nullptr || !planned.kept->keeps || call.spec.no_store) return look;
  const std::shared_ptr<KeptAnswer> kept = kept_->Find(KeptKey(call, planned));
  if (kept == nullptr) return look;
  look.state = backend_->ReadState(*planned.query, planned.bindings);
  if (look.state.text.empty() || look.state.text != kept->state()) return look;
  const std::vector<Stretch> known = kept->stretches();
  for (size_t i = 0; i < known.size(); ++i) {
    const std::optional<int64_t> place = PlaceOf(planned.kept->bounds[i], planned.bindings);
    if (place && !known[i].Has(*place)) return look;
  }
  look.answer = kept->answer();
  return look;
}

std::optional<int64_t> AnswerKeeper::FindEnd(const BoundCall& call, const PlannedCall& planned, const RowsState& state,
                                             const CancellationToken& cancellation) const {
  const std::string& name = planned.kept->rows[0].table;
  End end;
  {
    absl::MutexLock lock(&mutex_);
    if (const auto known = ends_.find(name); known != ends_.end()) end = known->second;
  }
  const int64_t above = end.epoch == state.epoch ? end.place : -1;
  if (end.query == nullptr) {
    const Table* const table = call.found->snapshot->registry->catalog().Find(name);
    if (table == nullptr) return std::nullopt;
    absl::StatusOr<std::shared_ptr<const PreparedQuery>> query = planner_->PlanLastPlace(*table);
    if (!query.ok() || (*query)->slots().size() != 1) return std::nullopt;
    end.query = *std::move(query);
  }
  ExecutionLimits limits;
  limits.time_limit = call.spec.time_limit;
  CollectingSink sink;
  const absl::Status done = backend_->Execute(*end.query, {Value::Int64(above)}, limits, cancellation, sink);
  if (!done.ok() || sink.rows().size() != 1) return std::nullopt;
  const Value& last = sink.rows()[0][0];
  const int64_t place = last.is_null() ? above : last.int64_value();
  absl::MutexLock lock(&mutex_);
  ends_[name] = {state.epoch, place, std::move(end.query)};
  return place;
}

bool AnswerKeeper::Reaches(const BoundCall& call, const PlannedCall& planned, KeptAnswer& kept,
                           const CancellationToken& cancellation) const {
  const std::vector<KeptBound>& bounds = planned.kept->bounds;
  const std::vector<Stretch> known = kept.stretches();
  std::vector<std::pair<size_t, Stretch>> wider;
  for (size_t i = 0; i < bounds.size(); ++i) {
    const std::optional<int64_t> place = PlaceOf(bounds[i], planned.bindings);
    if (!place || known[i].Has(*place)) continue;
    const TimeProbe probe(backend_, planner_, call, planned, bounds[i].rows);
    const std::optional<Stretch> free = probe.Extend(known[i], *place, cancellation);
    if (!free || !free->Has(*place)) return false;
    wider.emplace_back(i, *free);
  }
  if (wider.empty()) return true;
  // The stretches hold for the state only if no other state began meanwhile.
  if (backend_->ReadState(*planned.query, planned.bindings).text != kept.state()) return false;
  for (const auto& [bound, stretch] : wider) kept.Widen(bound, stretch);
  return true;
}

void AnswerKeeper::Keep(Look look, const PlannedCall& planned, const QueryAnswer& answer, Passed passed) const {
  if (look.key.empty() || answer.file != nullptr) return;
  const std::optional<int64_t> last = passed.last_time;
  std::vector<Stretch> stretches;
  for (const KeptBound& bound : planned.kept->bounds) {
    const int64_t place = PlaceOf(bound, planned.bindings).value_or(0);
    Stretch& stretch = stretches.emplace_back(Stretch{place, place});
    // With as many rows as it may return, nothing before the last one counts.
    if (bound.is_lower && last.has_value() && planned.kept->one_scan && *last >= place) stretch = {kEarliest, *last};
  }
  std::optional<Mergeable> mergeable;
  const bool is_whole = passed.keys.has_value() && static_cast<int64_t>(passed.keys->size()) == answer.rows &&
                        !answer.truncated && AreOrdered(*passed.keys);
  // Rows that came while the query ran may be in the answer.
  if (planned.kept->merges && is_whole &&
      (passed.is_of_state || backend_->ReadState(*planned.query, planned.bindings).text == look.state.text)) {
    mergeable = Mergeable{look.state.epoch, *std::move(passed.keys)};
  }
  kept_->Put(
      look.key,
      std::make_shared<KeptAnswer>(answer, RecentRows::Moment{std::move(look.completed), std::move(look.state.text)},
                                   std::move(stretches), std::move(mergeable)),
      look.clears);
}

bool AnswerKeeper::Merge(const Look& look, const PlannedCall& planned, RowFormat format, int64_t from,
                         QueryAnswer& added, Passed& passed) const {
  if (!passed.keys.has_value() || added.file != nullptr || added.truncated) return false;
  const KeptAnswer& older = *look.older;
  const int64_t limit = planned.query->top_n_by_time()->limit;
  std::optional<NewestRows> merged =
      MergeNewest(older.answer().body, older.mergeable()->keys, {EarliestOf(planned), from}, added.body, *passed.keys,
                  format, static_cast<size_t>(limit));
  if (!merged) return false;
  added.body = std::move(merged->body);
  added.rows = static_cast<int64_t>(merged->keys.size());
  passed.last_time = added.rows == limit ? std::optional<int64_t>(merged->keys.back().time) : std::nullopt;
  passed.keys = std::move(merged->keys);
  return true;
}

}  // namespace logquery::endpoint
