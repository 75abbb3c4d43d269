// Tables of values as a backend, and a host that computes from one.
#ifndef LOGQUERY_TESTS_BIGQUERY_VALUE_TABLES_H_
#define LOGQUERY_TESTS_BIGQUERY_VALUE_TABLES_H_

#include <memory>
#include <vector>

#include "logquery/query_backend.h"
#include "tests/bigquery/bigquery_host.h"
#include "tests/support/value_source.h"

namespace logquery::testing {

// Throws std::runtime_error where DuckDB does not open.
std::unique_ptr<QueryBackend> OpenValueTables(std::vector<ValueTable> tables);

// A table t with one column, the INT64 n.
ValueTable NumberTable(std::vector<int64_t> numbers);

// The backend is a base class, so that it is there before the host that borrows it.
struct ValueEngine {
  std::unique_ptr<QueryBackend> engine;
};

// A host of one table, which has its own name there unless another is given. The columns are those of the schema, or else of the
// declared logs.
class ValueHost : ValueEngine, public BigQueryHost {
 public:
  explicit ValueHost(ValueTable table, const std::string& schema_json = "", const std::string& name_there = "");
};

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_BIGQUERY_VALUE_TABLES_H_
