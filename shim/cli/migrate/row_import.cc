// Imports Logflare's rows from PostgreSQL, day by day.
//
// A day is begun with a mark, and ended with one that has its number of rows. A day that was only begun, or that has another
// number now, is read again, and rows whose id is there are left out. So a first run costs no look for ids, and a repeated one
// reads little twice.
#include "shim/cli/migrate/row_import.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/base/nearest_names.h"
#include "lib/base/quoted_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/postgres/backend/dsn.h"
#include "lib/engines/postgres/backend/logflare_tables.h"
#include "shim/cli/migrate/import_target.h"

namespace logquery::shim {
namespace {

using base::StrCat;
using postgres::LogflareDay;
using postgres::LogflareTable;
using postgres::LogflareTables;

// Rows that are stored in one transaction.
constexpr size_t kPartRows = 100'000;
constexpr size_t kPartBytes = 64 << 20;
// The time limit of a statement that counts or reads a table of years.
constexpr absl::Duration kPatience = absl::Hours(6);

bool IsCalled(const LogflareTable& table, std::string_view name) {
  return table.uuid == name || table.table == name || StrCat(table.schema, ".", table.table) == name ||
         (!table.source.empty() && table.source == name);
}

// nullptr: there is no such log.
const Table* FindLog(const Catalog& catalog, std::string_view name) {
  const auto& tables = catalog.tables();
  const auto found = std::find_if(tables.begin(), tables.end(), [&](const Table& table) {
    return base::EqualsIgnoreCase(table.name, name) || (!table.log.empty() && base::EqualsIgnoreCase(table.log, name));
  });
  return found == tables.end() ? nullptr : &*found;
}

absl::Status NoLog(const Catalog& catalog, const std::string& name) {
  std::vector<std::string> names;
  for (const Table& table : catalog.tables()) {
    names.push_back(table.name);
    if (!table.log.empty()) names.push_back(table.log);
  }
  return absl::InvalidArgumentError(
      StrCat("there is no log ", base::QuotedText(name), base::DidYouMean(base::NearestNames(name, names))));
}

// Decides what becomes of each table; names of job.logs that no table has are an error.
absl::StatusOr<std::vector<ImportedSource>> Assign(const RowImportJob& job, const std::vector<LogflareTable>& tables) {
  std::vector<ImportedSource> sources;
  std::vector<bool> used(job.logs.size());
  for (const LogflareTable& table : tables) {
    ImportedSource& source = sources.emplace_back();
    source.name = table.source.empty() ? table.uuid : table.source;
    source.table = StrCat(table.schema, ".", table.table);
    source.problem = table.problem;
    const Table* log = FindLog(job.catalog, table.source);
    for (size_t i = 0; i < job.logs.size(); ++i) {
      if (!IsCalled(table, job.logs[i].first)) continue;
      used[i] = true;
      log = FindLog(job.catalog, job.logs[i].second);
      if (log == nullptr) return NoLog(job.catalog, job.logs[i].second);
    }
    if (log != nullptr) {
      source.log = log->name;
    } else if (source.problem.empty()) {
      source.problem = StrCat("there is no log of its name; --source ", source.name, "=LOG says where its rows go");
    }
  }
  for (size_t i = 0; i < job.logs.size(); ++i) {
    if (used[i]) continue;
    std::vector<std::string> names;
    for (const ImportedSource& source : sources) names.push_back(source.name);
    return absl::InvalidArgumentError(StrCat("there is no source ", base::QuotedText(job.logs[i].first), "; there are ",
                                             names.empty() ? "none" : base::Join(names, ", ")));
  }
  return sources;
}

class Import {
 public:
  Import(const RowImportJob& job, LogflareTables& server, ImportTarget& target)
      : job_(job), server_(server), target_(target) {}

