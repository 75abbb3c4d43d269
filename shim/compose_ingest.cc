// Finds the log that a request is for, whether its token may write it, and hands its events to the store's writer.
#include "shim/compose_ingest.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "lib/base/nearest_names.h"
#include "lib/base/quoted_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/endpoint/uuid.h"
#include "logquery/catalog.h"
#include "logquery/error.h"
#include "logquery/store/duckdb_backend.h"
#include "logquery/store/ingest.h"
#include "logquery/store/split_events.h"
#include "shim/command/ingest_quota.h"
#include "shim/command/new_sources.h"

namespace logquery::shim {
namespace {

// Of the rows of one body, where they are made anew; half of all memory at most, so that the body fits beside them.
constexpr int64_t kMaxMadeBytes = 128 << 20;

EventShape ShapeOf(EventForm form) {
  switch (form) {
    case EventForm::kLogs:
    case EventForm::kCloudflare:
      break;
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

// The table of that name, or of the log of that name; nullptr: there is none.
const Table* TableOf(const Catalog& catalog, std::string_view source) {
  const std::vector<Table>& tables = catalog.tables();
  const auto found = std::find_if(tables.begin(), tables.end(), [&](const Table& table) {
    return base::EqualsIgnoreCase(table.name, source) ||
           (!table.log.empty() && base::EqualsIgnoreCase(table.log, source));
  });
  return found == tables.end() ? nullptr : &*found;
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
  // `catalog` was read when the backend had `version`.
  StoreIngest(DuckDbBackend* backend, uint64_t version, Catalog catalog, SourceIds source_ids, NewSources new_sources,
              const IngestOptions& options)
      : backend_(backend),
        version_(version),
        catalog_(std::make_shared<const Catalog>(std::move(catalog))),
        source_ids_(std::move(source_ids)),
        new_sources_(std::move(new_sources)),
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
    const std::shared_ptr<const Catalog> catalog = Tables();
    const absl::Status found = Find(*catalog, principal, source).status();
    return absl::IsNotFound(found) ? new_sources_.Check(*catalog, principal, source, found) : found;
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
    if (events.rows.empty()) return answer;
    LOGQUERY_ASSIGN_OR_RETURN(EventOutcome outcome, Append(call, events));
    answer.rows = outcome.rows;
    answer.repeated = outcome.repeated;
    answer.rejected_rows = outcome.rejected_rows;
    for (RejectedEvent& event : outcome.rejected) answer.rejected.push_back({event.index, std::move(event.reason)});
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
    counters.bytes_held = state.held_bytes;
    counters.lag = state.lag;
    return counters;
  }

  std::vector<std::string> sources() const override {
    std::vector<std::string> names;
    for (const Table& table : Tables()->tables()) names.push_back(table.name);
    return names;
  }

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
    LOGQUERY_ASSIGN_OR_RETURN(request.table, FindOrMake(call.principal, call.source));
    request.is_reserved = true;
    request.part.rows = events.rows;
    request.part.sender = call.principal.token_id;
    request.part.key = call.idempotency_key;
    request.part.project = call.principal.project_scope.value_or("");
    request.part.may_learn = call.principal.ingest->may_learn;
    return writer_->Append(request);
  }

  // Makes the log only for events that are there and within the quota.
  absl::StatusOr<std::string> FindOrMake(const Principal& principal, const std::string& source) {
    absl::StatusOr<std::string> table = Find(*Tables(), principal, source);
    if (!absl::IsNotFound(table.status())) return table;
    absl::MutexLock lock(&new_mutex_);  // requests for the same source make it once, and all of them keep to the bound
    const std::shared_ptr<const Catalog> catalog = Tables();
    table = Find(*catalog, principal, source);
    if (!absl::IsNotFound(table.status())) return table;
    LOGQUERY_RETURN_IF_ERROR(new_sources_.Check(*catalog, principal, source, table.status()));
    LOGQUERY_RETURN_IF_ERROR(new_sources_.Make(source));
    return source;
  }

  // The logs as they are now: a running server may get new ones. If they can't be read, these are the last that were: the store
  // itself tells why it can't write.
  std::shared_ptr<const Catalog> Tables() const {
    const uint64_t version = backend_->CatalogVersion();
    absl::MutexLock lock(&catalog_mutex_);
    if (version == version_) return catalog_;
    absl::StatusOr<Catalog> now = backend_->ReadCatalog();
    if (!now.ok()) return catalog_;
    version_ = version;
    catalog_ = std::make_shared<const Catalog>(*std::move(now));
    return catalog_;
  }

  // The name of the source's table.
  absl::StatusOr<std::string> Find(const Catalog& catalog, const Principal& principal, std::string_view source) const {
    source = LogOfSource(source_ids_, source);
    if (!principal.ingest) {
      return absl::PermissionDeniedError(
          "this token may not write logs; `logquery token create --may-ingest` makes one that may");
    }
    const Table* const found = TableOf(catalog, source);
    if (found == nullptr) return NoSource(catalog.tables(), source);
    if (!principal.ingest->MayWrite(found->name, found->log)) {
      return absl::PermissionDeniedError(base::StrCat("this token may not write ", found->name, "; it may write ",
                                                      base::Join(*principal.ingest->logs, ", ")));
    }
    return found->name;
  }

  static absl::Status NoSource(const std::vector<Table>& tables, std::string_view source) {
    if (IsUuid(source)) {
      return absl::NotFoundError(base::StrCat("no log has the UUID ", source,
                                              "; the setting source_ids says which log a source's UUID stands for"));
    }
    std::vector<std::string> names, table_names;
    for (const Table& table : tables) {
      table_names.push_back(table.name);
      names.push_back(table.name);
      if (!table.log.empty()) names.push_back(table.log);
    }
    ErrorDetails details;
    details.parameter = "source_name";
    details.nearest = base::NearestNames(source, names);
    std::string near = base::DidYouMean(details.nearest);
    if (near.empty()) near = base::StrCat("; there are ", base::Join(table_names, ", "));
    return WithErrorDetails(
        absl::NotFoundError(base::StrCat("there is no log of the name ", base::QuotedText(source), near)), details);
  }

  DuckDbBackend* const backend_;
  mutable absl::Mutex catalog_mutex_;
  mutable uint64_t version_ ABSL_GUARDED_BY(catalog_mutex_);
  mutable std::shared_ptr<const Catalog> catalog_ ABSL_GUARDED_BY(catalog_mutex_);
  const SourceIds source_ids_;
  const NewSources new_sources_;
  absl::Mutex new_mutex_;  // held while a log is made
  const int64_t max_bytes_;
  IngestQuota quota_;
  const std::unique_ptr<Ingest> writer_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<LogIngest>> MakeIngest(DuckDbBackend& backend, IngestSettings settings) {
  // Before the catalog: one that changes in between is read again.
  const uint64_t version = backend.CatalogVersion();
  LOGQUERY_ASSIGN_OR_RETURN(Catalog catalog, backend.ReadCatalog());
  for (const auto& [id, log] : settings.source_ids) {
    if (TableOf(catalog, log) != nullptr) continue;
    return absl::InvalidArgumentError(
        base::StrCat("--source-ids ", id, "=", log, ": there is no log of the name ", base::QuotedText(log)));
  }
  IngestOptions options;
  options.max_bytes = settings.max_bytes;
  options.max_requests = settings.max_requests;
  if (!settings.declare) {
    settings.declare = [&backend](const std::string& source, const std::string& json) {
      return backend.DeclareLogs(source, json);
    };
  }
  return std::make_unique<StoreIngest>(&backend, version, std::move(catalog), std::move(settings.source_ids),
                                       NewSources(settings.max_new_logs, std::move(settings.declare)), options);
}

}  // namespace logquery::shim
