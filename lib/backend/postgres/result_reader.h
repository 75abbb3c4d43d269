// Rows as libpq gives them, made into batches.
#ifndef LOGQUERY_LIB_BACKEND_POSTGRES_RESULT_READER_H_
#define LOGQUERY_LIB_BACKEND_POSTGRES_RESULT_READER_H_

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
  // Borrows both.
  ResultReader(const Schema& schema, BatchSink* sink);

  // Adds the row of a binary result, and hands a batch on when there is enough for one. Internal: a column of a type that its
  // schema's is not made of, a value that the type does not hold (an infinite time). Otherwise the sink's status.
  absl::Status Add(const pg_result& row);
  // Hands on the rest.
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

#endif  // LOGQUERY_LIB_BACKEND_POSTGRES_RESULT_READER_H_
