// BigQuery, with DuckDB behind it, against the backend contract.
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>

#include "lib/base/status_macros.h"
#include "lib/endpoint/call/query_planner.h"
#include "lib/rewrite/resolve/resolver.h"
#include "logquery/bigquery/bigquery_backend.h"
#include "logquery/duckdb/source_backend.h"
#include "tests/bigquery/bigquery_host.h"
#include "tests/bigquery/value_tables.h"
#include "tests/contract/contract_runner.h"

namespace logquery::testing {
namespace {

constexpr char kSchema[] = R"({
  "contract.logs": {"project": ["project"], "time": "timestamp", "columns": {"id": "STRING", "timestamp": "TIMESTAMP",
    "event_message": "STRING", "project": "STRING",
    "metadata": {"level": "STRING", "response": {"status_code": "INT64"}, "tags": ["STRING"]}}},
  "contract.empty": {"columns": {"id": "STRING", "n": "INT64"}},
  "contract.numbers": {"columns": {"n": "INT64", "text": "STRING"}}})";

class BigQueryHarness : public ContractHarness {
 public:
  BigQueryHarness() {
    std::vector<ValueTable> tables;
    for (const ContractTable& table : ContractTables()) tables.push_back({table.table, table.rows});
    engine_ = OpenValueTables(std::move(tables));
    host_ = std::make_unique<BigQueryHost>(
        engine_.get(),
        std::map<std::string, std::string>{
            {"contract.logs", "logs"}, {"contract.empty", "empty"}, {"contract.numbers", "numbers"}},
        kSchema);
  }
  ~BigQueryHarness() override { CHECK(host_->problems() == std::vector<std::string>()); }

  absl::StatusOr<std::unique_ptr<QueryBackend>> Open() override { return OpenBigQuery(host_->Options()); }

  // An ARRAY of BigQuery's tables is never NULL: without elements it is [].
  bool Supports(const ContractQuery& query) const override {
    return query.sql.find("tags") == std::string::npos && !IsWhole(query);
  }

  absl::StatusOr<Prepared> Prepare(QueryBackend& backend, const ContractQuery& query) override {
    Endpoint definition;
    definition.name = query.name;
    definition.query = query.sql;
    definition.max_rows = 10'000'000;
    rewrite::ParameterValues values;
    for (const auto& [name, value] : query.parameters) {
      Parameter& parameter = definition.parameters.emplace_back();
      parameter.name = name;
      parameter.type = value.type();
      values.insert_or_assign(name, value);
    }
    values.insert_or_assign(rewrite::kNowParameter, Value::Timestamp(absl::UnixEpoch()));
    // The planned query borrows nothing of the catalog.
    LOGQUERY_ASSIGN_OR_RETURN(const Catalog catalog, backend.ReadCatalog());
    LOGQUERY_ASSIGN_OR_RETURN(const sql::QueryPtr parsed, endpoint::ParseDefinition(definition));
    LOGQUERY_ASSIGN_OR_RETURN(const auto resolved, endpoint::ResolveEndpoint(definition, *parsed, catalog));
    const Capabilities capabilities = backend.capabilities();
    const endpoint::QueryPlanner planner(capabilities.dialect, nullptr, false, capabilities.fragments);
    LOGQUERY_ASSIGN_OR_RETURN(endpoint::PlannedCall call, planner.Plan(*resolved, std::move(values)));
    return Prepared{std::move(call.query), std::move(call.bindings)};
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
