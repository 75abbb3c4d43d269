// APPROX_TOP_SUM on DuckDB.
#include <catch2/catch_all.hpp>

#include "lib/base/strings.h"
#include "tests/support/sql_runner.h"

namespace logquery::testing {
namespace {

using base::StrCat;

// Evaluates APPROX_TOP_SUM over rows such as "STRUCT('a' AS v, 3 AS w), ('b', 4)".
std::string TopSums(const std::string& rows, const std::string& arguments = "v, w, 10") {
  SqlRunner runner;
  return runner.Evaluate(StrCat("(SELECT APPROX_TOP_SUM(", arguments, ") FROM UNNEST([", rows, "]))"));
}

TEST_CASE("the values of the greatest sums, as many as are asked for") {
  const std::string rows = "STRUCT('apple' AS v, 3 AS w), ('pear', 2), ('apple', 0), ('banana', 5), ('pear', 4)";
  CHECK(TopSums(rows, "v, w, 2") == R"([{value: "pear", sum: 6}, {value: "banana", sum: 5}])");
  CHECK(TopSums(rows, "v, w / 2, 1") == R"([{value: "pear", sum: 3.0}])");
  CHECK(TopSums(rows, "v, CAST(w AS NUMERIC) / 4, 1") == R"([{value: "pear", sum: NUMERIC "1.5"}])");
  CHECK(TopSums("STRUCT('a' AS v, -0.0 AS w), ('b', CAST('inf' AS FLOAT64))") ==
        R"([{value: "b", sum: Infinity}, {value: "a", sum: 0.0}])");
}

TEST_CASE("values of one sum come in their order, and NULL is a value") {
  CHECK(TopSums("STRUCT('b' AS v, 1 AS w), ('a', 1), (NULL, 1), (NULL, 1)") ==
        R"([{value: NULL, sum: 2}, {value: "a", sum: 1}, {value: "b", sum: 1}])");
  CHECK(TopSums("STRUCT('apple' AS v, NULL AS w), ('pear', 0), ('pear', NULL)") ==
        R"([{value: "pear", sum: 0}, {value: "apple", sum: NULL}])");
  CHECK(TopSums("STRUCT('a' AS v, 1 AS w)", "v, IF(FALSE, w, NULL), 2") == R"([{value: "a", sum: NULL}])");
  SqlRunner runner;
  CHECK(runner.Evaluate("(SELECT APPROX_TOP_SUM(x, x, 2) FROM UNNEST(CAST([] AS ARRAY<INT64>)) AS x)") == "NULL");
}

TEST_CASE("values of all types survive a round trip") {
  CHECK(TopSums("STRUCT(0.0 AS v, 1 AS w), (-0.0, 2), (1e300, 1)") ==
        "[{value: 0.0, sum: 3}, {value: 1e+300, sum: 1}]");
  CHECK(TopSums("STRUCT(b'\\x00\\xff' AS v, 1 AS w)") == R"([{value: b"\x00\xff", sum: 1}])");
  CHECK(TopSums("STRUCT(BIGNUMERIC '1e-38' AS v, 1 AS w), (BIGNUMERIC '1e-38', 1)") ==
        R"([{value: BIGNUMERIC "0.00000000000000000000000000000000000001", sum: 2}])");
  CHECK(TopSums("STRUCT(TIMESTAMP '2026-03-04 05:06:07.000008+00' AS v, 1 AS w)") ==
        "[{value: TIMESTAMP \"2026-03-04 05:06:07.000008+00\", sum: 1}]");
  CHECK(TopSums("STRUCT(DATE '2026-03-04' AS v, 1 AS w)", "v, w, 1") == "[{value: DATE \"2026-03-04\", sum: 1}]");
  CHECK(TopSums("STRUCT(TRUE AS v, 1 AS w), (FALSE, 2)") == "[{value: false, sum: 2}, {value: true, sum: 1}]");
}

TEST_CASE("arrays and structs are values, and BIGNUMERIC is a weight") {
  CHECK(TopSums("STRUCT([1, 2] AS v, 1 AS w), ([2], 5), ([1, 2], 1)") ==
        "[{value: [2], sum: 5}, {value: [1, 2], sum: 2}]");
  CHECK(TopSums("STRUCT((1, 'x') AS v, 1 AS w), ((1, NULL), 3), ((1, 'x'), 1)", "v, w, 1").find("sum: 3") !=
        std::string::npos);
  CHECK(TopSums("STRUCT('a' AS v, BIGNUMERIC '1e-38' AS w), ('a', 2)") ==
        R"([{value: "a", sum: BIGNUMERIC "2.00000000000000000000000000000000000001"}])");
}

TEST_CASE("sums are exact, or an error") {
  CHECK(TopSums("STRUCT(1 AS v, 9223372036854775806 AS w), (1, 1)") == "[{value: 1, sum: 9223372036854775807}]");
  CHECK_THAT(TopSums("STRUCT(1 AS v, 9223372036854775807 AS w), (1, 1)"),
             Catch::Matchers::ContainsSubstring("APPROX_TOP_SUM: a sum is out of the range of INT64"));
  const std::string most = "NUMERIC '99999999999999999999999999999.999999999'";
  CHECK(TopSums(StrCat("STRUCT(1 AS v, ", most, " AS w)")) ==
        "[{value: 1, sum: NUMERIC \"99999999999999999999999999999.999999999\"}]");
  CHECK(TopSums("STRUCT(1 AS v, NUMERIC '0.000000001' AS w)") == "[{value: 1, sum: NUMERIC \"0.000000001\"}]");
  CHECK_THAT(TopSums(StrCat("STRUCT(1 AS v, ", most, " AS w), (1, NUMERIC '0.000000001')")),
             Catch::Matchers::ContainsSubstring("APPROX_TOP_SUM: a sum is out of the range of NUMERIC"));
  for (const char* weight : {"-1", "NUMERIC '-0.1'", "-0.1", "CAST('nan' AS FLOAT64)", "CAST('-inf' AS FLOAT64)"}) {
    CHECK_THAT(TopSums(StrCat("STRUCT(1 AS v, ", weight, " AS w)")),
               Catch::Matchers::ContainsSubstring("APPROX_TOP_SUM: a weight can't be negative or NaN, as "));
  }
  CHECK_THAT(TopSums("STRUCT(1 AS v, 1 AS w)", "v, w, 0"), Catch::Matchers::ContainsSubstring("must be positive"));
  CHECK_THAT(TopSums("STRUCT(1 AS v, 1 AS w)", "DISTINCT v, w, 1"), Catch::Matchers::ContainsSubstring("DISTINCT"));
}

TEST_CASE("each group and each frame has sums of its own") {
  SqlRunner runner;
  runner.AddTable("t", {{"k", Type::Int64()}, {"v", Type::String()}},
                  {{Value::Int64(1), Value::String("a")},
                   {Value::Int64(1), Value::String("b")},
                   {Value::Int64(2), Value::String("a")}});
  const auto of = [&](const std::string& sql) {
    const absl::StatusOr<SqlRun> run = runner.Run(sql);
    INFO(run.status().ToString());
    REQUIRE(run.ok());
    std::string text;
    for (const std::vector<Value>& row : run->rows) base::StrAppend(&text, row.at(0).DebugString(), "\n");
    return text;
  };
  CHECK(of("SELECT APPROX_TOP_SUM(v, k, 1) FROM t GROUP BY k ORDER BY k") ==
        "[{value: \"a\", sum: 1}]\n[{value: \"a\", sum: 2}]\n");
  CHECK(of("SELECT APPROX_TOP_SUM(v, k, 1) OVER (ORDER BY k, v) FROM t ORDER BY k, v") ==
        "[{value: \"a\", sum: 1}]\n[{value: \"a\", sum: 1}]\n[{value: \"a\", sum: 3}]\n");
}

}  // namespace
}  // namespace logquery::testing
