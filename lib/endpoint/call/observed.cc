// Builds events from the state of calls.
#include "lib/endpoint/call/observed.h"

#include <atomic>

#include "lib/result/body_builder.h"
#include "logquery/call_labels.h"

namespace logquery {

CallOrigin OriginOf(const CallTarget& target, std::string_view call_id) {
  CallOrigin origin;
  origin.endpoint = target.definition->name;
  origin.endpoint_id = target.definition->id;
  origin.client = target.principal.label;
  origin.token_id = target.principal.token_id;
  if (target.principal.project_scope) origin.project = *target.principal.project_scope;
  origin.call_id = call_id;
  return origin;
}

namespace endpoint {
namespace {

CallOrigin OriginOfBound(const BoundCall& call) {
  CallOrigin origin;
  origin.endpoint = call.definition().name;
  origin.endpoint_id = call.definition().id;
  origin.client = call.spec.client;
  origin.token_id = call.spec.token_id;
  if (call.spec.project_scope) origin.project = *call.spec.project_scope;
  origin.call_id = call.spec.call_id;
  return origin;
}

void SetTimes(const QueryAnswer& answer, CallTimes& times) {
  times.parse = answer.parse_time;
  times.plan = answer.plan_time;
  times.execute = answer.execute_time;
  times.redact = answer.redact_time;
  times.encode = answer.encode_time;
}

bool SendsSql(const QueryRequest& request) {
  for (const auto& [name, text] : request.parameters) {
    if (name == "sql" && !text.empty()) return true;
  }
  return false;
}

QueryEvent::End EndOf(absl::StatusCode code) {
  if (code == absl::StatusCode::kOk) return QueryEvent::End::kDone;
  if (code == absl::StatusCode::kDeadlineExceeded) return QueryEvent::End::kDeadline;
  return code == absl::StatusCode::kCancelled ? QueryEvent::End::kCancelled : QueryEvent::End::kFailed;
}

uint64_t NextQueryId() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}

}  // namespace

ObservedCall::ObservedCall(ServiceObserver* observer, const Clock* clock, const CallTarget& target,
                           const QueryRequest& request)
    : observer_(observer), clock_(clock), target_(target), request_(request) {
  if (observer_ != nullptr) begin_ = clock_->Monotonic();
}

CallEvent ObservedCall::Event(absl::StatusCode code) const {
  CallEvent event;
  event.origin = OriginOf(target_, request_.call_id);
  event.code = code;
  event.admitted = admitted_;
  event.callers_sql = SendsSql(request_);
  event.redacted = request_.redact_pii || target_.MandatesRedaction();
  event.labels = LabelsOf(target_.principal, *target_.definition, request_);
  event.times.queued = request_.queued;
  event.total = clock_->Monotonic() - begin_;
  return event;
}

void ObservedCall::End(const absl::StatusOr<QueryAnswer>& answer) const {
  if (observer_ == nullptr) return;
  CallEvent event = Event(answer.status().code());
  if (answer.ok()) {
    SetTimes(*answer, event.times);
    event.cache = answer->cache;
    event.query_id = answer->query_id;
    event.rows = answer->rows;
    event.bytes = result::BodyBytes(*answer);
    event.truncated = answer->truncated;
  }
  observer_->OnCall(event);
}

void ObservedCall::EndDryRun(const absl::Status& status) const {
  if (observer_ == nullptr) return;
  CallEvent event = Event(status.code());
  event.dry_run = true;
  observer_->OnCall(event);
}

void TellRejected(ServiceObserver* observer, const Principal* principal, std::string_view endpoint,
                  absl::StatusCode code) {
  if (observer == nullptr) return;
  CallEvent event;
  event.origin.endpoint = endpoint;
  if (principal != nullptr) {
    event.origin.client = principal->label;
    event.origin.token_id = principal->token_id;
    if (principal->project_scope) event.origin.project = *principal->project_scope;
    event.redacted = principal->redact_pii;
  }
  event.code = code;
  observer->OnCall(event);
}

void TellCache(ServiceObserver* observer, CacheEvent::Kind kind, const BoundCall& call, absl::Duration age) {
  if (observer == nullptr) return;
  observer->OnCache({OriginOfBound(call), kind, age});
}

ObservedQuery::ObservedQuery(ServiceObserver* observer, const BoundCall& call, std::string_view variant,
                             absl::Duration slow)
    : observer_(observer), call_(call), variant_(variant), slow_(slow), id_(NextQueryId()) {
  if (observer_ != nullptr) observer_->OnQueryStart(Event());
}

QueryEvent ObservedQuery::Event() const {
  QueryEvent event;
  event.origin = OriginOfBound(call_);
  event.query_id = id_;
  event.variant = variant_;
  if (call_.spec.sql.empty()) event.definition = call_.definition().query;
  event.warming = call_.background;
  return event;
}

void ObservedQuery::End(const absl::Status& status, const QueryAnswer& answer) const {
  if (observer_ == nullptr) return;
  QueryEvent event = Event();
  event.code = status.code();
  event.end = EndOf(status.code());
  SetTimes(answer, event.times);
  event.slow = event.times.execute >= slow_;
  event.rows = answer.rows;
  event.bytes = status.ok() ? result::BodyBytes(answer) : 0;
  observer_->OnQueryEnd(event);
}

void ObservedQuery::TellEngineFailure(const absl::Status& status) const {
  if (observer_ == nullptr) return;
  observer_->OnEngineFailure({OriginOfBound(call_), id_, status});
}

}  // namespace endpoint
}  // namespace logquery
