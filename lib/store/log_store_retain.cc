// Retention: deletes the oldest rows of a store's tables.
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "lib/backend/duckdb/small_query.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/store/log_store_impl.h"
#include "lib/store/tables/retention.h"

namespace logquery::store {

absl::StatusOr<RetainReport> LogStoreImpl::Retain(const RetainRequest& request) {
  RetainReport report;
  for (const RetentionRule& rule : request.rules) {
    LOGQUERY_ASSIGN_OR_RETURN(const std::shared_ptr<const TableLayout> layout, FindTable(rule.table));
    const Table& table = layout->table;
    if (table.time_column.empty()) {
      return absl::FailedPreconditionError(
          base::StrCat("table ", table.name, " has no time that its rows could go by"));
    }
    if (rule.max_age < absl::InfiniteDuration()) {
      const absl::Time before =
          absl::UnixEpoch() + absl::Floor(request.now - rule.max_age - absl::UnixEpoch(), absl::Hours(1));
      LOGQUERY_RETURN_IF_ERROR(Remove(table, before, /*by_size=*/false, request.cancellation, &report));
    }
    if (rule.max_bytes <= 0) continue;
    std::optional<absl::Time> before;
    LOGQUERY_RETURN_IF_ERROR(Alone([&](duckdb::Engine::State& state) -> absl::Status {
      LOGQUERY_ASSIGN_OR_RETURN(const duckdb::ConnectionHandle connection, state.database.Connect());
      LOGQUERY_ASSIGN_OR_RETURN(before, CutToFit(connection.get(), table, rule.max_bytes));
      return absl::OkStatus();
    }));
    if (before.has_value()) {
      LOGQUERY_RETURN_IF_ERROR(Remove(table, *before, /*by_size=*/true, request.cancellation, &report));
    }
  }
  if (report.rows > 0) LOGQUERY_RETURN_IF_ERROR(Checkpoint());
  LOGQUERY_ASSIGN_OR_RETURN(report.rejected_events, TrimRejects(request.now));
  return report;
}

absl::StatusOr<int64_t> LogStoreImpl::TrimRejects(absl::Time now) {
  int64_t removed = 0;
  const absl::Status trimmed = Alone([&](duckdb::Engine::State& state) -> absl::Status {
    LOGQUERY_ASSIGN_OR_RETURN(const duckdb::ConnectionHandle connection, state.database.Connect());
    LOGQUERY_ASSIGN_OR_RETURN(duckdb::Transaction transaction, duckdb::Transaction::Begin(connection.get()));
    LOGQUERY_ASSIGN_OR_RETURN(removed, event_rejects_.Trim(connection.get(), now));
    if (removed == 0) return absl::OkStatus();
    LOGQUERY_RETURN_IF_ERROR(transaction.Commit());
    event_rejects_.Committed();
    return absl::OkStatus();
  });
  if (!trimmed.ok()) return trimmed;
  return removed;
}

absl::Status LogStoreImpl::Remove(const Table& table, absl::Time before, bool by_size,
                                  const CancellationToken& cancellation, RetainReport* report) {
  std::vector<absl::Time> steps;
  LOGQUERY_RETURN_IF_ERROR(Alone([&](duckdb::Engine::State& state) -> absl::Status {
    LOGQUERY_ASSIGN_OR_RETURN(const duckdb::ConnectionHandle connection, state.database.Connect());
    LOGQUERY_ASSIGN_OR_RETURN(steps, StepsBefore(connection.get(), table, before));
    return absl::OkStatus();
  }));
  RetainReport::Table went{table.name, 0, before, by_size};
  for (const absl::Time step : steps) {
    if (cancellation.IsCancelled()) return absl::CancelledError("retention was cancelled");
    const absl::Status removed = Alone([&](duckdb::Engine::State& state) -> absl::Status {
      LOGQUERY_ASSIGN_OR_RETURN(const duckdb::ConnectionHandle connection, state.database.Connect());
      LOGQUERY_ASSIGN_OR_RETURN(duckdb::Transaction transaction, duckdb::Transaction::Begin(connection.get()));
      LOGQUERY_ASSIGN_OR_RETURN(const int64_t rows,
                                RemoveBefore(connection.get(), table, step, by_size ? "size" : "age"));
      const duckdb::DataVersion::Change change(&state.database.version());
      LOGQUERY_RETURN_IF_ERROR(transaction.Commit());
      went.rows += rows;
      return absl::OkStatus();
    });
    if (!removed.ok()) return removed;
  }
  report->rows += went.rows;
  if (went.rows > 0) report->tables.push_back(std::move(went));
  return absl::OkStatus();
}

}  // namespace logquery::store
