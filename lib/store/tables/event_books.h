// The books of events: how many rows came in each hour, and which requests must not be taken twice. What they say commits
// together with the rows that it is about.
#ifndef LOGQUERY_LIB_STORE_TABLES_EVENT_BOOKS_H_
#define LOGQUERY_LIB_STORE_TABLES_EVENT_BOOKS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "lib/backend/duckdb/handles.h"
#include "lib/store/tables/load_books.h"

namespace logquery::store {

inline constexpr char kMakeEventBooks[] =
    "CREATE TABLE IF NOT EXISTS logquery.event_keys("
    "sender VARCHAR, key VARCHAR, digest VARCHAR, taken_at TIMESTAMP, outcome VARCHAR);"
    "ALTER TABLE logquery.event_keys ADD COLUMN IF NOT EXISTS project VARCHAR";

// For so long a request is known by its key.
inline constexpr absl::Duration kKeepKeys = absl::Hours(24);

struct EventKey {
  std::string digest;        // of what came under it
  std::string outcome;       // as EventOutcomeJson has it
  std::string project = {};  // that the sender is limited to; empty: none, or not known
};

// The requests that are known by a key. Not thread-safe.
class EventKeys {
 public:
  // nullopt: the sender has used no such key since kKeepKeys before `now`.
  absl::StatusOr<std::optional<EventKey>> Find(duckdb_connection connection, const std::string& sender,
                                               const std::string& key, absl::Time now);
  absl::Status Add(duckdb_connection connection, const std::string& sender, const std::string& key,
                   const EventKey& entry, absl::Time now);
  // Removes what is too old, at most once an hour of `now`.
  absl::Status Forget(duckdb_connection connection, absl::Time now);

  // Forgets the requests of senders that are limited to `project`; how many there are. A dry run only counts. Of senders that
  // bring rows of all projects only the texts of errors go, which may quote rows.
  static absl::StatusOr<int64_t> Erase(duckdb_connection connection, const std::string& project, bool dry_run);

 private:
  absl::Status Fill(duckdb_connection connection);

  // Tells for nearly all new keys that they are new, without a look through the table.
  absl::flat_hash_set<size_t> seen_;
  bool filled_ = false;
  absl::Time forgot_ = absl::InfinitePast();
};

// Adds to the entry that the books have of the table's events of this hour: an entry for each batch would be millions a day.
// It differs after each batch, so the table's mark does. Only the numbers of `counts` are read.
absl::Status AddEventRows(duckdb_connection connection, const std::string& table, absl::Time now,
                          const LoadEntry& counts);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_TABLES_EVENT_BOOKS_H_
