// Plans, executes, redacts and encodes one call, and measures the time of each step.
#include "lib/endpoint/call/call_runner.h"

#include <optional>
#include <string_view>
#include <utility>

#include "lib/base/engine_failure.h"
#include "lib/base/status_macros.h"
#include "lib/endpoint/call/capping_sink.h"
#include "lib/endpoint/call/cursor.h"
#include "lib/endpoint/call/explain.h"
#include "lib/endpoint/call/guarded_run.h"
#include "lib/endpoint/call/packed_answer.h"
#include "lib/endpoint/call/receipt.h"
#include "lib/endpoint/call/retention_window.h"
#include "lib/endpoint/call/row_error_place.h"
#include "lib/endpoint/call/timed_sink.h"
#include "lib/endpoint/call/traced_step.h"
#include "lib/result/redacting_sink.h"
#include "logquery/interval_bucketer.h"
#include "logquery/row_encoder.h"

namespace logquery::endpoint {
namespace {

// The caller's SQL, resolved; kept for as long as the endpoint and the catalog are the same.
absl::StatusOr<std::shared_ptr<ResolvedQuery>> ResolveCallers(const BoundCall& call) {
  const RegisteredEndpoint& endpoint = *call.found->endpoint;
  const Snapshot& snapshot = *call.found->snapshot;
  const std::string& sql = call.spec.sql;
  if (std::shared_ptr<ResolvedQuery> kept = snapshot.callers_sql->Find(endpoint.revision(), sql)) return kept;
  LOGQUERY_ASSIGN_OR_RETURN(std::shared_ptr<ResolvedQuery> resolved,
                            ResolveCallerSql(sql, endpoint.definition(), *endpoint.compiled().query,
                                             snapshot.registry->catalog(), nullptr, endpoint.compiled().FindReads()));
  snapshot.callers_sql->Put(endpoint.revision(), sql, resolved);
  return resolved;
}

// Redacts before the query reads; a redaction that only the caller asked for is that of the rows.
const Redactor* MandatedRedactor(const BoundCall& call) {
  return call.spec.redact_mandated ? &call.redactor() : nullptr;
}

void Redact(const Redactor& redactor, QueryExplanation& explanation) {
  for (auto& [pass, text] : explanation.passes) text = redactor.Redact(text);
  for (QueryExplanation::Part& part : explanation.parts) part.text = redactor.Redact(part.text);
  explanation.text = redactor.Redact(explanation.text);
}

}  // namespace

CallRunner::CallRunner(const QueryServiceOptions& options, result::BodyPlace body_place)
    : backend_(options.backend),
      clock_(options.clock),
      guard_(options.guard),
      observer_(options.observer),
      slow_query_(options.slow_query),
      body_place_(std::move(body_place)),
      capabilities_(options.backend->capabilities()),
      planner_(
          capabilities_.dialect,
          [](int64_t count, std::string_view label, absl::Time now) {
            return IntervalBucketer::Generate(count, label, now);
          },
          capabilities_.reads_googlesql, capabilities_.fragments, capabilities_.redacts) {}

absl::StatusOr<CallRunner::Plan> CallRunner::MakePlan(const BoundCall& call, bool bare_scans) const {
  TracedStep step(call.spec.trace.get(), CallStep::kPlan);
  absl::StatusOr<Plan> plan = MakePlanPlainly(call, bare_scans);
  step.End({.code = plan.status().code()});
  if (plan.ok() || !call.spec.redact) return plan;
  return RedactError(plan.status(), call.redactor());
}

absl::StatusOr<CallRunner::Plan> CallRunner::MakePlanPlainly(const BoundCall& call, bool bare_scans) const {
  const absl::Duration start = clock_->Monotonic();
  std::shared_ptr<ResolvedQuery> callers;
  if (!call.spec.sql.empty()) {
    LOGQUERY_ASSIGN_OR_RETURN(callers, ResolveCallers(call));
  }
  const absl::Duration parsed = clock_->Monotonic();
  Plan plan;
  LOGQUERY_ASSIGN_OR_RETURN(plan.planned, planner_.Plan(callers != nullptr ? *callers : call.resolved(), ValuesOf(call),
                                                        MandatedRedactor(call), bare_scans));
  plan.callers = std::move(callers);
  plan.time_limit = call.spec.time_limit;
  plan.parse_time = parsed - start;
  plan.plan_time = clock_->Monotonic() - parsed;
  return plan;
}

absl::Status CallRunner::Execute(const BoundCall& call, const Plan& plan, const CancellationToken& cancellation,
                                 BatchSink& sink, QueryAnswer& answer) const {
  const PreparedQuery& query = *plan.planned.query;
  std::optional<CursorSink> pages;
  if (plan.planned.page) pages.emplace(*plan.planned.page, &sink);
  CappingSink capped(call.spec.max_rows, pages ? &*pages : &sink);
  ExecutionLimits limits;
  limits.time_limit = plan.time_limit;
  limits.max_rows = call.spec.max_rows + 1;
  limits.tags = call.spec.tags;
  LOGQUERY_ASSIGN_OR_RETURN(const GuardedRun run, GuardedRun::Enter(guard_, call, limits.time_limit, cancellation));
  TracedStep step(call.spec.trace.get(), CallStep::kExecute);
  limits.tags.traceparent = step.Traceparent(limits.tags.traceparent);
  const absl::Duration start = clock_->Monotonic();
  absl::Status status =
      run.Outcome(backend_->Execute(query, plan.planned.bindings, limits, run.cancellation(), capped));
  step.End({.code = status.code(), .rows = capped.rows()});
  if (plan.callers != nullptr) status = PlaceRowError(*plan.callers, std::move(status));
  answer.execute_time = clock_->Monotonic() - start;
  answer.parse_time = plan.parse_time;
  answer.plan_time = plan.plan_time;
  answer.rows = capped.rows();
  answer.truncated = capped.truncated();
  answer.schema = query.schema();
  const bool full = capped.truncated() || (query.top_n_by_time() && capped.rows() == query.top_n_by_time()->limit);
  if (pages && pages->end() && full && !call.HidesPages(pages->end()->id)) {
    answer.next_cursor = FormatCursor(*pages->end());
  }
  answer.ignored_parameters = call.bound.ignored();
  answer.window = FindCutWindow(call.definition(), call.bound);
  answer.revision = call.definition().revision;
  answer.receipt = MakeReceipt(query, plan.planned.bindings, call.spec, capabilities_.engine, call.resolved().redaction,
                               capped.marks());
  return call.spec.redact ? RedactError(status, call.redactor()) : status;
}

absl::Status CallRunner::Encode(const BoundCall& call, const Plan& plan, const CancellationToken& cancellation,
                                QueryAnswer& answer) const {
  EncodeOptions encode;
  encode.format = call.spec.format;
  encode.csv_safe = call.spec.csv_safe;
  encode.int64_as_string = call.spec.int64_as_string;
  encode.max_bytes = call.spec.max_result_bytes;
  result::BodyBuilder body(body_place_);
  encode.drain_above = body_place_.memory_bytes;
  encode.drain = [&body](std::string_view bytes) { return body.Spill(bytes); };
  RowEncoder encoder(plan.planned.query->schema(), encode);
  // Redaction is a step of its own before the encoder, so that each has its time.
  TimedSink encoding(clock_, &encoder);
  result::RedactingSink redacting(&call.redactor(), &encoding);
  TracedStep step(call.spec.trace.get(), CallStep::kEncode, false);
  TimedSink sinks(clock_, call.spec.redact ? static_cast<BatchSink*>(&redacting) : &encoding,
                  [&step] { step.Begin(); });
  LOGQUERY_RETURN_IF_ERROR(Execute(call, plan, cancellation, sinks, answer));
  step.Begin();
  const absl::Duration encoded = clock_->Monotonic();
  LOGQUERY_RETURN_IF_ERROR(std::move(body).Finish(std::move(encoder).Finish(), answer));
  LOGQUERY_RETURN_IF_ERROR(SetDigest(answer));
  answer.encode_time = encoding.time() + (clock_->Monotonic() - encoded);
  if (call.spec.redact) answer.redact_time = sinks.time() - encoding.time();
  answer.execute_time -= sinks.time();
  step.End({.busy = answer.encode_time + answer.redact_time});
  return absl::OkStatus();
}

absl::StatusOr<QueryAnswer> CallRunner::RunPlanned(const BoundCall& call, RunPlan run) const {
  const absl::Duration start = clock_->Monotonic();
  absl::StatusOr<Plan> plan = MakePlan(call);
  for (bool is_bare = false; plan.ok(); is_bare = true) {
    QueryAnswer answer;
    const ObservedQuery observed(observer_, call, plan->planned.variant, slow_query_);
    const absl::Status status = run(*plan, answer);
    answer.query_id = observed.id();
    observed.End(status, answer);
    if (status.ok()) return answer;
    if (is_bare || !base::IsEngineFailure(status)) return status;
    observed.TellEngineFailure(status);
    plan = MakePlan(call, /*bare_scans=*/true);
    if (!plan.ok()) return status;
    plan->time_limit -= clock_->Monotonic() - start;
  }
  return plan.status();
}

absl::StatusOr<CachedAnswer> CallRunner::MakeAnswer(const BoundCall& call,
                                                    const CancellationToken& cancellation) const {
  CachedAnswer made;
  made.bound_at = call.bound_at;
  LOGQUERY_ASSIGN_OR_RETURN(made.answer, RunPlanned(call, [&](const Plan& plan, QueryAnswer& answer) {
                              return Encode(call, plan, cancellation, answer);
                            }));
  return made;
}

absl::StatusOr<QueryAnswer> CallRunner::RunInto(const BoundCall& call, const CancellationToken& cancellation,
                                                BatchSink& sink, int64_t& rows) const {
  result::RedactingSink redacting(&call.redactor(), &sink);
  BatchSink& into = call.spec.redact ? static_cast<BatchSink&>(redacting) : sink;
  return RunPlanned(call, [&](const Plan& plan, QueryAnswer& answer) {
    absl::Status status = Execute(call, plan, cancellation, into, answer);
    rows += answer.rows;
    // The sink keeps the rows that it has got.
    if (answer.rows > 0) base::ClearEngineFailure(status);
    return status;
  });
}

absl::StatusOr<QueryExplanation> CallRunner::Explain(const BoundCall& call,
                                                     const CancellationToken& cancellation) const {
  LOGQUERY_ASSIGN_OR_RETURN(const Plan plan, MakePlan(call));
  const PreparedQuery& query = *plan.planned.query;
  QueryExplanation explanation = ExplainPrepared(query.dialect_text(), query.slots(), query.fragments());
  const ResolvedQuery& resolved = plan.callers != nullptr ? *plan.callers : call.resolved();
  LOGQUERY_ASSIGN_OR_RETURN(explanation.passes, planner_.PassTexts(resolved, ValuesOf(call), MandatedRedactor(call)));
  explanation.engine = capabilities_.engine;
  // A plan is drawn in boxes, which break texts where no pattern of the redactor's finds them.
  if (GivesPlans(capabilities_) && !call.spec.redact) {
    ExecutionLimits limits;
    limits.time_limit = call.spec.time_limit;
    LOGQUERY_ASSIGN_OR_RETURN(const GuardedRun run, GuardedRun::Enter(guard_, call, limits.time_limit, cancellation));
    absl::StatusOr<std::string> text = EnginePlan(*backend_, query, plan.planned.bindings, limits, run.cancellation());
    const absl::Status status = run.Outcome(text.status());
    if (!status.ok()) return plan.callers != nullptr ? PlaceRowError(*plan.callers, status) : status;
    explanation.engine_plan = *std::move(text);
  }
  if (call.spec.redact) Redact(call.redactor(), explanation);
  return explanation;
}

absl::StatusOr<std::shared_ptr<const PreparedQuery>> CallRunner::Prepare(const BoundCall& call) const {
  LOGQUERY_ASSIGN_OR_RETURN(const Plan plan, MakePlan(call));
  return plan.planned.query;
}

}  // namespace logquery::endpoint
