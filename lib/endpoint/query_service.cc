// The service: authenticates, finds the endpoint, and runs calls, through the cache where it applies.
#include "logquery/query_service.h"

#include <optional>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/endpoint/bound_call.h"
#include "lib/endpoint/cache_warmer.h"
#include "lib/endpoint/call.h"
#include "lib/endpoint/capping_sink.h"
#include "lib/endpoint/compiled_endpoint.h"
#include "lib/endpoint/cursor.h"
#include "lib/endpoint/guarded_run.h"
#include "lib/endpoint/packed_answer.h"
#include "lib/endpoint/query_planner.h"
#include "lib/endpoint/receipt.h"
#include "lib/endpoint/single_flight.h"
#include "lib/endpoint/snapshots.h"
#include "lib/endpoint/timed_sink.h"
#include "lib/result/body_builder.h"
#include "lib/result/redacting_sink.h"
#include "lib/rewrite/resolve/resolver.h"
#include "logquery/error.h"
#include "logquery/interval_bucketer.h"
#include "logquery/row_encoder.h"

namespace logquery {
namespace {

using endpoint::BoundCall;
using endpoint::CallGate;
using endpoint::CallSpec;
using endpoint::CompiledEndpoint;
using endpoint::Snapshot;

result::BodyPlace PlaceOf(const QueryServiceOptions& options) {
  result::BodyPlace place;
  if (options.body_folder.empty()) return place;
  return {options.max_body_memory, options.body_folder};
}

// An error for the call's caller. Where redaction is on, it quotes no address, be it from a row or from what was sent;
// `compiled` is nullptr where the endpoint is not known.
absl::Status RedactedFor(const QueryRequest& request, const Principal& principal, const CompiledEndpoint* compiled,
                         const absl::Status& status) {
  const bool endpoint_mandates = compiled != nullptr && compiled->definition().redact_pii;
  if (!request.redact_pii && !principal.redact_pii && !endpoint_mandates) return status;
  return endpoint::RedactError(status, compiled != nullptr ? compiled->redactor() : Redactor());
}

absl::StatusOr<const CompiledEndpoint*> FindFor(const Snapshot& now, const QueryRequest& request,
                                                const Principal& principal) {
  const absl::StatusOr<const RegisteredEndpoint*> found = endpoint::FindEndpoint(*now.registry, request.endpoint);
  if (!found.ok()) return RedactedFor(request, principal, nullptr, found.status());
  return static_cast<const CompiledEndpoint*>(*found);
}

struct PlannedCall {
  endpoint::PlannedCall planned;
  absl::Duration parse_time;
  absl::Duration plan_time;
};

class QueryServiceImpl : public QueryService {
 public:
  explicit QueryServiceImpl(QueryServiceOptions options)
      : options_(std::move(options)),
        binder_(options_.retention ? *options_.retention : RetentionPolicy::Default(options_.clock),
                IntervalBucketer(options_.clock)),
        capabilities_(options_.backend->capabilities()),
        planner_(
            capabilities_.dialect,
            [](int64_t count, std::string_view label, absl::Time now) {
              return IntervalBucketer::Generate(count, label, now);
            },
            capabilities_.reads_googlesql, capabilities_.fragments),
        bounds_{options_.time_limit, options_.max_result_bytes, capabilities_.redacts},
        body_place_(PlaceOf(options_)),
        gate_(options_.clock),
        snapshots_(options_.backend, options_.endpoints),
        own_cache_(options_.cache == nullptr ? ResultCache::InMemory(options_.cache_bytes) : nullptr),
        cache_(options_.cache == nullptr ? own_cache_.get() : options_.cache),
        flights_(cache_, options_.clock),
        warmer_(&flights_, cache_, options_.clock, options_.warming_threads) {}

  absl::StatusOr<QueryAnswer> Run(const QueryRequest& request) override;
  absl::StatusOr<QueryAnswer> Run(const QueryRequest& request, BatchSink& sink) override;
  absl::StatusOr<std::shared_ptr<const PreparedQuery>> Prepare(const QueryRequest& request) override;
  absl::StatusOr<SandboxVerdict> Check(const QueryRequest& request) override;
  absl::StatusOr<Principal> Authenticate(std::string_view token) override;
  std::shared_ptr<const EndpointRegistry> registry() const override { return snapshots_.last()->registry; }
  absl::Status Reload() override { return snapshots_.Reload(); }

