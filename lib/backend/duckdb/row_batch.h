// Some thousand lines of a file on their way to the engine: read, then parsed, then appended.
#ifndef LOGQUERY_LIB_BACKEND_DUCKDB_ROW_BATCH_H_
#define LOGQUERY_LIB_BACKEND_DUCKDB_ROW_BATCH_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "lib/backend/duckdb/chunk_builder.h"
#include "lib/backend/duckdb/input_file.h"
#include "lib/backend/duckdb/row_parser.h"

namespace logquery::duckdb {

struct RejectedRow {
  int64_t line = 0;
  std::string text;  // as it came, without the end of the line
  std::string reason;
};

struct RowBatch {
  struct Line {
    std::string_view text;
    int64_t number = 0;  // in the file, from 1
    int64_t time = 0;    // to order by
  };

  std::unique_ptr<char[]> text;
  size_t capacity = 0;
  std::vector<Line> lines;
  int64_t bytes = 0;     // of text that the file gave for it
  int64_t position = 0;  // in the file, after it

  std::vector<std::unique_ptr<ChunkBuilder>> chunks;  // may be more than are filled
  std::vector<uint64_t> chunk_rows;                   // of those that are filled
  std::vector<RejectedRow> rejected;
};

// Cuts a file into batches of lines. Not thread-safe.
class LineReader {
 public:
  // Borrows both; `name` is the file's, for errors.
  LineReader(InputFile* file, std::string name) : file_(file), name_(std::move(name)) {}

  // Fills `batch` with the next lines; false: there are no more. Empty lines are left out.
  // InvalidArgument: a line longer than any row, so that this is no text of rows; damaged gzip.
  absl::StatusOr<bool> Next(RowBatch* batch);

 private:
  absl::StatusOr<bool> Fill(RowBatch* batch);
  void AddLine(RowBatch* batch, std::string_view line);

  InputFile* const file_;
  const std::string name_;
  std::string rest_;  // the beginning of a line whose end has not been read
  int64_t line_ = 0;
  bool at_end_ = false;
};

// Parses a batch's lines, in the order of their timestamps, into its chunks. Each thread has its own.
class BatchParser {
 public:
  // `plan` is borrowed.
  BatchParser(const RowPlan* plan, const RowParser::Options& options)
      : plan_(plan), unit_(options.timestamp_unit), parser_(plan, options) {}

  void Parse(RowBatch* batch);
  const base::StringSet& undeclared_fields() const { return parser_.undeclared_fields(); }

 private:
  void SortByTime(RowBatch* batch) const;

  const RowPlan* const plan_;
  const TimestampUnit unit_;
  RowParser parser_;
};

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_BACKEND_DUCKDB_ROW_BATCH_H_
