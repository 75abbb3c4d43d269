// Code that the fuzz targets of callers' SQL share: the way of a text from logs.all's `sql` to the engine's text.
#ifndef LOGQUERY_TESTS_FUZZ_CALLER_SQL_H_
#define LOGQUERY_TESTS_FUZZ_CALLER_SQL_H_

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/endpoint/call/query_planner.h"
#include "lib/rewrite/resolve/resolver.h"
#include "logquery/catalog.h"
#include "logquery/endpoint.h"
#include "logquery/error.h"

namespace logquery::fuzz {

inline void Require(bool holds, std::string_view what) {
  if (holds) return;
  std::fprintf(stderr, "%.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

// Fails if a text ends in an error of our own, or in one that does not say where.
inline void RequirePlacedError(const absl::Status& status, std::string_view text) {
  if (absl::IsUnimplemented(status)) return;
  Require(absl::IsInvalidArgument(status), status.ToString());
  Require(text.size() > 65'536 || GetErrorDetails(status).line > 0, "no place: " + status.ToString());
}

// The logs, all of which logs.all reads, and a table that it does not.
inline Catalog LogsAndSecrets() {
  std::vector<Table> tables = Catalog::DeclaredLogs().tables();
  Table secrets;
  secrets.name = "secrets";
  secrets.columns = {{"id", Type::String()}, {"timestamp", Type::Timestamp()}};
  tables.push_back(std::move(secrets));
  return Catalog(std::move(tables), 1);
}

struct LogsAll {
  LogsAll() {
    for (Endpoint& endpoint : Endpoint::BuiltIn()) {
      if (endpoint.name == "logs.all") definition = std::move(endpoint);
    }
    query = std::move(*endpoint::ParseDefinition(definition));
    for (const Parameter& parameter : definition.parameters) {
      values.emplace(parameter.name, Value::Null(parameter.type));
    }
    values.insert_or_assign("project", Value::String("abc"));
    values.emplace(rewrite::kNowParameter, Value::TimestampMicros(1'772'600'767'000'000));
  }
  absl::StatusOr<endpoint::PlannedCall> Plan(std::string_view sql) const {
    auto resolved = endpoint::ResolveCallerSql(sql, definition, *query, catalog);
    if (!resolved.ok()) return resolved.status();
    return endpoint::QueryPlanner(Dialect::kDuckDb, nullptr).Plan(**resolved, values);
  }

  Catalog catalog = LogsAndSecrets();
  Endpoint definition;
  sql::QueryPtr query;
  rewrite::ParameterValues values;
};

}  // namespace logquery::fuzz

#endif  // LOGQUERY_TESTS_FUZZ_CALLER_SQL_H_
