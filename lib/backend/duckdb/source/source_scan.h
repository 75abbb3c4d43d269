// One scan of a source: it runs on a thread of its own and hands its batches to the engine, which copies them.
#ifndef LOGQUERY_LIB_BACKEND_DUCKDB_SOURCE_SOURCE_SCAN_H_
#define LOGQUERY_LIB_BACKEND_DUCKDB_SOURCE_SOURCE_SCAN_H_

#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "lib/backend/duckdb/connection_state.h"
#include "lib/backend/duckdb/handles.h"
#include "lib/backend/duckdb/source/source_tables.h"

namespace logquery::duckdb {

// Bounds on what one scan may give.
struct ScanBounds {
  int64_t max_rows = 0;
  int64_t max_bytes = 0;
};

// For one thread of the engine at a time.
class SourceScan {
 public:
  // `tables` keeps the table, whose place among them is `index`, and its source. `request.table` is set here.
  SourceScan(std::shared_ptr<const SourceTableList> tables, size_t index, ScanRequest request, ScanBounds bounds);
  // Ends the scan. A source that does not return within a second is left alone with its thread, which keeps what it uses.
  ~SourceScan();
  SourceScan(const SourceScan&) = delete;
  SourceScan& operator=(const SourceScan&) = delete;

  // Fills the chunk with the next rows; none when the scan is through. Waits for the source, until the connection's query is
  // to end (Cancelled). The source's status; ResourceExhausted: beyond the bounds; Internal: a batch that is not as wanted.
  absl::Status Fill(duckdb_data_chunk chunk, const ConnectionState& connection);

  // What the source has told of the rows' state; only when the scan is through.
  std::vector<TableMark> marks() const;

 private:
  class Handover;

  const Table& table() const { return (*tables_)[index_].table; }
  absl::Status TooMuch() const;
  // The rows of the batch from begin_ on that fit into the chunk, written; how many the chunk has then.
  absl::StatusOr<int64_t> FillOnce(const Batch& batch, duckdb_data_chunk chunk);
  // The same where the batch says how often each row is there.
  absl::StatusOr<int64_t> FillCounted(const Batch& batch, duckdb_data_chunk chunk);
  absl::Status WriteColumns(const Batch& batch, int64_t begin, int64_t rows, int64_t at, duckdb_data_chunk chunk);
  absl::StatusOr<int64_t> CountAt(const Batch& batch, int64_t row) const;
  absl::Status CheckTimes(const Batch& batch, int64_t begin, int64_t rows) const;

  const std::shared_ptr<const SourceTableList> tables_;
  const size_t index_;
  const std::vector<size_t> columns_;
  const ScanBounds bounds_;
  int64_t begin_ = 0;     // of the batch that is being copied
  int64_t repeated_ = 0;  // how often the chunks have its row `begin_`
  int64_t rows_ = 0;
  int64_t bytes_ = 0;
  std::shared_ptr<Handover> handover_;
  std::thread thread_;
};

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_BACKEND_DUCKDB_SOURCE_SOURCE_SCAN_H_
