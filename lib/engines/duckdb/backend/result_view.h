// Views DuckDB's chunks as batches without copying, except for decimals of fewer than 128 bits.
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_RESULT_VIEW_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_RESULT_VIEW_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "lib/engines/duckdb/backend/handles.h"
#include "logquery/batch.h"
#include "logquery/type.h"

namespace logquery::duckdb {

// Created once per execution; each Lay() invalidates the previous batch. Not thread-safe.
class ResultView {
 public:
  // Internal: the result's columns do not match `schema`; the message names the first mismatch.
  static absl::StatusOr<ResultView> Create(const Schema& schema, duckdb_result* result);
  // Returns a view of chunks whose columns have these types, which are the engine's for `schema` (engine_types.h).
  static ResultView OfChunks(const Schema& schema, const std::vector<duckdb_logical_type>& types);

  // Returns the first `rows` rows of `chunk`, valid while both objects live.
  Batch Lay(duckdb_data_chunk chunk, int64_t rows);

 private:
  // A column or a part of a column.
  struct Node {
    Type type;
    int scale = 0;
    duckdb_type decimal_storage = DUCKDB_TYPE_INVALID;  // for a decimal: the integer type of its storage
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

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_RESULT_VIEW_H_
