// Retention: deletes rows of a store's tables by their age, and by what each project takes of a table's size.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/small_query.h"
#include "lib/store/folder/disk_room.h"
#include "lib/store/learn/learned_fields.h"
#include "lib/store/log_store_impl.h"
#include "lib/store/store_companion.h"
#include "lib/store/tables/clock_books.h"
#include "lib/store/tables/retention.h"

namespace logquery::store {

absl::StatusOr<absl::Time> LogStoreImpl::SettleClock(const RetainRequest& request, RetainReport* report) {
  absl::Time latest;
  const absl::Status settled = Alone([&](duckdb::Engine::State& state) -> absl::Status {
    LOGQUERY_ASSIGN_OR_RETURN(const duckdb::ConnectionHandle connection, state.database.Connect());
    LOGQUERY_ASSIGN_OR_RETURN(const absl::Time seen, ReadClock(connection.get()));
    latest = std::max(seen, request.now);
    if (request.clock_is_confirmed || request.now <= seen + kMaxClockStep) {
      // A full disk must not keep rows from being deleted.
      return CheckRoom(folder_->path()).ok() ? AdvanceClock(connection.get(), request.now) : absl::OkStatus();
    }
    const auto by_age = [](const RetentionRule& rule) { return rule.max_age < absl::InfiniteDuration(); };
    if (std::any_of(request.rules.begin(), request.rules.end(), by_age)) report->held_back = seen;
    latest = seen;
    return absl::OkStatus();
  });
  if (!settled.ok()) return settled;
  return latest;
}

absl::StatusOr<RetainReport> LogStoreImpl::Retain(const RetainRequest& request) {
  RetainReport report;
  LOGQUERY_ASSIGN_OR_RETURN(const absl::Time latest, SettleClock(request, &report));
  for (const RetentionRule& rule : request.rules) {
    LOGQUERY_ASSIGN_OR_RETURN(const std::shared_ptr<const TableLayout> layout, FindTable(rule.table));
    const Table& table = layout->table;
    if (table.time_column.empty()) {
      return absl::FailedPreconditionError(
          base::StrCat("table ", table.name, " has no time that its rows could go by"));
    }
    if (rule.max_age < absl::InfiniteDuration() && !report.held_back.has_value()) {
      const absl::Time before =
          absl::UnixEpoch() + absl::Floor(request.now - rule.max_age - absl::UnixEpoch(), absl::Hours(1));
      LOGQUERY_RETURN_IF_ERROR(RemoveByAge(table, before, request.cancellation, &report));
    }
    if (rule.max_bytes > 0) {
      LOGQUERY_RETURN_IF_ERROR(RemoveBySize(*layout, rule.max_bytes, latest, request.cancellation, &report));
    }
  }
  if (report.rows > 0) LOGQUERY_RETURN_IF_ERROR(Checkpoint());
  LOGQUERY_ASSIGN_OR_RETURN(report.rejected_events, TrimRejects(std::min(request.now, latest)));
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

absl::StatusOr<int64_t> LogStoreImpl::RemoveStep(
    absl::FunctionRef<absl::StatusOr<int64_t>(duckdb_connection connection)> remove,
    const CancellationToken& cancellation) {
  if (cancellation.IsCancelled()) return absl::CancelledError("retention was cancelled");
  int64_t rows = 0;
  const absl::Status removed = Alone([&](duckdb::Engine::State& state) -> absl::Status {
    LOGQUERY_ASSIGN_OR_RETURN(const duckdb::ConnectionHandle connection, state.database.Connect());
    LOGQUERY_ASSIGN_OR_RETURN(duckdb::Transaction transaction, duckdb::Transaction::Begin(connection.get()));
    LOGQUERY_ASSIGN_OR_RETURN(rows, remove(connection.get()));
    StoreCompanion::Of(state).marks.DropRows();
    const duckdb::DataVersion::Change change(&state.database.version(), duckdb::DataVersion::Kind::kMoves);
    return transaction.Commit();
  });
  if (!removed.ok()) return removed;
  return rows;
}

absl::Status LogStoreImpl::RemoveByAge(const Table& table, absl::Time before, const CancellationToken& cancellation,
                                       RetainReport* report) {
  std::vector<absl::Time> steps;
  LOGQUERY_RETURN_IF_ERROR(Alone([&](duckdb::Engine::State& state) -> absl::Status {
    LOGQUERY_ASSIGN_OR_RETURN(const duckdb::ConnectionHandle connection, state.database.Connect());
    LOGQUERY_ASSIGN_OR_RETURN(steps, StepsBefore(connection.get(), table, before));
    return absl::OkStatus();
  }));
  RetainReport::Table went;
  went.table = table.name;
  went.before = before;
  const auto remove = [&](duckdb_connection connection, absl::Time step) -> absl::StatusOr<int64_t> {
    load_mutex_.AssertHeld();
    LOGQUERY_RETURN_IF_ERROR(ForgetDictionaries(connection, table.name, std::nullopt, step));
    return RemoveBefore(connection, table, step);
  };
  for (const absl::Time step : steps) {
    LOGQUERY_ASSIGN_OR_RETURN(
        const int64_t rows,
        RemoveStep([&](duckdb_connection connection) { return remove(connection, step); }, cancellation));
    went.rows += rows;
  }
  report->rows += went.rows;
  if (went.rows > 0) report->tables.push_back(std::move(went));
  return absl::OkStatus();
}

absl::Status LogStoreImpl::RemoveBySize(const TableLayout& declared, int64_t max_bytes, absl::Time now,
                                        const CancellationToken& cancellation, RetainReport* report) {
  const Table& table = declared.table;
  std::vector<ProjectCut> cuts;
  LOGQUERY_RETURN_IF_ERROR(Alone([&](duckdb::Engine::State& state) -> absl::Status {
    load_mutex_.AssertHeld();
    LOGQUERY_ASSIGN_OR_RETURN(const duckdb::ConnectionHandle connection, state.database.Connect());
    const TableLayout layout = WithLearned(declared, learned_[table.name].learned);
    LOGQUERY_ASSIGN_OR_RETURN(cuts, CutToFit(connection.get(), layout, max_bytes, now));
    return absl::OkStatus();
  }));
  RetainReport::Table went;
  went.table = table.name;
  went.by_size = true;
  for (const ProjectCut& cut : cuts) {
    int64_t of_project = 0;
    for (const absl::Time day : cut.days) {
      const auto remove = [&](duckdb_connection connection) -> absl::StatusOr<int64_t> {
        load_mutex_.AssertHeld();
        LOGQUERY_RETURN_IF_ERROR(ForgetDictionaries(connection, table.name, cut.project, day + absl::Hours(24)));
        return RemoveDay(connection, table, cut.project, day, now);
      };
      LOGQUERY_ASSIGN_OR_RETURN(const int64_t rows, RemoveStep(remove, cancellation));
      of_project += rows;
      went.before = std::max(went.before, day + absl::Hours(24));
    }
    went.rows += of_project;
    if (of_project > 0) ++went.projects;
  }
  report->rows += went.rows;
  if (went.rows > 0) report->tables.push_back(std::move(went));
  return absl::OkStatus();
}

}  // namespace logquery::store
