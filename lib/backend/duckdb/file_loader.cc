#include "lib/backend/duckdb/file_loader.h"

#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
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

absl::Status AppenderError(duckdb_appender appender) {
  const char* const error = duckdb_appender_error(appender);
  const absl::Status status = ErrorFromDuckDb(error == nullptr ? "the appender failed" : error);
  // Whatever the engine thinks of the rows, they were not the caller's to get wrong: they have been checked.
  return absl::IsInvalidArgument(status) ? absl::InternalError(status.message()) : status;
}

int64_t Number(const TextRows& rows) {
  int64_t number = 0;
  if (!rows.empty() && !rows[0].empty() && !absl::SimpleAtoi(rows[0][0], &number)) return 0;
  return number;
}

}  // namespace

absl::Status FileLoader::Load(const std::string& name, LoadReport* report) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::unique_ptr<InputFile> file, InputFile::Open(name, folder_->temporary_folder()));
  LOGQUERY_ASSIGN_OR_RETURN(const bool loaded, IsLoaded(file->digest()));
  if (loaded) {
    report->files_skipped.push_back(name);
    return absl::OkStatus();
  }
  RejectedRows rejected(folder_->rejected_folder(), plan_->layout().table.name, file->digest(), name);
  {
    LOGQUERY_ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(connection_));
    LOGQUERY_RETURN_IF_ERROR(LoadRows(*file, name, rejected));
    LOGQUERY_RETURN_IF_ERROR(file->CheckUnchanged());
    LOGQUERY_RETURN_IF_ERROR(rejected.Sync());
    LOGQUERY_RETURN_IF_ERROR(Record(*file, name, rejected));
    LOGQUERY_RETURN_IF_ERROR(transaction.Commit());
  }
  if (!rejected.empty()) result_.rejected_folder = folder_->rejected_folder();
  LOGQUERY_RETURN_IF_ERROR(rejected.Publish());
  Report(report);
  return absl::OkStatus();
}

absl::StatusOr<bool> FileLoader::IsLoaded(const std::string& digest) const {
  LOGQUERY_ASSIGN_OR_RETURN(const TextRows rows,
                            Query(connection_, "SELECT 1 FROM logquery.loads WHERE digest = $1 AND table_name = $2",
                                  {digest, plan_->layout().table.name}));
  return !rows.empty();
}

absl::Status FileLoader::LoadRows(InputFile& file, const std::string& name, RejectedRows& rejected) {
  if (request_->dedupe_by_id) {
    LOGQUERY_RETURN_IF_ERROR(Run(connection_, base::StrCat("CREATE TEMP TABLE ", kStage, " AS FROM ",
                                                           QuoteName(plan_->layout().table.name), " LIMIT 0")));
  }
  LOGQUERY_ASSIGN_OR_RETURN(const AppenderHandle appender, OpenAppender());
  RowParser::Options options;
  options.timestamp_unit = request_->timestamp_unit;
  options.id_prefix = absl::StrCat(file.digest().substr(0, kDigestInId), "-");
  LoadPipeline pipeline(&file, name, plan_, options);
  while (true) {
    if (request_->cancellation.IsCancelled()) return absl::CancelledError("the load was cancelled");
    LOGQUERY_ASSIGN_OR_RETURN(std::unique_ptr<RowBatch> batch, pipeline.Next());
    if (batch == nullptr) break;
    LOGQUERY_RETURN_IF_ERROR(Append(appender.get(), *batch, rejected));
    if (*progress_) (*progress_)({name, batch->position, file.size(), result_.rows});
    pipeline.Recycle(std::move(batch));
  }
  if (duckdb_appender_close(appender.get()) != DuckDBSuccess) return AppenderError(appender.get());
  for (const std::string& field : pipeline.undeclared_fields()) result_.undeclared_fields.push_back(field);
  return request_->dedupe_by_id ? MoveFromStage() : absl::OkStatus();
}

absl::StatusOr<AppenderHandle> FileLoader::OpenAppender() const {
  AppenderHandle appender;
  const bool staged = request_->dedupe_by_id;
  const char* const catalog = staged ? "temp" : nullptr;
  const std::string& table = plan_->layout().table.name;
  if (duckdb_appender_create_ext(connection_, catalog, nullptr, staged ? kStage : table.c_str(), appender.out()) !=
      DuckDBSuccess) {
    return AppenderError(appender.get());
  }
  LOGQUERY_RETURN_IF_ERROR(AddOwnColumns(appender.get()));
  return appender;
}

