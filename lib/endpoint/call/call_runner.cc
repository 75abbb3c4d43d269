// Plans, executes, redacts and encodes one call, and measures the time of each step.
#include "lib/endpoint/call/call_runner.h"

#include <algorithm>
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
#include "lib/endpoint/call/row_finish.h"
#include "lib/endpoint/call/single_flight.h"
#include "lib/endpoint/call/timed_sink.h"
#include "lib/endpoint/call/traced_step.h"
#include "lib/endpoint/kept/group_plan.h"
#include "lib/endpoint/kept/key_sink.h"
#include "lib/result/answer_encoder.h"
#include "lib/result/redacting_sink.h"
#include "lib/rewrite/passes/new_rows.h"
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
                            ResolveCallerSql(sql, endpoint.definition(), endpoint.compiled().query,
                                             snapshot.registry->catalog(), nullptr, endpoint.compiled().FindReads()));
  snapshot.callers_sql->Put(endpoint.revision(), sql, resolved);
  return resolved;
}

// Redacts before the query reads; a redaction that only the caller asked for is that of the rows.
const Redactor* MandatedRedactor(const BoundCall& call) {
  return call.spec.redact_mandated ? &call.redactor() : nullptr;
}

// Whether the answer can be merged with rows that come later. Formats of columns can't: they hold no row by itself.
bool IsMerged(const PlannedCall& planned, const CallSpec& spec) {
  if (spec.format == RowFormat::kArrow || spec.format == RowFormat::kParquet) return false;
  return planned.kept != nullptr && planned.kept->merges && planned.query->top_n_by_time().has_value() &&
         planned.query->top_n_by_time()->limit <= spec.max_rows;
}

void Redact(const Redactor& redactor, QueryExplanation& explanation) {
  for (auto& [pass, text] : explanation.passes) text = redactor.Redact(text);
  for (QueryExplanation::Part& part : explanation.parts) part.text = redactor.Redact(part.text);
  explanation.text = redactor.Redact(explanation.text);
  explanation.kept = redactor.Redact(explanation.kept);
}

}  // namespace

CallRunner::CallRunner(const QueryServiceOptions& options, result::BodyPlace body_place, KeptAnswers* kept)
    : backend_(options.backend),
      recent_(dynamic_cast<RecentRows*>(options.backend)),
      clock_(options.clock),
      guard_(options.guard),
      observer_(options.observer),
      slow_query_(options.slow_query),
      body_place_(std::move(body_place)),
      parquet_(options.parquet),
      capabilities_(options.backend->capabilities()),
      planner_(
          capabilities_.dialect,
          [](int64_t count, std::string_view label, absl::Time now) {
            return IntervalBucketer::Generate(count, label, now);
          },
          capabilities_.reads_googlesql, capabilities_.fragments, capabilities_.redacts, /*finishes_rows=*/true),
      keeper_(backend_, recent_, &planner_, kept),
      groups_(backend_, recent_, kept, clock_, options.groups_kept_above) {}

absl::StatusOr<CallRunner::Plan> CallRunner::MakePlan(const BoundCall& call, bool bare_scans,
                                                      std::optional<int64_t> above, bool whole) const {
  TracedStep step(call.spec.trace.get(), CallStep::kPlan);
  absl::StatusOr<Plan> plan = MakePlanPlainly(call, bare_scans, above, whole);
  step.End({.code = plan.status().code()});
  if (plan.ok() || !call.spec.redact) return plan;
  return RedactError(plan.status(), call.redactor());
}

absl::StatusOr<CallRunner::Plan> CallRunner::MakePlanPlainly(const BoundCall& call, bool bare_scans,
                                                             std::optional<int64_t> above, bool whole) const {
  const absl::Duration start = clock_->Monotonic();
  std::shared_ptr<ResolvedQuery> callers;
  if (!call.spec.sql.empty()) {
    LOGQUERY_ASSIGN_OR_RETURN(callers, ResolveCallers(call));
  }
  const absl::Duration parsed = clock_->Monotonic();
  Plan plan;
  rewrite::ParameterValues values = ValuesOf(call);
  if (above) values.insert_or_assign(rewrite::kAbovePlace, Value::Int64(*above));
  LOGQUERY_ASSIGN_OR_RETURN(plan.planned, planner_.Plan(callers != nullptr ? *callers : call.resolved(),
                                                        std::move(values), MandatedRedactor(call), bare_scans, whole));
  plan.callers = std::move(callers);
  plan.time_limit = call.spec.time_limit;
  plan.parse_time = parsed - start;
  plan.plan_time = clock_->Monotonic() - parsed;
  return plan;
}

