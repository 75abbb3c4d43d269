#include "lib/rewrite/resolve/resolver.h"

#include <catch2/catch_test_macros.hpp>
#include <regex>
#include <string>

#include "lib/base/strings.h"
#include "lib/sql/parser.h"
#include "logquery/error.h"
#include "tests/rewrite/resolved_text.h"

namespace logquery::rewrite {
namespace {

// A caller's SQL over an endpoint of two entries, one of them private.
absl::Status Sandboxed(const std::string& caller) {
  static const std::string& endpoint = *new std::string(
      "WITH retention AS (SELECT TIMESTAMP '2026-01-01' AS since), pg AS (SELECT t.id, t.timestamp FROM "
      "`postgres.logs` AS t, "
      "retention WHERE t.timestamp > retention.since) SELECT id FROM pg");
  static const Catalog& catalog = *new Catalog(Catalog::DeclaredLogs());
  static const sql::Query& definition = *sql::ParseQuery(endpoint, {}).value().release();
  auto query = sql::ParseQuery(caller, {});
  if (!query.ok()) return query.status();
  ResolveOptions options;
  options.catalog = &catalog;
  return ResolveSandboxed(**query, caller, {&definition, endpoint, {"retention"}}, options).status();
}

// An own log with a record in a record, a repeated record and a learned-like plain column, beside a built-in log.
Catalog WithOwnLog() {
  const Catalog declared = Catalog::DeclaredLogs();
  std::vector<Table> tables = {*declared.Find("postgres.logs")};
  Table own;
  own.name = "app.logs";
  const Type user = Type::Record({{"name", Type::String()}});
  const Type line = Type::Struct({{"price", Type::Int64()}, {"by", user}});
  own.columns = {{"id", Type::String()},
                 {"http", Type::Record({{"path", Type::String()}, {"user", user}})},
                 {"lines", Type::Array(line)}};
  tables.push_back(std::move(own));
  return Catalog(std::move(tables), 1);
}

// "name TYPE, …", or the error's message.
std::string OwnSchemaOf(const std::string& text) {
  static const Catalog& catalog = *new Catalog(WithOwnLog());
  auto query = sql::ParseQuery(text, {});
  REQUIRE(query.ok());
  ResolveOptions options;
  options.catalog = &catalog;
  const auto plan = Resolve(**query, text, options);
  if (!plan.ok()) return std::string(base::Message(plan.status()));
  std::string schema;
  for (const Field& column : plan->schema) {
    base::StrAppend(&schema, schema.empty() ? "" : ", ", column.name, " ", column.type.ToString());
  }
  return schema;
}

TEST_CASE("a query's columns have the names and types that GoogleSQL gives them") {
  struct Case {
    const char* sql;
    const char* schema;
  };
  const Case cases[] = {
      {"SELECT id, timestamp FROM `postgres.logs`", "id STRING, timestamp TIMESTAMP"},
      {"SELECT 1, 2 AS a, 'x'", "f0_ INT64, a INT64, f1_ STRING"},
      {"SELECT 1 + 2.5, 7 / 2, 1 = 1", "f0_ FLOAT64, f1_ FLOAT64, f2_ BOOL"},
      {"SELECT p.user_name FROM `postgres.logs` CROSS JOIN UNNEST(metadata) AS m CROSS JOIN UNNEST(m.parsed) AS p",
       "user_name STRING"},
      {"SELECT user_name FROM `postgres.logs` CROSS JOIN UNNEST(metadata) CROSS JOIN UNNEST(parsed)",
       "user_name STRING"},
      {"SELECT COUNT(*) AS n, AVG(LENGTH(id)) AS mean FROM `postgres.logs`", "n INT64, mean FLOAT64"},
      {"SELECT APPROX_QUANTILES(LENGTH(id), 100)[OFFSET(95)] AS p95 FROM `postgres.logs`", "p95 INT64"},
      {"SELECT TIMESTAMP_TRUNC(t.timestamp, HOUR) AS timestamp, COUNT(*) AS n FROM `postgres.logs` AS t GROUP BY "
       "timestamp",
       "timestamp TIMESTAMP, n INT64"},
      {"SELECT CASE WHEN @p = 'x' THEN 1 ELSE 2.5 END AS c", "c FLOAT64"},
      {"SELECT [1, 2.5] AS a, STRUCT(1 AS x, 'b' AS y) AS s", "a ARRAY<FLOAT64>, s STRUCT<x INT64, y STRING>"},
      {"SELECT t FROM (SELECT 1 AS a) AS t", "t STRUCT<a INT64>"},
      {"SELECT AS STRUCT 1 AS a, 'b' AS b", "a INT64, b STRING"},
      {"SELECT d, o FROM UNNEST(['a']) AS d WITH OFFSET AS o", "d STRING, o INT64"},
      {"SELECT h, a, b FROM (SELECT 1 AS h, 2 AS a) JOIN (SELECT 1 AS h, 3 AS b) USING (h)",
       "h INT64, a INT64, b INT64"},
      {"SELECT 1 AS a UNION ALL SELECT 2.5 UNION ALL SELECT NULL", "a FLOAT64"},
      {"SELECT ROW_NUMBER() OVER (ORDER BY id) AS r FROM `postgres.logs` QUALIFY r = 1", "r INT64"},
      {"SELECT * EXCEPT (metadata) FROM `postgres.logs`",
       "id STRING, timestamp TIMESTAMP, event_message STRING, project STRING"},
      {"SELECT '5'::int64 AS a, CAST(NULL AS DATE) AS d", "a INT64, d DATE"},
      {"SELECT timestamp > '2026-01-01' AS later FROM `postgres.logs`", "later BOOL"},
      {"SELECT CURRENT_TIMESTAMP() AS now", "now TIMESTAMP"},
      {"SELECT ARRAY_TRANSFORM(['a'], x -> LENGTH(x)) AS a, ARRAY_TRANSFORM([1], x -> CAST(x AS STRING)) AS b, "
       "ARRAY_FILTER(['a'], x -> x = 'a') AS c",
       "a ARRAY<INT64>, b ARRAY<STRING>, c ARRAY<STRING>"},
      {"SELECT ARRAY_INCLUDES(['a'], 'a') AS a, ARRAY_INCLUDES([1], x -> x > 1) AS b", "a BOOL, b BOOL"},
      {"SELECT ARRAY_FILTER(['a'], x -> LENGTH(x)) AS a",
       "the lambda of ARRAY_FILTER has to give a BOOL, not a value of type INT64 at line 1, column 28"},
      {"SELECT ARRAY_TRANSFORM(['a'], x -> [x]) AS a",
       "the lambda of ARRAY_TRANSFORM can't give an ARRAY: there are no arrays of arrays at line 1, column 31"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.sql);
    CHECK(SchemaOf(c.sql) == c.schema);
  }
}

TEST_CASE("a sandboxed query reads the endpoint's entries and nothing else") {
  CHECK(Sandboxed("SELECT id FROM pg").ok());
  CHECK(Sandboxed("WITH mine AS (SELECT id FROM pg) SELECT COUNT(*) AS n FROM mine").ok());
  CHECK(Sandboxed("SELECT (SELECT MAX(x.id) FROM PG AS x) AS latest").ok());
  CHECK(Sandboxed("SELECT id FROM `\\x70g`").ok());
  CHECK(Sandboxed("FROM pg |> SELECT id").ok());
  CHECK(Sandboxed("SELECT 1 AS one UNION ALL (SELECT 2 FROM (SELECT 1 AS a) AS x, pg)").ok());
  CHECK(Sandboxed("SELECT 1 AS one").ok());

  const char* refused[] = {
      "SELECT id FROM `postgres.logs`",
      "SELECT id FROM postgres.logs",
      "SELECT * FROM information_schema.tables",
      "SELECT since FROM retention",
      "WITH pg AS (SELECT 1 AS id) SELECT id FROM pg",
      "WITH Retention AS (SELECT 1 AS id) SELECT id FROM Retention",
      "WITH pg AS (SELECT 1 AS id) SELECT 2 AS two",
      "SELECT (WITH pg AS (SELECT 1 AS id) SELECT id FROM pg) AS x",
      "SELECT id FROM pg WHERE EXISTS (SELECT 1 FROM `gotrue.logs.prod`)",
      "SELECT RAND() AS r FROM pg",
      "SELECT SESSION_USER() AS r FROM pg",
      "SELECT * FROM duckdb_settings()",
      "SELECT id FROM pg, `pgbouncer.logs.prod`",
      "SELECT @project AS p FROM pg",
      "SELECT getenv('HOME') AS h FROM pg",
      "SELECT `$add`(1, 2) AS x FROM pg",
  };
  for (const char* sql : refused) {
    CAPTURE(sql);
    CHECK(Sandboxed(sql).code() == absl::StatusCode::kInvalidArgument);
  }
}

TEST_CASE("a record of an own log is read by a path, and by UNNEST") {
  const char* const paths[] = {
      "SELECT http.path FROM `app.logs`",
      "SELECT t.http.path FROM `app.logs` AS t",
      "SELECT h.path FROM `app.logs` CROSS JOIN UNNEST(http) AS h",
      "SELECT h.path FROM `app.logs` AS t, t.http AS h",
      "SELECT (http).path FROM `app.logs`",
      "SELECT x.http.path FROM (SELECT * FROM `app.logs`) AS x",
      "WITH x AS (SELECT * FROM `app.logs`) SELECT http.path FROM x",
      "SELECT w.path FROM (SELECT http AS w FROM `app.logs` UNION ALL SELECT http FROM `app.logs`)",
      "SELECT b.http.path FROM `app.logs` AS a LEFT JOIN `app.logs` AS b ON a.id = b.id",
      "SELECT http.path FROM `app.logs` GROUP BY http.path ORDER BY http.path",
      "FROM `app.logs` |> WHERE http.path = 'x' |> SELECT http.path",
  };
  for (const char* sql : paths) {
    CAPTURE(sql);
    CHECK(OwnSchemaOf(sql) == "path STRING");
  }
  CHECK(OwnSchemaOf("SELECT http.user.name FROM `app.logs`") == "name STRING");
  CHECK(OwnSchemaOf("SELECT h.user.name FROM `app.logs`, UNNEST(http) AS h") == "name STRING");
  CHECK(OwnSchemaOf("SELECT u.name FROM `app.logs` AS t, t.http.user AS u") == "name STRING");
  CHECK(OwnSchemaOf("SELECT l.by.name FROM `app.logs`, UNNEST(lines) AS l") == "name STRING");
  CHECK(OwnSchemaOf("SELECT http.* FROM `app.logs`") == "path STRING, user ARRAY<STRUCT<name STRING>>");
  // The record as a whole is still an array to queries.
  CHECK(OwnSchemaOf("SELECT ARRAY_LENGTH(http) AS n FROM `app.logs`") == "n INT64");
  CHECK(OwnSchemaOf("SELECT http[OFFSET(0)].path FROM `app.logs`") == "path STRING");
}

TEST_CASE("a record of an own log is tested for NULL, and one of a built-in log is an array, which is never NULL") {
  CHECK(OwnSchemaOf("SELECT http IS NULL AS a, http.user IS NOT NULL AS b FROM `app.logs`") == "a BOOL, b BOOL");
  CHECK(OwnSchemaOf("SELECT http IS NULL AS a FROM `app.logs` GROUP BY http HAVING http IS NOT NULL") == "a BOOL");
  const auto folds = [](const std::string& test, const char* log) {
    const Catalog catalog = WithOwnLog();
    const std::string text = base::StrCat("SELECT ", test, " AS x FROM `", log, "`");
    ResolveOptions options;
    options.catalog = &catalog;
    const auto plan = Resolve(**sql::ParseQuery(text, {}), text, options);
    REQUIRE(plan.ok());
    const auto* const project = If<Project>(plan->root.get());
    REQUIRE(project != nullptr);
    return project->computed[0].value->kind == ScalarKind::kConstant;
  };
  CHECK(folds("metadata IS NULL", "postgres.logs"));
  CHECK(folds("metadata IS NOT NULL", "postgres.logs"));
  for (const char* const test :
       {"http IS NULL", "http IS UNKNOWN", "http.user IS NOT NULL", "IF(id = 'x', http, NULL) IS NULL",
        "(SELECT http) IS NULL", "LAG(http) OVER (ORDER BY id) IS NULL", "lines IS NULL"}) {
    CAPTURE(test);
    CHECK_FALSE(folds(test, "app.logs"));
  }
  for (const char* const test : {"http IS TRUE", "metadata IS FALSE"}) {
    CAPTURE(test);
    const std::string log = test[0] == 'h' ? "app.logs" : "postgres.logs";
    CHECK(OwnSchemaOf(base::StrCat("SELECT ", test, " FROM `", log, "`")).find("takes ARRAY<STRUCT<") !=
          std::string::npos);
  }
}

TEST_CASE("a path that leads through no record of an own log is refused") {
  const auto is_refused = [](const char* sql, std::string_view message) {
    CAPTURE(sql);
    const std::string schema = OwnSchemaOf(sql);
    CAPTURE(schema);
    CHECK(schema.find(message) != std::string::npos);
  };
  is_refused("SELECT metadata.host FROM `postgres.logs`", "which is an array of records");
  is_refused("SELECT lines.price FROM `app.logs`", "take an element first");
  is_refused("SELECT ARRAY_AGG(h).path FROM `app.logs`, UNNEST(http) AS h", "take an element first");
  is_refused("SELECT ARRAY(SELECT h FROM UNNEST(http) AS h).path FROM `app.logs`", "take an element first");
  is_refused("SELECT http.pat FROM `app.logs`", "did you mean path?");
  is_refused("SELECT path FROM `app.logs`", "http.path is read as http.path");
  is_refused("SELECT name FROM `app.logs`", "http.user.name is read as http.user.name");
  is_refused("SELECT host FROM `postgres.logs`", "LEFT JOIN UNNEST(metadata) AS r1, as r1.host");
  is_refused("SELECT id.path FROM `app.logs`", "can't read the field path of a value of type STRING");
}

}  // namespace
}  // namespace logquery::rewrite
