// Runs the INSERT that loads an input's rows through the table function, and records the input in the same transaction.
#include "lib/store/load/input_loader.h"

#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/database.h"
#include "lib/engines/duckdb/backend/engine_types.h"
#include "lib/engines/duckdb/backend/errors.h"
#include "lib/engines/duckdb/backend/small_query.h"
#include "lib/store/tables/clustering.h"
#include "lib/store/tables/dictionary_books.h"
#include "lib/store/tables/load_books.h"
#include "logquery/clock.h"

namespace logquery::store {
namespace {

constexpr char kStage[] = "logquery_stage";

// Rows have been checked before the engine gets them: whatever it thinks of them, the caller did not get it wrong.
absl::Status NotTheCallers(const absl::Status& status) {
  return absl::IsInvalidArgument(status) ? absl::InternalError(status.message()) : status;
}

// Runs `sql`, which asks the load function for its rows.
absl::Status RunLoad(const InputLoader::Shared& shared, const std::string& sql, LoadRun& run,
                     const InputLoader::Progress& progress) {
  const LoadFunction::Running running(shared.function, &run);
  duckdb::StatementHandle statement;
  if (duckdb_prepare(shared.connection, sql.c_str(), statement.out()) != DuckDBSuccess) {
    return duckdb::ErrorFromDuckDb(duckdb_prepare_error(statement.get()));
  }
  duckdb::PendingHandle pending;
  if (duckdb_pending_prepared(statement.get(), pending.out()) != DuckDBSuccess) {
    return duckdb::ErrorFromDuckDb(duckdb_pending_error(pending.get()));
  }
  // This thread is one of those that load: it does some of the work, and between two pieces tells how far it is.
  duckdb_pending_state state = DUCKDB_PENDING_RESULT_NOT_READY;
  while (!duckdb_pending_execution_is_finished(state) && state != DUCKDB_PENDING_ERROR) {
    state = duckdb_pending_execute_task(pending.get());
    if (state == DUCKDB_PENDING_NO_TASKS_AVAILABLE) absl::SleepFor(absl::Milliseconds(1));
    if (progress) progress(run.totals());
  }
  if (state == DUCKDB_PENDING_ERROR) return duckdb::ErrorFromDuckDb(duckdb_pending_error(pending.get()));
  duckdb::Result result;
  if (duckdb_execute_pending(pending.get(), result.out()) != DuckDBSuccess)
    return duckdb::ErrorFromDuckDb(result.error());
  return absl::OkStatus();
}

}  // namespace

bool MayCheckpoint(const DataFolder& folder, int64_t rows, int64_t bytes) {
  // A row has some hundred values, most of them NULL, whose bytes the engine counts beside those of the texts.
  constexpr int64_t kBytesOfRow = 4'096, kTimesText = 3;
  std::error_code none;  // there is no such file when nothing was written since the last checkpoint
  const uintmax_t log = std::filesystem::file_size(folder.log_file(), none);
  const int64_t written = none ? 0 : static_cast<int64_t>(log);
  return written + rows * kBytesOfRow + bytes * kTimesText >= duckdb::kMostLogBytes;
}

InputLoader::InputLoader(const Shared& shared, LoadInput input)
    : shared_(shared),
      input_(std::move(input)),
      rejected_(shared.folder->rejected_folder(), table(), input_.id, input_.name) {}

absl::StatusOr<std::optional<LoadEntry>> InputLoader::Find(const Shared& shared, const std::string& key) {
  const std::string& table = shared.plan->layout().table.name;
  LOGQUERY_RETURN_IF_ERROR(shared.loaded->Fill(shared.connection));
  if (!shared.loaded->MayHave(table, key)) return std::nullopt;
  return FindLoad(shared.connection, table, key);
}

absl::StatusOr<std::optional<LoadEntry>> InputLoader::FindFile(const Shared& shared, const std::string& digest) {
  absl::StatusOr<std::optional<LoadEntry>> before = Find(shared, digest);
  const bool is_loaded = before.ok() && before->has_value();
  if (is_loaded && (shared.again || (*before)->accepted_nothing())) return std::nullopt;
  return before;
}

absl::Status InputLoader::Take(BatchReader& reader, const Progress& progress) {
  LOGQUERY_RETURN_IF_ERROR(TakeRows(reader, progress));
  if (has_news()) return absl::OkStatus();
  if (shared_.misfits != nullptr) {
    for (const auto& [place, values] : totals_.misfits) *shared_.misfits += values;
  }
  if (shared_.dictionary != nullptr) {
    LOGQUERY_RETURN_IF_ERROR(BookDictionaries(shared_.connection, table(), *shared_.dictionary));
  }
  LOGQUERY_RETURN_IF_ERROR(rejected_.Sync());
  if (!input_.once && rejected_.empty()) return absl::OkStatus();
  LOGQUERY_ASSIGN_OR_RETURN(replaced_, Find(shared_, input_.key));
  if (replaced_.has_value()) LOGQUERY_RETURN_IF_ERROR(RemoveLoad(shared_.connection, table(), input_.key));
  shared_.loaded->Add(table(), input_.key);
  return AddLoad(shared_.connection, table(), entry());
}

absl::Status InputLoader::Publish(LoadReport* report) {
  Report(report);
  if (!rejected_.empty()) return rejected_.Publish();
  // The rows that an earlier load of the input rejected are stored now.
  if (replaced_.has_value() && !replaced_->rejected_name.empty()) rejected_.Remove();
  return absl::OkStatus();
}

absl::Status InputLoader::TakeRows(BatchReader& reader, const Progress& progress) {
  RowParser::Options options;
  options.timestamp_unit = shared_.timestamp_unit;
  options.id_prefix = absl::StrCat(input_.id, "-");
  options.survey = options.ends_at_news = shared_.survey != nullptr;
  if (shared_.survey != nullptr) options.full = shared_.survey->full;
  LoadRun run(&reader, shared_.folder->path(), shared_.plan, options, input_.keeps_rejected ? &rejected_ : nullptr,
              shared_.cancellation, shared_.kept_reasons);
  const bool staged = shared_.dedupe_by_id;
  const bool keeps_rows = shared_.keeps_rows && !staged;
  if (keeps_rows) run.KeepRows();
  run.OpenFrom(FirstOpenDay(Clock::Real()->Now()), shared_.packed_records);
  run.CompressWith(shared_.dictionary);
  if (staged) LOGQUERY_RETURN_IF_ERROR(MakeStage());
  const std::string sql = InsertSql(staged ? absl::StrCat("temp.", kStage) : duckdb::QuoteName(table()));
  const absl::Status inserted = RunLoad(shared_, sql, run, progress);
  LOGQUERY_RETURN_IF_ERROR(run.status());
  LOGQUERY_RETURN_IF_ERROR(NotTheCallers(inserted));
  if (shared_.survey != nullptr) shared_.survey->found.Merge(run.survey());
  totals_ = run.totals();
  if (staged && !has_news()) LOGQUERY_RETURN_IF_ERROR(MoveFromStage());
  if (totals_.rows > 0) changed_ = run.changed();
  if (keeps_rows) added_ = std::make_shared<const AddedRows>(run.TakeAdded());
  return absl::OkStatus();
}

absl::Status InputLoader::Look(const Shared& shared, BatchReader& reader) {
  RowParser::Options options;
  options.timestamp_unit = shared.timestamp_unit;
  options.survey = true;
  options.full = shared.survey->full;
  LoadRun run(&reader, shared.folder->path(), shared.plan, options, nullptr, shared.cancellation);
  const absl::Status looked =
      RunLoad(shared, absl::StrCat("SELECT count(loaded_key) FROM ", LoadFunction::kSource), run, nullptr);
  LOGQUERY_RETURN_IF_ERROR(run.status());
  LOGQUERY_RETURN_IF_ERROR(NotTheCallers(looked));
  shared.survey->found.Merge(run.survey());
  return absl::OkStatus();
}

// Columns by name: a table that some were added to has them in another order than the layout.
std::string InputLoader::InsertSql(const std::string& into) const {
  std::string columns;
  for (const StoredColumn& column : shared_.plan->layout().columns) {
    base::StrAppend(&columns, columns.empty() ? "" : ", ", duckdb::QuoteName(column.name));
  }
  return base::StrCat("INSERT INTO ", into, " (", columns, ") SELECT ", columns, " FROM ", LoadFunction::kSource);
}

absl::Status InputLoader::MakeStage() const {
  if (shared_.plan->id() == nullptr) {
    return absl::InvalidArgumentError(base::StrCat("table ", table(), " has no column id to tell duplicates by"));
  }
  return duckdb::Run(shared_.connection,
                     base::StrCat("CREATE TEMP TABLE ", kStage, " AS FROM ", duckdb::QuoteName(table()), " LIMIT 0"));
}

// Moves only rows whose id is not in the table yet, and of several rows with one id the earliest, or the first of equal times.
absl::Status InputLoader::MoveFromStage() {
  const std::string id = duckdb::QuoteName(shared_.plan->id()->name);
  const std::string time =
      shared_.plan->time() == nullptr ? "" : base::StrCat(duckdb::QuoteName(shared_.plan->time()->name), ", ");
  const std::string into = duckdb::QuoteName(table());
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows moved,
      duckdb::Query(
          shared_.connection,
          base::StrCat("INSERT INTO ", into, " BY NAME WITH duplicate AS (SELECT place FROM (SELECT rowid AS place, ",
                       id, " AS id, row_number() OVER (PARTITION BY ", id, " ORDER BY ", time,
                       "rowid) AS nth FROM temp.", kStage, ") WHERE nth > 1 OR id IN (SELECT ", id, " FROM ", into,
                       ")) SELECT s.* FROM temp.", kStage, " AS s ANTI JOIN duplicate ON s.rowid = duplicate.place")));
  int64_t rows = 0;
  if (moved.empty() || !absl::SimpleAtoi(moved[0][0], &rows)) return absl::InternalError("no number of rows");
  duplicate_rows_ = totals_.rows - rows;
  totals_.rows = rows;
  return duckdb::Run(shared_.connection, absl::StrCat("DROP TABLE temp.", kStage));
}

LoadEntry InputLoader::entry() const {
  LoadEntry entry;
  entry.key = input_.key;
  entry.name = input_.name;
  entry.rows = totals_.rows;
  entry.rejected_rows = totals_.rejected_rows;
  entry.duplicate_rows = duplicate_rows_;
  entry.bytes = totals_.bytes;
  if (!rejected_.empty()) entry.rejected_name = rejected_.name();
  return entry;
}

void InputLoader::Report(LoadReport* report) const {
  report->rows += totals_.rows;
  report->rejected_rows += totals_.rejected_rows;
  report->duplicate_rows += duplicate_rows_;
  report->bytes += totals_.bytes;
  report->undeclared_fields.insert(report->undeclared_fields.end(), totals_.undeclared_fields.begin(),
                                   totals_.undeclared_fields.end());
  for (const RejectedRow& row : totals_.first_rejected) {
    if (report->first_rejected.size() == kFirstRejected) break;
    report->first_rejected.push_back({input_.name, row.line, row.reason});
  }
  AddCounts(rejected_by_reason(), report->rejected_by_reason);
  if (!rejected_.empty()) report->rejected_folder = shared_.folder->rejected_folder();
}

}  // namespace logquery::store
