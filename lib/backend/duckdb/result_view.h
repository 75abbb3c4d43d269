// DuckDB's chunks as our batches: columns laid over its vectors, without a copy (decimals of fewer than 128 bits aside).
#ifndef LOGQUERY_LIB_BACKEND_DUCKDB_RESULT_VIEW_H_
#define LOGQUERY_LIB_BACKEND_DUCKDB_RESULT_VIEW_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "lib/backend/duckdb/handles.h"
#include "logquery/batch.h"
#include "logquery/type.h"

namespace logquery::duckdb {

// Made once for an execution; each Lay() makes the batch before it invalid. Not thread-safe.
class ResultView {
 public:
  // Internal when the result's columns are not those of `schema`, naming the first that is not.
  static absl::StatusOr<ResultView> Create(const Schema& schema, duckdb_result* result);

  // The first `rows` rows of `chunk`; valid as long as both live.
  Batch Lay(duckdb_data_chunk chunk, int64_t rows);

 private:
  // A column or a part of one.
  struct Node {
    Type type;
    int scale = 0;
    duckdb_type decimal_storage = DUCKDB_TYPE_INVALID;  // of a decimal: the integer it lies as
    std::vector<Node> parts;
    std::vector<ColumnView> part_views;
    std::vector<Int128> widened;
  };

  static Node MakeNode(const Type& type, duckdb_logical_type actual);
  static ColumnView LayNode(Node& node, duckdb_vector vector, int64_t rows);

  std::vector<Node> nodes_;
  std::vector<ColumnView> columns_;
};

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_BACKEND_DUCKDB_RESULT_VIEW_H_
