// The time of day is read once: all spans of a request are placed by the monotonic clock, so that their order holds when
// the machine's time is set.
#include "shim/observe/request_trace.h"

#include <optional>
#include <utility>

#include "absl/status/status.h"

namespace logquery::shim {
namespace {

const char* NameOf(CallStep step) {
  switch (step) {
    case CallStep::kQueue:
      return "queue";
    case CallStep::kWait:
      return "wait";
    case CallStep::kPlan:
      return "plan";
    case CallStep::kExecute:
      return "execute";
    case CallStep::kEncode:
      return "encode";
    case CallStep::kCompress:
      return "compress";
  }
  return "step";
}

}  // namespace

RequestTrace::RequestTrace(TraceContext context, TakeSpans take, const Clock* clock)
    : context_(std::move(context)),
      take_(std::move(take)),
      clock_(clock),
      begin_monotonic_(clock->Monotonic()),
      begin_(clock->Now()) {}

int RequestTrace::Begin(CallStep step) noexcept {
  const absl::Duration now = clock_->Monotonic();
  absl::MutexLock lock(&mutex_);
  if (steps_.size() >= kMaxSteps) return -1;
  steps_.push_back({step, NewSpanId(), now});
  return static_cast<int>(steps_.size()) - 1;
}

void RequestTrace::End(int step, const CallStepEnd& end) noexcept {
  if (step < 0) return;
  std::vector<Span> late;
  {
    absl::MutexLock lock(&mutex_);
    std::vector<Span>& to = finished_ ? late : ended_;
    to.push_back(SpanOf(steps_[static_cast<size_t>(step)], end));
  }
  if (!late.empty()) take_(std::move(late));
}

std::string RequestTrace::Traceparent(int step) const {
  TraceContext context = context_;
  if (step >= 0) {
    absl::MutexLock lock(&mutex_);
    context.span_id = steps_[static_cast<size_t>(step)].span_id;
  }
  return context.Traceparent();
}

Span RequestTrace::SpanOf(const Step& step, const CallStepEnd& end) const {
  Span span;
  span.trace_id = context_.trace_id;
  span.span_id = step.span_id;
  span.parent_id = context_.span_id;
  span.name = NameOf(step.step);
  span.start = At(step.start);
  span.end = At(clock_->Monotonic());
  if (end.rows >= 0) span.attributes.emplace_back("logquery.rows", end.rows);
  if (end.busy > absl::ZeroDuration()) {
    span.attributes.emplace_back("logquery.busy_ms", absl::ToDoubleMilliseconds(end.busy));
  }
  span.failed = end.code != absl::StatusCode::kOk;
  if (span.failed) span.attributes.emplace_back("error.type", absl::StatusCodeToString(end.code));
  if (const std::optional<TraceContext> awaited = ContinueTrace(end.awaited)) {
    span.links.push_back({awaited->trace_id, awaited->parent_id});
  }
  return span;
}

void RequestTrace::Finish(Span request, absl::Duration begin, absl::Duration end) {
  request.trace_id = context_.trace_id;
  request.span_id = context_.span_id;
  request.parent_id = context_.parent_id;
  request.is_server = true;
  request.start = At(begin);
  request.end = At(end);
  std::vector<Span> spans;
  {
    absl::MutexLock lock(&mutex_);
    finished_ = true;
    spans = std::move(ended_);
  }
  spans.insert(spans.begin(), std::move(request));
  take_(std::move(spans));
}

}  // namespace logquery::shim
