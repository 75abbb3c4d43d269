// The books of rejected events: tables of the folder's database that name the files and count what was removed.
#ifndef LOGQUERY_LIB_STORE_LOAD_EVENT_REJECTS_BOOKS_H_
#define LOGQUERY_LIB_STORE_LOAD_EVENT_REJECTS_BOOKS_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "duckdb.h"
#include "lib/store/load/event_rejects.h"

namespace logquery::store {

// The files in the order of their numbers, the oldest first.
absl::StatusOr<std::vector<EventRejects::Entry>> ReadRejectsBook(duckdb_connection connection);
// The number of events in files that were removed.
absl::StatusOr<int64_t> CountRemovedRejects(duckdb_connection connection);
absl::Status UnbookRejects(duckdb_connection connection, const EventRejects::Entry& file);
// Replaces the entry with the file's number, if there is one.
absl::Status BookRejects(duckdb_connection connection, const EventRejects::Entry& file);
// Adds the file's events to those that were removed.
absl::Status BookRemovedRejects(duckdb_connection connection, const EventRejects::Entry& file);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_LOAD_EVENT_REJECTS_BOOKS_H_
