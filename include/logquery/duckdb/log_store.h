// Logs on their way in: NDJSON to the tables of a data folder, each file exactly once.
//
//     LoadReport report = *backend->store().Load({.table = "cloudflare.logs.prod", .files = {"edge.ndjson.gz"}}, nullptr);
//
// What a row must look like, and what becomes of one that does not, is settled in docs/loading.md.
#ifndef LOGQUERY_DUCKDB_LOG_STORE_H_
#define LOGQUERY_DUCKDB_LOG_STORE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "logquery/cancellation.h"

namespace logquery {

enum class TimestampUnit { kSeconds, kMilliseconds, kMicroseconds, kNanoseconds };

struct LoadRequest {
  std::string table = {};               // "cloudflare.logs.prod", or the log's name, "edge_logs"
  std::vector<std::string> files = {};  // NDJSON, plain or gzip; "-" is standard input
  TimestampUnit timestamp_unit = TimestampUnit::kMicroseconds;  // of timestamps that are integers
  bool dedupe_by_id = false;                                    // a row whose id is there already is skipped
  CancellationToken cancellation = {};
};

struct LoadReport {
  struct Rejected {
    std::string file;
    int64_t line = 0;
    std::string reason;
  };
  int64_t rows = 0;  // accepted
  int64_t rejected_rows = 0;
  int64_t duplicate_rows = 0;  // left out by dedupe_by_id
  int64_t bytes = 0;           // read, after decompression
  int64_t files_loaded = 0;
  std::vector<std::string> files_skipped;      // loaded before, by their digest
  std::vector<std::string> undeclared_fields;  // "metadata.request.new_field": kept, not yet a column
  std::vector<Rejected> first_rejected;        // the first 20
  std::string rejected_folder;                 // where the rejected rows are; empty when none
  absl::Duration time;
};

struct LoadProgress {
  std::string file;
  int64_t bytes_done = 0;
  int64_t bytes_total = 0;  // 0: not known
  int64_t rows = 0;
};

class LogStore {
 public:
  virtual ~LogStore() = default;
  // Loads the files one after another, each in one transaction with the record of its digest and of its rejected rows.
  // `progress` is called now and then from this thread; it may be nullptr. One load runs at a time; a second waits.
  // NotFound: no such table or file (nothing is loaded). InvalidArgument: a file that is no text of rows, damaged gzip.
  // ResourceExhausted: the disk is full; files loaded before stay. Cancelled: the same. Aborted: a file changed while it
  // was read. Unavailable: the database is being opened again after an error.
  virtual absl::StatusOr<LoadReport> Load(const LoadRequest& request,
                                          const std::function<void(const LoadProgress&)>& progress) = 0;
  // Writes what is in the log file into the data file.
  virtual absl::Status Checkpoint() = 0;
};

}  // namespace logquery

#endif  // LOGQUERY_DUCKDB_LOG_STORE_H_
