// Converts RowBinaryWithNamesAndTypes to batches as its bytes arrive; buffers only an incomplete row.
#ifndef LOGQUERY_LIB_ENGINES_CLICKHOUSE_BACKEND_ROW_READER_H_
#define LOGQUERY_LIB_ENGINES_CLICKHOUSE_BACKEND_ROW_READER_H_

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "lib/backend/column_builder.h"
#include "lib/engines/clickhouse/backend/wire_type.h"
#include "logquery/batch.h"
#include "logquery/type.h"

namespace logquery::clickhouse {

// Not thread-safe.
class RowReader {
 public:
  // Borrows `schema` and `sink`.
  RowReader(const Schema& schema, BatchSink* sink);

  // Reads the next bytes of the response, and passes on batches when they are full. Internal: a column does not match
  // the schema, or a value does not fit its type. ResourceExhausted: a row of more than 64 MiB. Errors of the sink are
  // passed on.
  absl::Status Add(std::string_view bytes);
  // Must be called at the end of the response; passes on the remaining rows. Unavailable: the response ended within a
  // row or its header.
  absl::Status Finish();

  bool has_rows() const { return has_rows_; }
  // The sink's error, if one ended the reading; otherwise OK.
  const absl::Status& refused() const { return refused_; }

 private:
  absl::Status ReadHead(bool* done);
  absl::Status CheckHead() const;
  absl::Status ReadRows();
  absl::Status Flush();

  const Schema& schema_;
  BatchSink* const sink_;
  std::vector<WireType> types_;  // empty: the header is not complete yet
  bool has_head_ = false;
  std::string pending_;  // the incomplete row or header
  size_t wanted_ = 0;    // the size that pending_ must reach before parsing is tried again
  std::deque<backend::ColumnBuilder> columns_;
  backend::TextBlocks texts_;
  int64_t rows_ = 0;
  bool has_rows_ = false;
  absl::Status refused_;
};

// Returns whether a column of our type can be read from that type.
bool IsReadFrom(const Type& type, const WireType& wire);

}  // namespace logquery::clickhouse

#endif  // LOGQUERY_LIB_ENGINES_CLICKHOUSE_BACKEND_ROW_READER_H_
