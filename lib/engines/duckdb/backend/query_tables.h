// The interface through which an execution asks the owner of its tables where the newest rows begin, and for marks that
// identify states of the rows. A log store has both in its records (lib/store).
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_QUERY_TABLES_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_QUERY_TABLES_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "lib/backend/record_dictionary.h"
#include "lib/engines/duckdb/backend/data_version.h"
#include "lib/engines/duckdb/backend/handles.h"
#include "logquery/batch.h"

namespace logquery::duckdb {

// The lower time bounds with which a query for a table's newest rows is tried, each earlier than the previous one,
// until enough rows are found or the last bound is reached.
//
//     while (true) {
//       … run with windows->floor(); the last one keeps all rows …
//       if (windows->last() || found == wanted.rows) break;
//       windows->Grow(found);
//     }
//
// Belongs to one execution; not thread-safe.
class NewestWindows {
 public:
  struct Wanted {
    int64_t rows = 0;
    absl::Time not_after = absl::InfiniteFuture();
    absl::Time not_before = absl::InfinitePast();
  };

  virtual ~NewestWindows() = default;
  // Returns InfinitePast if this is the last bound.
  virtual absl::Time floor() const = 0;
  // Moves to an earlier bound, because only `found` rows, fewer than wanted, were found with this one.
  virtual void Grow(int64_t found) = 0;

  bool last() const { return floor() == absl::InfinitePast(); }

  // The time from which on rows have packed records, as far as is known; InfinitePast: perhaps all have; InfiniteFuture: they have
  // none, or there are fewer rows from then on than are wanted.
  virtual absl::Time packed_from() const { return absl::InfiniteFuture(); }
};

// The table of a query with the hint TopNByTime.
class NewestFirst {
 public:
  virtual ~NewestFirst() = default;
  // `connection` must have no open transaction; `stamp` must have been read before. The windows stay valid for later
  // states of the rows.
  virtual absl::StatusOr<std::unique_ptr<NewestWindows>> OpenWindows(duckdb_connection connection,
                                                                     const DataVersion::Stamp& stamp,
                                                                     const NewestWindows::Wanted& wanted) = 0;
  // Returns the dictionaries of compressed packed records; nullptr: there are none.
  virtual const backend::RecordDictionaries* dictionaries() const { return nullptr; }
  // Called when a row from packed_from() on has no packed record. A query that finds one runs twice, so later windows do without
  // packed records for a while.
  virtual void NotePackedIsMissing() {}
};

// The tables that a query reads, if its sink wants their marks.
class MarkedTables {
 public:
  virtual ~MarkedTables() = default;
  // Returns the known marks of this state; nullopt: some are not known.
  virtual std::optional<std::vector<TableMark>> Find(const DataVersion::Stamp& stamp) = 0;
  // Reads the marks of the rows that the connection's open transaction sees.
  virtual absl::StatusOr<std::vector<TableMark>> Read(duckdb_connection connection) = 0;
  // Stores `marks`, which were read in the state `stamp`; it must be settled.
  virtual void Keep(const std::vector<TableMark>& marks, const DataVersion::Stamp& stamp) = 0;
};

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_QUERY_TABLES_H_
