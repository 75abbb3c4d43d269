// Goes over the days of each log, and has the engine write those that are not there yet.
#include "logquery/store/export.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/time/time.h"
#include "lib/base/nearest_names.h"
#include "lib/base/readable_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/emit/dialects.h"
#include "lib/engines/clickhouse/dialect/load_script.h"
#include "lib/engines/clickhouse/dialect/schema_script.h"
#include "lib/engines/duckdb/backend/database.h"
#include "lib/engines/duckdb/backend/engine_types.h"
#include "lib/engines/duckdb/backend/functions/function.h"
#include "lib/engines/duckdb/backend/small_query.h"
#include "lib/model/schema_file.h"
#include "lib/store/export/export_query.h"
#include "lib/store/export/export_target.h"
#include "lib/store/export/otel_query.h"
#include "lib/store/folder/data_folder.h"
#include "lib/store/folder/folder_files.h"
#include "lib/store/folder/rollback_journal.h"
#include "lib/store/tables/folder_schema.h"
#include "lib/store/tables/store_schema.h"

namespace logquery {
namespace store {
namespace {

using base::StrCat;

constexpr std::string_view kOtelLayout = "otel";

// The rows of one file.
struct Day {
  std::optional<absl::CivilDay> day;  // nullopt: all rows of a table without a time
  int64_t rows = 0;
};

class Exporter {
 public:
  Exporter(const ExportRequest& request, ExportTarget target) : request_(request), target_(std::move(target)) {}

  absl::Status Open(const DataFolder& folder) {
    duckdb::DatabaseOptions options;
    options.file = folder.database_file();
    options.spill_folder = folder.temporary_folder();
    options.before_opening = [file = folder.database_file()] { return RollbackJournal::PutBack(file, true); };
    options.read_only = true;
    options.memory_limit_bytes = request_.memory_limit_bytes;
    options.threads = request_.threads;
    options.files_folder = target_.unfinished();
    LOGQUERY_ASSIGN_OR_RETURN(duckdb::Database database, duckdb::Database::Open(options));
    database_ = std::make_unique<duckdb::Database>(std::move(database));
    LOGQUERY_ASSIGN_OR_RETURN(connection_, database_->Connect());
    LOGQUERY_RETURN_IF_ERROR(duckdb::RegisterFunctions(connection_.get(), &database_->connection_states()));
    return ReadSchema();
  }

  absl::StatusOr<ExportReport> Run() {
    LOGQUERY_RETURN_IF_ERROR(CheckLayout());
    LOGQUERY_RETURN_IF_ERROR(Choose());
    for (size_t i = 0; i < declared_.size(); ++i) {
      if (chosen_[i]) LOGQUERY_RETURN_IF_ERROR(ExportTable(i));
    }
    LOGQUERY_RETURN_IF_ERROR(WriteScripts());
    return report_;
  }

 private:
  absl::Status CheckLayout() const {
    if (!request_.layout.empty() && !is_otel()) {
      return absl::InvalidArgumentError(StrCat("there is no layout ", request_.layout, "; there is otel"));
    }
    for (const ExportedFile& file : target_.manifest().files) {
      if (file.name.starts_with(StrCat(emit::kOtelTable, "/")) == is_otel()) continue;
      return absl::FailedPreconditionError(
          StrCat(request_.target, " has ", file.name, ", a file of another layout: export into a folder of its own"));
    }
    return absl::OkStatus();
  }

  absl::Status ReadSchema() {
    model::SchemaFile base = model::BuiltInSchema();
    if (!request_.schema_json.empty()) {
      LOGQUERY_ASSIGN_OR_RETURN(base, model::ParseSchemaFile("schema", request_.schema_json));
    }
    LOGQUERY_ASSIGN_OR_RETURN(model::SchemaFile own, ReadOwnLogs(connection_.get()));
    LOGQUERY_ASSIGN_OR_RETURN(schema_, MakeFolderSchema(std::move(base), std::move(own), {}));
    LOGQUERY_ASSIGN_OR_RETURN(std::vector<LiveTable> live, ReadTables(connection_.get(), schema_->layouts));
    std::vector<Table> tables;
    for (LiveTable& table : live) tables.push_back(std::move(table.table));
    for (const model::SchemaFile* const file : {&schema_->base, &schema_->own}) {
      for (size_t i = 0; i < file->tables.size(); ++i) {
        const Table& table = file->tables[i];
        declared_.push_back({&table, emit::ScriptTableName(table), emit::ScriptHotColumns(table, file->hot[i])});
      }
    }
    catalog_ = std::make_unique<Catalog>(std::move(tables), 1);
    return absl::OkStatus();
  }

