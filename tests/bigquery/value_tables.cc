// DuckDB computes conditions over the rows.
#include "tests/bigquery/value_tables.h"

#include <stdexcept>
#include <utility>

#include "logquery/duckdb/source_backend.h"

namespace logquery::testing {
std::unique_ptr<QueryBackend> OpenValueTables(std::vector<ValueTable> tables) {
  for (ValueTable& each : tables) {
    each.table.hot_columns.clear();
    each.table.learned_columns.clear();
  }
  auto opened = OpenOverSource(std::make_shared<ValueSource>(std::move(tables)), {});
  if (!opened.ok()) throw std::runtime_error(opened.status().ToString());
  return *std::move(opened);
}

ValueTable NumberTable(std::vector<int64_t> numbers) {
  ValueTable made;
  made.table.name = "t";
  made.table.columns = {{"n", Type::Int64()}};
  for (const int64_t number : numbers) made.rows.push_back({Value::Int64(number)});
  return made;
}

ValueHost::ValueHost(ValueTable table, const std::string& schema_json, const std::string& name_there)
    : ValueEngine{OpenValueTables({table})},
      BigQueryHost(engine.get(), {{table.table.name, name_there.empty() ? table.table.name : name_there}},
                   schema_json) {}

}  // namespace logquery::testing