// A table that columns were added to has them in another order than the layout, and may have some that it has not.
absl::Status FileLoader::AddOwnColumns(duckdb_appender appender) const {
  LOGQUERY_ASSIGN_OR_RETURN(const TextRows rows,
                            Query(connection_,
                                  "SELECT column_name FROM duckdb_columns() WHERE table_name = $1 AND "
                                  "schema_name = 'main' AND NOT internal ORDER BY column_index",
                                  {plan_->layout().table.name}));
  const std::vector<StoredColumn>& own = plan_->layout().columns;
  bool same = rows.size() == own.size();
  for (size_t i = 0; same && i < own.size(); ++i) same = rows[i][0] == own[i].name;
  for (size_t i = 0; !same && i < own.size(); ++i) {
    if (duckdb_appender_add_column(appender, own[i].name.c_str()) != DuckDBSuccess) return AppenderError(appender);
  }
  return absl::OkStatus();
}

absl::Status FileLoader::Append(duckdb_appender appender, RowBatch& batch, RejectedRows& rejected) {
  for (size_t i = 0; i < batch.chunk_rows.size(); ++i) {
    if (batch.chunk_rows[i] == 0) continue;
    if (duckdb_append_data_chunk(appender, batch.chunks[i]->Finish(batch.chunk_rows[i])) != DuckDBSuccess) {
      return AppenderError(appender);
    }
    result_.rows += static_cast<int64_t>(batch.chunk_rows[i]);
  }
  // The appender would keep 200,000 rows before it gave them to the table.
  if (duckdb_appender_flush(appender) != DuckDBSuccess) return AppenderError(appender);
  for (RejectedRow& row : batch.rejected) {
    LOGQUERY_RETURN_IF_ERROR(rejected.Add(row));
    ++result_.rejected_rows;
    if (result_.first_rejected.size() < kFirstRejected)
      result_.first_rejected.push_back({rejected.source(), row.line, row.reason});
  }
  result_.bytes += batch.bytes;
  return absl::OkStatus();
}

// Only rows whose id the table has not, and of several with one id the first.
absl::Status FileLoader::MoveFromStage() {
  const std::string table = QuoteName(plan_->layout().table.name);
  if (plan_->id() == nullptr) {
    return absl::InvalidArgumentError(base::StrCat("table ", table, " has no column id to tell duplicates by"));
  }
  const std::string id = QuoteName(plan_->id()->name);
  LOGQUERY_ASSIGN_OR_RETURN(
      const TextRows moved,
      Query(
          connection_,
          base::StrCat("INSERT INTO ", table, " BY NAME WITH duplicate AS (SELECT place FROM (SELECT rowid AS place, ",
                       id, " AS id, row_number() OVER (PARTITION BY ", id, " ORDER BY rowid) AS nth FROM temp.", kStage,
                       ") WHERE nth > 1 OR id IN (SELECT ", id, " FROM ", table, ")) SELECT s.* FROM temp.", kStage,
                       " AS s ANTI JOIN duplicate ON s.rowid = duplicate.place")));
  result_.duplicate_rows = result_.rows - Number(moved);
  result_.rows = Number(moved);
  return Run(connection_, base::StrCat("DROP TABLE temp.", kStage));
}

absl::Status FileLoader::Record(const InputFile& file, const std::string& name, const RejectedRows& rejected) const {
  return Query(connection_,
               "INSERT INTO logquery.loads VALUES ($1, $2, $3, now()::TIMESTAMP, $4::BIGINT, $5::BIGINT, $6::BIGINT, "
               "$7::BIGINT, $8)",
               {file.digest(), plan_->layout().table.name, name, absl::StrCat(result_.rows),
                absl::StrCat(result_.rejected_rows), absl::StrCat(result_.duplicate_rows), absl::StrCat(result_.bytes),
                rejected.empty() ? "" : rejected.name()})
      .status();
}

void FileLoader::Report(LoadReport* report) const {
  report->rows += result_.rows;
  report->rejected_rows += result_.rejected_rows;
  report->duplicate_rows += result_.duplicate_rows;
  report->bytes += result_.bytes;
  ++report->files_loaded;
  report->undeclared_fields.insert(report->undeclared_fields.end(), result_.undeclared_fields.begin(),
                                   result_.undeclared_fields.end());
  for (const LoadReport::Rejected& rejected : result_.first_rejected) {
    if (report->first_rejected.size() < kFirstRejected) report->first_rejected.push_back(rejected);
  }
  if (!result_.rejected_folder.empty()) report->rejected_folder = result_.rejected_folder;
}

}  // namespace logquery::duckdb