  absl::Status Choose() {
    chosen_.assign(declared_.size(), request_.logs.empty());
    std::vector<std::string> names;
    for (const emit::ScriptTable& table : declared_) {
      if (!table.declared->log.empty()) names.push_back(table.declared->log);
      names.push_back(table.declared->name);
    }
    for (const std::string& log : request_.logs) {
      bool found = false;
      for (size_t i = 0; i < declared_.size(); ++i) {
        const Table& table = *declared_[i].declared;
        if (!base::EqualsIgnoreCase(table.log, log) && !base::EqualsIgnoreCase(table.name, log)) continue;
        chosen_[i] = found = true;
      }
      if (!found) {
        return absl::InvalidArgumentError(
            StrCat("there is no log ", log, base::DidYouMean(base::NearestNames(log, names))));
      }
    }
    return absl::OkStatus();
  }

  absl::StatusOr<std::vector<Day>> DaysOf(const Table& table) {
    const std::string name = duckdb::QuoteName(table.name);
    std::vector<Day> days;
    if (table.time_column.empty()) {
      LOGQUERY_ASSIGN_OR_RETURN(const duckdb::TextRows rows,
                                duckdb::Query(connection_.get(), StrCat("SELECT count(*) FROM ", name)));
      LOGQUERY_ASSIGN_OR_RETURN(const int64_t count, duckdb::NumberIn(rows[0][0]));
      if (count > 0) days.push_back({std::nullopt, count});
      return days;
    }
    const std::string day = StrCat("CAST(", duckdb::QuoteName(table.time_column), " AS DATE)");
    LOGQUERY_ASSIGN_OR_RETURN(
        const duckdb::TextRows rows,
        duckdb::Query(connection_.get(), StrCat("SELECT date_diff('day', DATE '1970-01-01', ", day,
                                                ") AS day, count(*) FROM ", name, " GROUP BY 1 ORDER BY 1")));
    for (const std::vector<std::string>& row : rows) {
      LOGQUERY_ASSIGN_OR_RETURN(const int64_t number, duckdb::NumberIn(row[0]));
      Day of{absl::CivilDay(1970, 1, 1) + number};
      LOGQUERY_ASSIGN_OR_RETURN(of.rows, duckdb::NumberIn(row[1]));
      const bool is_asked = (!request_.from || *of.day >= *request_.from) && (!request_.to || *of.day <= *request_.to);
      if (is_asked) days.push_back(of);
    }
    return days;
  }

  bool is_otel() const { return request_.layout == kOtelLayout; }

  absl::Status ExportTable(size_t index) {
    const emit::ScriptTable& declared = declared_[index];
    const Table* const table = catalog_->Find(declared.declared->name);
    if (table == nullptr) return absl::OkStatus();  // the folder does not have it yet
    if (is_otel() && !HasTimes(*table)) return absl::OkStatus();
    LOGQUERY_ASSIGN_OR_RETURN(const std::vector<Day> days, DaysOf(*table));
    for (const Day& day : days) LOGQUERY_RETURN_IF_ERROR(ExportDay(declared, *table, day));
    return absl::OkStatus();
  }

  absl::Status ExportDay(const emit::ScriptTable& declared, const Table& table, const Day& day) {
    ExportedFile file;
    const std::string of_day = day.day ? absl::FormatCivilTime(*day.day) : "all";
    file.name = is_otel() ? StrCat(emit::kOtelTable, "/", declared.name, "_", of_day, ".parquet")
                          : StrCat(declared.name, "/", of_day, ".parquet");
    file.table = table.name;
    if (const ExportedFile* const known = target_.manifest().Find(file.name); known != nullptr && target_.Has(*known)) {
      if (known->rows == day.rows) {
        ++report_.kept;
        return absl::OkStatus();
      }
      file.before = known->rows;
    }
    LOGQUERY_ASSIGN_OR_RETURN(const std::string rows, is_otel() ? OtelExportSql(*catalog_, table, day.day)
                                                                : ExportSql(*catalog_, table, declared.hot, day.day));
    LOGQUERY_RETURN_IF_ERROR(target_.Add(
        file, [&](const std::string& path) -> absl::StatusOr<int64_t> { return Copy(rows, path, day.rows); }));
    ++report_.files;
    report_.rows += file.rows;
    report_.bytes += file.bytes;
    if (request_.on_file) request_.on_file(file);
    return absl::OkStatus();
  }

