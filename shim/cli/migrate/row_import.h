// Takes rows over from the tables that Logflare has in PostgreSQL, as seen by the command.
#ifndef LOGQUERY_SHIM_CLI_MIGRATE_ROW_IMPORT_H_
#define LOGQUERY_SHIM_CLI_MIGRATE_ROW_IMPORT_H_

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "logquery/catalog.h"
#include "shim/cli/folder/loading.h"

namespace logquery::shim {

// A source's table on the server, and what became of its rows.
struct ImportedSource {
  std::string name;     // the source's, or its UUID
  std::string table;    // "_analytics.log_events_0f3c…"
  std::string log;      // the table of the log that it goes into; empty: none, see `problem`
  std::string problem;  // why its rows stay where they are
  int64_t rows_there = 0;
  int64_t days = 0;
  int64_t days_before = 0;  // of them imported by an earlier run
  LoadTotals totals;
};

struct RowImportJob {
  std::string dsn;
  std::string password;  // empty: that of the variable PGPASSWORD, if any
  std::string schema;    // only the tables of this schema on the server; empty: of all
  // A source by its name, UUID or table, and the log that it goes into. Others go into the log that has their name.
  std::vector<std::pair<std::string, std::string>> logs;
  Catalog catalog;  // the logs that there are, with those that own_logs_json declares
  std::string folder;
  std::string own_logs_json;  // as in LoadJob
  std::string own_logs_source;
  bool dry_run = false;  // only finds out what there is
  // Called from time to time, and after each day.
  std::function<void(const ImportedSource& now, int64_t rows_read)> progress;
};

struct RowImportReport {
  std::vector<ImportedSource> sources;
  std::vector<std::string> notes;  // what could not be found out
};

// Each day of each source is read once, and its rows stored once, also if a run ends early and is repeated. After an error,
// `report` has what was done before it. InvalidArgument: the DSN, or a source or log that there is not. Statuses of the server
// (postgres_backend.h) and of the folder (OpenDuckDb, LogStore::Append, LoadBySpool). Unimplemented: this program has no
// PostgreSQL.
absl::Status ImportRows(const RowImportJob& job, RowImportReport& report);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_MIGRATE_ROW_IMPORT_H_
