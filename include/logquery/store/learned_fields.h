// The fields that a folder's logs have learned: which project's and token's rows taught them, how much of each budget is used,
// and giving them back.
//
//     for (const LearnedLog& log : *ReadLearnedLogs(*backend)) log.columns;            // of log.max_columns
//     ForgetFields(*backend, {.table = "edge_logs", .field = "metadata.junk"});
//
// docs/loading.md defines what is learned, docs/limits.md the budgets.
#ifndef LOGQUERY_STORE_LEARNED_FIELDS_H_
#define LOGQUERY_STORE_LEARNED_FIELDS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "logquery/store/duckdb_backend.h"

namespace logquery {

struct LearnedLog {
  struct Project {
    std::string project;  // empty: rows that name none
    int64_t columns = 0;  // including one for each undeclared record
    int64_t max_columns = 0;
  };
  struct Token {
    std::string id;
    int64_t columns = 0;  // that its rows taught to some project
    int64_t max_columns = 0;
  };
  std::string table;
  std::string log;
  int64_t columns = 0;  // of all projects, which share columns, without those that a schema file declares
  int64_t max_columns = 0;
  std::vector<Project> projects;  // ordered by name
  std::vector<Token> tokens;      // ordered by id
};

// Returns the logs that have learned fields. Statuses: those of DuckDbBackend::ReadStats.
absl::StatusOr<std::vector<LearnedLog>> ReadLearnedLogs(DuckDbBackend& backend);

// Returns how many values of rows did not fit the column of their field since the folder was opened: they are kept as JSON with
// their rows.
int64_t CountMisfits(DuckDbBackend& backend);

struct ForgetRequest {
  std::string table = {};  // or the log's name
  std::string field = {};  // "metadata.junk": the field, or the record with all its fields
  // Removes only this project's values, and the column if no other project has it. Absent: for every project.
  std::optional<std::string> project = std::nullopt;
  bool dry_run = false;  // only report
};

struct ForgetReport {
  struct Field {
    std::string path;
    std::string type;    // "RECORD" for an undeclared record
    int64_t rows = 0;    // that have a value, which is lost
    bool freed = false;  // the column is gone, and its place may be used again
  };
  std::vector<Field> fields;
};

// Removes learned fields from an open folder: columns, values and records of who taught them, in one transaction. Rows may teach
// the same names again. NotFound: no such table, or nothing learned of this name. FailedPrecondition: a schema file declares the
// field; the folder is open for reading only. InvalidArgument: no field is given. Otherwise the statuses of LogStore::Load.
absl::StatusOr<ForgetReport> ForgetFields(DuckDbBackend& backend, const ForgetRequest& request);

}  // namespace logquery

#endif  // LOGQUERY_STORE_LEARNED_FIELDS_H_
