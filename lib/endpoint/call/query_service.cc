// Implements the service: authenticates, finds the endpoint, and runs calls, through the cache where it applies.
#include "logquery/query_service.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/endpoint/call/packed_answer.h"
#include "lib/endpoint/call/query_service_impl.h"
#include "lib/endpoint/call/retention_window.h"
#include "logquery/error.h"
#include "logquery/interval_bucketer.h"

namespace logquery {
namespace endpoint {
namespace {

result::BodyPlace PlaceOf(const QueryServiceOptions& options) {
  result::BodyPlace place;
  if (options.body_folder.empty()) return place;
  return {options.max_body_memory, options.body_folder};
}

// The part of the cache for answers that are cached for a time.
int64_t CacheBytes(const QueryServiceOptions& options) {
  return options.cache_bytes - std::min(options.kept_bytes, options.cache_bytes);
}

// An error for the call's caller. Where redaction is on, it quotes no address, be it from a row or from what was sent.
absl::Status RedactedFor(bool asked, const CallTarget& target, const absl::Status& status) {
  if (!asked && !target.MandatesRedaction()) return status;
  return RedactError(status, target.found->endpoint->compiled().redactor);
}

std::shared_ptr<const FoundEndpoint> FoundIn(std::shared_ptr<Snapshot> snapshot, const RegisteredEndpoint* endpoint) {
  auto found = std::make_shared<FoundEndpoint>();
  found->endpoint = endpoint;
  found->snapshot = std::move(snapshot);
  return found;
}

// Unavailable: the endpoint is one that this principal may call, but can't be planned.
absl::Status CheckIsPlanned(const Snapshot& snapshot, const Principal& principal, std::string_view name) {
  const UnplannedEndpoint* const unplanned = snapshot.FindUnplanned(name);
  if (unplanned == nullptr || !principal.MayCall(unplanned->definition.name, unplanned->definition.id)) {
    return absl::OkStatus();
  }
  return absl::UnavailableError(
      base::StrCat("this endpoint can't be planned for the tables as they are: ", base::Message(unplanned->reason)));
}

absl::Status NotFound() { return absl::InvalidArgumentError("the call's target is not one that Find gave"); }

}  // namespace

absl::StatusOr<std::shared_ptr<const FoundEndpoint>> FindAgain(std::shared_ptr<Snapshot> snapshot,
                                                               const std::string& id) {
  const RegisteredEndpoint* const endpoint = snapshot->registry->Find(id);
  if (endpoint == nullptr) return absl::NotFoundError(base::StrCat("there is no endpoint ", id, " any more"));
  return FoundIn(std::move(snapshot), endpoint);
}

QueryServiceImpl::QueryServiceImpl(QueryServiceOptions options)
    : options_(std::move(options)),
      binder_(options_.retention ? *options_.retention : RetentionPolicy::Default(options_.clock),
              IntervalBucketer(options_.clock)),
      body_place_(PlaceOf(options_)),
      kept_(std::min(options_.kept_bytes, options_.cache_bytes)),
      runner_(options_, body_place_, &kept_),
      bounds_{options_.time_limit, options_.max_result_bytes, runner_.capabilities().redacts,
              options_.parquet != nullptr},
      gate_(options_.clock),
      snapshots_(options_.backend, options_.endpoints, options_.source, options_.observer),
      own_cache_(options_.cache == nullptr ? ResultCache::InMemory(CacheBytes(options_)) : nullptr),
      cache_(options_.cache == nullptr ? own_cache_.get() : options_.cache),
      flights_(cache_, options_.clock),
      warmer_(&flights_, cache_, options_.clock, options_.warming_threads) {}

absl::StatusOr<Principal> QueryServiceImpl::Authenticate(std::string_view token) {
  if (options_.authenticator == nullptr) {
    Principal anybody;
    anybody.may_bypass_cache = true;
    anybody.may_read_metrics = true;
    anybody.may_save = true;
    return anybody;
  }
  absl::StatusOr<Principal> principal = options_.authenticator->Authenticate(token);
  if (!principal.ok()) TellRejected(options_.observer, nullptr, "", principal.status().code());
  return principal;
}

// A token that is limited to a project sees the tables as its own rows have made them. An endpoint that reads what neither a
// schema declares nor these rows have is planned as for all projects.
std::shared_ptr<Snapshot> QueryServiceImpl::SnapshotOf(const std::optional<std::string>& project,
                                                       std::string_view endpoint) {
  std::shared_ptr<Snapshot> snapshot = snapshots_.Current(project);
  return snapshot->FindUnplanned(endpoint) == nullptr ? snapshot : snapshots_.Current();
}

absl::StatusOr<CallTarget> QueryServiceImpl::Find(Principal principal, std::string_view name) {
  std::shared_ptr<Snapshot> snapshot = SnapshotOf(principal.project_scope, name);
  const absl::Status is_planned = CheckIsPlanned(*snapshot, principal, name);
  const absl::StatusOr<const RegisteredEndpoint*> found = is_planned.ok()
                                                              ? FindEndpoint(*snapshot->registry, name, principal)
                                                              : absl::StatusOr<const RegisteredEndpoint*>(is_planned);
  if (found.ok()) {
    const Endpoint& definition = (*found)->definition();
    std::shared_ptr<const FoundEndpoint> target = FoundIn(std::move(snapshot), *found);
    return CallTarget{std::move(principal), {target, &definition}, target};
  }
  // Only the observer learns that there is such an endpoint.
  const RegisteredEndpoint* const hidden = snapshot->registry->Find(name);
  TellRejected(options_.observer, &principal, hidden != nullptr ? hidden->definition().name : "",
               hidden != nullptr ? absl::StatusCode::kPermissionDenied : found.status().code());
  return principal.redact_pii ? RedactError(found.status(), Redactor()) : found.status();
}

absl::StatusOr<CallTarget> QueryServiceImpl::TargetOf(const QueryRequest& request) {
  LOGQUERY_ASSIGN_OR_RETURN(Principal principal, Authenticate(request.token));
  absl::StatusOr<CallTarget> target = Find(std::move(principal), request.endpoint);
  if (target.ok() || !request.redact_pii) return target;
  return RedactError(target.status(), Redactor());
}

absl::StatusOr<BoundCall> QueryServiceImpl::Admit(const CallTarget& target, const QueryRequest& request,
                                                  ObservedCall* observed) {
  if (target.found == nullptr) return NotFound();
  absl::StatusOr<BoundCall> call = AdmitPlainly(target, request);
  if (!call.ok()) return RedactedFor(request.redact_pii, target, call.status());
  if (observed != nullptr) observed->Admitted();
  return call;
}

absl::StatusOr<BoundCall> QueryServiceImpl::AdmitPlainly(const CallTarget& target, const QueryRequest& request) {
  const Endpoint& definition = *target.definition;
  LOGQUERY_ASSIGN_OR_RETURN(CallSpec spec, SpecOf(target, request));
  LOGQUERY_ASSIGN_OR_RETURN(CallGate::Pass pass, gate_.Enter(SubjectsOf(target.principal, definition)));
  LOGQUERY_ASSIGN_OR_RETURN(BoundCall call, BindNow(target.found, std::move(spec)));
  call.pass = std::move(pass);
  return call;
}

absl::StatusOr<CallSpec> QueryServiceImpl::SpecOf(const CallTarget& target, const QueryRequest& request) const {
  LOGQUERY_ASSIGN_OR_RETURN(CallSpec spec, MakeCallSpec(request, target.principal, *target.definition, bounds_));
  FillTier(*target.definition, options_.default_tier, spec.texts);
  return spec;
}

absl::StatusOr<BoundCall> QueryServiceImpl::BindNow(std::shared_ptr<const FoundEndpoint> found, CallSpec spec) const {
  BoundCall call;
  call.bound_at = options_.clock->Monotonic();
  LOGQUERY_ASSIGN_OR_RETURN(call.bound, binder_.Bind(found->endpoint->definition(), spec.texts, options_.clock->Now()));
  call.found = std::move(found);
  call.spec = std::move(spec);
  return call;
}

// Binds the same call against the current tables. FailedPrecondition: the definition has changed, so this caller's
// request was not admitted for it.
absl::StatusOr<BoundCall> QueryServiceImpl::BindAgain(const BoundCall& call) {
  LOGQUERY_ASSIGN_OR_RETURN(
      std::shared_ptr<const FoundEndpoint> found,
      FindAgain(SnapshotOf(call.spec.project_scope, call.spec.endpoint_id), call.spec.endpoint_id));
  if (!(found->endpoint->definition() == call.definition())) {
    return absl::FailedPreconditionError("the definition has changed");
  }
  LOGQUERY_ASSIGN_OR_RETURN(BoundCall again, BindNow(std::move(found), call.spec));
  again.background = call.background;
  return again;
}

absl::StatusOr<CachedAnswer> QueryServiceImpl::Compute(const BoundCall& call, const CancellationToken& cancellation) {
  absl::StatusOr<CachedAnswer> made = runner_.MakeAnswer(call, cancellation);
  if (made.ok() || !snapshots_.IsOutdated(*call.found->snapshot)) return made;
  // The tables may have changed since the call was planned: plan it again and retry once.
  const absl::StatusOr<BoundCall> again = BindAgain(call);
  return again.ok() ? runner_.MakeAnswer(*again, cancellation) : made;
}

absl::StatusOr<QueryAnswer> QueryServiceImpl::RunAdmitted(BoundCall call, const CancellationToken& cancellation) {
  const bool cached = call.definition().caching.has_value();
  if (cached && !call.spec.no_store) return RunCached(call, cancellation);
  LOGQUERY_ASSIGN_OR_RETURN(CachedAnswer made, Compute(call, cancellation));
  if (IsPackedFor(call.spec.coding, made.answer)) {
    LOGQUERY_ASSIGN_OR_RETURN(made, Pack(made, call, cancellation));
  }
  if (cached) {
    made.answer.cache = CacheUse::kBypass;
    TellCache(options_.observer, CacheEvent::Kind::kBypass, call, absl::ZeroDuration());
  } else if (made.answer.cache == CacheUse::kCurrent) {
    TellCache(options_.observer, CacheEvent::Kind::kCurrent, call, absl::ZeroDuration());
    known_.Add(CacheKey(call.spec, call.definition(), call.bound, call.found->endpoint->revision()));
  }
  return std::move(made.answer);
}

absl::StatusOr<QueryAnswer> QueryServiceImpl::Run(const CallTarget& target, const QueryRequest& request) {
  ObservedCall observed(options_.observer, options_.clock, target, request);
  absl::StatusOr<BoundCall> call = Admit(target, request, &observed);
  absl::StatusOr<QueryAnswer> answer =
      call.ok() ? RunAdmitted(*std::move(call), request.cancellation) : absl::StatusOr<QueryAnswer>(call.status());
  observed.End(answer);
  return answer;
}

absl::StatusOr<QueryAnswer> QueryServiceImpl::Run(const QueryRequest& request) {
  LOGQUERY_ASSIGN_OR_RETURN(const CallTarget target, TargetOf(request));
  return Run(target, request);
}

absl::StatusOr<QueryAnswer> QueryServiceImpl::Run(const QueryRequest& request, BatchSink& sink) {
  LOGQUERY_ASSIGN_OR_RETURN(const CallTarget target, TargetOf(request));
  ObservedCall observed(options_.observer, options_.clock, target, request);
  const absl::StatusOr<BoundCall> call = Admit(target, request, &observed);
  absl::StatusOr<QueryAnswer> answer = call.ok() ? RunInto(*call, request.cancellation, sink) : call.status();
  observed.End(answer);
  return answer;
}

absl::StatusOr<QueryAnswer> QueryServiceImpl::RunInto(const BoundCall& call, const CancellationToken& cancellation,
                                                      BatchSink& sink) {
  int64_t rows = 0;
  absl::StatusOr<QueryAnswer> answer = runner_.RunInto(call, cancellation, sink, rows);
  if (answer.ok() || rows > 0 || !snapshots_.IsOutdated(*call.found->snapshot)) return answer;
  const absl::StatusOr<BoundCall> again = BindAgain(call);
  return again.ok() ? runner_.RunInto(*again, cancellation, sink, rows) : answer;
}

absl::StatusOr<std::shared_ptr<const PreparedQuery>> QueryServiceImpl::Prepare(const QueryRequest& request) {
  LOGQUERY_ASSIGN_OR_RETURN(const CallTarget target, TargetOf(request));
  LOGQUERY_ASSIGN_OR_RETURN(const BoundCall call, Admit(target, request, nullptr));
  return runner_.Prepare(call);
}

absl::StatusOr<SandboxVerdict> QueryServiceImpl::Check(const QueryRequest& request) {
  LOGQUERY_ASSIGN_OR_RETURN(const CallTarget target, TargetOf(request));
  return Check(target, request);
}

absl::StatusOr<SandboxVerdict> QueryServiceImpl::Check(const CallTarget& target, const QueryRequest& request) {
  if (target.found == nullptr) return NotFound();
  ObservedCall observed(options_.observer, options_.clock, target, request);
  absl::StatusOr<SandboxVerdict> verdict = CheckPlainly(target, request);
  if (verdict.ok()) observed.Admitted();
  observed.EndDryRun(verdict.status());
  if (!verdict.ok()) return RedactedFor(request.redact_pii, target, verdict.status());
  verdict->reason = RedactedFor(request.redact_pii, target, verdict->reason);
  return verdict;
}

absl::StatusOr<SandboxVerdict> QueryServiceImpl::CheckPlainly(const CallTarget& target, const QueryRequest& request) {
  const Endpoint& definition = *target.definition;
  const Principal& principal = target.principal;
  const bool is_limited =
      principal.project_scope || principal.endpoints || !principal.fixed_parameters.empty() || principal.redact_pii;
  if (request.explain && is_limited) {
    // It shows what definitions say, and what the engine knows of tables that have the rows of all projects.
    return absl::PermissionDeniedError(
        "this token may not explain queries: that takes a token of all projects and endpoints, without fixed "
        "parameters and "
        "redaction");
  }
  LOGQUERY_ASSIGN_OR_RETURN(CallSpec spec, MakeCallSpec(request, principal, definition, bounds_));
  LOGQUERY_ASSIGN_OR_RETURN(const CallGate::Pass pass, gate_.Enter(SubjectsOf(target.principal, definition)));
  if (spec.sql.empty()) {
    ErrorDetails details;
    details.parameter = "sql";
    return WithErrorDetails(absl::InvalidArgumentError("parameter sql: is missing; it is what a dry run looks at"),
                            details);
  }
  const FoundEndpoint& found = *target.found;
  LOGQUERY_ASSIGN_OR_RETURN(SandboxVerdict verdict,
                            CheckSandbox(*found.snapshot->registry, *found.endpoint, spec.sql, runner_.capabilities()));
  if (!request.explain || !verdict.allowed) return verdict;
  FillTier(definition, options_.default_tier, spec.texts);
  LOGQUERY_ASSIGN_OR_RETURN(const BoundCall call, BindNow(target.found, std::move(spec)));
  LOGQUERY_ASSIGN_OR_RETURN(verdict.explanation, runner_.Explain(call, request.cancellation));
  return verdict;
}

}  // namespace endpoint

absl::StatusOr<std::unique_ptr<QueryService>> QueryService::Create(QueryServiceOptions options) {
  if (options.backend == nullptr) return absl::InvalidArgumentError("a QueryService needs a backend");
  const RetentionPolicy retention = options.retention.value_or(RetentionPolicy::Default(options.clock));
  LOGQUERY_RETURN_IF_ERROR(endpoint::CheckDefaultTier(options.default_tier, retention));
  if (!options.body_folder.empty()) LOGQUERY_RETURN_IF_ERROR(result::CheckBodyFolder(options.body_folder));
  auto service = std::make_unique<endpoint::QueryServiceImpl>(std::move(options));
  LOGQUERY_RETURN_IF_ERROR(service->Reload());
  service->WatchSource();
  return std::unique_ptr<QueryService>(std::move(service));
}

}  // namespace logquery
