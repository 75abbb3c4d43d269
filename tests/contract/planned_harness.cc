// Plans definitions over a backend's catalog, and writes tables as statements.
#include "tests/contract/planned_harness.h"

#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/endpoint/call/query_planner.h"
#include "lib/rewrite/resolve/resolver.h"
#include "tests/support/value_json.h"

namespace logquery::testing {
namespace {

using base::StrAppend;
using base::StrCat;

std::string SqlOf(const Value& value, const ContractSql& sql) {
  if (value.is_null()) return "NULL";
  switch (value.type().kind()) {
    case TypeKind::kInt64:
      return StrCat(value.int64_value());
    case TypeKind::kString:
      return StrCat("'", value.string_value(), "'");
    case TypeKind::kTimestamp:
      return sql.timestamp(value.int64_value());
    default:
      return StrCat("'", JsonOf(value), "'");
  }
}

}  // namespace

absl::StatusOr<ContractHarness::Prepared> PlannedHarness::Prepare(QueryBackend& backend, const ContractQuery& query) {
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

std::vector<std::string> ContractStatements(const ContractSql& sql) {
  const auto quoted = [&](const std::string& name) {
    return StrCat(std::string(1, sql.quote), name, std::string(1, sql.quote));
  };
  std::vector<std::string> statements;
  for (const ContractTable& table : ContractTables()) {
    const std::string name = StrCat(sql.prefix, quoted(table.table.name));
    std::string columns;
    for (const Field& column : table.table.columns) {
      StrAppend(&columns, columns.empty() ? "" : ", ", quoted(column.name), " ", sql.type(column.type));
    }
    statements.push_back(StrCat("CREATE TABLE ", name, " (", columns, ")", sql.engine));
    std::string rows;
    for (const std::vector<Value>& row : table.rows) {
      StrAppend(&rows, rows.empty() ? "" : ", ", "(");
      for (size_t i = 0; i < row.size(); ++i) StrAppend(&rows, i == 0 ? "" : ", ", SqlOf(row[i], sql));
      rows += ")";
    }
    if (!rows.empty()) statements.push_back(StrCat("INSERT INTO ", name, " VALUES ", rows));
  }
  return statements;
}

}  // namespace logquery::testing