absl::Status CallRunner::Execute(const BoundCall& call, const Plan& plan, const CancellationToken& cancellation,
                                 BatchSink& sink, QueryAnswer& answer, Passed* passed) const {
  const PreparedQuery& query = *plan.planned.query;
  FinishingSink finishing(plan.planned.finish.get(), &sink);
  std::optional<CursorSink> pages;
  if (plan.planned.page) pages.emplace(*plan.planned.page, &finishing);
  CappingSink capped(call.spec.max_rows, pages ? static_cast<BatchSink*>(&*pages) : &finishing);
  ExecutionLimits limits;
  limits.time_limit = plan.time_limit;
  limits.max_rows = call.spec.max_rows + 1;
  limits.tags = call.spec.tags;
  // The plan says nothing about the run over new rows, but only such a run has their place.
  const bool wants_keys =
      passed != nullptr && plan.planned.page && (plan.new_rows || IsMerged(plan.planned, call.spec));
  KeySink all(plan.planned.page, wants_keys, &capped);
  LOGQUERY_ASSIGN_OR_RETURN(const GuardedRun run, GuardedRun::Enter(guard_, call, limits.time_limit, cancellation));
  TracedStep step(call.spec.trace.get(), CallStep::kExecute);
  limits.tags.traceparent = step.Traceparent(limits.tags.traceparent);
  const absl::Duration start = clock_->Monotonic();
  absl::Status status = run.Outcome(backend_->Execute(query, plan.planned.bindings, limits, run.cancellation(), all));
  step.End({.code = status.code(), .rows = capped.rows()});
  if (plan.callers != nullptr) status = PlaceRowError(*plan.callers, std::move(status));
  answer.execute_time = clock_->Monotonic() - start;
  answer.parse_time = plan.parse_time;
  answer.plan_time = plan.plan_time;
  answer.rows = capped.rows();
  answer.truncated = capped.truncated();
  answer.schema = plan.planned.schema();
  const bool full = capped.truncated() || (query.top_n_by_time() && capped.rows() == query.top_n_by_time()->limit);
  if (pages && pages->end() && full && !call.HidesPages(pages->end()->id)) {
    answer.next_cursor = FormatCursor(*pages->end());
  }
  const int64_t most = query.top_n_by_time() ? std::min(query.top_n_by_time()->limit, limits.max_rows) : 0;
  if (passed != nullptr && most > 0 && all.rows() == most) passed->last_time = all.last();
  if (wants_keys) passed->keys = all.TakeKeys();
  answer.ignored_parameters = call.bound.ignored();
  answer.window = FindCutWindow(call.definition(), call.bound);
  answer.revision = call.definition().revision;
  answer.receipt =
      MakeReceipt(plan.planned, call.spec, capabilities_.engine, call.resolved().redaction, capped.marks());
  return call.spec.redact ? RedactError(status, call.redactor()) : status;
}

absl::StatusOr<std::unique_ptr<result::AnswerEncoder>> CallRunner::MakeEncoder(const BoundCall& call,
                                                                               const Plan& plan) const {
  EncodeOptions encode;
  encode.format = call.spec.format;
  encode.csv_safe = call.spec.csv_safe;
  encode.int64_as_string = call.spec.int64_as_string;
  encode.max_bytes = call.spec.max_result_bytes;
  return result::AnswerEncoder::Create(plan.planned.schema(), encode, body_place_, parquet_);
}

absl::Status CallRunner::Encode(const BoundCall& call, const Plan& plan, const CancellationToken& cancellation,
                                QueryAnswer& answer, Passed* passed) const {
  LOGQUERY_ASSIGN_OR_RETURN(const std::unique_ptr<result::AnswerEncoder> encoder, MakeEncoder(call, plan));
  // Redaction is a step of its own before the encoder, so that each has its time.
  TimedSink encoding(clock_, &encoder->rows());
  result::RedactingSink redacting(&call.redactor(), &encoding);
  TracedStep step(call.spec.trace.get(), CallStep::kEncode, false);
  TimedSink sinks(clock_, call.spec.redact ? static_cast<BatchSink*>(&redacting) : &encoding,
                  [&step] { step.Begin(); });
  LOGQUERY_RETURN_IF_ERROR(Execute(call, plan, cancellation, sinks, answer, passed));
  step.Begin();
  const absl::Duration encoded = clock_->Monotonic();
  LOGQUERY_RETURN_IF_ERROR(encoder->Finish(answer));
  LOGQUERY_RETURN_IF_ERROR(SetDigest(answer));
  answer.encode_time = encoding.time() + (clock_->Monotonic() - encoded);
  if (call.spec.redact) answer.redact_time = sinks.time() - encoding.time();
  answer.execute_time -= sinks.time();
  step.End({.busy = answer.encode_time + answer.redact_time});
  return absl::OkStatus();
}

