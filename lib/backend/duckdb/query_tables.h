// What an execution asks the owner of the tables that its query reads: where the newest rows begin, and marks that tell
// one state of the rows from another. The engine knows neither; a log store has both in its books (lib/store).
#ifndef LOGQUERY_LIB_BACKEND_DUCKDB_QUERY_TABLES_H_
#define LOGQUERY_LIB_BACKEND_DUCKDB_QUERY_TABLES_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "lib/backend/duckdb/data_version.h"
#include "lib/backend/duckdb/handles.h"
#include "logquery/batch.h"

namespace logquery::duckdb {

// The floors that a query for the newest rows of a table is tried with, each earlier than the one before, until enough rows
// come or no floor is left.
//
//     while (true) {
//       … run with windows->floor(); the last one keeps all rows …
//       if (windows->last() || found == wanted.rows) break;
//       windows->Grow(found);
//     }
//
// Of one execution; not thread-safe.
class NewestWindows {
 public:
  struct Wanted {
    int64_t rows = 0;
    absl::Time not_after = absl::InfiniteFuture();
    absl::Time not_before = absl::InfinitePast();
  };

  virtual ~NewestWindows() = default;
  // InfinitePast when it is the last.
  virtual absl::Time floor() const = 0;
  // `found` rows of those wanted came with this floor: fewer than are wanted.
  virtual void Grow(int64_t found) = 0;

  bool last() const { return floor() == absl::InfinitePast(); }
};

// The table whose newest rows a query wants, which has the hint TopNByTime.
class NewestFirst {
 public:
  virtual ~NewestFirst() = default;
  // `connection` has no transaction open; `stamp` was read before. The windows are right for rows of any later state too.
  virtual absl::StatusOr<std::unique_ptr<NewestWindows>> OpenWindows(duckdb_connection connection,
                                                                     const DataVersion::Stamp& stamp,
                                                                     const NewestWindows::Wanted& wanted) = 0;
};

// The tables that a query reads, whose marks its sink is told.
class MarkedTables {
 public:
  virtual ~MarkedTables() = default;
  // The marks that are known for this state; nullopt: not all are.
  virtual std::optional<std::vector<TableMark>> Find(const DataVersion::Stamp& stamp) = 0;
  // The marks of the rows that the connection's open transaction sees.
  virtual absl::StatusOr<std::vector<TableMark>> Read(duckdb_connection connection) = 0;
  // `marks` were read while the state was `stamp`, which is settled.
  virtual void Keep(const std::vector<TableMark>& marks, const DataVersion::Stamp& stamp) = 0;
};

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_BACKEND_DUCKDB_QUERY_TABLES_H_
