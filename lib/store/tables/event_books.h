// Records of events: the number of rows per hour, and the requests that must not be stored twice. A record is committed
// together with the rows that it describes.
#ifndef LOGQUERY_LIB_STORE_TABLES_EVENT_BOOKS_H_
#define LOGQUERY_LIB_STORE_TABLES_EVENT_BOOKS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "lib/engines/duckdb/backend/handles.h"
#include "lib/store/tables/load_books.h"

namespace logquery::store {

inline constexpr char kMakeEventBooks[] =
    "CREATE TABLE IF NOT EXISTS logquery.event_keys("
    "sender VARCHAR, key VARCHAR, digest VARCHAR, taken_at TIMESTAMP, outcome VARCHAR);"
    "ALTER TABLE logquery.event_keys ADD COLUMN IF NOT EXISTS project VARCHAR";

// The time for which a request's key is remembered.
inline constexpr absl::Duration kKeepKeys = absl::Hours(24);

struct EventKey {
  std::string digest;        // of the request's content
  std::string outcome;       // in the form of EventOutcomeJson
  std::string project = {};  // the project that the sender is limited to; empty: none, or unknown
};

// The requests with remembered keys. Not thread-safe.
class EventKeys {
 public:
  // nullopt: the sender has not used this key since kKeepKeys before `now`.
  absl::StatusOr<std::optional<EventKey>> Find(duckdb_connection connection, const std::string& sender,
                                               const std::string& key, absl::Time now);
  absl::Status Add(duckdb_connection connection, const std::string& sender, const std::string& key,
                   const EventKey& entry, absl::Time now);
  // Removes records that are too old, at most once per hour.
  absl::Status Forget(duckdb_connection connection, absl::Time now);

  // Forgets the requests of senders that are limited to `project`, and returns their number. A dry run only counts. For
  // senders with rows of all projects only the texts of errors are removed, which may quote rows.
  static absl::StatusOr<int64_t> Erase(duckdb_connection connection, const std::string& project, bool dry_run);

 private:
  absl::Status Fill(duckdb_connection connection);

  // Recognizes nearly all new keys without a lookup in the table.
  absl::flat_hash_set<size_t> seen_;
  bool filled_ = false;
  absl::Time forgot_ = absl::InfinitePast();
};

// Adds to the record of the table's events in this hour, because one record per batch would be millions per day. The
// record changes with each batch, and so does the table's mark. Uses only the numbers in `counts`.
absl::Status AddEventRows(duckdb_connection connection, const std::string& table, absl::Time now,
                          const LoadEntry& counts);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_TABLES_EVENT_BOOKS_H_
