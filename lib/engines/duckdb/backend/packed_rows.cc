// Unpacks each chunk when it comes, and keeps it, because texts of its records are in its memory.
#include "lib/engines/duckdb/backend/packed_rows.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/engines/duckdb/backend/engine_memory.h"

namespace logquery::duckdb {

absl::StatusOr<PackedRows> PackedRows::Create(const PreparedQuery& query,
                                              const backend::RecordDictionaries* dictionaries, duckdb_result* result) {
  Schema schema = query.schema();
  for (const size_t column : query.packed()->columns) schema[column].type = Type::Bytes();
  LOGQUERY_ASSIGN_OR_RETURN(ResultView view, ResultView::Create(schema, result));
  return PackedRows(query, dictionaries, std::move(view));
}

bool PackedRows::Take(ChunkHandle chunk, int64_t rows) {
  const Batch batch = view_.Lay(chunk.get(), rows);
  Piece piece;
  piece.rows = rows;
  for (const size_t column : query_->packed()->columns) {
    const ColumnView& packed = batch.column(column);
    backend::RecordUnpacker& records = piece.records.emplace_back(query_->schema()[column].type);
    for (int64_t row = 0; row < rows; ++row) {
      const std::string_view stored = packed.IsNull(row) ? std::string_view() : packed.StringAt(row);
      const uint64_t size = backend::RecordExpander::ExpandedSize(stored);
      lacks_record_ = size == 0 || size > backend::RecordExpander::kMostBytes;
      if (lacks_record_) return false;
      bytes_ += size;
      if (bytes_ > kMostBytes) return false;
      const std::optional<std::string_view> record = expander_.Expand(stored);
      lacks_record_ = !record || !records.Add(*record);
      if (lacks_record_) return false;
    }
  }
  piece.chunk = std::move(chunk);
  pieces_.push_back(std::move(piece));
  return true;
}

absl::Status PackedRows::PassOn(BatchSink& sink) {
  for (Piece& piece : pieces_) {
    const EngineMemory memory;
    const Batch batch = view_.Lay(piece.chunk.get(), piece.rows);
    std::vector<ColumnView> columns;
    columns.reserve(batch.column_count());
    for (size_t i = 0; i < batch.column_count(); ++i) columns.push_back(batch.column(i));
    for (size_t i = 0; i < piece.records.size(); ++i) columns[query_->packed()->columns[i]] = piece.records[i].View();
    LOGQUERY_RETURN_IF_ERROR(sink.Append(Batch(columns.data(), columns.size(), piece.rows)));
  }
  return absl::OkStatus();
}

}  // namespace logquery::duckdb
