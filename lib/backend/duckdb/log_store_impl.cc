#include "lib/backend/duckdb/log_store_impl.h"

#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "lib/backend/duckdb/file_group.h"
#include "lib/backend/duckdb/input_loader.h"
#include "lib/backend/duckdb/load_books.h"
#include "lib/backend/duckdb/rejected_rows.h"
#include "lib/backend/duckdb/retention.h"
#include "lib/backend/duckdb/row_plan.h"
#include "lib/backend/duckdb/small_query.h"
#include "lib/backend/duckdb/store_schema.h"
#include "lib/base/sha256.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "logquery/clock.h"

namespace logquery::duckdb {
namespace {

// Before anything is loaded.
absl::Status CheckFiles(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    if (file != "-" && access(file.c_str(), R_OK) != 0) return ErrnoStatus(errno, file);
  }
  return absl::OkStatus();
}

absl::Status CheckRows(const std::vector<std::string_view>& rows) {
  for (const std::string_view& row : rows) {
    if (row.size() <= kMaxLineBytes) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("row ", &row - rows.data() + 1, " is longer than ", kMaxLineBytes >> 20, " MiB"));
  }
  return absl::OkStatus();
}

// What a batch of that name is known by. One without a name is like no other.
absl::StatusOr<LoadInput> BatchInput(const std::string& name) {
  constexpr size_t kIdDigits = 16;
  if (!name.empty()) {
    const std::string digest = base::Sha256Hex(base::StrCat("batch ", name));
    return LoadInput{name, base::StrCat("batch ", digest), digest.substr(0, kIdDigits)};
  }
  uint64_t random = 0;
  if (getrandom(&random, sizeof(random), 0) != sizeof(random)) return ErrnoStatus(errno, "random bytes");
  const std::string id = absl::StrCat(absl::Hex(random, absl::kZeroPad16));
  return LoadInput{"append", absl::StrCat("append ", id), id, /*once=*/false};
}

}  // namespace

absl::StatusOr<std::unique_ptr<LogStoreImpl>> LogStoreImpl::Open(const DataFolder* folder, Engine* engine,
                                                                 duckdb_connection connection,
                                                                 std::vector<TableLayout> layouts) {
  LOGQUERY_RETURN_IF_ERROR(EnsureTables(connection, layouts));
  std::unique_ptr<LogStoreImpl> store(new LogStoreImpl(folder, engine, std::move(layouts)));
  LOGQUERY_RETURN_IF_ERROR(store->SettleRejected(connection));
  return store;
}

absl::Status LogStoreImpl::SettleRejected(duckdb_connection connection) const {
  LOGQUERY_ASSIGN_OR_RETURN(const base::StringSet names, ReadRejectedNames(connection));
  return RejectedRows::Settle(folder_->rejected_folder(),
                              [&](const std::string& name) { return names.contains(name); });
}

absl::Status LogStoreImpl::Alone(absl::FunctionRef<absl::Status(Engine::State& state)> work) {
  absl::MutexLock lock(&load_mutex_);
  LOGQUERY_ASSIGN_OR_RETURN(std::shared_ptr<Engine::State> state, engine_->Use());
  const absl::Status status = work(*state);
  if (!status.ok()) engine_->Recover(std::move(state));
  return status;
}

absl::StatusOr<LoadReport> LogStoreImpl::Exclusively(
    absl::FunctionRef<absl::Status(Engine::State& state, LoadReport* report)> load) {
  absl::Duration start;
  LoadReport report;
  LOGQUERY_RETURN_IF_ERROR(Alone([&](Engine::State& state) {
    start = Clock::Real()->Monotonic();
    return load(state, &report);
  }));
  std::vector<std::string>& fields = report.undeclared_fields;
  std::sort(fields.begin(), fields.end());
  fields.erase(std::unique(fields.begin(), fields.end()), fields.end());
  report.time = Clock::Real()->Monotonic() - start;
  return report;
}

absl::StatusOr<LoadReport> LogStoreImpl::Load(const LoadRequest& request,
                                              const std::function<void(const LoadProgress&)>& progress) {
  LOGQUERY_ASSIGN_OR_RETURN(const TableLayout* const layout, FindTable(request.table));
  LOGQUERY_RETURN_IF_ERROR(CheckFiles(request.files));
  const RowPlan plan(*layout);
  return Exclusively([&](Engine::State& state, LoadReport* report) -> absl::Status {
    load_mutex_.AssertHeld();
    LOGQUERY_ASSIGN_OR_RETURN(const ConnectionHandle connection, state.database.Connect());
    const InputLoader::Shared shared = {
        connection.get(),     &state.load_function, folder_, &loaded_, &plan, request.timestamp_unit,
        request.dedupe_by_id, request.cancellation};
    FileGroup group(shared, &state.database.version(), progress);
    for (const std::string& file : request.files) {
      LOGQUERY_RETURN_IF_ERROR(group.Take(file));
      if (!request.together) LOGQUERY_RETURN_IF_ERROR(group.Commit(report));
    }
    return group.Commit(report);
  });
}

