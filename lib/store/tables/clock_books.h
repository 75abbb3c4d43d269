// The last time of the machine's clock that the folder has recorded. A clock that is far ahead of it may be wrong, and
// must not make rows look old.
#ifndef LOGQUERY_LIB_STORE_TABLES_CLOCK_BOOKS_H_
#define LOGQUERY_LIB_STORE_TABLES_CLOCK_BOOKS_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "lib/engines/duckdb/backend/handles.h"

namespace logquery::store {

// A server that was off for longer needs a confirmation that its clock is right.
inline constexpr absl::Duration kMaxClockStep = absl::Hours(72);

// Makes the record if there is none, with the time of the last load, in `connection`'s open transaction.
absl::Status EnsureClock(duckdb_connection connection);

// Records the current time, unless it is more than kMaxClockStep later than the recorded one.
absl::Status FollowClock(duckdb_connection connection);

absl::StatusOr<absl::Time> ReadClock(duckdb_connection connection);

// Records `now` if it is later than the recorded time.
absl::Status AdvanceClock(duckdb_connection connection, absl::Time now);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_TABLES_CLOCK_BOOKS_H_