  absl::Status Take(const LogflareTable& table, const std::vector<LogflareDay>& days, ImportedSource& source) {
    for (const LogflareDay& day : days) LOGQUERY_RETURN_IF_ERROR(TakeDay(table, day, source));
    return absl::OkStatus();
  }

 private:
  absl::Status TakeDay(const LogflareTable& table, const LogflareDay& day, ImportedSource& source) {
    const std::string name = StrCat("logflare ", table.uuid, " ", day.day.empty() ? "without a time" : day.day);
    const std::string begun = StrCat(name, " begun");
    const std::string done = StrCat(name, " done: ", day.rows);
    LOGQUERY_ASSIGN_OR_RETURN(const bool is_done, target_.HasMark(source.log, done));
    if (is_done) {
      ++source.days_before;
      read_ += day.rows;
      Show(source);
      return absl::OkStatus();
    }
    LOGQUERY_ASSIGN_OR_RETURN(const bool was_begun, target_.HasMark(source.log, begun));
    LOGQUERY_RETURN_IF_ERROR(target_.SetMark(source.log, begun));
    dedupe_ = was_begun || target_.forgets();
    LOGQUERY_RETURN_IF_ERROR(server_.Rows(table, day, [&](std::string_view row) {
      bytes_ += row.size();
      rows_.emplace_back(row);
      return rows_.size() < kPartRows && bytes_ < kPartBytes ? absl::OkStatus() : AddPart(source);
    }));
    LOGQUERY_RETURN_IF_ERROR(AddPart(source));
    return target_.SetMark(source.log, done);
  }

  absl::Status AddPart(ImportedSource& source) {
    if (!rows_.empty()) {
      const std::vector<std::string_view> rows(rows_.begin(), rows_.end());
      LOGQUERY_RETURN_IF_ERROR(target_.Add(source.log, rows, dedupe_, source.totals));
    }
    read_ += static_cast<int64_t>(rows_.size());
    rows_.clear();
    bytes_ = 0;
    Show(source);
    return absl::OkStatus();
  }

  void Show(const ImportedSource& source) const {
    if (job_.progress) job_.progress(source, read_);
  }

  const RowImportJob& job_;
  LogflareTables& server_;
  ImportTarget& target_;
  std::vector<std::string> rows_;
  size_t bytes_ = 0;
  int64_t read_ = 0;
  bool dedupe_ = false;
};

}  // namespace

absl::Status ImportRows(const RowImportJob& job, RowImportReport& report) {
  LOGQUERY_ASSIGN_OR_RETURN(PostgresOptions options, postgres::OptionsFromDsn(job.dsn));
  options.password = job.password;
  options.statement_timeout = kPatience;
  LOGQUERY_ASSIGN_OR_RETURN(const std::unique_ptr<LogflareTables> server, LogflareTables::Connect(options));
  LOGQUERY_ASSIGN_OR_RETURN(const std::vector<LogflareTable> tables, server->List(job.schema, report.notes));
  LOGQUERY_ASSIGN_OR_RETURN(report.sources, Assign(job, tables));
  std::vector<std::vector<LogflareDay>> days(tables.size());
  for (size_t i = 0; i < tables.size(); ++i) {
    if (!tables[i].problem.empty()) continue;
    LOGQUERY_ASSIGN_OR_RETURN(days[i], server->Days(tables[i]));
    report.sources[i].days = static_cast<int64_t>(days[i].size());
    for (const LogflareDay& day : days[i]) report.sources[i].rows_there += day.rows;
  }
  if (job.dry_run) return absl::OkStatus();
  LOGQUERY_ASSIGN_OR_RETURN(const std::unique_ptr<ImportTarget> target, ImportTarget::Open(job));
  for (size_t i = 0; i < tables.size(); ++i) {
    if (!report.sources[i].problem.empty()) continue;
    LOGQUERY_RETURN_IF_ERROR(Import(job, *server, *target).Take(tables[i], days[i], report.sources[i]));
  }
  return target->Finish();
}

}  // namespace logquery::shim
