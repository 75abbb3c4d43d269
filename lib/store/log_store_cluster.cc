// Clustering: rewrites a store's closed days ordered by project, one stretch at a time.
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "absl/time/time.h"
#include "lib/base/status_macros.h"
#include "lib/engines/duckdb/backend/small_query.h"
#include "lib/store/folder/disk_room.h"
#include "lib/store/log_store_impl.h"
#include "lib/store/tables/clustering.h"
#include "logquery/clock.h"

namespace logquery::store {
namespace {

// The disk space that a rewritten row may take before the old row's space is free, in the data file and where the
// engine spills.
constexpr int64_t kRoomOfRow = 4 << 10;

absl::Status CheckGoesOn(const CancellationToken& cancellation) {
  return cancellation.IsCancelled() ? absl::CancelledError("clustering was cancelled") : absl::OkStatus();
}

void Rest(absl::Duration time, const CancellationToken& cancellation) {
  absl::Notification cancelled;
  const auto registration = cancellation.OnCancel([&] { cancelled.Notify(); });
  cancelled.WaitForNotificationWithTimeout(time);
}

}  // namespace

absl::StatusOr<ClusterReport> LogStoreImpl::Cluster(const ClusterRequest& request) {
  if (!(request.share > 0 && request.share <= 1) || request.rows_at_a_time <= 0) {
    return absl::InvalidArgumentError(absl::StrCat("share is ", request.share, " and must be above 0, up to 1; ",
                                                   "rows_at_a_time is ", request.rows_at_a_time,
                                                   " and must be above 0"));
  }
  const absl::Time before = FirstOpenDay(request.now);
  ClusterReport report;
  int64_t unsaved = 0;
  const std::shared_ptr<const FolderSchema> schema = schema_->Read();
  for (const TableLayout& layout : schema->layouts) {
    if (layout.table.time_column.empty()) continue;
    std::vector<absl::Time> days;
    LOGQUERY_RETURN_IF_ERROR(Alone([&](duckdb::Engine::State& state) -> absl::Status {
      LOGQUERY_ASSIGN_OR_RETURN(const duckdb::ConnectionHandle connection, state.database.Connect());
      LOGQUERY_ASSIGN_OR_RETURN(days, DaysToCluster(connection.get(), layout.table, before));
      return absl::OkStatus();
    }));
    for (const absl::Time day : days) {
      LOGQUERY_ASSIGN_OR_RETURN(ClusteredDay done, ClusterDay(layout.table, day, request, &unsaved));
      if (request.on_day) request.on_day(done);
      report.rows += done.rows;
      report.days.push_back(std::move(done));
    }
  }
  if (unsaved > 0) LOGQUERY_RETURN_IF_ERROR(Checkpoint());
  return report;
}

absl::StatusOr<ClusteredDay> LogStoreImpl::ClusterDay(const Table& table, absl::Time day, const ClusterRequest& request,
                                                      int64_t* unsaved) {
  std::vector<Stretch> stretches;
  LOGQUERY_RETURN_IF_ERROR(CheckGoesOn(request.cancellation));
  LOGQUERY_RETURN_IF_ERROR(Alone([&](duckdb::Engine::State& state) -> absl::Status {
    LOGQUERY_ASSIGN_OR_RETURN(const duckdb::ConnectionHandle connection, state.database.Connect());
    LOGQUERY_ASSIGN_OR_RETURN(stretches, CutDay(connection.get(), table, day, request.rows_at_a_time));
    return absl::OkStatus();
  }));
  ClusteredDay done{table.name, day, 0, {}};
  for (const Stretch& stretch : stretches) {
    LOGQUERY_RETURN_IF_ERROR(CheckGoesOn(request.cancellation));
    LOGQUERY_RETURN_IF_ERROR(CheckRoom(folder_->path(), kReserveBytes + stretch.rows * kRoomOfRow));
    absl::Duration time;
    const auto step = [&](duckdb::Engine::State& state) -> absl::Status {
      load_mutex_.AssertHeld();
      const absl::Duration start = Clock::Real()->Monotonic();
      LOGQUERY_ASSIGN_OR_RETURN(const duckdb::ConnectionHandle connection, state.database.Connect());
      LOGQUERY_ASSIGN_OR_RETURN(duckdb::Transaction transaction, duckdb::Transaction::Begin(connection.get()));
      LOGQUERY_ASSIGN_OR_RETURN(const int64_t rows, ClusterStretch(connection.get(), table, stretch, packed_records_));
      if (rows > 0) {
        const duckdb::DataVersion::Change change(&state.database.version(), duckdb::DataVersion::Kind::kMoves);
        LOGQUERY_RETURN_IF_ERROR(transaction.Commit());
        *unsaved += rows;
        // A checkpoint frees the space of the old rows for the next stretches. It takes longer the larger the file is,
        // and is not worth it for a few rows.
        if (*unsaved >= request.rows_at_a_time) {
          LOGQUERY_RETURN_IF_ERROR(journal_->Save(state.database));
          LOGQUERY_RETURN_IF_ERROR(duckdb::Run(connection.get(), "CHECKPOINT"));
          *unsaved = 0;
        }
      }
      done.rows += rows;
      time = Clock::Real()->Monotonic() - start;
      return absl::OkStatus();
    };
    LOGQUERY_RETURN_IF_ERROR(Alone(step));
    done.time += time;
    Rest(time * (1 / request.share - 1), request.cancellation);
  }
  return done;
}

}  // namespace logquery::store
