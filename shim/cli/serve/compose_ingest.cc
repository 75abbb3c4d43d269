// Finds the log that a request is for, whether its token may write it, and hands its events to the store's writer.
#include "shim/cli/serve/compose_ingest.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "logquery/store/duckdb_backend.h"
#include "logquery/store/ingest.h"
#include "logquery/store/learned_fields.h"
#include "logquery/store/split_events.h"
#include "shim/cli/serve/compose_sources.h"
#include "shim/http/logs/ingest_quota.h"
#include "shim/http/logs/new_sources.h"

namespace logquery::shim {
namespace {

// Of the rows of one body, where they are made anew; half of all memory at most, so that the body fits beside them.
constexpr int64_t kMaxMadeBytes = 128 << 20;

EventShape ShapeOf(EventForm form) {
  switch (form) {
    case EventForm::kLogs:
      break;
    case EventForm::kCloudflare:
      return EventShape::kCloudflare;
    case EventForm::kJson:
      return EventShape::kObject;
    case EventForm::kVector:
      return EventShape::kVector;
    case EventForm::kOtlp:
      return EventShape::kOtlp;
    case EventForm::kOtlpProtobuf:
      return EventShape::kOtlpProtobuf;
  }
  return EventShape::kRow;
}

class StoreRoom : public LogIngest::Room {
 public:
  explicit StoreRoom(std::unique_ptr<Ingest::Reservation> held) : held_(std::move(held)) {}
  bool Grow(int64_t bytes) override { return held_->Grow(bytes); }

 private:
  const std::unique_ptr<Ingest::Reservation> held_;
};

class StoreIngest : public LogIngest {
 public:
  StoreIngest(DuckDbBackend* backend, std::unique_ptr<SourceLogs> sources, const IngestOptions& options)
      : backend_(backend),
        sources_(std::move(sources)),
        max_bytes_(options.max_bytes),
        quota_(options.clock),
        writer_(Ingest::Create(options, &backend->store())) {
    writer_->Start();
  }

  absl::StatusOr<std::unique_ptr<Room>> Reserve(const Principal& principal, int64_t bytes) override {
    LOGQUERY_ASSIGN_OR_RETURN(std::unique_ptr<Ingest::Reservation> held, writer_->Reserve(bytes, principal.token_id));
    return std::make_unique<StoreRoom>(std::move(held));
  }

  absl::Status CheckSource(const Principal& principal, std::string_view source) override {
    return sources_->Check(principal, source);
  }

  absl::StatusOr<IngestAnswer> Take(const IngestCall& call) override {
    LOGQUERY_RETURN_IF_ERROR(CheckSource(call.principal, call.source));
    SplitOptions split;
    split.shape = ShapeOf(call.form);
    split.by_lines = call.by_lines;
    split.max_made_bytes = static_cast<size_t>(std::min(kMaxMadeBytes, max_bytes_ / 2));
    split.grow = [&call](size_t bytes) { return call.grow == nullptr || call.grow(static_cast<int64_t>(bytes)); };
    LOGQUERY_ASSIGN_OR_RETURN(const EventTexts events, SplitEvents(call.body, split));
    IngestAnswer answer;
    answer.broken = events.broken;
    answer.warning = events.warning;
    if (events.rows.empty()) return answer;
    // A body without events makes no log, so there is nowhere to keep it.
    if (!events.broken.empty() && sources_->IsNew(call.principal, call.source)) {
      return absl::InvalidArgumentError(events.broken);
    }
    LOGQUERY_ASSIGN_OR_RETURN(EventOutcome outcome, Append(call, events));
    answer.rows = outcome.rows;
    answer.repeated = outcome.repeated;
    answer.rejected_rows = outcome.rejected_rows;
    for (RejectedEvent& event : outcome.rejected) answer.rejected.push_back({event.index, std::move(event.reason)});
    for (MisfitValues& misfit : outcome.misfits) {
      answer.misfits.push_back({std::move(misfit.field), std::move(misfit.type), misfit.values});
    }
    return answer;
  }

  IngestCounters counters() const override {
    const IngestState state = writer_->state();
    IngestCounters counters;
    counters.requests = state.requests;
    counters.rows = state.rows;
    counters.rejected_rows = state.rejected_rows;
    counters.refused_requests = state.refused;
    const RejectedEventsState rejected = backend_->rejected_events();
    counters.rejected_bytes = rejected.bytes;
    counters.rejected_removed = rejected.removed_rows;
    counters.batches = state.batches;
    counters.misfit_values = CountMisfits(*backend_);
    counters.bytes_held = state.held_bytes;
    counters.lag = state.lag;
    return counters;
  }

  std::vector<std::string> sources(const Principal& principal) const override { return sources_->Names(principal); }

  void Stop() override { writer_->Stop(); }

 private:
  // Stores the events within the token's quota. Events that are not stored, or were stored before, do not count.
  absl::StatusOr<EventOutcome> Append(const IngestCall& call, const EventTexts& events) {
    const std::string& token_id = call.principal.token_id;
    LOGQUERY_ASSIGN_OR_RETURN(const IngestQuota::Charge charge,
                              quota_.Take(token_id, *call.principal.ingest, static_cast<int64_t>(events.rows.size()),
                                          static_cast<int64_t>(call.body.size())));
    absl::StatusOr<EventOutcome> outcome = AppendCharged(call, events);
    if (!outcome.ok() || outcome->repeated) quota_.GiveBack(token_id, charge);
    return outcome;
  }

  absl::StatusOr<EventOutcome> AppendCharged(const IngestCall& call, const EventTexts& events) {
    IngestRequest request;
    LOGQUERY_ASSIGN_OR_RETURN(request.table, sources_->FindOrMake(call.principal, call.source));
    request.is_reserved = true;
    request.part.rows = events.rows;
    request.part.refused = events.refused;
    request.part.sender = call.principal.token_id;
    request.part.key = call.idempotency_key;
    request.part.project = call.principal.project_scope.value_or("");
    request.part.may_learn = call.principal.ingest->may_learn;
    return writer_->Append(request);
  }

  DuckDbBackend* const backend_;
  const std::unique_ptr<SourceLogs> sources_;
  const int64_t max_bytes_;
  IngestQuota quota_;
  const std::unique_ptr<Ingest> writer_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<LogIngest>> MakeIngest(DuckDbBackend& backend, IngestSettings settings) {
  IngestOptions options;
  options.max_bytes = settings.max_bytes;
  options.max_requests = settings.max_requests;
  if (!settings.declare) {
    settings.declare = [&backend](const std::string& source, const std::string& json) {
      return backend.DeclareLogs(source, json);
    };
  }
  LOGQUERY_ASSIGN_OR_RETURN(std::unique_ptr<SourceLogs> sources,
                            SourceLogs::Create(&backend, std::move(settings.source_ids),
                                               NewSources(settings.max_new_logs, std::move(settings.declare))));
  return std::make_unique<StoreIngest>(&backend, std::move(sources), options);
}

}  // namespace logquery::shim