absl::StatusOr<LoadReport> LogStoreImpl::Append(const AppendRequest& request) {
  LOGQUERY_ASSIGN_OR_RETURN(const TableLayout* const layout, FindTable(request.table));
  LOGQUERY_RETURN_IF_ERROR(CheckRows(request.rows));
  const RowPlan plan(*layout);
  return Exclusively([&](Engine::State& state, LoadReport* report) -> absl::Status {
    load_mutex_.AssertHeld();
    LOGQUERY_ASSIGN_OR_RETURN(const ConnectionHandle connection, state.database.Connect());
    const InputLoader::Shared shared = {
        connection.get(),     &state.load_function, folder_, &loaded_, &plan, request.timestamp_unit,
        request.dedupe_by_id, request.cancellation};
    LOGQUERY_ASSIGN_OR_RETURN(const LoadInput input, BatchInput(request.batch));
    LOGQUERY_ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(connection.get()));
    if (input.once) {
      LOGQUERY_ASSIGN_OR_RETURN(const std::optional<LoadEntry> before, InputLoader::Find(shared, input.key));
      if (before.has_value()) {
        report->files_skipped.push_back(request.batch);
        return absl::OkStatus();
      }
    }
    InputLoader loader(shared, input);
    MemoryReader reader(&request.rows);
    LOGQUERY_RETURN_IF_ERROR(loader.Take(reader, nullptr));
    {
      const DataVersion::Change change(&state.database.version());
      LOGQUERY_RETURN_IF_ERROR(transaction.Commit());
    }
    return loader.Publish(report);
  });
}

absl::StatusOr<const TableLayout*> LogStoreImpl::FindTable(const std::string& name) const {
  std::string known;
  for (const TableLayout& layout : layouts_) {
    if (base::EqualsIgnoreCase(layout.table.name, name)) return &layout;
    if (!name.empty() && base::EqualsIgnoreCase(layout.table.log, name)) return &layout;
    base::StrAppend(&known, known.empty() ? "" : ", ", layout.table.log.empty() ? layout.table.name : layout.table.log);
  }
  return absl::NotFoundError(base::StrCat("there is no table ", name, "; there are ", known));
}

absl::StatusOr<RetainReport> LogStoreImpl::Retain(const RetainRequest& request) {
  RetainReport report;
  for (const RetentionRule& rule : request.rules) {
    LOGQUERY_ASSIGN_OR_RETURN(const TableLayout* const layout, FindTable(rule.table));
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
    LOGQUERY_RETURN_IF_ERROR(Alone([&](Engine::State& state) -> absl::Status {
      LOGQUERY_ASSIGN_OR_RETURN(const ConnectionHandle connection, state.database.Connect());
      LOGQUERY_ASSIGN_OR_RETURN(before, CutToFit(connection.get(), table, rule.max_bytes));
      return absl::OkStatus();
    }));
    if (before.has_value()) {
      LOGQUERY_RETURN_IF_ERROR(Remove(table, *before, /*by_size=*/true, request.cancellation, &report));
    }
  }
  if (report.rows > 0) LOGQUERY_RETURN_IF_ERROR(Checkpoint());
  return report;
}

absl::Status LogStoreImpl::Remove(const Table& table, absl::Time before, bool by_size,
                                  const CancellationToken& cancellation, RetainReport* report) {
  std::vector<absl::Time> steps;
  LOGQUERY_RETURN_IF_ERROR(Alone([&](Engine::State& state) -> absl::Status {
    LOGQUERY_ASSIGN_OR_RETURN(const ConnectionHandle connection, state.database.Connect());
    LOGQUERY_ASSIGN_OR_RETURN(steps, StepsBefore(connection.get(), table, before));
    return absl::OkStatus();
  }));
  RetainReport::Table went{table.name, 0, before, by_size};
  for (const absl::Time step : steps) {
    if (cancellation.IsCancelled()) return absl::CancelledError("retention was cancelled");
    const absl::Status removed = Alone([&](Engine::State& state) -> absl::Status {
      LOGQUERY_ASSIGN_OR_RETURN(const ConnectionHandle connection, state.database.Connect());
      LOGQUERY_ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(connection.get()));
      LOGQUERY_ASSIGN_OR_RETURN(const int64_t rows,
                                RemoveBefore(connection.get(), table, step, by_size ? "size" : "age"));
      const DataVersion::Change change(&state.database.version());
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

absl::Status LogStoreImpl::Hold(absl::FunctionRef<absl::Status()> read) {
  absl::MutexLock lock(&load_mutex_);
  return read();
}

absl::Status LogStoreImpl::Checkpoint() {
  absl::MutexLock lock(&load_mutex_);
  LOGQUERY_ASSIGN_OR_RETURN(const std::shared_ptr<Engine::State> state, engine_->Use());
  LOGQUERY_ASSIGN_OR_RETURN(const ConnectionHandle connection, state->database.Connect());
  return Run(connection.get(), "CHECKPOINT");
}

}  // namespace logquery::duckdb
