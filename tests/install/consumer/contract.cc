// Somebody else's backend against the contract, with what the package brings along and nothing more.
#include <cstdio>
#include <memory>
#include <vector>

#include "logquery/duckdb/source_backend.h"
#include "logquery/testing/backend_contract.h"

namespace {

using logquery::testing::ContractTable;
using logquery::testing::ContractTables;

class Rows : public logquery::TableSource {
 public:
  absl::StatusOr<logquery::Catalog> ReadCatalog() override {
    std::vector<logquery::Table> tables;
    for (const ContractTable& table : ContractTables()) tables.push_back(table.table);
    return logquery::Catalog(std::move(tables), 1);
  }

  absl::Status Scan(const logquery::ScanRequest& request, const logquery::CancellationToken&,
                    logquery::BatchSink& sink) override {
    for (const ContractTable& table : ContractTables()) {
      if (table.table.name != request.table->name) continue;
      logquery::Schema schema;
      for (const size_t column : request.columns) schema.push_back(request.table->columns[column]);
      std::vector<std::vector<logquery::Value>> rows;
      for (const std::vector<logquery::Value>& row : table.rows) {
        std::vector<logquery::Value>& wanted = rows.emplace_back();
        for (const size_t column : request.columns) wanted.push_back(row[column]);
      }
      return rows.empty() ? absl::OkStatus() : sink.Append(logquery::ValueBatch(schema, rows).batch());
    }
    return absl::NotFoundError("no such table");
  }
};

class Harness : public logquery::testing::ContractHarness {
 public:
  absl::StatusOr<std::unique_ptr<logquery::QueryBackend>> Open() override {
    return logquery::OpenOverSource(std::make_shared<Rows>(), {});
  }
};

}  // namespace

int main() {
  const logquery::testing::ContractReport report =
      logquery::testing::CheckContract([] { return std::make_unique<Harness>(); });
  std::puts(report.Text().c_str());
  return report.failed.empty() && !report.passed.empty() ? 0 : 1;
}
