// APPROX_TOP_COUNT in each of its forms: in groups, beside other calls, over rows, from lists, and in windows.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/strings.h"
#include "tests/support/sql_runner.h"

namespace logquery::testing {
namespace {

using base::StrAppend;
using base::StrCat;
using Catch::Matchers::ContainsSubstring;

std::string RowsOf(SqlRunner& runner, const std::string& sql, const SqlRunner::Parameters& parameters = {}) {
  const absl::StatusOr<SqlRun> run = runner.Run(sql, parameters);
  return run.ok() ? RowsText(run->rows) : std::string(run.status().message());
}

// The counts of each group's values, the most frequent first, of equals the least value, NULL last.
std::string Expected(const std::map<int64_t, std::map<std::pair<bool, int64_t>, int64_t>>& groups, size_t wanted) {
  std::string text;
  for (const auto& [key, counts] : groups) {
    std::vector<std::pair<std::pair<bool, int64_t>, int64_t>> sorted(counts.begin(), counts.end());
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    sorted.resize(std::min(sorted.size(), wanted));
    std::vector<std::string> entries;
    for (const auto& [value, count] : sorted) {
      entries.push_back(
          StrCat("{value: ", value.first ? "NULL" : std::to_string(value.second), ", count: ", count, "}"));
    }
    StrAppend(&text, key, ", [", base::Join(entries, ", "), "]\n");
  }
  return text;
}

TEST_CASE("the most frequent values are the same in all forms, for any rows") {
  std::mt19937_64 random(20261130);
  for (int round = 0; round < 20; ++round) {
    std::vector<std::vector<Value>> rows;
    std::map<int64_t, std::map<std::pair<bool, int64_t>, int64_t>> groups;
    const int64_t values = 1 + static_cast<int64_t>(random() % 12);
    const size_t count = random() % 400;
    for (size_t i = 0; i < count; ++i) {
      const auto key = static_cast<int64_t>(random() % 4), value = static_cast<int64_t>(random() % values) - 3;
      const bool is_null = random() % 7 == 0;
      rows.push_back({Value::Int64(key), is_null ? Value::Null(Type::Int64()) : Value::Int64(value)});
      ++groups[key][{is_null, is_null ? 0 : value}];
    }
    SqlRunner runner;
    runner.AddTable("t", {{"k", Type::Int64()}, {"v", Type::Int64()}}, rows);
    const size_t wanted = 1 + random() % 5;
    const std::string expected = Expected(groups, wanted);
    const std::string call = StrCat("APPROX_TOP_COUNT(v, ", wanted, ")");
    CAPTURE(round, count, wanted);
    CHECK(RowsOf(runner, StrCat("SELECT k, ", call, " FROM t GROUP BY k ORDER BY k")) == expected);
    CHECK(RowsOf(runner,
                 StrCat("SELECT k, a FROM (SELECT k, ", call, " AS a, APPROX_TOP_COUNT(CAST(v AS STRING), 1) AS b, ",
                        "COUNT(*) AS n FROM t GROUP BY k) ORDER BY k")) == expected);
    CHECK(RowsOf(runner, StrCat("SELECT k, IF(n >= 0, a, NULL) FROM (SELECT k, ", call,
                                " AS a, COUNT(DISTINCT v) AS n FROM t GROUP BY k) ORDER BY k")) == expected);
    CHECK(RowsOf(runner, StrCat("SELECT k, a FROM (SELECT k, ", call,
                                " AS a FROM t GROUP BY ROLLUP(k)) WHERE k IS NOT NULL ORDER BY k")) == expected);
    CHECK(RowsOf(runner, StrCat("SELECT k, (SELECT ", call,
                                " FROM t WHERE t.k = o.k) FROM (SELECT DISTINCT k FROM t) AS o ORDER BY k")) ==
          expected);
    CHECK(RowsOf(runner,
                 StrCat("SELECT DISTINCT k, TO_JSON_STRING(", call, " OVER (PARTITION BY k)) FROM t ORDER BY k")) ==
          RowsOf(runner, StrCat("SELECT k, TO_JSON_STRING(", call, ") FROM t GROUP BY k ORDER BY k")));
  }
}

TEST_CASE("aggregates beside the most frequent values are those of all rows") {
  SqlRunner runner;
  runner.AddTable("t", {{"k", Type::String()}, {"v", Type::String()}, {"x", Type::Float64()}},
                  {{Value::String("a"), Value::String("p"), Value::Float64(1.5)},
                   {Value::String("a"), Value::String("q"), Value::Null(Type::Float64())},
                   {Value::String("a"), Value::String("p"), Value::Float64(-2)},
                   {Value::Null(Type::String()), Value::Null(Type::String()), Value::Float64(7)}});
  CHECK(RowsOf(runner,
               "SELECT k, COUNT(*), COUNT(x), COUNTIF(x > 0), MIN(x), MAX(v), LOGICAL_OR(x > 5), LOGICAL_AND(x > 0), "
               "APPROX_TOP_COUNT(v, 1)[OFFSET(0)].count FROM t GROUP BY k ORDER BY k") ==
        "NULL, 1, 1, 1, 7.0, NULL, true, true, 1\n\"a\", 3, 2, 1, -2.0, \"q\", false, false, 2\n");
  CHECK(RowsOf(runner,
               "SELECT SUM(x), AVG(x), COUNT(DISTINCT v), APPROX_TOP_COUNT(v, 9), APPROX_TOP_COUNT(k, 1) FROM t") ==
        "6.5, 2.1666666666666665, 2, [{value: \"p\", count: 2}, {value: \"q\", count: 1}, {value: NULL, count: 1}], "
        "[{value: \"a\", count: 3}]\n");
  CHECK(RowsOf(runner, "SELECT k FROM t GROUP BY k HAVING APPROX_TOP_COUNT(v, 1)[OFFSET(0)].count > 1") == "\"a\"\n");
}

TEST_CASE("no rows have no most frequent value, and a count of 0") {
  SqlRunner runner;
  runner.AddTable("t", {{"v", Type::String()}}, {});
  CHECK(RowsOf(runner, "SELECT APPROX_TOP_COUNT(v, 2), COUNT(*), COUNT(v), MAX(v) FROM t") == "NULL, 0, 0, NULL\n");
  CHECK(RowsOf(runner, "SELECT APPROX_TOP_COUNT(v, 2), COUNT(DISTINCT v) FROM t") == "NULL, 0\n");
  CHECK(RowsOf(runner, "SELECT v, APPROX_TOP_COUNT(v, 2) FROM t GROUP BY v").empty());
}

TEST_CASE("values of each type are counted") {
  SqlRunner runner;
  for (const char* values :
       {"1.5, CAST('nan' AS FLOAT64), CAST('nan' AS FLOAT64)", "NUMERIC '1', NUMERIC '1.0', NUMERIC '-1'",
        "BIGNUMERIC '1', BIGNUMERIC '1.0', BIGNUMERIC '-1'", "b'a', b'b', b'a'", "TRUE, FALSE, TRUE",
        "DATE '2026-01-01', DATE '2026-01-02', DATE '2026-01-01'",
        "TIMESTAMP '2026-01-01', TIMESTAMP '2026-01-01', NULL", "STRUCT(1 AS a, 'x' AS b), (1, NULL), (1, 'x')"}) {
    const std::string from = StrCat(" FROM UNNEST([", values, "]) AS v");
    CAPTURE(values);
    const std::string groups = RowsOf(runner, StrCat("SELECT APPROX_TOP_COUNT(v, 9)", from));
    CHECK_THAT(groups, ContainsSubstring("count: 2"));
    CHECK(RowsOf(runner,
                 StrCat("SELECT a FROM (SELECT APPROX_TOP_COUNT(v, 9) AS a, COUNT(DISTINCT TO_JSON_STRING(v)) AS n",
                        from, ") WHERE n > 0")) == groups);
    CHECK(RowsOf(runner, StrCat("SELECT APPROX_TOP_COUNT(v, 9)", from, " GROUP BY ROLLUP(TO_JSON_STRING(v)) ",
                                "HAVING GROUPING(TO_JSON_STRING(v)) = 1")) == groups);
  }
  CHECK_THAT(RowsOf(runner, "SELECT APPROX_TOP_COUNT(v, 1) FROM UNNEST([0.0, -0.0, 1.5]) AS v"),
             ContainsSubstring("count: 2"));
}

TEST_CASE("the number of most frequent values must be positive, whatever the rows") {
  SqlRunner runner;
  runner.AddTable("t", {{"v", Type::String()}}, {{Value::String("a")}});
  runner.AddTable("none", {{"v", Type::String()}}, {});
  for (const char* from : {"t", "none", "t GROUP BY v", "t GROUP BY ROLLUP(v)"}) {
    CAPTURE(from);
    for (const char* wanted : {"0", "-1", "CAST(NULL AS INT64)"}) {
      CHECK_THAT(RowsOf(runner, StrCat("SELECT APPROX_TOP_COUNT(v, ", wanted, ") FROM ", from)),
                 ContainsSubstring("APPROX_TOP_COUNT: the number of values must be positive"));
    }
    CHECK_THAT(RowsOf(runner, StrCat("SELECT APPROX_TOP_COUNT(v, @n) FROM ", from), {{"n", Value::Int64(-5)}}),
               ContainsSubstring("APPROX_TOP_COUNT: the number of values must be positive"));
  }
  CHECK(RowsOf(runner, "SELECT APPROX_TOP_COUNT(v, @n) FROM t", {{"n", Value::Int64(5)}}) ==
        "[{value: \"a\", count: 1}]\n");
  CHECK_THAT(RowsOf(runner, "SELECT APPROX_TOP_COUNT(v, LENGTH(v)) FROM t"), ContainsSubstring("the number of values"));
}

TEST_CASE("an error in a value is raised, and not in a branch that is not taken") {
  SqlRunner runner;
  runner.AddTable("t", {{"v", Type::Int64()}}, {{Value::Int64(0)}});
  CHECK_THAT(RowsOf(runner, "SELECT APPROX_TOP_COUNT(1 / v, 1) FROM t"), ContainsSubstring("division by zero"));
  CHECK(RowsOf(runner, "SELECT APPROX_TOP_COUNT(1 / v, 1) FROM t WHERE v > 0") == "NULL\n");
  CHECK(RowsOf(runner, "SELECT IF(COUNT(*) > 1, APPROX_TOP_COUNT(1 / v, 1)[OFFSET(0)].count, 5) FROM t") == "5\n");
}

}  // namespace
}  // namespace logquery::testing
