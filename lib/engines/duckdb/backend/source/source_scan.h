// One scan of a source. The source runs on a thread of its own and passes its batches to the engine, which copies them.
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_SOURCE_SOURCE_SCAN_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_SOURCE_SOURCE_SCAN_H_

#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "lib/engines/duckdb/backend/connection_state.h"
#include "lib/engines/duckdb/backend/handles.h"
#include "lib/engines/duckdb/backend/source/source_tables.h"

namespace logquery::duckdb {

// The limits of one scan.
struct ScanBounds {
  int64_t max_rows = 0;
  int64_t max_bytes = 0;
};

// Used by one engine thread at a time.
class SourceScan {
 public:
  // `tables` owns the table with the index `index`, and its source. The constructor sets `request.table`.
  SourceScan(std::shared_ptr<const SourceTableList> tables, size_t index, ScanRequest request, ScanBounds bounds);
  // Ends the scan. If the source does not return within a second, its thread is detached; it keeps the objects that it
  // uses.
  ~SourceScan();
  SourceScan(const SourceScan&) = delete;
  SourceScan& operator=(const SourceScan&) = delete;

  // Fills the chunk with the next rows; an empty chunk is the end. Blocks until the source provides rows or the query
  // must end (Cancelled). Returns the source's status; ResourceExhausted: a limit is exceeded; Unavailable: the system allows no
  // thread for the scan; Internal: a batch does not match the request.
  absl::Status Fill(duckdb_data_chunk chunk, const ConnectionState& connection);

  // The state of the rows as reported by the source; valid after the end of the scan.
  std::vector<TableMark> marks() const;

 private:
  class Handover;

  const Table& table() const { return (*tables_)[index_].table; }
  absl::Status TooMuch() const;
  // Writes the batch's rows from begin_ on into the chunk, as far as they fit. Returns the chunk's number of rows.
  absl::StatusOr<int64_t> FillOnce(const Batch& batch, duckdb_data_chunk chunk);
  // The same for a batch with row counts.
  absl::StatusOr<int64_t> FillCounted(const Batch& batch, duckdb_data_chunk chunk);
  absl::Status WriteColumns(const Batch& batch, int64_t begin, int64_t rows, int64_t at, duckdb_data_chunk chunk);
  absl::StatusOr<int64_t> CountAt(const Batch& batch, int64_t row) const;
  absl::Status CheckTimes(const Batch& batch, int64_t begin, int64_t rows) const;

  const std::shared_ptr<const SourceTableList> tables_;
  const size_t index_;
  const std::vector<size_t> columns_;
  const ScanBounds bounds_;
  int64_t begin_ = 0;     // the next row of the current batch
  int64_t repeated_ = 0;  // how often the row `begin_` has been written already
  int64_t rows_ = 0;
  int64_t bytes_ = 0;
  std::shared_ptr<Handover> handover_;
  absl::StatusOr<std::thread> thread_;
};

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_SOURCE_SOURCE_SCAN_H_
