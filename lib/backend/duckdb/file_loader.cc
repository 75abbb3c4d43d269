#include "lib/backend/duckdb/file_loader.h"

#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "lib/backend/duckdb/database.h"
#include "lib/backend/duckdb/engine_types.h"
#include "lib/backend/duckdb/errors.h"
#include "lib/backend/duckdb/small_query.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"

namespace logquery::duckdb {
namespace {

constexpr size_t kFirstRejected = 20;
// Of a file's digest, in the ids of its rows that have none.
constexpr size_t kDigestInId = 16;
constexpr char kStage[] = "logquery_stage";

// Rows have been checked before the engine gets them: whatever it thinks of them, the caller did not get it wrong.
absl::Status NotTheCallers(const absl::Status& status) {
  return absl::IsInvalidArgument(status) ? absl::InternalError(status.message()) : status;
}

}  // namespace

absl::Status FileLoader::Load(LoadReport* report) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::unique_ptr<InputFile> file,
                            InputFile::Open(name_, shared_.folder->temporary_folder()));
  LOGQUERY_ASSIGN_OR_RETURN(const bool loaded, IsLoaded(file->digest()));
  if (loaded) {
    report->files_skipped.push_back(name_);
    return absl::OkStatus();
  }
  RejectedRows rejected(shared_.folder->rejected_folder(), table(), file->digest(), name_);
  {
    LOGQUERY_ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(shared_.connection));
    LOGQUERY_RETURN_IF_ERROR(LoadRows(*file, rejected));
    LOGQUERY_RETURN_IF_ERROR(file->CheckUnchanged());
    LOGQUERY_RETURN_IF_ERROR(rejected.Sync());
    LOGQUERY_RETURN_IF_ERROR(Record(*file, rejected));
    const DataVersion::Change change(shared_.version);
    LOGQUERY_RETURN_IF_ERROR(transaction.Commit());
  }
  Report(rejected, report);
  return rejected.Publish();
}

absl::StatusOr<bool> FileLoader::IsLoaded(const std::string& digest) const {
  LOGQUERY_ASSIGN_OR_RETURN(
      const TextRows rows,
      Query(shared_.connection, "SELECT 1 FROM logquery.loads WHERE digest = $1 AND table_name = $2",
            {digest, table()}));
  return !rows.empty();
}

absl::Status FileLoader::LoadRows(InputFile& file, RejectedRows& rejected) {
  RowParser::Options options;
  options.timestamp_unit = shared_.request->timestamp_unit;
  options.id_prefix = absl::StrCat(file.digest().substr(0, kDigestInId), "-");
  LoadRun run(&file, name_, shared_.folder->path(), shared_.plan, options, &rejected, shared_.request->cancellation);
  const LoadFunction::Running running(shared_.function, &run);
  const bool staged = shared_.request->dedupe_by_id;
  if (staged) LOGQUERY_RETURN_IF_ERROR(MakeStage());
  const absl::Status inserted =
      Insert(InsertSql(staged ? absl::StrCat("temp.", kStage) : QuoteName(table())), file, run);
  LOGQUERY_RETURN_IF_ERROR(run.status());
  LOGQUERY_RETURN_IF_ERROR(NotTheCallers(inserted));
  totals_ = run.totals();
  return staged ? MoveFromStage() : absl::OkStatus();
}

// Columns by name: a table that some were added to has them in another order than the layout.
std::string FileLoader::InsertSql(const std::string& into) const {
  std::string columns;
  for (const StoredColumn& column : shared_.plan->layout().columns) {
    base::StrAppend(&columns, columns.empty() ? "" : ", ", QuoteName(column.name));
  }
  return base::StrCat("INSERT INTO ", into, " (", columns, ") SELECT ", columns, " FROM ", LoadFunction::kSource);
}

