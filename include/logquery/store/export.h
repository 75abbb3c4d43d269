// Exports of a data folder: its rows as Parquet files, by log and day, with the statements that load them into the tables that
// `logquery schema` makes in an engine elsewhere.
//
//     auto report = logquery::ExportFolder({.folder = "data", .target = "out"});
//
//     out/edge_logs/2026-01-15.parquet   the rows of that day, in UTC
//     out/manifest.json                  which files are whole, with their rows and SHA-256
//     out/load_postgres.sql …            one for each engine
//
// A file gets its name when it is whole and on the disk, so an export that was interrupted goes on where it was: what is
// whole stays. A file whose day has another number of rows by now is written again.
#ifndef LOGQUERY_STORE_EXPORT_H_
#define LOGQUERY_STORE_EXPORT_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/civil_time.h"

namespace logquery {

struct ExportedFile {
  std::string name;   // within the target: "edge_logs/2026-01-15.parquet"
  std::string table;  // whose rows it has
  int64_t rows = 0;
  int64_t bytes = 0;
  std::string sha256;             // in hexadecimal
  std::optional<int64_t> before;  // how many rows the file had that this one replaces
};

struct ExportRequest {
  std::string folder = {};
  std::string target = {};             // made when it is absent; empty otherwise, or with what an earlier export made
  std::vector<std::string> logs = {};  // names of logs or tables; empty: all that have rows
  std::optional<absl::CivilDay> from = {};  // days in UTC, both of them included
  std::optional<absl::CivilDay> to = {};
  std::string database = "logs";  // the engine's database, schema or dataset that the statements load into
  // "otel": for the one table of all logs of `logquery schema --dialect clickhouse --layout otel`, with a row's fields as a map of
  // texts: out/otel_logs/edge_logs_2026-01-15.parquet. Empty: for a table of each log. A target has files of one layout.
  std::string layout = {};
  int64_t memory_limit_bytes = 2LL << 30;
  int threads = 0;                                             // 0: as many as the machine has
  std::string schema_json = {};                                // as DuckDbOptions has it
  std::function<void(const ExportedFile& file)> on_file = {};  // told of each file that was written
};

struct ExportReport {
  int64_t files = 0;  // that were written
  int64_t rows = 0;   // in these
  int64_t bytes = 0;
  int64_t kept = 0;  // files that were whole already
};

// Opens the folder for reading, in an engine of its own that can write into the target alone: of several that read a folder at
// one time each may be an export. No caller's SQL runs in it.
// NotFound: no such folder. InvalidArgument: there is no such log, or layout; `from` is after `to`. FailedPrecondition: a process
// holds the folder for writing; the target has files that no export made, or is another export's at the moment. DataLoss,
// PermissionDenied; ResourceExhausted: the disk is full.
absl::StatusOr<ExportReport> ExportFolder(const ExportRequest& request);

}  // namespace logquery

#endif  // LOGQUERY_STORE_EXPORT_H_
