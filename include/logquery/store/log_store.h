// Logs on their way in: NDJSON to the tables of a data folder, each file exactly once, or rows from memory.
//
//     LoadReport report = *backend->store().Load({.table = "cloudflare.logs.prod", .files = {"edge.ndjson.gz"}}, nullptr);
//     std::vector<std::string_view> rows = {R"({"timestamp":"2026-01-15T08:00:00Z","project":"abc"})"};
//     LoadReport appended = *backend->store().Append({.table = "edge_logs", .rows = rows});
//
// What a row must look like, and what becomes of one that does not, is settled in docs/loading.md.
#ifndef LOGQUERY_STORE_LOG_STORE_H_
#define LOGQUERY_STORE_LOG_STORE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "logquery/cancellation.h"
#include "logquery/store/clustering.h"
#include "logquery/store/disk_retention.h"
#include "logquery/store/erasure.h"
#include "logquery/store/events.h"
#include "logquery/type.h"

namespace logquery {

enum class TimestampUnit {
  kSeconds,
  kMilliseconds,
  kMicroseconds,
  kNanoseconds,
  kByMagnitude,  // that of the four which puts the number into the years 2000 to 2100; of seconds also fractions
};

struct LoadRequest {
  std::string table = {};               // "cloudflare.logs.prod", or the log's name, "edge_logs"
  std::vector<std::string> files = {};  // NDJSON, plain or gzip; "-" is standard input
  TimestampUnit timestamp_unit = TimestampUnit::kMicroseconds;  // of timestamps that are integers
  bool dedupe_by_id = false;                                    // a row whose id is there already is skipped
  bool together = false;  // all files in one transaction, as suits many small ones: all are in, or none
  CancellationToken cancellation = {};
};

struct AppendRequest {
  std::string table = {};                   // as LoadRequest's
  std::vector<std::string_view> rows = {};  // each the text of one JSON object, up to 64 MiB; borrowed for the call
  // A name of the caller's for these rows, unlike any other's, so that they can be sent again when it is not known whether
  // they are in: of one name the table takes one batch. Empty: the rows are always added.
  std::string batch = {};
  TimestampUnit timestamp_unit = TimestampUnit::kMicroseconds;
  bool dedupe_by_id = false;
  CancellationToken cancellation = {};
};

// A field that is not declared, and has become a column because rows had it.
struct LearnedField {
  std::string path;  // "metadata.request.new_field"
  Type type;
  Type narrower;  // of a field that was widened the type before, else the same
};

struct LoadReport {
  struct Rejected {
    std::string file;  // of Append the batch's name
    int64_t line = 0;  // of Append the row's number, from 1
    std::string reason;
  };
  struct File {
    std::string file;
    bool skipped = false;   // it was there already; the numbers are those of then
    std::string loaded_as;  // the name that it was loaded under
    int64_t rows = 0;
    int64_t rejected_rows = 0;
    int64_t duplicate_rows = 0;
    std::vector<std::string> undeclared_fields;
  };
  int64_t rows = 0;  // accepted
  int64_t rejected_rows = 0;
  int64_t duplicate_rows = 0;  // left out by dedupe_by_id
  int64_t bytes = 0;           // read, after decompression
  int64_t files_loaded = 0;
  std::vector<std::string> files_skipped;      // loaded before, by their digest; batches appended before, by their name
  std::vector<File> files;                     // of Load, each, in order
  std::vector<std::string> undeclared_fields;  // "metadata.request.new_field": kept, but not as a column
  std::vector<LearnedField> learned_fields;    // that are columns from now on
  std::vector<LearnedField> widened_fields;    // that had a narrower type
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
  // `progress` is called now and then from this thread; it may be nullptr. One load or append runs at a time; a second waits.
  // NotFound: no such table or file (nothing is loaded). InvalidArgument: a file that is no text of rows, damaged gzip.
  // ResourceExhausted: the disk is full; files loaded before stay. Cancelled: the same. Aborted: a file changed while it
  // was read. Unavailable: the database is being opened again after an error.
  virtual absl::StatusOr<LoadReport> Load(const LoadRequest& request,
                                          const std::function<void(const LoadProgress&)>& progress) = 0;
  // Adds rows that are in memory, in one transaction: they are on the disk when it returns. What holds for a file's rows
  // holds for these; rejected ones are kept beside those of files. A call costs a write to the disk, so a thousand rows or
  // more at a time are right. Load's statuses; InvalidArgument also: a row longer than 64 MiB. After any failure none of
  // the rows is in.
  virtual absl::StatusOr<LoadReport> Append(const AppendRequest& request) = 0;
  // Adds the events of several requests to one table, in one transaction: they are on the disk when it returns. ingest.h
  // gathers requests for it. An outcome for each part, in order; Load's statuses where none of the parts is in.
  virtual absl::StatusOr<std::vector<EventOutcome>> AppendEvents(const EventBatch& batch) = 0;
  // Removes rows that are older than may be, or that there is no place for: day by day, each in one transaction, loads
  // between them; then frees their place on the disk. Files stay known: loading one again does not bring its rows back.
  // Rejected events that are old enough are removed, too.
  // NotFound: no such table. Cancelled: what went before is gone. FailedPrecondition: a table without a time column.
  virtual absl::StatusOr<RetainReport> Retain(const RetainRequest& request) = 0;
  // Writes rows of closed days anew, in the order of projects: those of which an eighth or more came since that was done
  // last, and that are worth it (30,720 rows). Step by step, each in one transaction, loads between them;
  // queries see the same rows all the while. When it ends early, what was done stays. InvalidArgument: a bad share or size of
  // steps. Cancelled. ResourceExhausted: the disk has no room for a step. Otherwise Load's statuses.
  virtual absl::StatusOr<ClusterReport> Cluster(const ClusterRequest& request) = 0;
  // Removes what the folder has of a project (erasure.h), each log in one transaction, then writes the tables to the disk without
  // it. A log whose rows say no project is left as it is. Rows that come meanwhile may stay. Whenever it ends early, a repetition
  // completes it. InvalidArgument: the project is empty. Cancelled: what went before is gone. Otherwise Load's statuses.
  virtual absl::StatusOr<EraseReport> Erase(const EraseRequest& request) = 0;
  // Writes what is in the log file into the data file.
  virtual absl::Status Checkpoint() = 0;
};

}  // namespace logquery

#endif  // LOGQUERY_STORE_LOG_STORE_H_