absl::Status FileLoader::Insert(const std::string& sql, const InputFile& file, const LoadRun& run) const {
  StatementHandle statement;
  if (duckdb_prepare(shared_.connection, sql.c_str(), statement.out()) != DuckDBSuccess) {
    return ErrorFromDuckDb(duckdb_prepare_error(statement.get()));
  }
  PendingHandle pending;
  if (duckdb_pending_prepared(statement.get(), pending.out()) != DuckDBSuccess) {
    return ErrorFromDuckDb(duckdb_pending_error(pending.get()));
  }
  // This thread is one of those that load: it does some of the work, and between two pieces tells how far it is.
  duckdb_pending_state state = DUCKDB_PENDING_RESULT_NOT_READY;
  while (!duckdb_pending_execution_is_finished(state) && state != DUCKDB_PENDING_ERROR) {
    state = duckdb_pending_execute_task(pending.get());
    if (state == DUCKDB_PENDING_NO_TASKS_AVAILABLE) absl::SleepFor(absl::Milliseconds(1));
    if (!*shared_.progress) continue;
    const LoadRun::Totals totals = run.totals();
    (*shared_.progress)({name_, totals.position, file.size(), totals.rows});
  }
  if (state == DUCKDB_PENDING_ERROR) return ErrorFromDuckDb(duckdb_pending_error(pending.get()));
  Result result;
  if (duckdb_execute_pending(pending.get(), result.out()) != DuckDBSuccess) return ErrorFromDuckDb(result.error());
  return absl::OkStatus();
}

absl::Status FileLoader::MakeStage() const {
  if (shared_.plan->id() == nullptr) {
    return absl::InvalidArgumentError(base::StrCat("table ", table(), " has no column id to tell duplicates by"));
  }
  return Run(shared_.connection,
             base::StrCat("CREATE TEMP TABLE ", kStage, " AS FROM ", QuoteName(table()), " LIMIT 0"));
}

// Only rows whose id the table has not, and of several with one id the first.
absl::Status FileLoader::MoveFromStage() {
  const std::string id = QuoteName(shared_.plan->id()->name);
  const std::string into = QuoteName(table());
  LOGQUERY_ASSIGN_OR_RETURN(
      const TextRows moved,
      Query(shared_.connection,
            base::StrCat("INSERT INTO ", into, " BY NAME WITH duplicate AS (SELECT place FROM (SELECT rowid AS place, ",
                         id, " AS id, row_number() OVER (PARTITION BY ", id, " ORDER BY rowid) AS nth FROM temp.",
                         kStage, ") WHERE nth > 1 OR id IN (SELECT ", id, " FROM ", into, ")) SELECT s.* FROM temp.",
                         kStage, " AS s ANTI JOIN duplicate ON s.rowid = duplicate.place")));
  int64_t rows = 0;
  if (moved.empty() || !absl::SimpleAtoi(moved[0][0], &rows)) return absl::InternalError("no number of rows");
  duplicate_rows_ = totals_.rows - rows;
  totals_.rows = rows;
  return Run(shared_.connection, absl::StrCat("DROP TABLE temp.", kStage));
}

absl::Status FileLoader::Record(const InputFile& file, const RejectedRows& rejected) const {
  return Query(shared_.connection,
               "INSERT INTO logquery.loads VALUES ($1, $2, $3, now()::TIMESTAMP, $4::BIGINT, $5::BIGINT, $6::BIGINT, "
               "$7::BIGINT, $8)",
               {file.digest(), table(), name_, absl::StrCat(totals_.rows), absl::StrCat(totals_.rejected_rows),
                absl::StrCat(duplicate_rows_), absl::StrCat(totals_.bytes), rejected.empty() ? "" : rejected.name()})
      .status();
}

void FileLoader::Report(const RejectedRows& rejected, LoadReport* report) const {
  report->rows += totals_.rows;
  report->rejected_rows += totals_.rejected_rows;
  report->duplicate_rows += duplicate_rows_;
  report->bytes += totals_.bytes;
  ++report->files_loaded;
  report->undeclared_fields.insert(report->undeclared_fields.end(), totals_.undeclared_fields.begin(),
                                   totals_.undeclared_fields.end());
  for (const RejectedRow& row : totals_.first_rejected) {
    if (report->first_rejected.size() < kFirstRejected) report->first_rejected.push_back({name_, row.line, row.reason});
  }
  if (!rejected.empty()) report->rejected_folder = shared_.folder->rejected_folder();
}

}  // namespace logquery::duckdb