 private:
  absl::StatusOr<BoundCall> Admit(const QueryRequest& request);
  absl::StatusOr<BoundCall> AdmitTo(const CompiledEndpoint& compiled, std::shared_ptr<Snapshot> now,
                                    const QueryRequest& request, const Principal& principal);
  absl::StatusOr<BoundCall> BindNow(std::shared_ptr<Snapshot> snapshot, CallSpec spec) const;
  absl::StatusOr<PlannedCall> Plan(const BoundCall& call);
  absl::StatusOr<PlannedCall> PlanPlainly(const BoundCall& call);
  absl::StatusOr<SandboxVerdict> CheckFor(const CompiledEndpoint& compiled, const Snapshot& now,
                                          const QueryRequest& request, const Principal& principal);
  absl::StatusOr<std::shared_ptr<endpoint::ResolvedQuery>> Resolve(Snapshot& snapshot, const CompiledEndpoint& compiled,
                                                                   const std::string& sql);
  absl::Status Execute(const BoundCall& call, const PlannedCall& plan, const CancellationToken& cancellation,
                       BatchSink& sink, QueryAnswer& answer);
  absl::StatusOr<CachedAnswer> Compute(const BoundCall& call, const CancellationToken& cancellation);
  absl::StatusOr<CachedAnswer> ComputeOnce(const BoundCall& call, const CancellationToken& cancellation);
  absl::StatusOr<QueryAnswer> RunInto(const BoundCall& call, const CancellationToken& cancellation, BatchSink& sink,
                                      int64_t& rows);
  // What was got, in the coding that the call asks for, which is kept too.
  absl::StatusOr<QueryAnswer> AnswerFrom(const endpoint::SingleFlight::Got& got, const std::string& key,
                                         const BoundCall& call, const CancellationToken& cancellation);
  absl::StatusOr<QueryAnswer> RunCached(BoundCall call, const CancellationToken& cancellation);

