// PostgreSQL, with DuckDB behind it, against the backend contract.
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "logquery/postgres/postgres_backend.h"
#include "tests/contract/contract_runner.h"
#include "tests/contract/planned_harness.h"
#include "tests/postgres/cluster_or_skip.h"

namespace logquery::testing {
namespace {

std::string ServerType(const Type& type) {
  if (type.is_array()) return "jsonb";
  return type.is(TypeKind::kInt64) ? "bigint" : type.is(TypeKind::kTimestamp) ? "timestamptz NOT NULL" : "text";
}

// One server for all checks; each opens a backend of its own.
ClusterOrSkip& Server() {
  static ClusterOrSkip& cluster = *[] {
    static ClusterOrSkip made;
    const ContractSql sql = {.type = ServerType, .timestamp = [](int64_t microseconds) {
                               return "to_timestamp(" + std::to_string(microseconds / 1'000'000) + ")";
                             }};
    for (const std::string& statement : ContractStatements(sql)) made.Sql(statement);
    return &made;
  }();
  return cluster;
}

class PostgresHarness : public PlannedHarness {
 public:
  absl::StatusOr<std::unique_ptr<QueryBackend>> Open() override {
    std::vector<PostgresTable> tables;
    for (const ContractTable& table : ContractTables()) {
      tables.emplace_back().name = table.table.name;
      tables.back().table = table.table.name;
    }
    return OpenPostgres(Server().Options(std::move(tables), kContractSchema));
  }
};

TEST_CASE("PostgreSQL keeps the contract", "[postgres]") {
  Server();  // skips the test where there is none
  RunContract([] { return std::make_unique<PostgresHarness>(); });
}

}  // namespace
}  // namespace logquery::testing
