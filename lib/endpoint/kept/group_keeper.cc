// Keeps groups under their keys, and decides whether their updates pay.
#include "lib/endpoint/kept/group_keeper.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/endpoint/call/call.h"
#include "lib/endpoint/kept/group_plan.h"
#include "lib/endpoint/kept/group_update.h"
#include "lib/rewrite/passes/group_parts.h"
#include "lib/rewrite/passes/new_rows.h"

namespace logquery::endpoint {
namespace {

using Rows = KeptGroups::Rows;

// Updates that take more than this share of the whole query's time, one after another, do not pay.
constexpr double kWorthwhile = 0.7;
constexpr int kMostSlow = 3;

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
  GroupUpdate update(planned, **queries, older, look, *end, absl::ToUnixMicros(call.bound.now()), earliest, run);
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