  absl::StatusOr<int64_t> Copy(const std::string& rows, const std::string& path, int64_t expected) {
    LOGQUERY_ASSIGN_OR_RETURN(const duckdb::TextRows copied,
                              duckdb::Query(connection_.get(), StrCat("COPY (", rows, ") TO ", duckdb::QuoteText(path),
                                                                      " (FORMAT parquet, COMPRESSION zstd)")));
    if (copied.size() != 1 || copied[0].empty()) return absl::InternalError("the engine does not say what it exported");
    LOGQUERY_ASSIGN_OR_RETURN(const int64_t count, duckdb::NumberIn(copied[0][0]));
    if (count == expected) return count;
    return absl::InternalError(
        StrCat("the engine exported ", base::Counted(count, "row"), " of a day that has ", expected));
  }

  // Writes scripts for all tables that have files, including files of earlier runs.
  absl::Status WriteScripts() {
    if (is_otel()) {
      if (target_.manifest().files.empty()) return absl::OkStatus();
      return target_.PutText("load_clickhouse.sql", emit::ClickHouseOtelLoad(request_.database));
    }
    emit::LoadScriptOptions options;
    options.database = request_.database;
    for (const emit::ScriptTable& table : declared_) {
      const std::string folder = table.name + "/";
      const bool has_files = std::any_of(target_.manifest().files.begin(), target_.manifest().files.end(),
                                         [&](const ExportedFile& file) { return file.name.starts_with(folder); });
      if (has_files) options.tables.push_back(table);
    }
    if (options.tables.empty()) return absl::OkStatus();
    for (const emit::LoadWriter& writer : emit::LoadWriters()) {
      LOGQUERY_RETURN_IF_ERROR(target_.PutText(StrCat("load_", writer.engine, ".sql"), writer.write(options)));
    }
    return absl::OkStatus();
  }

  const ExportRequest& request_;
  ExportTarget target_;
  std::unique_ptr<duckdb::Database> database_;
  duckdb::ConnectionHandle connection_;
  std::shared_ptr<const FolderSchema> schema_;
  std::unique_ptr<Catalog> catalog_;
  std::vector<emit::ScriptTable> declared_;  // all tables of the schema
  std::vector<bool> chosen_;
  ExportReport report_;
};

}  // namespace
}  // namespace store

absl::StatusOr<ExportReport> ExportFolder(const ExportRequest& request) {
  if (request.from && request.to && *request.from > *request.to) {
    return absl::InvalidArgumentError(base::StrCat("no day is from ", absl::FormatCivilTime(*request.from), " to ",
                                                   absl::FormatCivilTime(*request.to),
                                                   ": the first day is after the last"));
  }
  LOGQUERY_RETURN_IF_ERROR(store::CheckNoBackup(request.folder));
  absl::StatusOr<store::DataFolder> opened = store::DataFolder::Open(request.folder, true);
  if (absl::IsFailedPrecondition(opened.status())) {
    return absl::FailedPreconditionError(base::StrCat(
        base::Message(opened.status()), "; export a copy: logquery backup --data ", request.folder,
        " BACKUP, logquery restore --data COPY BACKUP, logquery export --data COPY --out ", request.target));
  }
  LOGQUERY_ASSIGN_OR_RETURN(const store::DataFolder folder, std::move(opened));
  LOGQUERY_ASSIGN_OR_RETURN(store::ExportTarget target, store::ExportTarget::Open(request.target));
  store::Exporter exporter(request, std::move(target));
  LOGQUERY_RETURN_IF_ERROR(exporter.Open(folder));
  return exporter.Run();
}

}  // namespace logquery
