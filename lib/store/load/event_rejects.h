// The rejected events of all requests, kept unchanged in few files: DATA/rejected/TABLE.events.NUMBER.ndjson, and line by line
// in TABLE.events.NUMBER.reasons.ndjson when each came, from which token, and why it was rejected.
//
// A file is appended to until it is large or a day old. The books say how much of it is committed; what a crash has left behind
// that is cut off. All files together are bounded in bytes and in time: the oldest go first.
#ifndef LOGQUERY_LIB_STORE_LOAD_EVENT_REJECTS_H_
#define LOGQUERY_LIB_STORE_LOAD_EVENT_REJECTS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "lib/backend/duckdb/handles.h"
#include "lib/store/load/project_rows.h"
#include "logquery/store/duckdb_backend.h"
#include "logquery/store/folder_check.h"

namespace logquery::store {

inline constexpr char kMakeRejectBooks[] =
    "CREATE TABLE IF NOT EXISTS logquery.rejected_events("
    "number BIGINT, table_name VARCHAR, name VARCHAR, row_count BIGINT, row_bytes BIGINT, reason_bytes BIGINT,"
    "first_at TIMESTAMP, last_at TIMESTAMP);"
    "CREATE TABLE IF NOT EXISTS logquery.rejected_removals(table_name VARCHAR, row_count BIGINT)";

// Not thread-safe, but for state().
class EventRejects {
 public:
  struct Limits {
    int64_t file_bytes = 16 << 20;
    int64_t total_bytes = 256 << 20;  // but for the newest file, which always stays
    absl::Duration file_age = absl::Hours(24);
    absl::Duration keep = absl::Hours(24 * 30);  // after a file's last event
  };
  // All is borrowed for the call.
  struct Event {
    std::string_view text;
    std::string_view reason;
    std::string_view sender;  // the token's id
    int64_t index = 0;        // in its request
    absl::Time arrived;
    std::string_view project = {};  // that the token is limited to; empty: none
  };
  // A file of the books.
  struct Entry {
    int64_t number = 0;
    std::string table;
    std::string name;
    int64_t rows = 0;
    int64_t row_bytes = 0;
    int64_t reason_bytes = 0;
    absl::Time first;
    absl::Time last;
    int64_t bytes() const { return row_bytes + reason_bytes; }
  };

  // `folder` is DATA/rejected.
  explicit EventRejects(std::string folder) : EventRejects(std::move(folder), Limits()) {}
  EventRejects(std::string folder, const Limits& limits) : folder_(std::move(folder)), limits_(limits) {}

  // Within the transaction that `connection` has open: the events are on the disk and in the books, and what is beyond the
  // limits at `now` leaves the books.
  absl::Status Append(duckdb_connection connection, const std::string& table, absl::Time now,
                      const std::vector<Event>& events);
  // In the same way only the latter. How many events it was.
  absl::StatusOr<int64_t> Trim(duckdb_connection connection, absl::Time now);
  // In the same way takes a project's events out: what stays of a file goes into another one, which takes its place in the books.
  // `project` is asked for each table. A dry run only counts.
  absl::StatusOr<SiftedRows> Erase(duckdb_connection connection,
                                   absl::FunctionRef<ProjectRows(const std::string& table)> project, bool dry_run);
  // Once that transaction is committed: removes the files that left the books.
  void Committed();

  // At the opening of a folder: makes files and books agree.
  absl::Status Settle(duckdb_connection connection);

  // What the folder has. Thread-safe.
  RejectedEventsState state() const;

 private:
  absl::StatusOr<Entry> FileFor(const std::vector<Entry>& files, const std::string& table, absl::Time now,
                                int64_t bytes) const;
  absl::Status Write(const Entry& file, std::string_view rows, std::string_view reasons) const;
  absl::Status Forget(duckdb_connection connection, const Entry& file);
  // Lines that stay of a file.
  struct Kept {
    std::string rows;
    std::string reasons;
    int64_t count = 0;
  };
  absl::StatusOr<SiftedRows> Sift(const Entry& file, const ProjectRows& project, Kept* kept) const;

  const std::string folder_;
  const Limits limits_;
  std::vector<std::string> leaving_;  // names, in the transaction that is open
  RejectedEventsState pending_;
  mutable absl::Mutex state_mutex_;
  RejectedEventsState state_ ABSL_GUARDED_BY(state_mutex_);
};

// Of one table, also of a folder that is older than these books or is open for reading.
struct RejectedOfTable {
  int64_t bytes = 0;    // that are kept
  int64_t removed = 0;  // events that were removed
};
absl::StatusOr<RejectedOfTable> ReadRejectedOf(duckdb_connection connection, const std::string& table);

// Compares the files in `folder` with the books, outside of a transaction; tells of what was removed.
absl::Status CheckEventRejects(duckdb_connection connection, const std::string& folder,
                               std::vector<FolderFinding>* findings);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_LOAD_EVENT_REJECTS_H_
