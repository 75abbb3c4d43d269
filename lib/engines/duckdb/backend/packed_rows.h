// Rows of a result with packed records (PreparedQuery::packed), which become rows of the query's own columns once every record
// is there.
//
//     PackedRows rows(query, &result);             // after its chunks were fetched
//     if (rows.Take(std::move(chunk), size)) …     // each of them; false: a record is missing
//     rows.PassOn(sink);
//
// Not thread-safe.
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_PACKED_ROWS_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_PACKED_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lib/backend/packed_records.h"
#include "lib/backend/record_dictionary.h"
#include "lib/engines/duckdb/backend/handles.h"
#include "lib/engines/duckdb/backend/result_view.h"
#include "logquery/batch.h"
#include "logquery/prepared_query.h"

namespace logquery::duckdb {

class PackedRows {
 public:
  // Borrows `query`, which must have a packed form, and `dictionaries`; nullptr: there are none. Internal: the result's columns are
  // not those of that form.
  static absl::StatusOr<PackedRows> Create(const PreparedQuery& query, const backend::RecordDictionaries* dictionaries,
                                           duckdb_result* result);

  // All rows are in memory until they are passed on.
  static constexpr size_t kMostBytes = 64 << 20;

  // Adds the first `rows` rows of the chunk. Returns false if one has no packed record, or bytes that are none, or if the rows have
  // more than kMostBytes.
  [[nodiscard]] bool Take(ChunkHandle chunk, int64_t rows);
  // Returns whether Take returned false because of a record.
  bool lacks_record() const { return lacks_record_; }
  // Passes all rows on. Statuses: those of `sink`.
  absl::Status PassOn(BatchSink& sink);

 private:
  struct Piece {
    ChunkHandle chunk;
    int64_t rows = 0;
    std::vector<backend::RecordUnpacker> records;  // for each of the packed columns
  };

  PackedRows(const PreparedQuery& query, const backend::RecordDictionaries* dictionaries, ResultView view)
      : query_(&query), view_(std::move(view)), expander_(dictionaries) {}

  const PreparedQuery* query_;
  ResultView view_;  // of chunks, with the packed records as BYTES
  backend::RecordExpander expander_;
  std::vector<Piece> pieces_;
  size_t bytes_ = 0;
  bool lacks_record_ = false;
};

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_PACKED_ROWS_H_
