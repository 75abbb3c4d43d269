// Some thousand lines of a file, which are read together and sorted before they are parsed.
#ifndef LOGQUERY_LIB_STORE_ROWS_ROW_BATCH_H_
#define LOGQUERY_LIB_STORE_ROWS_ROW_BATCH_H_

#include <cstddef>
#include <cstdint>
#include <limits>
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

// The size of a row group of a log's table. Smaller than DuckDB's default of 122,880, so that a query for a short time range reads
// fewer unwanted rows.
inline constexpr int64_t kRowGroupRows = 30'720;
// The size of a file's batch: rows that are sorted together are stored together. With larger ones a project's rows of closed days
// lie in fewer places, and loading takes more memory.
inline constexpr size_t kBatchRows = 2 * kRowGroupRows;
// The number of rows of open days that are stored by project together. With more, a query for a short time reads more unwanted
// rows.
inline constexpr ptrdiff_t kOpenRows = 8'192;

struct RejectedRow {
  int64_t line = 0;
  std::string text;  // as received, without the line end
  std::string reason;
  std::string kind;  // the reason without values of the row, by which rejected rows are counted
};

struct RowBatch {
  struct Line {
    std::string_view text;
    int64_t number = 0;                    // in the file, from 1
    const EventRule* event = nullptr;      // borrowed; nullptr: a file's row
    const std::string* refused = nullptr;  // borrowed: why the line is rejected unread; nullptr: it is read
    int64_t time = 0;                      // the sort keys; no project if lines are sorted by time alone
    std::string_view project = {};
  };

  std::unique_ptr<char[]> text;
  std::vector<Line> lines;
  int64_t number = 0;    // index of the batch in the file
  int64_t bytes = 0;     // size of its text in the file
  int64_t position = 0;  // position in the file after the batch
};

// Exceeds the longest possible row.
inline constexpr size_t kMaxLineBytes = 64 << 20;

// A source of batches. Not thread-safe.
class BatchReader {
 public:
  virtual ~BatchReader() = default;
  // Fills `batch` with the next lines; false: there are no more. Empty lines are skipped.
  virtual absl::StatusOr<bool> Next(RowBatch* batch) = 0;
  // Returns whether rows of closed days are stored by project; false: in the order of their times.
  virtual bool by_project() const { return false; }
};

// Splits a file into batches of lines.
class LineReader : public BatchReader {
 public:
  // Borrows `file`; `name` is for errors.
  LineReader(InputFile* file, std::string name) : file_(file), name_(std::move(name)) {}

  // InvalidArgument: a line is longer than any row can be, so this is not text in rows; or gzip data is damaged.
  absl::StatusOr<bool> Next(RowBatch* batch) override;
  // Most rows of a file are of closed days.
  bool by_project() const override { return true; }

 private:
  absl::StatusOr<bool> Fill(RowBatch* batch);
  void AddLine(RowBatch* batch, std::string_view line);

  InputFile* const file_;
  const std::string name_;
  std::string rest_;  // text read beyond the last batch
  int64_t line_ = 0;
  int64_t next_number_ = 0;
  bool at_end_ = false;
};

// Reads rows from memory. Borrows them; none may be longer than kMaxLineBytes.
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

// The order in which a file's rows are stored: those of closed days by project, so that a query for one project finds its rows
// in few of a row group's vectors; then the others by time, but each kOpenRows of them by project, too. A project's rows begin
// with the newest one: a query for the newest 100 then keeps the first 100 that it reads, and not each of them in the place of
// an older one.
struct LineOrder {
  std::string_view time;     // the column's name
  std::string_view project;  // the column's name; empty: all are ordered by time
  TimestampUnit unit = TimestampUnit::kMicroseconds;
  int64_t open_from = std::numeric_limits<int64_t>::min();  // the first open day, in microseconds since 1970
};

// Sorts the lines by their times and projects, as far as these can be found without parsing.
void SortLines(const LineOrder& order, RowBatch* batch);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_ROWS_ROW_BATCH_H_
