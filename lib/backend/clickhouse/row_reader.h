// RowBinaryWithNamesAndTypes made into batches, as its bytes come: nothing but a row that has not come whole is kept.
#ifndef LOGQUERY_LIB_BACKEND_CLICKHOUSE_ROW_READER_H_
#define LOGQUERY_LIB_BACKEND_CLICKHOUSE_ROW_READER_H_

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "lib/backend/clickhouse/wire_type.h"
#include "lib/backend/column_builder.h"
#include "logquery/batch.h"
#include "logquery/type.h"

namespace logquery::clickhouse {

// Not thread-safe.
class RowReader {
 public:
  // Borrows both.
  RowReader(const Schema& schema, BatchSink* sink);

  // Takes the next bytes of the answer, and hands batches on when there is enough for one. Internal: a column of a type that its
  // schema's is not made of, a value that the type does not hold. ResourceExhausted: a row of more than 64 MiB. Otherwise the
  // sink's status.
  absl::Status Add(std::string_view bytes);
  // The answer has ended: hands on the rest. Unavailable: it ended within a row, or before its columns.
  absl::Status Finish();

  bool has_rows() const { return has_rows_; }
  // A sink's error, which ended the reading; OK: the reading ended by itself.
  const absl::Status& refused() const { return refused_; }

 private:
  absl::Status ReadHead(bool* done);
  absl::Status CheckHead() const;
  absl::Status ReadRows();
  absl::Status Flush();

  const Schema& schema_;
  BatchSink* const sink_;
  std::vector<WireType> types_;  // empty: the head has not come whole
  bool has_head_ = false;
  std::string pending_;  // what has come of a row, or of the head
  size_t wanted_ = 0;    // bytes of pending_ below which another look is of no use
  std::deque<backend::ColumnBuilder> columns_;
  backend::TextBlocks texts_;
  int64_t rows_ = 0;
  bool has_rows_ = false;
  absl::Status refused_;
};

// Whether a column of ours can be read from that type.
bool IsReadFrom(const Type& type, const WireType& wire);

}  // namespace logquery::clickhouse

#endif  // LOGQUERY_LIB_BACKEND_CLICKHOUSE_ROW_READER_H_
