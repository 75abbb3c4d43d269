#include <catch2/catch_test_macros.hpp>

#include "lib/backend/duckdb/create_table.h"
#include "lib/base/status_macros.h"
#include "lib/endpoint/query_planner.h"
#include "lib/rewrite/resolver.h"
#include "logquery/duckdb/duckdb_backend.h"
#include "logquery/interval_bucketer.h"
#include "tests/contract/contract_runner.h"

namespace logquery::testing {
namespace {

// Tables made from values in an engine in memory; queries go through the planner as a service's do.
class DuckDbHarness : public ContractHarness {
 public:
  absl::StatusOr<std::unique_ptr<QueryBackend>> Open() override {
    LOGQUERY_ASSIGN_OR_RETURN(std::unique_ptr<DuckDbBackend> backend, OpenDuckDb({}));
    for (const ContractTable& table : ContractTables()) {
      LOGQUERY_RETURN_IF_ERROR(duckdb::CreateTable(*backend, table.table.name, table.table.columns, table.rows));
    }
    return backend;
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
    LOGQUERY_ASSIGN_OR_RETURN(const Catalog catalog, backend.ReadCatalog());
    LOGQUERY_ASSIGN_OR_RETURN(const sql::QueryPtr parsed, endpoint::ParseDefinition(definition));
    LOGQUERY_ASSIGN_OR_RETURN(const auto resolved, endpoint::ResolveEndpoint(definition, *parsed, catalog));
    const endpoint::QueryPlanner planner(backend.capabilities().dialect, nullptr);
    LOGQUERY_ASSIGN_OR_RETURN(endpoint::PlannedCall call, planner.Plan(*resolved, std::move(values)));
    return Prepared{std::move(call.query), std::move(call.bindings)};
  }
};

TEST_CASE("DuckDB keeps the contract") {
  RunContract([] { return std::make_unique<DuckDbHarness>(); });
}

}  // namespace
}  // namespace logquery::testing
