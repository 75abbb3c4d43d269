// ClickHouse, with DuckDB behind it, against the backend contract.
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/endpoint/call/query_planner.h"
#include "lib/rewrite/resolve/resolver.h"
#include "logquery/clickhouse/clickhouse_backend.h"
#include "tests/clickhouse/click_house.h"
#include "tests/contract/contract_runner.h"
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
      return StrCat("fromUnixTimestamp64Micro(toInt64(", value.int64_value(), "))");
    default:
      return StrCat("'", JsonOf(value), "'");
  }
}

std::string ServerType(const Type& type) {
  return type.is(TypeKind::kInt64)       ? "Nullable(Int64)"
         : type.is(TypeKind::kTimestamp) ? "DateTime64(6, 'UTC')"
                                         : "Nullable(String)";
}

// One server for all checks; each opens a backend of its own.
ClickHouse& Server() {
  static ClickHouse& server = *[] {
    static ClickHouse made;
    for (const ContractTable& table : ContractTables()) {
      std::string columns;
      for (const Field& column : table.table.columns) {
        StrAppend(&columns, columns.empty() ? "" : ", ", "`", column.name, "` ", ServerType(column.type));
      }
      made.Sql(
          StrCat("CREATE TABLE logs.`", table.table.name, "` (", columns, ") ENGINE = MergeTree ORDER BY tuple()"));
      std::string rows;
      for (const std::vector<Value>& row : table.rows) {
        StrAppend(&rows, rows.empty() ? "" : ", ", "(");
        for (size_t i = 0; i < row.size(); ++i) StrAppend(&rows, i == 0 ? "" : ", ", SqlOf(row[i]));
        rows += ")";
      }
      if (!rows.empty()) made.Sql(StrCat("INSERT INTO logs.`", table.table.name, "` VALUES ", rows));
    }
    return &made;
  }();
  return server;
}

class ClickHouseHarness : public ContractHarness {
 public:
  absl::StatusOr<std::unique_ptr<QueryBackend>> Open() override {
    std::vector<ClickHouseTable> tables;
    for (const ContractTable& table : ContractTables()) {
      tables.emplace_back().name = table.table.name;
      tables.back().table = table.table.name;
    }
    return OpenClickHouse(Server().Options(std::move(tables), kSchema));
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

TEST_CASE("ClickHouse keeps the contract", "[clickhouse]") {
  if (const std::string why = ClickHouse::WhyNot(); !why.empty()) SKIP(why);
  RunContract([] { return std::make_unique<ClickHouseHarness>(); });
}

}  // namespace
}  // namespace logquery::testing
