// Some thousand lines of a file, read together, so that they can be put in order before they are parsed.
#ifndef LOGQUERY_LIB_STORE_ROWS_ROW_BATCH_H_
#define LOGQUERY_LIB_STORE_ROWS_ROW_BATCH_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "lib/store/rows/event_rule.h"
#include "lib/store/rows/input_file.h"
#include "logquery/store/log_store.h"

namespace logquery::store {

// Rows in a row group of a log's table, and at most in a batch: what is ordered together lies together. Fewer than
// DuckDB's own 122,880, as a query of a short time then reads less that it does not want.
inline constexpr int64_t kRowGroupRows = 30'720;

struct RejectedRow {
  int64_t line = 0;
  std::string text;  // as it came, without the end of the line
  std::string reason;
};

struct RowBatch {
  struct Line {
    std::string_view text;
    int64_t number = 0;                // in the file, from 1
    int64_t time = 0;                  // to order by
    const EventRule* event = nullptr;  // borrowed; nullptr: a file's row
  };

  std::unique_ptr<char[]> text;
  std::vector<Line> lines;
  int64_t number = 0;    // of the batch in the file, from 0
  int64_t bytes = 0;     // of text that the file gave for it
  int64_t position = 0;  // in the file, after it
};

// Longer than any row may be.
inline constexpr size_t kMaxLineBytes = 64 << 20;

// Where batches come from. Not thread-safe.
class BatchReader {
 public:
  virtual ~BatchReader() = default;
  // Fills `batch` with the next lines; false: there are no more. Empty lines are left out.
  virtual absl::StatusOr<bool> Next(RowBatch* batch) = 0;
};

// Cuts a file into batches of lines.
class LineReader : public BatchReader {
 public:
  // Borrows `file`; `name` is the file's, for errors.
  LineReader(InputFile* file, std::string name) : file_(file), name_(std::move(name)) {}

  // InvalidArgument: a line longer than any row, so that this is no text of rows; damaged gzip.
  absl::StatusOr<bool> Next(RowBatch* batch) override;

 private:
  absl::StatusOr<bool> Fill(RowBatch* batch);
  void AddLine(RowBatch* batch, std::string_view line);

  InputFile* const file_;
  const std::string name_;
  std::string rest_;  // what was read beyond the last batch
  int64_t line_ = 0;
  int64_t next_number_ = 0;
  bool at_end_ = false;
};

// Rows that are in memory. Borrows them; none is longer than kMaxLineBytes.
class MemoryReader : public BatchReader {
 public:
  explicit MemoryReader(const std::vector<std::string_view>* rows) : rows_(rows) {}
  absl::StatusOr<bool> Next(RowBatch* batch) override;

 private:
  const std::vector<std::string_view>* const rows_;
  size_t next_ = 0;
  int64_t next_number_ = 0;
  int64_t position_ = 0;
};

// Puts the lines in the order of their values of `time_column`, as far as that can be told without parsing them.
void SortByTime(std::string_view time_column, TimestampUnit unit, RowBatch* batch);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_ROWS_ROW_BATCH_H_
