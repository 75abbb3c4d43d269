// Writes logs to a data folder: loads NDJSON files, each exactly once, or appends rows from memory.
//
//     LoadReport report = *backend->store().Load({.table = "edge_logs", .files = {"edge.ndjson.gz"}}, nullptr);
//     std::vector<std::string_view> rows = {R"({"timestamp":"2026-01-15T08:00:00Z","project":"abc"})"};
//     LoadReport appended = *backend->store().Append({.table = "edge_logs", .rows = rows});
//
// docs/loading.md defines the form of a row, and what happens to rows that do not have it.
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
  kByMagnitude,  // whichever unit puts the number into the years 2000 to 2100; seconds may have fractions
};

struct LoadRequest {
  std::string table = {};               // "cloudflare.logs.prod", or the log's name, "edge_logs"
  std::vector<std::string> files = {};  // NDJSON, plain or gzip; "-" is standard input
  TimestampUnit timestamp_unit = TimestampUnit::kMicroseconds;  // of integer timestamps
  bool dedupe_by_id = false;                                    // skips rows whose id is already in the table
  // Loads files that were loaded before once more; with `dedupe_by_id` only their rows that are not there. A file of which
  // no row was accepted was not loaded: its next load needs no `again`.
  bool again = false;
  bool together = false;  // loads all files in one transaction, which suits many small files: all or none
  CancellationToken cancellation = {};
};

struct AppendRequest {
  std::string table = {};                   // as in LoadRequest
  std::vector<std::string_view> rows = {};  // each is the text of one JSON object, up to 64 MiB; borrowed for the call
  // A unique name for these rows, chosen by the caller, so that it can send them again if it does not know whether they
  // were stored: the table stores each name once. Empty: the rows are always added.
  std::string batch = {};
  TimestampUnit timestamp_unit = TimestampUnit::kMicroseconds;
  bool dedupe_by_id = false;
  CancellationToken cancellation = {};
};

// An undeclared field that became a column because rows contain it.
struct LearnedField {
  std::string path;  // "metadata.request.new_field"
  Type type;
  Type narrower;  // the previous type of a field that was widened; otherwise the same as `type`
};

struct LoadReport {
  struct Rejected {
    std::string file;  // for Append: the batch's name
    int64_t line = 0;  // for Append: the row's number, from 1
    std::string reason;
  };
  struct File {
    std::string file;
    bool skipped = false;   // it was loaded before; the numbers are those of that load
    std::string loaded_as;  // the name under which it was loaded
    int64_t rows = 0;
    int64_t rejected_rows = 0;
    int64_t duplicate_rows = 0;
    std::vector<std::string> undeclared_fields;
    std::vector<RejectedCount> rejected_by_reason;  // empty if the file was skipped
    // Returns whether the load stored none of the file's rows, and none of them was there already.
    bool gave_nothing() const { return !skipped && rows == 0 && duplicate_rows == 0; }
  };
  int64_t rows = 0;  // accepted
  int64_t rejected_rows = 0;
  int64_t duplicate_rows = 0;                  // skipped by dedupe_by_id
  int64_t bytes = 0;                           // bytes read, after decompression
  int64_t files_loaded = 0;                    // without those that gave nothing
  std::vector<std::string> files_skipped;      // already loaded: files by their digest, appended batches by their name
  std::vector<File> files;                     // for Load: each file, in order
  std::vector<std::string> undeclared_fields;  // "metadata.request.new_field": kept as JSON, not as a column
  std::vector<LearnedField> learned_fields;    // became columns in this load
  std::vector<LearnedField> widened_fields;    // got a wider type in this load
  std::vector<Rejected> first_rejected;        // the first 20
  std::vector<RejectedCount> rejected_by_reason;  // all rejected rows, the most frequent reason first
  std::string rejected_folder;                    // the folder of the rejected rows; empty if there are none
  absl::Duration time;
};

struct LoadProgress {
  std::string file;
  int64_t bytes_done = 0;
  int64_t bytes_total = 0;  // 0: unknown
  int64_t rows = 0;
};

class LogStore {
 public:
  virtual ~LogStore() = default;
  // Loads the files in order, each in one transaction together with the record of its digest and its rejected rows.
  // Calls `progress` from time to time on the calling thread; it may be nullptr. Only one load or append runs at a
  // time; others wait.
  // NotFound: no such table or file; nothing is loaded. InvalidArgument: a file is not text in rows, or its gzip data
  // is damaged. ResourceExhausted: the disk is full; files that were already loaded stay. Cancelled: the same. Aborted:
  // a file changed while it was read. Unavailable: the database is being reopened after an error.
  virtual absl::StatusOr<LoadReport> Load(const LoadRequest& request,
                                          const std::function<void(const LoadProgress&)>& progress) = 0;
  // Adds rows from memory in one transaction; they are on disk when it returns. Rows are treated like rows of files,
  // and rejected ones are kept in the same place. Each call writes to disk, so pass a thousand rows or more at a time.
  // Statuses: those of Load; InvalidArgument, in addition: a row is longer than 64 MiB. After a failure, none of the
  // rows is stored.
  virtual absl::StatusOr<LoadReport> Append(const AppendRequest& request) = 0;
  // Returns whether a batch of this name was appended to the table; it may have been one without rows.
  // NotFound: no such table. Otherwise the statuses of Load.
  virtual absl::StatusOr<bool> HasBatch(const std::string& table, const std::string& batch) = 0;
  // Adds the events of several requests to one table in one transaction; they are on disk when it returns. ingest.h
  // batches requests for it. Returns an outcome for each part, in order. If no part is stored, returns a status as Load
  // does. ErrorReason::kOutcomeUnknown: the commit failed, and the events may or may not be stored.
  virtual absl::StatusOr<std::vector<EventOutcome>> AppendEvents(const EventBatch& batch) = 0;
  // Deletes rows that are too old or exceed the size limit, one day per transaction so that loads can run in between;
  // then frees their disk space. Files stay recorded as loaded: loading one again does not restore its rows. Also
  // deletes rejected events that are old enough.
  // NotFound: no such table. Cancelled: rows that were already deleted stay deleted. FailedPrecondition: a table
  // without a time column.
  virtual absl::StatusOr<RetainReport> Retain(const RetainRequest& request) = 0;
  // Rewrites the rows of closed days, ordered by project. It rewrites a day if an eighth or more of its rows arrived
  // since the last rewrite and the day has at least 30,720 rows. Works in steps of one transaction each, so that loads
  // can run in between; queries see the same rows throughout. If it ends early, completed steps stay. InvalidArgument:
  // a bad share or step size. Cancelled. ResourceExhausted: no disk space for a step. Otherwise the statuses of Load.
  virtual absl::StatusOr<ClusterReport> Cluster(const ClusterRequest& request) = 0;
  // Removes a project from the folder (erasure.h), each log in one transaction, and then checkpoints. A log without a project
  // column stays as it is. Rows that arrive meanwhile may stay. If it ends early, a second run completes it.
  // InvalidArgument: the project is empty. Cancelled: logs that were done before stay done. Otherwise as Load.
  virtual absl::StatusOr<EraseReport> Erase(const EraseRequest& request) = 0;
  // Writes the contents of the write-ahead log into the data file.
  virtual absl::Status Checkpoint() = 0;
};

}  // namespace logquery

#endif  // LOGQUERY_STORE_LOG_STORE_H_
