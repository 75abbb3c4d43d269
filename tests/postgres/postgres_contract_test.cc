// PostgreSQL, with DuckDB behind it, against the backend contract.
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/endpoint/call/query_planner.h"
#include "lib/rewrite/resolve/resolver.h"
#include "logquery/postgres/postgres_backend.h"
#include "tests/contract/contract_runner.h"
#include "tests/postgres/cluster.h"
#include "tests/support/value_json.h"

namespace logquery::testing {
namespace {

using base::StrAppend;
using base::StrCat;

constexpr char kSchema[] = R"({
  "contract.logs": {"project": ["project"], "time": "timestamp", "columns": {"id": "STRING", "timestamp": "TIMESTAMP",
    "event_message": "STRING", "project": "STRING",
    "metadata": {"level": "STRING", "response": {"status_code": "INT64"}, "tags": ["STRING"]}}},
  "contract.empty": {"columns": {"id": "STRING", "n": "INT64"}},
  "contract.numbers": {"columns": {"n": "INT64", "text": "STRING"}}})";

std::string SqlOf(const Value& value) {
  if (value.is_null()) return "NULL";
  switch (value.type().kind()) {
    case TypeKind::kInt64:
      return StrCat(value.int64_value());
    case TypeKind::kString:
      return StrCat("'", value.string_value(), "'");
    case TypeKind::kTimestamp:
      return StrCat("to_timestamp(", value.int64_value() / 1'000'000, ")");
    default:
      return StrCat("'", JsonOf(value), "'");
  }
}

std::string ServerType(const Type& type) {
  if (type.is_array()) return "jsonb";
  return type.is(TypeKind::kInt64) ? "bigint" : type.is(TypeKind::kTimestamp) ? "timestamptz NOT NULL" : "text";
}

// One server for all checks; each opens a backend of its own.
Cluster& Server() {
  static Cluster& cluster = *[] {
    static Cluster made;
    for (const ContractTable& table : ContractTables()) {
      std::string columns;
      for (const Field& column : table.table.columns) {
        StrAppend(&columns, columns.empty() ? "" : ", ", "\"", column.name, "\" ", ServerType(column.type));
      }
      made.Sql(StrCat("CREATE TABLE \"", table.table.name, "\" (", columns, ")"));
      std::string rows;
      for (const std::vector<Value>& row : table.rows) {
        StrAppend(&rows, rows.empty() ? "" : ", ", "(");
        for (size_t i = 0; i < row.size(); ++i) StrAppend(&rows, i == 0 ? "" : ", ", SqlOf(row[i]));
        rows += ")";
      }
      if (!rows.empty()) made.Sql(StrCat("INSERT INTO \"", table.table.name, "\" VALUES ", rows));
    }
    return &made;
  }();
  return cluster;
}

class PostgresHarness : public ContractHarness {
 public:
  absl::StatusOr<std::unique_ptr<QueryBackend>> Open() override {
    std::vector<PostgresTable> tables;
    for (const ContractTable& table : ContractTables()) {
      tables.emplace_back().name = table.table.name;
      tables.back().table = table.table.name;
    }
    return OpenPostgres(Server().Options(std::move(tables), kSchema));
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
};

TEST_CASE("PostgreSQL keeps the contract", "[postgres]") {
  if (!Cluster::IsPossible()) SKIP("there is no PostgreSQL server on this machine");
  RunContract([] { return std::make_unique<PostgresHarness>(); });
}

}  // namespace
}  // namespace logquery::testing
