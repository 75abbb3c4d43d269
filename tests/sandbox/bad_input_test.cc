// The worst texts that a caller can send get an answer or an error with a place, before any engine is asked; what only rows
// can show gets the error that BigQuery would give in kind.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <string>
#include <vector>

#include "lib/base/strings.h"
#include "lib/tools/translate.h"
#include "logquery/catalog.h"
#include "logquery/endpoint.h"
#include "logquery/error.h"
#include "tests/support/sql_runner.h"

namespace logquery {
namespace {

std::string Repeat(std::string_view text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

// Returns the text with `#` replaced by 0, 1, 2 …
std::string Numbered(std::string_view text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) {
    for (const char c : text) all += c == '#' ? std::to_string(i) : std::string(1, c);
  }
  return all;
}

// b1 of two b0, b2 of two b1 …
std::string Doubled(int times) {
  std::string all;
  for (int i = 1; i <= times; ++i) base::StrAppend(&all, ", b", i, " AS STRUCT(b", i - 1, ", b", i - 1, ")");
  return all;
}

Endpoint LogsAll() {
  for (Endpoint& endpoint : Endpoint::BuiltIn()) {
    if (endpoint.name == "logs.all") return std::move(endpoint);
  }
  FAIL("there is no logs.all");
  return {};
}

absl::Status StatusOf(const std::string& sql) {
  static const Endpoint& logs_all = *new Endpoint(LogsAll());
  endpoint::TranslateOptions options;
  options.endpoint = &logs_all;
  options.catalog = Catalog::DeclaredLogs();
  options.sql = sql;
  return endpoint::Translate(options).status();
}

// Returns the error's message if the error is as it has to be, else what is wrong with it.
std::string ErrorOf(const std::string& sql) {
  const absl::Status status = StatusOf(sql);
  if (status.ok()) return "none";
  if (!absl::IsInvalidArgument(status)) return base::StrCat("of another code: ", status.ToString());
  if (sql.size() <= 65'536 && GetErrorDetails(status).line < 1)
    return base::StrCat("without a place: ", status.ToString());
  return std::string(base::Message(status));
}

std::string Ctes(int count, const std::string& first, const std::string& each) {
  std::string sql = "WITH c0 AS (" + first + ")";
  for (int i = 1; i < count; ++i) {
    std::string body = each;
    for (size_t at = body.find('#'); at != std::string::npos; at = body.find('#')) {
      body.replace(at, 1, std::to_string(i - 1));
    }
    base::StrAppend(&sql, ", c", i, " AS (", body, ")");
  }
  return base::StrCat(sql, " SELECT * FROM c", count - 1);
}

TEST_CASE("an invalid query is an error with what was found, and where") {
  const std::string nul("SELECT 1\0 FROM edge_logs", 24);
  for (const std::string& sql : std::vector<std::string>{" ",
                                                         ";",
                                                         "-- nothing",
                                                         "/* nothing */",
                                                         "# nothing",
                                                         "/* open",
                                                         "SELECT 'open",
                                                         "SELECT \"open",
                                                         "SELECT `open",
                                                         "SELECT '''open",
                                                         "SELECT r'open\\'",
                                                         "SELECT b'\\x'",
                                                         "SELECT (1",
                                                         "SELECT [1",
                                                         "SELECT CASE WHEN TRUE THEN 1",
                                                         "SELECT 1 FROM",
                                                         "WITH a AS (SELECT 1",
                                                         "SELECT 1 1 1",
                                                         "SELECT '\\uD800'",
                                                         "SELECT '\\q'",
                                                         "SELECT 0x",
                                                         "SELECT 1e",
                                                         "SELECT @",
                                                         "SELECT @@version",
                                                         "SELECT ?",
                                                         nul,
                                                         "SELECT '\xFF\xFE'",
                                                         "\xC0\x80",
                                                         "\xEF\xBB\xBF\xEF\xBB\xBF",
                                                         "SELECT 1;;SELECT 2",
                                                         "|> SELECT 1",
                                                         "FROM edge_logs |>"}) {
    INFO(sql);
    const std::string error = ErrorOf(sql);
    INFO(error);
    CHECK(error != "none");
    CHECK_FALSE(error.starts_with("of another code"));
    CHECK_FALSE(error.starts_with("without a place"));
  }
}

TEST_CASE("exceeding a limit is an error that names the limit") {
  struct Case {
    std::string sql;
    const char* bound;
  };
  const Case cases[] = {
      {"SELECT " + Repeat("(", 10'000) + "1" + Repeat(")", 10'000), "nest"},
      {"SELECT " + Repeat("[", 10'000) + Repeat("]", 10'000), "nest"},
      {"SELECT " + Repeat("ABS(", 10'000), "nest"},
      {"SELECT " + Repeat("NOT ", 10'000) + "TRUE", "nest"},
      {"SELECT " + Repeat("- ", 20'000) + "1", "nest"},
      {"SELECT " + Repeat("CASE WHEN TRUE THEN ", 3'000), "nest"},
      {Repeat("SELECT (", 5'000), "nest"},
      {"SELECT 1" + Repeat(" + 1", 16'000), "operators"},
      {"SELECT a" + Repeat(".a", 30'000) + " FROM edge_logs", ""},
      {Ctes(2'000, "SELECT 1 AS x", "SELECT 1 AS x"), "WITH"},
      {"SELECT 1" + Repeat(", 1", 1'000), "columns"},
      {"SELECT 1 FROM edge_logs" + Repeat(" JOIN edge_logs ON TRUE", 33), "join"},
      {"SELECT '" + Repeat("x", 70'000) + "'", "65536"},
      {"SELECT id FROM edge_logs GROUP BY CUBE(" + Repeat("id, ", 13) + "id)", "CUBE"},
      {"SELECT 1 FROM edge_logs GROUP BY " + Numbered("id || '#', ", 1'001) + "id", "1000 expressions in GROUP BY"},
      {"SELECT 1 FROM edge_logs GROUP BY ROLLUP(" + Repeat("id, ", 5'000) + "id)", "4096 grouping sets"},
      {"SELECT * FROM (SELECT 1 AS v, 'a' AS k) PIVOT (SUM(v) FOR k IN ('a'" + Numbered(", 'b#'", 1'001) + "))",
       "PIVOT makes 1002 columns"},
      {"SELECT * FROM (SELECT 1 AS v) UNPIVOT (w FOR k IN (v" + Repeat(", v", 1'000) + "))", "UNPIVOT of 1001 columns"},
      {"SELECT WITH(a AS 1" + Numbered(", a# AS 1", 200) + ", a)", "WITH(…) of 201 names"},
      // Each has twice as many fields as the one before.
      {Ctes(60, "SELECT id FROM edge_logs", "SELECT STRUCT(id, id) AS id FROM c#"), "10000 fields"},
      {Ctes(60, "SELECT id FROM edge_logs", "SELECT AS STRUCT a, b FROM c# AS a, c# AS b"), "join"},
      {"SELECT WITH(a AS 1, b0 AS STRUCT(a, a)" + Doubled(60) + ", b60) FROM edge_logs", "10000 fields"},
  };
  for (const Case& c : cases) {
    INFO(c.sql.substr(0, 60));
    const std::string error = ErrorOf(c.sql);
    INFO(error);
    CHECK(error != "none");
    CHECK_FALSE(error.starts_with("of another code"));
    CHECK_FALSE(error.starts_with("without a place"));
    CHECK(error.find(c.bound) != std::string::npos);
  }
}

TEST_CASE("long but simple queries are answered") {
  CHECK(ErrorOf("SELECT TRUE" + Repeat(" AND TRUE", 6'000)) == "none");
  CHECK(ErrorOf("SELECT TRUE" + Repeat(" OR FALSE", 6'000)) == "none");
  CHECK(ErrorOf("SELECT 'a'" + Repeat("||'a'", 10'000)) == "none");
  CHECK(ErrorOf("SELECT id FROM edge_logs WHERE id IN ('a'" + Repeat(", 'a'", 10'000) + ")") == "none");
  CHECK(ErrorOf("SELECT 1" + Repeat(", 1", 900)) == "none");
  CHECK(ErrorOf(Repeat("/**/", 10'000) + "SELECT 1" + Repeat("--\n", 5'000)) == "none");
  CHECK(ErrorOf("SELECT " + Repeat("(", 150) + "1" + Repeat(")", 150)) == "none");
  CHECK(ErrorOf("SELECT LENGTH(id) IN (1" + Repeat(", 1", 20'000) + ") FROM edge_logs") == "none");
  // Near the deepest plan there may be: every walk over plans has the stack for it, with a sanitizer's frames too.
  CHECK(ErrorOf("SELECT id FROM edge_logs WHERE id = 'a'" + Numbered(" AND id != 'b#'", 1'900)) == "none");
  CHECK(ErrorOf("SELECT id FROM edge_logs WHERE id = 'a'" + Numbered(" OR event_message = 'b#'", 1'900)) == "none");
  CHECK(ErrorOf("SELECT id" + Numbered(" || id || 'b#'", 900) + " FROM edge_logs") == "none");
}

// A walk that met the inner ones again from each of those around them took twice as long for each level.
TEST_CASE("nested subqueries are each resolved once") {
  const auto nested = [](int depth) {
    return ErrorOf("SELECT " + Repeat("(SELECT a.id || ", depth) + "'x'" + Repeat(" FROM UNNEST([1]) AS x)", depth) +
                   " FROM edge_logs AS a");
  };
  const int depth = 60;
  CHECK(nested(6) == "none");
  CHECK_THAT(nested(depth), Catch::Matchers::ContainsSubstring("nested too deeply"));  // for the engine's planner
  CHECK(ErrorOf("SELECT id FROM edge_logs WHERE " + Repeat("id IN (SELECT id FROM edge_logs WHERE ", depth) + "TRUE" +
                Repeat(")", depth)) == "none");
}

// Each entry reads the one before it twice: what would double with each of them stays as long as it was written.
TEST_CASE("a chain of WITH entries that double is not expanded") {
  endpoint::TranslateOptions options;
  const Endpoint logs_all = LogsAll();
  options.endpoint = &logs_all;
  options.sql = Ctes(90, "SELECT id FROM edge_logs", "SELECT a.id FROM c# AS a JOIN c# AS b ON a.id = b.id LIMIT 5");
  CHECK(absl::IsInvalidArgument(endpoint::Translate(options).status()));  // 32 joins in the whole statement
  options.sql = Ctes(90, "SELECT id FROM edge_logs", "SELECT id FROM c# UNION ALL SELECT id FROM c#");
  const auto united = endpoint::Translate(options);
  INFO(united.status());
  REQUIRE(united.ok());
  CHECK(united->dialect_text.size() < 40'000);
}

// The same with *: twice the columns in each entry.
TEST_CASE("columns that double with each WITH entry are rejected before they are many") {
  endpoint::TranslateOptions options;
  const Endpoint logs_all = LogsAll();
  options.endpoint = &logs_all;
  options.sql = Ctes(20, "SELECT id, id AS i FROM edge_logs", "SELECT a.*, b.* FROM c# AS a CROSS JOIN c# AS b");
  CHECK(ErrorOf(options.sql).find("with what * stands for the list has more than 1000 columns") != std::string::npos);
  options.sql = Ctes(20, "SELECT id, id AS i FROM edge_logs", "FROM c# AS a |> CROSS JOIN c# AS b");
  CHECK(ErrorOf(options.sql).find("the tables of all FROM clauses together have more than 20000 columns") !=
        std::string::npos);
  options.sql = Ctes(20, "SELECT id, id AS i FROM edge_logs", "SELECT a.* FROM c# AS a CROSS JOIN c# AS b");
  CHECK(endpoint::Translate(options).ok());
}

TEST_CASE("out-of-range numbers are rejected with their position") {
  for (const char* literal : {"9223372036854775808", "0xFFFFFFFFFFFFFFFFF", "1e999", "NUMERIC '1e40'",
                              "DATE '2026-02-30'", "TIMESTAMP 'yesterday'", "99999999999999999999999999"}) {
    INFO(literal);
    const std::string error = ErrorOf(base::StrCat("SELECT ", literal));
    CHECK(error.find("line 1, column 8") != std::string::npos);
  }
}

TEST_CASE("errors that depend on the rows' values are reported as errors of the query") {
  testing::SqlRunner runner;
  runner.AddTable("t", {{"s", Type::String()}, {"n", Type::Int64()}}, {{Value::String("x("), Value::Int64(0)}});
  for (const char* expression : {"1 / n",
                                 "DIV(1, n)",
                                 "MOD(1, n)",
                                 "9223372036854775807 + (n + 1)",
                                 "(n - 9223372036854775807) - 2",
                                 "CAST(s AS INT64)",
                                 "CAST(s AS FLOAT64)",
                                 "CAST(s AS DATE)",
                                 "CAST(s AS TIMESTAMP)",
                                 "CAST(s AS BOOL)",
                                 "CAST(1e300 * (n + 1) AS INT64)",
                                 "REGEXP_CONTAINS('a', s)",
                                 "REGEXP_EXTRACT('a', s)",
                                 "[1, 2][OFFSET(n + 2)]",
                                 "[1, 2][ORDINAL(n)]",
                                 "PARSE_JSON(s)",
                                 "PARSE_DATE('%F', s)",
                                 "LN(n)",
                                 "SQRT(n - 1)",
                                 "REPEAT(s, n - 1)",
                                 "(SELECT x FROM UNNEST([1, 2]) AS x)",
                                 "ERROR(s)",
                                 "GENERATE_ARRAY(1, 2, n)",
                                 "CHR(n - 1)",
                                 "EXP(n + 1000)"}) {
    const auto run = runner.Run(base::StrCat("SELECT ", expression, " FROM t"));
    INFO(expression << ": " << run.status());
    CHECK(absl::IsInvalidArgument(run.status()));
  }
}

}  // namespace
}  // namespace logquery
