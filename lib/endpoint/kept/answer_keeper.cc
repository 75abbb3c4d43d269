// Makes keys of plans and values, and widens what is known of the bounds.
#include "lib/endpoint/kept/answer_keeper.h"

#include <limits>
#include <utility>

#include "lib/base/strings.h"
#include "lib/endpoint/call/call.h"
#include "lib/endpoint/kept/time_probe.h"

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

// The place of the bound in this call; nullopt: it is NULL, and no row passes. The key has that.
std::optional<int64_t> PlaceIn(const KeptBound& bound, const PlannedCall& planned) {
  const Value& value = planned.bindings[bound.slot];
  return value.is_null() ? std::nullopt : std::optional<int64_t>(bound.PlaceOf(value));
}

}  // namespace

AnswerKeeper::Look AnswerKeeper::Begin(const BoundCall& call, const PlannedCall& planned,
                                       const CancellationToken& cancellation) const {
  Look look;
  if (!kept_->enabled() || planned.kept == nullptr || !planned.kept->keeps || call.spec.no_store) return look;
  look.clears = kept_->clears();
  look.state = backend_->ReadState(*planned.query, planned.bindings);
  if (look.state.text.empty()) return look;
  look.key = KeptKey(call, planned);
  const std::shared_ptr<KeptAnswer> kept = kept_->Find(look.key);
  if (kept == nullptr || kept->state() != look.state.text) return look;
  if (Reaches(call, planned, *kept, cancellation)) look.answer = kept->answer();
  return look;
}

bool AnswerKeeper::Reaches(const BoundCall& call, const PlannedCall& planned, KeptAnswer& kept,
                           const CancellationToken& cancellation) const {
  const std::vector<KeptBound>& bounds = planned.kept->bounds;
  const std::vector<Stretch> known = kept.stretches();
  std::vector<std::pair<size_t, Stretch>> wider;
  for (size_t i = 0; i < bounds.size(); ++i) {
    const std::optional<int64_t> place = PlaceIn(bounds[i], planned);
    if (!place || known[i].Has(*place)) continue;
    const TimeProbe probe(backend_, planner_, call, planned, bounds[i].rows);
    const std::optional<Stretch> free = probe.Extend(known[i], *place, cancellation);
    if (!free || !free->Has(*place)) return false;
    wider.emplace_back(i, *free);
  }
  if (wider.empty()) return true;
  // What was found holds for the state only if no other one began meanwhile.
  if (backend_->ReadState(*planned.query, planned.bindings).text != kept.state()) return false;
  for (const auto& [bound, stretch] : wider) kept.Widen(bound, stretch);
  return true;
}

void AnswerKeeper::Keep(Look look, const PlannedCall& planned, const QueryAnswer& answer,
                        std::optional<int64_t> last) const {
  if (look.key.empty() || answer.file != nullptr) return;
  std::vector<Stretch> stretches;
  for (const KeptBound& bound : planned.kept->bounds) {
    const int64_t place = PlaceIn(bound, planned).value_or(0);
    Stretch& stretch = stretches.emplace_back(Stretch{place, place});
    // With as many rows as it may return, nothing before the last one counts.
    if (bound.is_lower && last.has_value() && planned.kept->one_scan && *last >= place) stretch = {kEarliest, *last};
  }
  kept_->Put(look.key, std::make_shared<KeptAnswer>(answer, std::move(look.state.text), std::move(stretches)),
             look.clears);
}

}  // namespace logquery::endpoint
