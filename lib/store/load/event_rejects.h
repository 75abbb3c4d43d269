// Stores the rejected events of all requests unchanged in a few files: DATA/rejected/TABLE.events.NUMBER.ndjson. For
// each line, TABLE.events.NUMBER.reasons.ndjson has its time, token and reason.
//
// A file has the events of one table and one project's tokens, or of the tokens of all projects. It is appended to until it is
// large or a day old. The database records the committed length of each file; bytes that a crash left beyond it are cut off. The
// files are limited in total size and age: the oldest of the project with the most bytes is deleted first, so that a project that
// fills the folder loses its own.
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
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/handles.h"
#include "lib/store/load/project_rows.h"
#include "logquery/store/duckdb_backend.h"
#include "logquery/store/folder_check.h"

namespace logquery::store {

inline constexpr char kMakeRejectBooks[] =
    "CREATE TABLE IF NOT EXISTS logquery.rejected_events("
    "number BIGINT, table_name VARCHAR, name VARCHAR, row_count BIGINT, row_bytes BIGINT, reason_bytes BIGINT,"
    "first_at TIMESTAMP, last_at TIMESTAMP);"
    "ALTER TABLE logquery.rejected_events ADD COLUMN IF NOT EXISTS project VARCHAR;"
    "CREATE TABLE IF NOT EXISTS logquery.rejected_removals(table_name VARCHAR, row_count BIGINT)";

// Not thread-safe, except state().
class EventRejects {
 public:
  struct Limits {
    int64_t file_bytes = 16 << 20;
    int64_t total_bytes = 256 << 20;  // not counting the newest file, which is always kept
    absl::Duration file_age = absl::Hours(24);
    absl::Duration keep = absl::Hours(24 * 30);  // after a file's last event
  };
  // Everything is borrowed for the call.
  struct Event {
    std::string_view text;
    std::string_view reason;
    std::string_view sender;  // the token's id
    int64_t index = 0;        // index in its request
    absl::Time arrived;
    std::string_view project = {};  // that the token is limited to; empty: none
  };
  // A file as recorded in the database.
  struct Entry {
    int64_t number = 0;
    std::string table;
    std::string name;
    std::string project;  // that the tokens are limited to; empty: tokens of all projects
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

  // Must be called when a transaction with events begins: forgets what a failed one has left.
  void Begin();
  // Returns whether these events, by a digest of them and their sender, are kept already: a client that repeats a
  // rejected request adds nothing. Otherwise notes that the open transaction keeps them. The digests are in memory only,
  // so the first repetition after a restart is kept again.
  bool IsKept(const std::string& digest);

  // Writes the events to disk and records them, in `connection`'s open transaction. Removes files that exceed the
  // limits at `now` from the records.
  absl::Status Append(duckdb_connection connection, const std::string& table, absl::Time now,
                      const std::vector<Event>& events);
  // Only removes files that exceed the limits, as Append does. Returns the number of removed events.
  absl::StatusOr<int64_t> Trim(duckdb_connection connection, absl::Time now);
  // Removes a project's events in the same way: what remains of a file goes into a new file, which replaces it in the books.
  // `project` is called for each table. A dry run only counts.
  absl::StatusOr<SiftedRows> Erase(duckdb_connection connection,
                                   absl::FunctionRef<ProjectRows(const std::string& table)> project, bool dry_run);
  // Must be called after that transaction has been committed: deletes the removed files.
  void Committed();

  // Called when a folder is opened: makes the files match the records.
  absl::Status Settle(duckdb_connection connection);

  // The folder's current state. Thread-safe.
  RejectedEventsState state() const;

 private:
  absl::Status AppendOf(duckdb_connection connection, const std::string& table, const std::string& project,
                        absl::Time now, const std::vector<const Event*>& events);
  absl::StatusOr<Entry> FileFor(const std::vector<Entry>& files, const std::string& table, const std::string& project,
                                absl::Time now, int64_t bytes) const;
  // Returns the file that goes next by age or size; the end: all may stay.
  std::vector<Entry>::iterator NextToGo(std::vector<Entry>& files, absl::Time now) const;
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
  std::vector<std::string> leaving_;  // names of files to delete after the open transaction
  base::StringSet kept_;              // digests of events that the files have
  base::StringSet keeping_;           // those of the open transaction
  RejectedEventsState pending_;
  mutable absl::Mutex state_mutex_;
  RejectedEventsState state_ ABSL_GUARDED_BY(state_mutex_);
};

// Statistics of one table; also works for older folders and for folders open read-only.
struct RejectedOfTable {
  int64_t bytes = 0;    // kept in files
  int64_t removed = 0;  // number of deleted events
};
absl::StatusOr<RejectedOfTable> ReadRejectedOf(duckdb_connection connection, const std::string& table);

// Compares the files in `folder` with the records, outside of a transaction, and reports deleted events.
absl::Status CheckEventRejects(duckdb_connection connection, const std::string& folder,
                               std::vector<FolderFinding>* findings);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_LOAD_EVENT_REJECTS_H_
