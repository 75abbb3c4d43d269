// Brings answers up to date: with new rows, which are merged with the rows of a kept answer, or with groups of which only
// those that changed are computed.
#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "lib/base/status_macros.h"
#include "lib/endpoint/call/call_runner.h"
#include "lib/endpoint/call/cursor.h"
#include "lib/endpoint/call/guarded_run.h"
#include "lib/endpoint/call/packed_answer.h"
#include "lib/endpoint/call/receipt.h"
#include "lib/endpoint/call/retention_window.h"
#include "lib/endpoint/call/row_finish.h"
#include "lib/endpoint/call/single_flight.h"
#include "lib/endpoint/call/timed_sink.h"
#include "lib/endpoint/kept/group_plan.h"
#include "lib/endpoint/kept/key_sink.h"
#include "lib/result/redacting_sink.h"
#include "lib/rewrite/passes/new_rows.h"

namespace logquery::endpoint {
namespace {

// The last of GoogleSQL's times.
constexpr int64_t kLastTime = 253'402'300'799'999'999;
constexpr int64_t kNoTime = std::numeric_limits<int64_t>::max();

// Lets the query read no rows before this time, in microseconds.
void SetFloor(int64_t time, PlannedCall& planned) {
  const std::vector<Slot>& slots = planned.query->slots();
  for (size_t i = 0; i < slots.size(); ++i) {
    if (slots[i].name == rewrite::kFloorParameter) planned.bindings[i] = Value::Timestamp(absl::FromUnixMicros(time));
  }
}

// The time before which no row is in the answer, because the kept one is full; nullopt: it is not.
std::optional<int64_t> FloorOf(const Mergeable& kept, int64_t limit) {
  const bool is_full = !kept.keys.empty() && static_cast<int64_t>(kept.keys.size()) >= limit;
  return is_full ? std::optional<int64_t>(kept.keys.back().time) : std::nullopt;
}

}  // namespace

absl::StatusOr<std::optional<QueryAnswer>> CallRunner::AddNewRows(const BoundCall& call, const Plan& whole,
                                                                  const AnswerKeeper::Look& look,
                                                                  const CancellationToken& cancellation,
                                                                  Passed& passed) const {
  if (whole.planned.query->top_n_by_time()->limit > call.spec.max_rows) return std::nullopt;
  LOGQUERY_ASSIGN_OR_RETURN(std::optional<QueryAnswer> read, ReadNewRows(call, whole, look, passed));
  if (read) return read;
  return RunNewRows(call, whole, look, cancellation, passed);
}

absl::StatusOr<std::optional<QueryAnswer>> CallRunner::ReadNewRows(const BoundCall& call, const Plan& whole,
                                                                   const AnswerKeeper::Look& look,
                                                                   Passed& passed) const {
  const std::vector<std::string>& columns = whole.planned.kept->plain_columns;
  if (recent_ == nullptr || columns.empty() || !whole.planned.page) return std::nullopt;
  const absl::Duration start = clock_->Monotonic();
  PlannedCall planned = whole.planned;
  const std::optional<int64_t> floor = FloorOf(*look.older->mergeable(), planned.query->top_n_by_time()->limit);
  if (floor) SetFloor(*floor, planned);
  LOGQUERY_ASSIGN_OR_RETURN(const std::unique_ptr<result::AnswerEncoder> encoder, MakeEncoder(call, whole));
  TimedSink encoding(clock_, &encoder->rows());
  result::RedactingSink redacting(&call.redactor(), &encoding);
  TimedSink sinks(clock_, call.spec.redact ? static_cast<BatchSink*>(&redacting) : &encoding);
  FinishingSink finishing(planned.finish.get(), &sinks);
  KeySink keys(planned.page, /*all=*/true, &finishing);
  const absl::StatusOr<bool> read = recent_->ReadAdded(*planned.query, columns, planned.bindings, look.older->moment(),
                                                       {look.completed, look.state.text}, keys);
  // An error is that of a sink, such as too long a body: the whole query may have fewer rows.
  if (!read.ok() || !*read) return std::nullopt;
  const absl::Duration executed = clock_->Monotonic();
  QueryAnswer added;
  LOGQUERY_RETURN_IF_ERROR(encoder->Finish(added));
  passed = Passed();
  passed.keys = keys.TakeKeys();
  passed.is_of_state = true;
  added.schema = planned.schema();
  added.revision = call.definition().revision;
  added.ignored_parameters = call.bound.ignored();
  added.window = FindCutWindow(call.definition(), call.bound);
  if (!MergeNewRows(call, whole, look, kNoTime, added, passed)) return std::nullopt;
  LOGQUERY_RETURN_IF_ERROR(SetDigest(added));
  added.parse_time = whole.parse_time;
  added.plan_time = whole.plan_time;
  added.execute_time = executed - start - sinks.time();
  added.encode_time = encoding.time() + (clock_->Monotonic() - executed);
  if (call.spec.redact) added.redact_time = sinks.time() - encoding.time();
  return std::optional<QueryAnswer>(std::move(added));
}

absl::StatusOr<std::optional<QueryAnswer>> CallRunner::RunNewRows(const BoundCall& call, const Plan& whole,
                                                                  const AnswerKeeper::Look& look,
                                                                  const CancellationToken& cancellation,
                                                                  Passed& passed) const {
  if (recent_ == nullptr) return std::nullopt;
  const PreparedQuery& query = *whole.planned.query;
  const auto earliest_added = [&]() -> std::optional<int64_t> {
    const std::optional<absl::Time> time = recent_->EarliestAdded(query, whole.planned.bindings, look.older->moment());
    if (!time || *time == absl::InfinitePast()) return std::nullopt;
    return *time == absl::InfiniteFuture() ? kLastTime : absl::ToUnixMicros(*time);
  };
  const int64_t limit = query.top_n_by_time()->limit;
  const std::optional<int64_t> earliest = earliest_added(), floor = FloorOf(*look.older->mergeable(), limit);
  if (!earliest) return std::nullopt;
  const int64_t from = std::max(*earliest, floor.value_or(*earliest));
  // All rows from that time on are read again, whatever their places.
  absl::StatusOr<Plan> plan = MakePlan(call, /*bare_scans=*/false, /*above=*/-1);
  if (!plan.ok()) return std::nullopt;
  plan->new_rows = true;
  SetFloor(from, plan->planned);
  absl::StatusOr<QueryAnswer> added = RunPlanned(call, *std::move(plan), [&](const Plan& run, QueryAnswer& answer) {
    passed = Passed();
    return Encode(call, run, cancellation, answer, &passed);
  });
  // An error of a row, which may be one that the whole query does not reach.
  if (absl::IsInvalidArgument(added.status())) return std::nullopt;
  LOGQUERY_RETURN_IF_ERROR(added.status());
  // More rows than the answer may have come in any order, and are not all.
  if (!passed.keys.has_value() || static_cast<int64_t>(passed.keys->size()) > limit) return std::nullopt;
  // The query may have read rows of a later state: then the kept rows before `from` must be those of that state, too.
  const std::optional<int64_t> earliest_read = earliest_added();
  const bool keeps_some = !floor || from > *floor;
  if (!earliest_read || (keeps_some && *earliest_read < from)) return std::nullopt;
  if (!MergeNewRows(call, whole, look, from, *added, passed)) return std::nullopt;
  LOGQUERY_RETURN_IF_ERROR(SetDigest(*added));
  added->parse_time += whole.parse_time;
  added->plan_time += whole.plan_time;
  return std::optional<QueryAnswer>(*std::move(added));
}

bool CallRunner::MergeNewRows(const BoundCall& call, const Plan& whole, const AnswerKeeper::Look& look, int64_t from,
                              QueryAnswer& added, Passed& passed) const {
  if (!keeper_.Merge(look, whole.planned, call.spec.format, from, added, passed)) return false;
  const auto bytes = static_cast<int64_t>(added.body.size());
  if (bytes > call.spec.max_result_bytes || bytes > body_place_.memory_bytes) return false;
  added.next_cursor.clear();
  const bool full = added.rows == whole.planned.query->top_n_by_time()->limit;
  if (full && !call.HidesPages(passed.keys->back().id)) {
    const RowKey& last = passed.keys->back();
    added.next_cursor = FormatCursor({absl::FromUnixMicros(last.time), last.id});
  }
  added.receipt =
      MakeReceipt(whole.planned, call.spec, capabilities_.engine, call.resolved().redaction, look.state.marks);
  return true;
}

absl::StatusOr<std::optional<QueryAnswer>> CallRunner::RunGroups(const BoundCall& call, const Plan& whole,
                                                                 const AnswerKeeper::Look& look,
                                                                 const CancellationToken& cancellation) const {
  const absl::Duration start = clock_->Monotonic();
  const auto run = [&](const PreparedQuery& query, const Bindings& bindings, BatchSink& sink) {
    ExecutionLimits limits;
    limits.time_limit = whole.time_limit - (clock_->Monotonic() - start);
    limits.tags = call.spec.tags;
    LOGQUERY_ASSIGN_OR_RETURN(const GuardedRun guarded,
                              GuardedRun::Enter(guard_, call, limits.time_limit, cancellation));
    return guarded.Outcome(backend_->Execute(query, bindings, limits, guarded.cancellation(), sink));
  };
  const auto find_end = [&] { return keeper_.FindEnd(call, whole.planned, look.state, cancellation); };
  LOGQUERY_ASSIGN_OR_RETURN(std::optional<GroupKeeper::Found> groups,
                            groups_.Find(call, whole.planned, look, find_end, run));
  if (!groups) return std::nullopt;
  const absl::Duration found = clock_->Monotonic() - start;
  Plan rest = whole;
  rest.planned.query = groups->query;
  rest.planned.bindings = groups->bindings;
  rest.planned.variant += " groups";
  rest.planned.page.reset();
  rest.time_limit -= found;
  absl::StatusOr<QueryAnswer> answer = RunPlanned(call, std::move(rest), [&](const Plan& plan, QueryAnswer& made) {
    return Encode(call, plan, cancellation, made, nullptr);
  });
  if (absl::IsInvalidArgument(answer.status())) return std::nullopt;
  LOGQUERY_RETURN_IF_ERROR(answer.status());
  if (!groups_.Finish(whole.planned, look, *std::move(groups))) return std::nullopt;
  answer->execute_time += found;
  answer->receipt =
      MakeReceipt(whole.planned, call.spec, capabilities_.engine, call.resolved().redaction, look.state.marks);
  return std::optional<QueryAnswer>(*std::move(answer));
}

void CallRunner::Complete(const BoundCall& call, const Plan& plan, const RowsState& state, QueryAnswer& answer) const {
  ClearTimes(answer);
  answer.parse_time = plan.parse_time;
  answer.plan_time = plan.plan_time;
  answer.cache = CacheUse::kCurrent;
  answer.ignored_parameters = call.bound.ignored();
  answer.window = FindCutWindow(call.definition(), call.bound);
  answer.receipt = MakeReceipt(plan.planned, call.spec, capabilities_.engine, call.resolved().redaction, state.marks);
}

}  // namespace logquery::endpoint
