// Loading logs into a data folder, as the commands see it. Whose store it is, compose.cc knows.
#ifndef LOGQUERY_SHIM_COMMAND_LOADING_H_
#define LOGQUERY_SHIM_COMMAND_LOADING_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"

namespace logquery::shim {

// Tables' names and the files for each, in the order in which they are loaded.
using FilesOfTables = std::vector<std::pair<std::string, std::vector<std::string>>>;

struct LoadJob {
  std::string folder;  // made when it is absent
  FilesOfTables files;
  std::string timestamp_unit = "us";  // s, ms, us or ns
  bool dedupe_by_id = false;
  std::string own_logs_json;  // as DuckDbOptions has it; a server that has the folder has declarations of its own
  std::string own_logs_source;
  // Called now and then; `bytes_total` is 0 when it is not known.
  std::function<void(const std::string& file, int64_t rows, int64_t bytes_done, int64_t bytes_total)> progress;
};

// What all files of a job came to.
struct LoadTotals {
  int64_t rows = 0;
  int64_t rejected_rows = 0;
  int64_t duplicate_rows = 0;
  int64_t bytes = 0;
  int64_t files_loaded = 0;
  std::vector<std::string> files_skipped;
  std::vector<std::string> undeclared_fields;
  std::vector<std::string> learned_fields;  // "metadata.request.colo STRING"
  std::vector<std::string> widened_fields;  // "metadata.request.size INT64 to STRING"
  std::vector<std::string> first_rejected;  // "FILE:LINE: reason"
  std::string rejected_folder;
  absl::Duration time;
};

// Loads the files; where a server has the folder, by way of its spool. After an error `totals` holds what was loaded before it. Otherwise what OpenDuckDb, LogStore::Load and
// LoadBySpool return.
absl::Status LoadLogs(const LoadJob& job, LoadTotals& totals);

// Takes logs in beside what else the program does. Thread-safe.
class LogIntake {
 public:
  virtual ~LogIntake() = default;
  virtual void Start() = 0;
  // What is not in by then stays for the next time.
  virtual void Stop() = 0;
  // Why nothing is taken in just now.
  virtual absl::Status state() const = 0;
};

// One line for each thing that an operator wants to know.
using IntakeLog = std::function<void(std::string_view level, std::string_view line)>;

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_COMMAND_LOADING_H_
