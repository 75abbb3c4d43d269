// Branches that are not taken raise no error, WITH RECURSIVE entries stand in any order, and percentiles of decimals are
// exact: on DuckDB.
#include <catch2/catch_all.hpp>

#include "lib/base/strings.h"
#include "tests/support/sql_runner.h"

namespace logquery::testing {
namespace {

using base::StrCat;

// The rows, or the error's message.
std::string RowsOf(const std::string& sql) {
  SqlRunner runner;
  runner.AddTable(
      "t", {{"a", Type::Int64()}, {"k", Type::Int64()}},
      {{Value::Int64(0), Value::Int64(1)}, {Value::Int64(1), Value::Int64(1)}, {Value::Int64(2), Value::Int64(2)}});
  const absl::StatusOr<SqlRun> run = runner.Run(sql);
  return run.ok() ? RowsText(run->rows) : std::string(run.status().message());
}

TEST_CASE("a subquery in a branch that is not taken raises no error") {
  CHECK(RowsOf("SELECT IF(a >= 0, a, (SELECT MAX(DIV(1, a)) FROM t)) AS x FROM t ORDER BY a") == "0\n1\n2\n");
  CHECK(RowsOf("SELECT CASE WHEN a < 5 THEN a ELSE (SELECT DIV(1, a) FROM t ORDER BY a LIMIT 1) END AS x FROM t ORDER "
               "BY a") == "0\n1\n2\n");
  CHECK(RowsOf("SELECT COALESCE(a, (SELECT DIV(1, i.a) FROM t AS i LIMIT 1)) AS x FROM t ORDER BY a") == "0\n1\n2\n");
  CHECK(RowsOf("SELECT IF((SELECT COUNT(*) FROM t) > 0, 1, (SELECT DIV(1, a) FROM t ORDER BY a LIMIT 1)) AS x") ==
        "1\n");
  CHECK(RowsOf("SELECT IF(o.a > 0, (SELECT MAX(DIV(2, o.a * i.k)) FROM t AS i), -1) AS x FROM t AS o ORDER BY a") ==
        "-1\n2\n1\n");
  CHECK_THAT(RowsOf("SELECT IF(a > 0, a, (SELECT MAX(DIV(1, a)) FROM t)) AS x FROM t"),
             Catch::Matchers::ContainsSubstring("division by zero"));
}

TEST_CASE("an aggregate in a branch that is not taken raises no error") {
  CHECK(RowsOf("SELECT IF(SUM(a) > 0, SUM(a), SUM(DIV(1, a))) AS x FROM t") == "3\n");
  CHECK(RowsOf("SELECT CASE WHEN COUNT(*) > 1 THEN 7 ELSE SUM(a + DIV(1, a)) END AS x FROM t") == "7\n");
  CHECK(RowsOf("SELECT k, IF(k = 2, SUM(DIV(4, a)), 0) AS x FROM t GROUP BY k ORDER BY k") == "1, 0\n2, 2\n");
  CHECK_THAT(RowsOf("SELECT IF(SUM(a) < 0, SUM(a), SUM(DIV(1, a))) AS x FROM t"),
             Catch::Matchers::ContainsSubstring("divides by zero"));
  CHECK_THAT(RowsOf("SELECT SUM(DIV(1, a)) AS x FROM t"), Catch::Matchers::ContainsSubstring("division by zero"));
}

TEST_CASE("a subquery in an evaluated branch has the same result as elsewhere") {
  CHECK(RowsOf("SELECT IF(a > 0, (SELECT SUM(CAST(CAST(i.a AS STRING) AS INT64)) FROM t AS i WHERE i.k = t.k), 0) AS x "
               "FROM t "
               "ORDER BY a") == "0\n1\n2\n");
  CHECK(
      RowsOf("SELECT IF(a = 1, EXISTS(SELECT 1 FROM t AS i WHERE DIV(4, i.a + 1) = 2), NULL) AS x FROM t ORDER BY a") ==
      "NULL\ntrue\nNULL\n");
  CHECK(RowsOf("SELECT IF(a = 2, ARRAY(SELECT DIV(4, x) FROM UNNEST([1, 2]) AS x), []) AS x FROM t ORDER BY a") ==
        "[]\n[]\n[4, 2]\n");
}

TEST_CASE("rows that UNNEST and UNPIVOT make of one row share the value of a volatile expression") {
  CHECK(RowsOf("SELECT COUNT(DISTINCT g) AS n FROM (SELECT GENERATE_UUID() AS g, 1 AS a, 2 AS b) UNPIVOT (v FOR n IN "
               "(a, b))") == "1\n");
  CHECK(
      RowsOf("SELECT COUNT(DISTINCT g) AS n FROM (SELECT GENERATE_UUID() AS g, [1, 2] AS l) AS i, UNNEST(i.l) AS v") ==
      "1\n");
}

TEST_CASE("entries of WITH RECURSIVE may read those behind them") {
  CHECK(RowsOf("WITH RECURSIVE x AS (SELECT * FROM y), y AS (SELECT 1 AS n) SELECT n FROM x") == "1\n");
  CHECK(RowsOf("WITH RECURSIVE x AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM x WHERE n < (SELECT MAX(m) FROM y)), "
               "y AS (SELECT 3 AS m) SELECT n FROM x ORDER BY n") == "1\n2\n3\n");
  CHECK(
      RowsOf(
          "WITH RECURSIVE x AS (SELECT n FROM y WHERE n > 1), y AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM y WHERE "
          "n < 3) SELECT n FROM x ORDER BY n") == "2\n3\n");
  CHECK_THAT(RowsOf("WITH x AS (SELECT * FROM y), y AS (SELECT 1 AS n) SELECT n FROM x"),
             Catch::Matchers::ContainsSubstring("unknown table y"));
  CHECK_THAT(RowsOf("WITH RECURSIVE x AS (SELECT * FROM y), y AS (SELECT * FROM x) SELECT * FROM x"),
             Catch::Matchers::ContainsSubstring("unknown table"));
}

std::string Percentile(const std::string& call, const std::string& values) {
  return RowsOf(
      StrCat("SELECT ANY_VALUE(p) AS p FROM (SELECT ", call, " OVER () AS p FROM UNNEST([", values, "]) AS x)"));
}

TEST_CASE("percentiles of decimals are exact, and RESPECT NULLS counts NULLs as the least values") {
  CHECK(Percentile("PERCENTILE_CONT(x, NUMERIC '0.5')", "NUMERIC '1', 2, 4") == "NUMERIC \"2\"\n");
  CHECK(Percentile("PERCENTILE_CONT(x, 0.25)", "NUMERIC '1', 2, 4, NULL") == "NUMERIC \"1.5\"\n");
  CHECK(Percentile("PERCENTILE_CONT(x, NUMERIC '0.5')",
                   "NUMERIC '99999999999999999999999999999', NUMERIC '-99999999999999999999999999998'") ==
        "NUMERIC \"0.5\"\n");
  CHECK(Percentile("PERCENTILE_CONT(x, BIGNUMERIC '0.2')", "BIGNUMERIC '0', 1, 2, NULL") == "BIGNUMERIC \"0.4\"\n");
  CHECK(Percentile("PERCENTILE_CONT(x, 0.5 RESPECT NULLS)", "1.5, NULL, NULL, 2.5") == "1.5\n");
  CHECK(Percentile("PERCENTILE_CONT(x, 0.25 RESPECT NULLS)", "1.5, NULL, NULL, 2.5") == "NULL\n");
  CHECK(Percentile("PERCENTILE_DISC(x, 0.5 RESPECT NULLS)", "'a', NULL, 'b', 'c'") == "\"a\"\n");
  CHECK(Percentile("PERCENTILE_DISC(x, BIGNUMERIC '0.40000000000000000000000000000000000001')", "1, 2, 3, 4, 5") ==
        "3\n");
  CHECK(Percentile("PERCENTILE_DISC(x, BIGNUMERIC '0.4')", "1, 2, 3, 4, 5") == "2\n");
  CHECK(Percentile("PERCENTILE_CONT(x, NUMERIC '0.5')", "CAST(NULL AS NUMERIC)") == "NULL\n");
  CHECK(RowsOf("SELECT k, PERCENTILE_CONT(CAST(a AS NUMERIC), 0.5) OVER (PARTITION BY k) AS p, SUM(a) OVER (PARTITION "
               "BY k) AS s "
               "FROM t ORDER BY a") == "1, NUMERIC \"0.5\", 1\n1, NUMERIC \"0.5\", 1\n2, NUMERIC \"2\", 2\n");
  CHECK_THAT(Percentile("PERCENTILE_CONT(x, NUMERIC '1.5')", "NUMERIC '1'"),
             Catch::Matchers::ContainsSubstring("between 0 and 1"));
}

}  // namespace
}  // namespace logquery::testing
