// Answers of logs.all.otel to queries in ClickHouse SQL, and tables of expressions with their values and types.
#ifndef LOGQUERY_TESTS_CLICKHOUSE_SQL_OTEL_ANSWERS_H_
#define LOGQUERY_TESTS_CLICKHOUSE_SQL_OTEL_ANSWERS_H_

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/strings.h"
#include "tests/endpoint/served_rows.h"

namespace logquery {

inline std::vector<Endpoint> OnlyOtel() {
  std::vector<Endpoint> endpoints;
  for (Endpoint& endpoint : Endpoint::BuiltIn()) {
    if (endpoint.name == "logs.all.otel") endpoints.push_back(std::move(endpoint));
  }
  return endpoints;
}

// The rows as JSON, or the error.
inline std::string OtelAnswer(ServedRows& rows, const std::string& sql) {
  const std::string body =
      rows.Body("logs.all.otel", {{"project", "abc"}, {"project_tier", "ENTERPRISE"}, {"sql", sql}});
  constexpr std::string_view kBegin = "{\"result\":[";
  return body.starts_with(kBegin) ? body.substr(kBegin.size(), body.rfind("]}") - kBegin.size()) : body;
}

struct ExpressionCase {
  const char* expression;
  const char* value;
  const char* type;  // as toTypeName says
};

inline void CheckExpressions(const std::vector<ExpressionCase>& cases) {
  ServedRows rows(OnlyOtel());
  for (const ExpressionCase& c : cases) {
    CAPTURE(c.expression);
    CHECK(OtelAnswer(rows, base::StrCat("select ", c.expression, " as x, toTypeName(", c.expression, ") as t")) ==
          base::StrCat("{\"x\":", c.value, ",\"t\":\"", c.type, "\"}"));
  }
}

struct QueryCase {
  const char* sql;
  const char* rows;
};

inline void CheckQueries(const std::vector<QueryCase>& cases) {
  ServedRows rows(OnlyOtel());
  for (const QueryCase& c : cases) {
    CAPTURE(c.sql);
    CHECK(OtelAnswer(rows, c.sql) == c.rows);
  }
}

}  // namespace logquery

#endif  // LOGQUERY_TESTS_CLICKHOUSE_SQL_OTEL_ANSWERS_H_
