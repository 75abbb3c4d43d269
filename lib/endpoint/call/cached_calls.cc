// Answers calls of endpoints with `caching` from the cache, in each coding, and keeps answers warm.
#include <optional>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/endpoint/call/packed_answer.h"
#include "lib/endpoint/call/query_service_impl.h"
#include "lib/endpoint/call/traced_step.h"
#include "logquery/service_observer.h"

namespace logquery::endpoint {
namespace {

SingleFlight::Caller CallerOf(const BoundCall& call, const CancellationToken& cancellation) {
  return {cancellation, call.spec.trace.get(), call.spec.tags.traceparent};
}

CacheEvent::Kind KindOf(CacheUse use) {
  if (use == CacheUse::kCurrent) return CacheEvent::Kind::kCurrent;
  if (use == CacheUse::kHit) return CacheEvent::Kind::kHit;
  return use == CacheUse::kShared ? CacheEvent::Kind::kShared : CacheEvent::Kind::kMiss;
}

}  // namespace

absl::StatusOr<CachedAnswer> QueryServiceImpl::Pack(const CachedAnswer& plain, const BoundCall& call,
                                                    const CancellationToken& cancellation) {
  // An answer that was kept is likely to be asked for again.
  const bool keeps = plain.answer.cache == CacheUse::kCurrent && !plain.answer.digest.empty();
  const uint64_t clears = kept_.clears();
  if (keeps) {
    if (const auto body = kept_.FindPacked(call.spec.coding, plain.answer.digest)) {
      CachedAnswer found = plain;
      found.answer.body = *body;
      found.answer.coding = call.spec.coding;
      return found;
    }
  }
  TracedStep step(call.spec.trace.get(), CallStep::kCompress);
  absl::StatusOr<CachedAnswer> packed = PackAnswer(plain, call.spec.coding, body_place_, options_.clock, cancellation);
  step.End({.code = packed.status().code()});
  if (keeps && packed.ok() && packed->answer.file == nullptr) {
    kept_.PutPacked(call.spec.coding, plain.answer.digest, packed->answer.body, clears);
  }
  return packed;
}

absl::StatusOr<QueryAnswer> QueryServiceImpl::AnswerFrom(const SingleFlight::Got& got, const std::string& key,
                                                         const BoundCall& call, const CancellationToken& cancellation) {
  const CachedAnswer& plain = *got.answer;
  const bool kept = got.use == CacheUse::kHit;
  if (!IsPackedFor(call.spec.coding, plain.answer)) {
    QueryAnswer answer = plain.answer;
    if (kept) ClearTimes(answer);
    return answer;
  }
  LOGQUERY_ASSIGN_OR_RETURN(const SingleFlight::Got packed,
                            flights_.Get(PackedCacheKey(key, call.spec.coding, plain.bound_at),
                                         *call.definition().caching, CallerOf(call, cancellation),
                                         [&](const CancellationToken& token) { return Pack(plain, call, token); }));
  QueryAnswer answer = packed.answer->answer;
  if (!kept) return answer;
  ClearTimes(answer);
  if (packed.use == CacheUse::kMiss) answer.encode_time = packed.answer->answer.encode_time - plain.answer.encode_time;
  return answer;
}

// Makes the answer to a call of before anew, unless its endpoint has been planned anew meanwhile: then it is kept under
// another key.
absl::StatusOr<CachedAnswer> QueryServiceImpl::Warm(const FoundEndpoint& before, const std::string& key,
                                                    const CallSpec& spec, const CacheWarmer::Codings& codings,
                                                    const CancellationToken& token) {
  LOGQUERY_ASSIGN_OR_RETURN(std::shared_ptr<const FoundEndpoint> now,
                            FindAgain(SnapshotOf(spec.project_scope, spec.endpoint_id), spec.endpoint_id));
  if (now->endpoint->revision() != before.endpoint->revision()) {
    return absl::FailedPreconditionError("the endpoint has been planned anew");
  }
  LOGQUERY_ASSIGN_OR_RETURN(BoundCall call, BindNow(std::move(now), spec));
  call.background = true;
  absl::StatusOr<CachedAnswer> made = Compute(call, token);
  for (const ContentCoding coding : codings) {
    if (!made.ok() || !IsPackedFor(coding, made->answer)) continue;
    call.spec.coding = coding;
    // Before the answer itself is replaced, so that nobody who asks for it waits. A caller packs what could not be packed here.
    flights_
        .Refresh(PackedCacheKey(key, coding, made->bound_at), token,
                 [&](const CancellationToken& stop) { return Pack(*made, call, stop); })
        .IgnoreError();
  }
  TellCache(options_.observer, made.ok() ? CacheEvent::Kind::kWarmed : CacheEvent::Kind::kWarmingFailed, call,
            absl::ZeroDuration());
  return made;
}

void QueryServiceImpl::KeepWarm(const std::string& key, const BoundCall& call) {
  const Endpoint& definition = call.definition();
  if (!definition.cache_warming) return;
  const ContentCoding coding = call.spec.coding;
  if (warmer_.TouchAgain(key, coding)) return;
  CallSpec spec = call.spec;
  spec.call_id.clear();
  spec.tags.traceparent.clear();
  spec.trace = nullptr;
  warmer_.Touch(key, coding, *definition.cache_warming, *definition.caching,
                [this, key, found = call.found, spec = std::move(spec)](const CancellationToken& token,
                                                                        const CacheWarmer::Codings& asked) {
                  return Warm(*found, key, spec, asked, token);
                });
}

absl::StatusOr<QueryAnswer> QueryServiceImpl::RunCached(const BoundCall& call, const CancellationToken& cancellation) {
  const std::string key = CacheKey(call.spec, call.definition(), call.bound, call.found->endpoint->revision());
  LOGQUERY_ASSIGN_OR_RETURN(const SingleFlight::Got got,
                            flights_.Get(key, *call.definition().caching, CallerOf(call, cancellation),
                                         [&](const CancellationToken& token) { return Compute(call, token); }));
  KeepWarm(key, call);
  LOGQUERY_ASSIGN_OR_RETURN(QueryAnswer answer, AnswerFrom(got, key, call, cancellation));
  const bool is_current = got.use == CacheUse::kMiss && got.answer->answer.cache == CacheUse::kCurrent;
  Complete(call, is_current ? CacheUse::kCurrent : got.use, got.answer->bound_at, answer);
  return answer;
}

// Adds what differs between two calls that get the same answer.
void QueryServiceImpl::Complete(const BoundCall& call, CacheUse use, absl::Duration bound_at,
                                QueryAnswer& answer) const {
  answer.cache = use;
  answer.age = options_.clock->Monotonic() - bound_at;
  answer.ignored_parameters = call.bound.ignored();
  TellCache(options_.observer, KindOf(use), call, answer.age);
}

std::optional<QueryAnswer> QueryServiceImpl::FindCached(const CallTarget& target, const QueryRequest& request) {
  if (target.found == nullptr || request.cancellation.IsCancelled()) return std::nullopt;
  absl::StatusOr<CallSpec> spec = SpecOf(target, request);
  if (!spec.ok() || spec->no_store) return std::nullopt;
  ObservedCall observed(options_.observer, options_.clock, target, request);
  const absl::StatusOr<BoundCall> call = BindNow(target.found, *std::move(spec));
  if (!call.ok()) return std::nullopt;
  std::optional<QueryAnswer> found = target.definition->caching ? FindFresh(target, *call) : FindKept(target, *call);
  if (!found) return std::nullopt;
  observed.Admitted();
  absl::StatusOr<QueryAnswer> answer = *std::move(found);
  observed.End(answer);
  return *std::move(answer);
}

std::optional<QueryAnswer> QueryServiceImpl::FindFresh(const CallTarget& target, const BoundCall& call) {
  const absl::Duration ttl = *target.definition->caching;
  const std::string key = CacheKey(call.spec, call.definition(), call.bound, call.found->endpoint->revision());
  const std::shared_ptr<const CachedAnswer> plain = flights_.FindFresh(key, ttl);
  std::shared_ptr<const CachedAnswer> kept = plain;
  if (plain != nullptr && IsPackedFor(call.spec.coding, plain->answer)) {
    kept = flights_.FindFresh(PackedCacheKey(key, call.spec.coding, plain->bound_at), ttl);
  }
  if (kept == nullptr || !gate_.Enter(SubjectsOf(target.principal, *target.definition)).ok()) return std::nullopt;
  KeepWarm(key, call);
  QueryAnswer answer = kept->answer;
  ClearTimes(answer);
  Complete(call, CacheUse::kHit, plain->bound_at, answer);
  return answer;
}

std::optional<QueryAnswer> QueryServiceImpl::FindKept(const CallTarget& target, const BoundCall& call) {
  const std::string key = CacheKey(call.spec, call.definition(), call.bound, call.found->endpoint->revision());
  // A trace has each step once, so a call that has one is looked up by Run alone.
  if (call.spec.trace != nullptr || !known_.Has(key)) return std::nullopt;
  std::optional<CachedAnswer> found = runner_.FindKept(call);
  if (!found) {
    known_.Remove(key);
    return std::nullopt;
  }
  QueryAnswer& answer = found->answer;
  if (IsPackedFor(call.spec.coding, answer)) {
    std::optional<SharedText> packed = kept_.FindPacked(call.spec.coding, answer.digest);
    if (!packed) return std::nullopt;
    answer.body = *std::move(packed);
    answer.coding = call.spec.coding;
  }
  if (!gate_.Enter(SubjectsOf(target.principal, *target.definition)).ok()) return std::nullopt;
  TellCache(options_.observer, CacheEvent::Kind::kCurrent, call, absl::ZeroDuration());
  return answer;
}

}  // namespace logquery::endpoint
