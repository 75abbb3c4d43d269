// DuckDB, and DuckDB over a program's own rows, against the backend contract.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "lib/base/status_macros.h"
#include "lib/endpoint/query_planner.h"
#include "lib/rewrite/resolve/resolver.h"
#include "lib/store/create_table.h"
#include "logquery/duckdb/source_backend.h"
#include "logquery/interval_bucketer.h"
#include "logquery/store/duckdb_backend.h"
#include "tests/contract/contract_runner.h"

namespace logquery::testing {
namespace {

// Queries go through the planner as a service's do.
class PlannedHarness : public ContractHarness {
 public:
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

// Tables made from values in an engine in memory.
class DuckDbHarness : public PlannedHarness {
 public:
  absl::StatusOr<std::unique_ptr<QueryBackend>> Open() override {
    LOGQUERY_ASSIGN_OR_RETURN(std::unique_ptr<DuckDbBackend> backend, OpenDuckDb({}));
    for (const ContractTable& table : ContractTables()) {
      LOGQUERY_RETURN_IF_ERROR(store::CreateTable(*backend, table.table.name, table.table.columns, table.rows));
    }
    return backend;
  }
};

// The same tables as a program's rows, a few to a batch.
class ContractSource : public TableSource {
 public:
  absl::StatusOr<Catalog> ReadCatalog() override {
    std::vector<Table> tables;
    for (const ContractTable& table : ContractTables()) tables.push_back(table.table);
    return Catalog(std::move(tables), 1);
  }

  absl::Status Scan(const ScanRequest& request, const CancellationToken& cancellation, BatchSink& sink) override {
    Schema schema;
    for (const size_t column : request.columns) schema.push_back(request.table->columns[column]);
    const auto table = std::find_if(ContractTables().begin(), ContractTables().end(),
                                    [&](const ContractTable& t) { return t.table.name == request.table->name; });
    std::vector<std::vector<Value>> rows;
    for (const std::vector<Value>& row : table->rows) {
      std::vector<Value>& wanted = rows.emplace_back();
      for (const size_t column : request.columns) wanted.push_back(row[column]);
      if (rows.size() < 7 && &row != &table->rows.back()) continue;
      if (cancellation.IsCancelled()) return absl::CancelledError("the scan was cancelled");
      LOGQUERY_RETURN_IF_ERROR(sink.Append(ValueBatch(schema, rows).batch()));
      rows.clear();
    }
    return absl::OkStatus();
  }
};

class SourceHarness : public PlannedHarness {
 public:
  absl::StatusOr<std::unique_ptr<QueryBackend>> Open() override {
    return OpenOverSource(std::make_shared<ContractSource>(), {});
  }
};

TEST_CASE("DuckDB keeps the contract") {
  RunContract([] { return std::make_unique<DuckDbHarness>(); });
}

TEST_CASE("DuckDB over a program's rows keeps the contract") {
  RunContract([] { return std::make_unique<SourceHarness>(); });
}

}  // namespace
}  // namespace logquery::testing