  const QueryServiceOptions options_;
  const ParameterBinder binder_;
  const Capabilities capabilities_;
  const endpoint::QueryPlanner planner_;
  const endpoint::ServiceBounds bounds_;
  const result::BodyPlace body_place_;
  CallGate gate_;
  endpoint::Snapshots snapshots_;
  const std::unique_ptr<ResultCache> own_cache_;
  ResultCache* const cache_;
  endpoint::SingleFlight flights_;
  endpoint::CacheWarmer warmer_;  // its threads use all of the above
};

absl::StatusOr<std::shared_ptr<endpoint::ResolvedQuery>> QueryServiceImpl::Resolve(Snapshot& snapshot,
                                                                                   const CompiledEndpoint& compiled,
                                                                                   const std::string& sql) {
  const Endpoint& definition = compiled.definition();
  if (std::shared_ptr<endpoint::ResolvedQuery> kept = snapshot.callers_sql.Find(definition.id, sql)) return kept;
  LOGQUERY_ASSIGN_OR_RETURN(
      std::shared_ptr<endpoint::ResolvedQuery> resolved,
      endpoint::ResolveCallerSql(sql, definition, compiled.query(), snapshot.registry->catalog()));
  snapshot.callers_sql.Put(definition.id, sql, resolved);
  return resolved;
}

absl::StatusOr<BoundCall> QueryServiceImpl::Admit(const QueryRequest& request) {
  LOGQUERY_ASSIGN_OR_RETURN(const Principal principal, Authenticate(request.token));
  const std::shared_ptr<Snapshot> now = snapshots_.Current();
  LOGQUERY_ASSIGN_OR_RETURN(const CompiledEndpoint* const compiled, FindFor(*now, request, principal));
  absl::StatusOr<BoundCall> call = AdmitTo(*compiled, now, request, principal);
  if (call.ok()) return call;
  return RedactedFor(request, principal, compiled, call.status());
}

absl::StatusOr<BoundCall> QueryServiceImpl::AdmitTo(const CompiledEndpoint& compiled, std::shared_ptr<Snapshot> now,
                                                    const QueryRequest& request, const Principal& principal) {
  const Endpoint& definition = compiled.definition();
  LOGQUERY_ASSIGN_OR_RETURN(CallSpec spec, endpoint::MakeCallSpec(request, principal, definition, bounds_));
  LOGQUERY_ASSIGN_OR_RETURN(CallGate::Pass pass, gate_.Enter(endpoint::SubjectsOf(principal, definition)));
  LOGQUERY_ASSIGN_OR_RETURN(BoundCall call, BindNow(std::move(now), std::move(spec)));
  call.pass = std::move(pass);
  return call;
}

absl::StatusOr<BoundCall> QueryServiceImpl::BindNow(std::shared_ptr<Snapshot> snapshot, CallSpec spec) const {
  LOGQUERY_ASSIGN_OR_RETURN(const RegisteredEndpoint* const found,
                            endpoint::FindEndpoint(*snapshot->registry, spec.endpoint_id));
  BoundCall call;
  call.compiled = static_cast<const CompiledEndpoint*>(found);
  call.bound_at = options_.clock->Monotonic();
  LOGQUERY_ASSIGN_OR_RETURN(call.bound, binder_.Bind(found->definition(), spec.texts, options_.clock->Now()));
  call.snapshot = std::move(snapshot);
  call.spec = std::move(spec);
  return call;
}

absl::StatusOr<PlannedCall> QueryServiceImpl::Plan(const BoundCall& call) {
  absl::StatusOr<PlannedCall> plan = PlanPlainly(call);
  if (plan.ok() || !call.spec.redact) return plan;
  return endpoint::RedactError(plan.status(), call.compiled->redactor());
}

absl::StatusOr<PlannedCall> QueryServiceImpl::PlanPlainly(const BoundCall& call) {
  const absl::Duration start = options_.clock->Monotonic();
  std::shared_ptr<endpoint::ResolvedQuery> callers;
  if (!call.spec.sql.empty()) {
    LOGQUERY_ASSIGN_OR_RETURN(callers, Resolve(*call.snapshot, *call.compiled, call.spec.sql));
  }
  const absl::Duration parsed = options_.clock->Monotonic();
  PlannedCall plan;
  LOGQUERY_ASSIGN_OR_RETURN(
      plan.planned, planner_.Plan(callers != nullptr ? *callers : call.compiled->resolved(), endpoint::ValuesOf(call),
                                  callers != nullptr && call.spec.redact_mandated));
  plan.parse_time = parsed - start;
  plan.plan_time = options_.clock->Monotonic() - parsed;
  return plan;
}

absl::Status QueryServiceImpl::Execute(const BoundCall& call, const PlannedCall& plan,
                                       const CancellationToken& cancellation, BatchSink& sink, QueryAnswer& answer) {
  const PreparedQuery& query = *plan.planned.query;
  std::optional<endpoint::CursorSink> pages;
  if (plan.planned.page) pages.emplace(*plan.planned.page, &sink);
  endpoint::CappingSink capped(call.spec.max_rows, pages ? &*pages : &sink);
  ExecutionLimits limits;
  limits.time_limit = call.spec.time_limit;
  limits.max_rows = call.spec.max_rows + 1;
  LOGQUERY_ASSIGN_OR_RETURN(const endpoint::GuardedRun run,
                            endpoint::GuardedRun::Enter(options_.guard, call, limits.time_limit, cancellation));
  const absl::Duration start = options_.clock->Monotonic();
  const absl::Status status =
      run.Outcome(options_.backend->Execute(query, plan.planned.bindings, limits, run.cancellation(), capped));
  answer.execute_time = options_.clock->Monotonic() - start;
  answer.parse_time = plan.parse_time;
  answer.plan_time = plan.plan_time;
  answer.rows = capped.rows();
  answer.truncated = capped.truncated();
  answer.schema = query.schema();
  const bool full = capped.truncated() || (query.top_n_by_time() && capped.rows() == query.top_n_by_time()->limit);
  if (pages && pages->end() && full && !call.HidesPages(pages->end()->id)) {
    answer.next_cursor = endpoint::FormatCursor(*pages->end());
  }
  answer.ignored_parameters = call.bound.ignored();
  answer.receipt = endpoint::MakeReceipt(query, plan.planned.bindings, call.spec, capabilities_.engine,
                                         call.compiled->resolved().redaction, capped.marks());
  return call.spec.redact ? endpoint::RedactError(status, call.compiled->redactor()) : status;
}

absl::StatusOr<CachedAnswer> QueryServiceImpl::Compute(const BoundCall& call, const CancellationToken& cancellation) {
  absl::StatusOr<CachedAnswer> made = ComputeOnce(call, cancellation);
  if (made.ok() || !snapshots_.IsOutdated(*call.snapshot)) return made;
  // Perhaps what it was planned for is there no more.
  LOGQUERY_ASSIGN_OR_RETURN(const BoundCall again, BindNow(snapshots_.Current(), call.spec));
  return ComputeOnce(again, cancellation);
}

absl::StatusOr<CachedAnswer> QueryServiceImpl::ComputeOnce(const BoundCall& call,
                                                           const CancellationToken& cancellation) {
  LOGQUERY_ASSIGN_OR_RETURN(const PlannedCall plan, Plan(call));
  EncodeOptions encode;
  encode.format = call.spec.format;
  encode.csv_safe = call.spec.csv_safe;
  encode.int64_as_string = call.spec.int64_as_string;
  encode.max_bytes = call.spec.max_result_bytes;
  result::BodyBuilder body(body_place_);
  encode.drain_above = body_place_.memory_bytes;
  encode.drain = [&body](std::string_view bytes) { return body.Spill(bytes); };
  RowEncoder encoder(plan.planned.query->schema(), encode);
  CachedAnswer made;
  made.bound_at = call.bound_at;
  // Redaction is a step of its own before the encoder, so that each has its time.
  endpoint::TimedSink encoding(options_.clock, &encoder);
  result::RedactingSink redacting(&call.compiled->redactor(), &encoding);
  endpoint::TimedSink sinks(options_.clock, call.spec.redact ? static_cast<BatchSink*>(&redacting) : &encoding);
  LOGQUERY_RETURN_IF_ERROR(Execute(call, plan, cancellation, sinks, made.answer));
  const absl::Duration encoded = options_.clock->Monotonic();
  LOGQUERY_RETURN_IF_ERROR(std::move(body).Finish(std::move(encoder).Finish(), made.answer));
  LOGQUERY_RETURN_IF_ERROR(endpoint::SetDigest(made.answer));
  made.answer.encode_time = encoding.time() + (options_.clock->Monotonic() - encoded);
  if (call.spec.redact) made.answer.redact_time = sinks.time() - encoding.time();
  made.answer.execute_time -= sinks.time();
  return made;
}

absl::StatusOr<QueryAnswer> QueryServiceImpl::AnswerFrom(const endpoint::SingleFlight::Got& got, const std::string& key,
                                                         const BoundCall& call, const CancellationToken& cancellation) {
  const CachedAnswer& plain = *got.answer;
  const bool kept = got.use == CacheUse::kHit;
  if (!endpoint::IsPackedFor(call.spec.coding, plain.answer)) {
    QueryAnswer answer = plain.answer;
    if (kept) endpoint::ClearTimes(answer);
    return answer;
  }
  LOGQUERY_ASSIGN_OR_RETURN(
      const endpoint::SingleFlight::Got packed,
      flights_.Get(endpoint::PackedCacheKey(key, call.spec.coding, plain.bound_at),
                   *call.compiled->definition().caching, cancellation, [&](const CancellationToken& token) {
                     return endpoint::PackAnswer(plain, call.spec.coding, body_place_, options_.clock, token);
                   }));
  QueryAnswer answer = packed.answer->answer;
  if (!kept) return answer;
  endpoint::ClearTimes(answer);
  if (packed.use == CacheUse::kMiss) answer.encode_time = packed.answer->answer.encode_time - plain.answer.encode_time;
  return answer;
}

absl::StatusOr<QueryAnswer> QueryServiceImpl::RunCached(BoundCall call, const CancellationToken& cancellation) {
  const Endpoint& definition = call.compiled->definition();
  const std::string key = endpoint::CacheKey(call.spec, definition, call.bound, call.snapshot->revision);
  LOGQUERY_ASSIGN_OR_RETURN(const endpoint::SingleFlight::Got got,
                            flights_.Get(key, *definition.caching, cancellation,
                                         [&](const CancellationToken& token) { return Compute(call, token); }));
  if (definition.cache_warming) {
    warmer_.Touch(key, *definition.cache_warming, *definition.caching,
                  [this, snapshot = call.snapshot,
                   spec = call.spec](const CancellationToken& token) -> absl::StatusOr<CachedAnswer> {
                    LOGQUERY_ASSIGN_OR_RETURN(const BoundCall again, BindNow(snapshot, spec));
                    return Compute(again, token);
                  });
  }
  LOGQUERY_ASSIGN_OR_RETURN(QueryAnswer answer, AnswerFrom(got, key, call, cancellation));
  answer.cache = got.use;
  answer.age = options_.clock->Monotonic() - got.answer->bound_at;
  answer.ignored_parameters = call.bound.ignored();
  return answer;
}

absl::StatusOr<QueryAnswer> QueryServiceImpl::Run(const QueryRequest& request) {
  LOGQUERY_ASSIGN_OR_RETURN(BoundCall call, Admit(request));
  const bool cached = call.compiled->definition().caching.has_value();
  if (cached && !call.spec.no_store) return RunCached(std::move(call), request.cancellation);
  LOGQUERY_ASSIGN_OR_RETURN(CachedAnswer made, Compute(call, request.cancellation));
  if (endpoint::IsPackedFor(call.spec.coding, made.answer)) {
    LOGQUERY_ASSIGN_OR_RETURN(
        made, endpoint::PackAnswer(made, call.spec.coding, body_place_, options_.clock, request.cancellation));
  }
  if (cached) made.answer.cache = CacheUse::kBypass;
  return std::move(made.answer);
}

absl::StatusOr<QueryAnswer> QueryServiceImpl::Run(const QueryRequest& request, BatchSink& sink) {
  LOGQUERY_ASSIGN_OR_RETURN(const BoundCall call, Admit(request));
  int64_t rows = 0;
  absl::StatusOr<QueryAnswer> answer = RunInto(call, request.cancellation, sink, rows);
  if (answer.ok() || rows > 0 || !snapshots_.IsOutdated(*call.snapshot)) return answer;
  LOGQUERY_ASSIGN_OR_RETURN(const BoundCall again, BindNow(snapshots_.Current(), call.spec));
  return RunInto(again, request.cancellation, sink, rows);
}

absl::StatusOr<QueryAnswer> QueryServiceImpl::RunInto(const BoundCall& call, const CancellationToken& cancellation,
                                                      BatchSink& sink, int64_t& rows) {
  LOGQUERY_ASSIGN_OR_RETURN(const PlannedCall plan, Plan(call));
  QueryAnswer answer;
  result::RedactingSink redacting(&call.compiled->redactor(), &sink);
  BatchSink& into = call.spec.redact ? static_cast<BatchSink&>(redacting) : sink;
  const absl::Status status = Execute(call, plan, cancellation, into, answer);
  rows += answer.rows;
  if (!status.ok()) return status;
  return answer;
}

absl::StatusOr<std::shared_ptr<const PreparedQuery>> QueryServiceImpl::Prepare(const QueryRequest& request) {
  LOGQUERY_ASSIGN_OR_RETURN(const BoundCall call, Admit(request));
  LOGQUERY_ASSIGN_OR_RETURN(const PlannedCall plan, Plan(call));
  return plan.planned.query;
}

absl::StatusOr<SandboxVerdict> QueryServiceImpl::Check(const QueryRequest& request) {
  LOGQUERY_ASSIGN_OR_RETURN(const Principal principal, Authenticate(request.token));
  const std::shared_ptr<Snapshot> now = snapshots_.Current();
  LOGQUERY_ASSIGN_OR_RETURN(const CompiledEndpoint* const compiled, FindFor(*now, request, principal));
  absl::StatusOr<SandboxVerdict> verdict = CheckFor(*compiled, *now, request, principal);
  if (!verdict.ok()) return RedactedFor(request, principal, compiled, verdict.status());
  verdict->reason = RedactedFor(request, principal, compiled, verdict->reason);
  return verdict;
}

absl::StatusOr<SandboxVerdict> QueryServiceImpl::CheckFor(const CompiledEndpoint& compiled, const Snapshot& now,
                                                          const QueryRequest& request, const Principal& principal) {
  const Endpoint& definition = compiled.definition();
  LOGQUERY_ASSIGN_OR_RETURN(const CallSpec spec, endpoint::MakeCallSpec(request, principal, definition, bounds_));
  LOGQUERY_ASSIGN_OR_RETURN(const CallGate::Pass pass, gate_.Enter(endpoint::SubjectsOf(principal, definition)));
  if (spec.sql.empty()) {
    ErrorDetails details;
    details.parameter = "sql";
    return WithErrorDetails(absl::InvalidArgumentError("parameter sql: is missing; it is what a dry run looks at"),
                            details);
  }
  return CheckSandbox(*now.registry, compiled, spec.sql, capabilities_.dialect);
}

absl::StatusOr<Principal> QueryServiceImpl::Authenticate(std::string_view token) {
  if (options_.authenticator != nullptr) return options_.authenticator->Authenticate(token);
  Principal anybody;
  anybody.may_bypass_cache = true;
  return anybody;
}

}  // namespace

absl::StatusOr<std::unique_ptr<QueryService>> QueryService::Create(QueryServiceOptions options) {
  if (options.backend == nullptr) return absl::InvalidArgumentError("a QueryService needs a backend");
  if (!options.body_folder.empty()) LOGQUERY_RETURN_IF_ERROR(result::CheckBodyFolder(options.body_folder));
  auto service = std::make_unique<QueryServiceImpl>(std::move(options));
  LOGQUERY_RETURN_IF_ERROR(service->Reload());
  return std::unique_ptr<QueryService>(std::move(service));
}

}  // namespace logquery
