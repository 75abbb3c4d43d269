// Stores the events of several requests in one transaction, with the records that identify repeated requests.
#include <sys/random.h>

#include <cerrno>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "lib/base/status_macros.h"
#include "lib/engines/duckdb/backend/small_query.h"
#include "lib/store/load/event_parts.h"
#include "lib/store/load/event_reader.h"
#include "lib/store/load/input_loader.h"
#include "lib/store/log_store_impl.h"
#include "lib/store/log_store_loading.h"
#include "lib/store/tables/change_books.h"
#include "logquery/error.h"
#include "logquery/store/ingest.h"

namespace logquery::store {
namespace {

// Returns the batch's identity, from which rows without an id get one.
absl::StatusOr<LoadInput> EventInput() {
  uint64_t random = 0;
  if (getrandom(&random, sizeof(random), 0) != sizeof(random)) return ErrnoStatus(errno, "random bytes");
  const std::string id = absl::StrCat(absl::Hex(random, absl::kZeroPad16));
  return LoadInput{"events", absl::StrCat("append ", id), id, /*once=*/false, /*keeps_rejected=*/false};
}

// Each checkpoint rewrites the newest row group, so that for small batches it pays off later.
constexpr int64_t kEventLogWorthCheckpoint = int64_t{64} << 20;

// The parts of a request that Loading reads.
struct EventLoad {
  TimestampUnit timestamp_unit = TimestampUnit::kByMagnitude;
  bool dedupe_by_id = false;
  CancellationToken cancellation;
};

// COMMIT can fail after the engine's log is durable, for example in the checkpoint that the engine adds to it.
absl::Status AfterCommit(const absl::Status& status) {
  if (status.ok()) return status;
  ErrorDetails details = GetErrorDetails(status);
  details.reason = ErrorReason::kOutcomeUnknown;
  return WithErrorDetails(status, details);
}

}  // namespace

absl::StatusOr<std::vector<EventOutcome>> LogStoreImpl::AppendEvents(const EventBatch& batch) {
  LOGQUERY_RETURN_IF_ERROR(FindTable(batch.table).status());
  // The checkpoint comes before the batch, not after it: the sender of the previous batch has its answer by now, and
  // goes on sending meanwhile.
  CheckpointIfQuiet(kEventLogWorthCheckpoint);
  std::vector<EventOutcome> outcomes;
  const absl::Status status = Alone([&](duckdb::Engine::State& state) -> absl::Status {
    load_mutex_.AssertHeld();
    LOGQUERY_ASSIGN_OR_RETURN(const std::shared_ptr<const TableLayout> layout, FindTable(batch.table));
    LOGQUERY_ASSIGN_OR_RETURN(const duckdb::ConnectionHandle connection, state.database.Connect());
    LOGQUERY_ASSIGN_OR_RETURN(const LoadInput input, EventInput());
    EventLoad request;
    request.cancellation = batch.cancellation;
    Loading loading(*this, state, connection.get(), *layout, request);
    loading.shared.kept_reasons = std::numeric_limits<size_t>::max();
    EventParts parts(&batch, layout.get(), &event_keys_, &event_rejects_);
    InputLoader::Survey first;
    LOGQUERY_ASSIGN_OR_RETURN(const bool has_news, AppendParts(loading, &first, input, parts));
    if (has_news) {
      InputLoader::Survey all;
      EventReader reader(&parts.going_in());
      LOGQUERY_RETURN_IF_ERROR(InputLoader::Look(loading.Share(&all), reader));
      loading.learner.Decide(all.found);
      LOGQUERY_RETURN_IF_ERROR(AppendParts(loading, nullptr, input, parts).status());
    }
    event_rejects_.Committed();
    outcomes = parts.TakeOutcomes();
    return absl::OkStatus();
  });
  LOGQUERY_RETURN_IF_ERROR(status);
  return outcomes;
}

absl::StatusOr<bool> LogStoreImpl::AppendParts(Loading& loading, InputLoader::Survey* survey, const LoadInput& input,
                                               EventParts& parts) {
  const duckdb_connection connection = loading.shared.connection;
  LOGQUERY_ASSIGN_OR_RETURN(duckdb::Transaction transaction, duckdb::Transaction::Begin(connection));
  LOGQUERY_RETURN_IF_ERROR(parts.Settle(connection));
  // A survey reads each row once more, so it is only done for senders that may teach fields.
  InputLoader::Shared shared = loading.Share(parts.may_learn() ? survey : nullptr);
  shared.keeps_rows = loading.marks->IsAskedFor(shared.plan->layout().table.name);
  LOGQUERY_RETURN_IF_ERROR(loading.learner.Apply());
  InputLoader loader(shared, input);
  EventReader reader(&parts.going_in());
  if (parts.row_count() > 0) LOGQUERY_RETURN_IF_ERROR(loader.Take(reader, nullptr));
  if (shared.survey != nullptr && shared.survey->found.has_news()) return true;
  LOGQUERY_RETURN_IF_ERROR(parts.Book(connection, loader));
  LOGQUERY_ASSIGN_OR_RETURN(BookedChange booked,
                            BookChange(connection, shared.plan->layout().table.name, loader.changed()));
  booked.added = loader.added();
  booked.may_move = MayCheckpoint(*shared.folder, loader.rows(), loader.bytes());
  LOGQUERY_RETURN_IF_ERROR(AfterCommit(loading.learner.Commit(transaction, booked, loading.version, loading.marks)));
  return false;
}

}  // namespace logquery::store
