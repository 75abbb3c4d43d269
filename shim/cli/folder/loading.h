// Loads logs into a data folder, as seen by the commands.
#ifndef LOGQUERY_SHIM_CLI_FOLDER_LOADING_H_
#define LOGQUERY_SHIM_CLI_FOLDER_LOADING_H_

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "logquery/packed_records.h"

namespace logquery {
struct LoadReport;
}

namespace logquery::shim {

// Names of tables with their files, in the order of loading.
using FilesOfTables = std::vector<std::pair<std::string, std::vector<std::string>>>;

// Reasons with the number of rows that were rejected for each, the most frequent first.
using ReasonCounts = std::vector<std::pair<std::string, int64_t>>;

struct LoadJob {
  std::string folder;  // created if absent
  FilesOfTables files;
  std::string timestamp_unit = "us";  // s, ms, us or ns
  bool dedupe_by_id = false;
  bool again = false;         // LoadRequest::again
  std::string own_logs_json;  // see DuckDbOptions; a server that holds the folder uses its own declarations
  std::string own_logs_source;
  PackedRecords packed_records = PackedRecords::kOpenDays;  // as above
  // Called from time to time; `bytes_total` is 0 if it is not known.
  std::function<void(const std::string& file, int64_t rows, int64_t bytes_done, int64_t bytes_total)> progress;
};

// The totals of all files of a job.
struct LoadTotals {
  int64_t rows = 0;
  int64_t rejected_rows = 0;
  int64_t duplicate_rows = 0;
  int64_t bytes = 0;
  int64_t files_loaded = 0;
  std::vector<std::string> files_skipped;
  std::vector<std::string> files_without_rows;  // that gave no row: "FILE: all of its 2 rows were rejected"
  std::vector<std::string> left_out;            // columns that the folder has and the declarations lack
  std::vector<std::string> incomplete;          // "FILE: 3 of its rows were rejected then", of skipped files
  int64_t rejected_before = 0;                  // rows of skipped files that were rejected when these were loaded
  std::vector<std::string> undeclared_fields;
  std::vector<std::string> learned_fields;  // "metadata.request.colo STRING"
  std::vector<std::string> widened_fields;  // "metadata.request.size INT64 to STRING"
  std::vector<std::string> first_rejected;  // "FILE:LINE: reason"
  ReasonCounts rejected_by_reason;
  std::string rejected_folder;
  absl::Duration time;
};

// Loads the files; through the spool if a server holds the folder. After an error, `totals` has what was loaded before
// it. Statuses: those of OpenDuckDb, LogStore::Load and LoadBySpool.
absl::Status LoadLogs(const LoadJob& job, LoadTotals& totals);

// Adds what the store reports of one load.
void AddToTotals(const LoadReport& report, LoadTotals& totals);
void AddCounts(const ReasonCounts& from, ReasonCounts& to);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_FOLDER_LOADING_H_
