// BigQuery, with DuckDB behind it, against the backend contract.
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>

#include "logquery/bigquery/bigquery_backend.h"
#include "logquery/duckdb/source_backend.h"
#include "tests/bigquery/bigquery_host.h"
#include "tests/bigquery/value_tables.h"
#include "tests/contract/contract_runner.h"
#include "tests/contract/planned_harness.h"

namespace logquery::testing {
namespace {

class BigQueryHarness : public PlannedHarness {
 public:
  BigQueryHarness() {
    engine_ = OpenValueTables(ContractTables());
    host_ = std::make_unique<BigQueryHost>(
        engine_.get(),
        std::map<std::string, std::string>{
            {"contract.logs", "logs"}, {"contract.empty", "empty"}, {"contract.numbers", "numbers"}},
        kContractSchema);
  }
  ~BigQueryHarness() override { CHECK(host_->problems() == std::vector<std::string>()); }

  absl::StatusOr<std::unique_ptr<QueryBackend>> Open() override { return OpenBigQuery(host_->Options()); }

  // An ARRAY of BigQuery's tables is never NULL: without elements it is [].
  bool Supports(const ContractQuery& query) const override {
    return query.sql.find("tags") == std::string::npos && !IsWhole(query);
  }

 private:
  static bool IsWhole(const ContractQuery& query) { return query.name == "a whole table, its records as they are"; }

  std::unique_ptr<QueryBackend> engine_;
  std::unique_ptr<BigQueryHost> host_;
};

TEST_CASE("BigQuery keeps the contract") {
  RunContract([] { return std::make_unique<BigQueryHarness>(); });
}

}  // namespace
}  // namespace logquery::testing
