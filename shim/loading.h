// Loading logs into a data folder, as the commands see it. Whose store it is, compose.cc knows.
#ifndef LOGQUERY_SHIM_LOADING_H_
#define LOGQUERY_SHIM_LOADING_H_

#include <cstdint>
#include <functional>
#include <string>
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
  std::vector<std::string> first_rejected;  // "FILE:LINE: reason"
  std::string rejected_folder;
  absl::Duration time;
};

// Loads the files. After an error `totals` holds what was loaded before it. Otherwise what OpenDuckDb and LogStore::Load
// return.
absl::Status LoadLogs(const LoadJob& job, LoadTotals& totals);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_LOADING_H_