absl::StatusOr<QueryAnswer> CallRunner::RunPlanned(const BoundCall& call, RunPlan run) const {
  LOGQUERY_ASSIGN_OR_RETURN(Plan plan, MakePlan(call));
  return RunPlanned(call, std::move(plan), run);
}

absl::StatusOr<QueryAnswer> CallRunner::RunPlanned(const BoundCall& call, Plan plan, RunPlan run) const {
  const absl::Duration start = clock_->Monotonic();
  for (bool is_bare = false;; is_bare = true) {
    QueryAnswer answer;
    const ObservedQuery observed(observer_, call, plan.planned.variant, slow_query_);
    const absl::Status status = run(plan, answer);
    answer.query_id = observed.id();
    observed.End(status, answer);
    if (status.ok()) return answer;
    if (is_bare || !base::IsEngineFailure(status)) return status;
    observed.TellEngineFailure(status);
    absl::StatusOr<Plan> bare = MakePlan(call, /*bare_scans=*/true);
    if (!bare.ok()) return status;
    plan = *std::move(bare);
    plan.time_limit -= clock_->Monotonic() - start;
  }
}

std::optional<CachedAnswer> CallRunner::FindKept(const BoundCall& call) const {
  const absl::StatusOr<Plan> plan = MakePlan(call);
  if (!plan.ok()) return std::nullopt;
  AnswerKeeper::Look look = keeper_.FindKnown(call, plan->planned);
  if (!look.answer) return std::nullopt;
  CachedAnswer found{*std::move(look.answer), call.bound_at};
  Complete(call, *plan, look.state, found.answer);
  return found;
}

absl::StatusOr<CachedAnswer> CallRunner::MakeAnswer(const BoundCall& call,
                                                    const CancellationToken& cancellation) const {
  CachedAnswer made;
  made.bound_at = call.bound_at;
  LOGQUERY_ASSIGN_OR_RETURN(Plan plan, MakePlan(call));
  const PlannedCall planned = plan.planned;
  AnswerKeeper::Look look = keeper_.Begin(call, planned, cancellation);
  if (look.answer.has_value()) {
    made.answer = *std::move(look.answer);
    Complete(call, plan, look.state, made.answer);
    return made;
  }
  Passed passed;
  if (look.older != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(std::optional<QueryAnswer> merged, AddNewRows(call, plan, look, cancellation, passed));
    if (merged) {
      made.answer = *std::move(merged);
      keeper_.Keep(std::move(look), planned, made.answer, std::move(passed));
      return made;
    }
  }
  if (planned.groups != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(std::optional<QueryAnswer> answer, RunGroups(call, plan, look, cancellation));
    if (answer) {
      made.answer = *std::move(answer);
      keeper_.Keep(std::move(look), planned, made.answer, Passed());
      return made;
    }
  }
  LOGQUERY_ASSIGN_OR_RETURN(made.answer, RunPlanned(call, std::move(plan), [&](const Plan& run, QueryAnswer& answer) {
                              passed = Passed();
                              return Encode(call, run, cancellation, answer, &passed);
                            }));
  if (!look.key.empty()) groups_.Note(call, planned, look.clears, made.answer.execute_time);
  keeper_.Keep(std::move(look), planned, made.answer, std::move(passed));
  return made;
}

absl::StatusOr<QueryAnswer> CallRunner::RunInto(const BoundCall& call, const CancellationToken& cancellation,
                                                BatchSink& sink, int64_t& rows) const {
  result::RedactingSink redacting(&call.redactor(), &sink);
  BatchSink& into = call.spec.redact ? static_cast<BatchSink&>(redacting) : sink;
  return RunPlanned(call, [&](const Plan& plan, QueryAnswer& answer) {
    sink.Begin({plan.planned.schema(), plan.time_limit});
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
  if (plan.planned.kept != nullptr) explanation.kept = plan.planned.kept->text;
  if (plan.planned.groups != nullptr) explanation.kept += "; groups by time: those that change are computed again";
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
  // The caller gets the rows from the engine itself.
  LOGQUERY_ASSIGN_OR_RETURN(const Plan plan,
                            MakePlan(call, /*bare_scans=*/false, /*above=*/std::nullopt, /*whole=*/true));
  return plan.planned.query;
}

}  // namespace logquery::endpoint
