// An admission keeps the table that Admit found, so that Append looks for a source again only if it has to make its log.
#include "logquery/serving/log_receiver.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/serving/store/ingest_quota.h"
#include "lib/serving/store/new_sources.h"
#include "lib/serving/store/source_logs.h"
#include "logquery/catalog.h"
#include "logquery/store/duckdb_backend.h"
#include "logquery/store/learned_fields.h"

namespace logquery {
namespace {

// Limits the rows that one body is converted to; half of all memory at most, so that the body fits beside them.
constexpr int64_t kMaxMadeBytes = 128 << 20;

class Admission : public LogAdmission {
 public:
  Admission(const Principal& principal, std::string_view source, std::string table,
            std::unique_ptr<Ingest::Reservation> held)
      : principal_(principal), source_(source), table_(std::move(table)), held_(std::move(held)) {}

  const Principal& principal() const override { return principal_; }
  bool Grow(int64_t bytes) override { return held_->Grow(bytes); }
  const std::string& source() const { return source_; }
  // Empty: the source may become a log.
  const std::string& table() const { return table_; }

 private:
  const Principal principal_;
  const std::string source_;
  const std::string table_;
  const std::unique_ptr<Ingest::Reservation> held_;
};

class LogReceiverImpl : public LogReceiver {
 public:
  LogReceiverImpl(DuckDbBackend* backend, std::unique_ptr<serving::SourceLogs> sources, const IngestOptions& options)
      : backend_(backend),
        sources_(std::move(sources)),
        max_made_bytes_(std::min(kMaxMadeBytes, options.max_bytes / 2)),
        quota_(options.clock),
        writer_(Ingest::Create(options, &backend->store())) {}

  absl::Status Start() { return writer_->Start(); }

  absl::StatusOr<std::unique_ptr<LogAdmission>> Admit(const Principal& principal, std::string_view source,
                                                      int64_t bytes) override {
    LOGQUERY_ASSIGN_OR_RETURN(std::string table, sources_->Find(principal, source));
    LOGQUERY_ASSIGN_OR_RETURN(std::unique_ptr<Ingest::Reservation> held, writer_->Reserve(bytes, principal.token_id));
    return std::make_unique<Admission>(principal, source, std::move(table), std::move(held));
  }

  absl::StatusOr<ReceivedLogs> Append(LogAdmission& admission, const LogBody& body) override {
    const auto& admitted = static_cast<const Admission&>(admission);
    SplitOptions split;
    split.shape = body.shape;
    // A log whose time is a field of Logpush's entries declares their fields, so that they are its rows.
    if (split.shape == EventShape::kCloudflare && !admitted.table().empty() &&
        sources_->TimeColumn(admitted.table()) != "timestamp") {
      split.shape = EventShape::kRow;
    }
    split.by_lines = body.by_lines;
    split.attributes = body.attributes;
    const bool is_cloud_event = split.shape == EventShape::kCloudEvent || split.shape == EventShape::kCloudEventData;
    if (is_cloud_event && !admitted.table().empty()) {
      split.log.time_field = sources_->TimeColumn(admitted.table());
      split.log.has_message = sources_->HasColumn(admitted.table(), "event_message");
      // Endpoints show metadata of the built-in logs, and no other fields.
      static const auto* const built_in = new Catalog(Catalog::DeclaredLogs());
      split.log.in_metadata = built_in->Find(admitted.table()) != nullptr;
    }
    split.max_made_bytes = static_cast<size_t>(max_made_bytes_);
    split.grow = [&admission](size_t bytes) { return admission.Grow(static_cast<int64_t>(bytes)); };
    LOGQUERY_ASSIGN_OR_RETURN(const EventTexts events, SplitEvents(body.text, split));
    ReceivedLogs received;
    received.broken = events.broken;
    received.warning = events.warning;
    if (events.rows.empty()) return received;
    // A body without events makes no log, so there is nowhere to keep it.
    if (!events.broken.empty() && admitted.table().empty()) return absl::InvalidArgumentError(events.broken);
    LOGQUERY_ASSIGN_OR_RETURN(EventOutcome outcome, AppendWithinQuota(admitted, body, events));
    received.rows = outcome.rows;
    received.repeated = outcome.repeated;
    received.rejected_rows = outcome.rejected_rows;
    received.rejected = std::move(outcome.rejected);
    received.misfits = std::move(outcome.misfits);
    received.rejected_by_reason = std::move(outcome.rejected_by_reason);
    return received;
  }

  std::vector<std::string> Sources(const Principal& principal) const override { return sources_->Names(principal); }

  LogReceiverState state() const override {
    const RejectedEventsState rejected = backend_->rejected_events();
    return {writer_->state(), CountMisfits(*backend_), rejected.bytes, rejected.removed_rows};
  }

  void Stop() override { writer_->Stop(); }

 private:
  // Events that are not stored, or were stored before, do not count.
  absl::StatusOr<EventOutcome> AppendWithinQuota(const Admission& admitted, const LogBody& body,
                                                 const EventTexts& events) {
    const Principal& principal = admitted.principal();
    LOGQUERY_ASSIGN_OR_RETURN(
        const serving::IngestQuota::Charge charge,
        quota_.Take(principal.token_id, *principal.ingest, static_cast<int64_t>(events.rows.size()),
                    static_cast<int64_t>(body.text.size())));
    absl::StatusOr<EventOutcome> outcome = AppendCharged(admitted, body, events);
    if (!outcome.ok() || outcome->repeated) quota_.GiveBack(principal.token_id, charge);
    return outcome;
  }

  absl::StatusOr<EventOutcome> AppendCharged(const Admission& admitted, const LogBody& body, const EventTexts& events) {
    const Principal& principal = admitted.principal();
    IngestRequest request;
    request.table = admitted.table();
    if (request.table.empty()) {
      LOGQUERY_ASSIGN_OR_RETURN(request.table, sources_->FindOrMake(principal, admitted.source()));
    }
    request.is_reserved = true;
    request.part.rows = events.rows;
    request.part.refused = events.refused;
    request.part.sender = principal.token_id;
    request.part.key = body.idempotency_key;
    request.part.project = principal.project_scope.value_or("");
    request.part.may_learn = principal.ingest->may_learn;
    return writer_->Append(request);
  }

  DuckDbBackend* const backend_;
  const std::unique_ptr<serving::SourceLogs> sources_;
  const int64_t max_made_bytes_;
  serving::IngestQuota quota_;
  const std::unique_ptr<Ingest> writer_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<LogReceiver>> LogReceiver::Create(DuckDbBackend* backend, LogReceiverOptions options) {
  if (backend == nullptr) return absl::InvalidArgumentError("a receiver of logs needs a backend");
  if (!options.declare) {
    options.declare = [backend](const std::string& source, const std::string& json) {
      return backend->DeclareLogs(source, json);
    };
  }
  LOGQUERY_ASSIGN_OR_RETURN(
      std::unique_ptr<serving::SourceLogs> sources,
      serving::SourceLogs::Create(backend, options.source_ids,
                                  serving::NewSources(options.max_new_logs, std::move(options.declare))));
  IngestOptions ingest;
  ingest.max_bytes = options.max_bytes;
  ingest.max_requests = options.max_requests;
  auto receiver = std::make_unique<LogReceiverImpl>(backend, std::move(sources), ingest);
  LOGQUERY_RETURN_IF_ERROR(receiver->Start());
  return receiver;
}

}  // namespace logquery
