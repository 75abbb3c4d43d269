// ClickHouse, with DuckDB behind it, against the backend contract.
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "logquery/clickhouse/clickhouse_backend.h"
#include "tests/clickhouse/click_house_or_skip.h"
#include "tests/contract/contract_runner.h"
#include "tests/contract/planned_harness.h"

namespace logquery::testing {
namespace {

std::string ServerType(const Type& type) {
  return type.is(TypeKind::kInt64)       ? "Nullable(Int64)"
         : type.is(TypeKind::kTimestamp) ? "DateTime64(6, 'UTC')"
                                         : "Nullable(String)";
}

// One server for all checks; each opens a backend of its own.
ClickHouseOrSkip& Server() {
  static ClickHouseOrSkip& server = *[] {
    static ClickHouseOrSkip made;
    const ContractSql sql = {.quote = '`',
                             .prefix = "logs.",
                             .engine = " ENGINE = MergeTree ORDER BY tuple()",
                             .type = ServerType,
                             .timestamp = [](int64_t microseconds) {
                               return "fromUnixTimestamp64Micro(toInt64(" + std::to_string(microseconds) + "))";
                             }};
    for (const std::string& statement : ContractStatements(sql)) made.Sql(statement);
    return &made;
  }();
  return server;
}

class ClickHouseHarness : public PlannedHarness {
 public:
  absl::StatusOr<std::unique_ptr<QueryBackend>> Open() override {
    std::vector<ClickHouseTable> tables;
    for (const ContractTable& table : ContractTables()) {
      tables.emplace_back().name = table.table.name;
      tables.back().table = table.table.name;
    }
    return OpenClickHouse(Server().Options(std::move(tables), kContractSchema));
  }
};

TEST_CASE("ClickHouse keeps the contract", "[clickhouse]") {
  Server();  // skips the test where there is none
  RunContract([] { return std::make_unique<ClickHouseHarness>(); });
}

}  // namespace
}  // namespace logquery::testing
