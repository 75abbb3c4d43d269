// Converts libpq's rows to batches.
#ifndef LOGQUERY_LIB_ENGINES_POSTGRES_BACKEND_RESULT_READER_H_
#define LOGQUERY_LIB_ENGINES_POSTGRES_BACKEND_RESULT_READER_H_

#include <cstdint>
#include <deque>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "lib/backend/column_builder.h"
#include "logquery/batch.h"
#include "logquery/type.h"

struct pg_result;

namespace logquery::postgres {

// Not thread-safe.
class ResultReader {
 public:
  // Borrows `schema` and `sink`.
  ResultReader(const Schema& schema, BatchSink* sink);

  // Adds the row of a binary result, and passes a batch on when it is full. Internal: a column does not match the
  // schema, or a value does not fit its type (an infinite time). Errors of the sink are passed on.
  absl::Status Add(const pg_result& row);
  // Passes on the remaining rows.
  absl::Status Flush();

  bool has_rows() const { return has_rows_; }

 private:
  absl::Status AddValue(size_t column, uint32_t type_id, std::string_view bytes);
  absl::Status Wrong(size_t column, std::string_view what) const;

  const Schema& schema_;
  BatchSink* const sink_;
  std::deque<backend::ColumnBuilder> columns_;
  backend::TextBlocks texts_;
  int64_t rows_ = 0;
  bool has_rows_ = false;
};

}  // namespace logquery::postgres

#endif  // LOGQUERY_LIB_ENGINES_POSTGRES_BACKEND_RESULT_READER_H_
