// A source of rows over them; conditions are the engine's.
#include "tests/bigquery/value_tables.h"

#include <stdexcept>
#include <utility>

#include "logquery/duckdb/source_backend.h"
#include "logquery/table_source.h"

namespace logquery::testing {
namespace {

class ValueSource : public TableSource {
 public:
  explicit ValueSource(std::vector<ValueTable> tables) : tables_(std::move(tables)) {}

  absl::StatusOr<Catalog> ReadCatalog() override {
    std::vector<Table> tables;
    for (const ValueTable& each : tables_) {
      tables.push_back(each.table);
      tables.back().hot_columns.clear();
      tables.back().learned_columns.clear();
    }
    return Catalog(std::move(tables), 1);
  }

  absl::Status Scan(const ScanRequest& request, const CancellationToken&, BatchSink& sink) override {
    Schema schema;
    for (const size_t column : request.columns) schema.push_back(request.table->columns[column]);
    std::vector<std::vector<Value>> wanted;
    for (const ValueTable& each : tables_) {
      if (each.table.name != request.table->name) continue;
      for (const std::vector<Value>& row : each.rows) {
        std::vector<Value>& some = wanted.emplace_back();
        for (const size_t column : request.columns) some.push_back(row[column]);
      }
    }
    return wanted.empty() ? absl::OkStatus() : sink.Append(ValueBatch(schema, wanted).batch());
  }

 private:
  const std::vector<ValueTable> tables_;
};

}  // namespace

std::unique_ptr<QueryBackend> OpenValueTables(std::vector<ValueTable> tables) {
  auto opened = OpenOverSource(std::make_shared<ValueSource>(std::move(tables)), {});
  if (!opened.ok()) throw std::runtime_error(opened.status().ToString());
  return *std::move(opened);
}

}  // namespace logquery::testing
