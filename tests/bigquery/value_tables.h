// Tables of values as a backend, for the host to compute from.
#ifndef LOGQUERY_TESTS_BIGQUERY_VALUE_TABLES_H_
#define LOGQUERY_TESTS_BIGQUERY_VALUE_TABLES_H_

#include <memory>
#include <vector>

#include "logquery/catalog.h"
#include "logquery/query_backend.h"
#include "logquery/value.h"

namespace logquery::testing {

struct ValueTable {
  Table table;
  std::vector<std::vector<Value>> rows;  // one value for each column
};

// Throws std::runtime_error where DuckDB does not open.
std::unique_ptr<QueryBackend> OpenValueTables(std::vector<ValueTable> tables);

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_BIGQUERY_VALUE_TABLES_H_
