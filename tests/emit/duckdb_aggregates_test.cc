// Aggregates' values over a few rows, and the texts of calls with all that belongs to them.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <memory>

#include "lib/base/strings.h"
#include "lib/engines/duckdb/dialect/functions.h"
#include "tests/emit/duckdb_function_cases.h"
#include "tests/support/sql_runner.h"

namespace logquery::emit {
namespace {

using base::StrCat;

Value S(const char* text) { return Value::String(text); }
Value I(int64_t number) { return Value::Int64(number); }
Value F(double number) { return Value::Float64(number); }
Value Ints(std::vector<Value> values) { return Value::Array(Type::Int64(), std::move(values)); }

const Value kNullInt = Value::Null(Type::Int64());
const Value kNullFloat = Value::Null(Type::Float64());
const Value kNullString = Value::Null(Type::String());

Value Of(const char* function, const std::vector<Value>& rows, const std::vector<Value>& more = {},
         const rewrite::AggregateCall& modifiers = {}) {
  const absl::StatusOr<Value> value = EvaluateAggregate(function, rows, more, modifiers);
  INFO(function << ": " << value.status().ToString());
  REQUIRE(value.ok());
  return *value;
}

TEST_CASE("aggregates ignore NULLs, and return NULL for NULLs only") {
  CHECK(Of("COUNT", {I(1), kNullInt}) == I(1));
  CHECK(Of("COUNTIF", {Value::Bool(true), Value::Bool(false), Value::Null(Type::Bool())}) == I(1));
  CHECK(Of("SUM", {I(1), kNullInt, I(2)}) == I(3));
  CHECK(Of("SUM", {kNullInt}) == kNullInt);
  CHECK(Of("AVG", {I(1), I(2)}) == F(1.5));
  CHECK(Of("AVG", {Value::Numeric("1"), Value::Numeric("1"), Value::Numeric("2")}) == Value::Numeric("1.333333333"));
  CHECK(Of("ANY_VALUE", {kNullInt, I(4)}) == I(4));
  CHECK(Of("STRING_AGG", {S("a"), kNullString, S("b")}) == S("a,b"));
  CHECK(Of("STRING_AGG", {S("a"), S("b")}, {S("-")}) == S("a-b"));
  CHECK(Of("STRING_AGG", {Value::Bytes("a"), Value::Bytes("b")}) == Value::Bytes("a,b"));
  CHECK(Of("LOGICAL_OR", {Value::Bool(false), Value::Null(Type::Bool())}) == Value::Bool(false));
  CHECK(Of("SUM", {Value::IntervalOf({1, 2, 3}), Value::IntervalOf({1, -5, 0})}) == Value::IntervalOf({2, -3, 3}));
  CHECK(Of("AVG", {Value::IntervalOf({1, 0, 0}), Value::IntervalOf({0, 0, 0})}) == Value::IntervalOf({0, 15, 0}));
}

TEST_CASE("ARRAY_AGG keeps NULLs unless IGNORE NULLS is given") {
  rewrite::AggregateCall ignore;
  ignore.ignore_nulls = true;
  CHECK(Of("ARRAY_AGG", {I(1), kNullInt}) == Ints({I(1), kNullInt}));
  CHECK(Of("ARRAY_AGG", {I(1), kNullInt}, {}, ignore) == Ints({I(1)}));
  CHECK(Of("ARRAY_CONCAT_AGG", {Ints({I(1)}), Value::Null(Type::Array(Type::Int64())), Ints({I(2)})}) ==
        Ints({I(1), I(2)}));
}

TEST_CASE("a constant that is a key of grouping sets is rolled up, and equal constants elsewhere are not") {
  testing::SqlRunner runner;
  runner.AddTable("t", {{"x", Type::Int64()}}, {{Value::Int64(1)}, {Value::Int64(2)}});
  const auto rows = [&](const std::string& sql, const testing::SqlRunner::Parameters& parameters = {}) {
    const auto run = runner.Run(sql, parameters);
    return run.ok() ? testing::RowsText(run->rows) : run.status().ToString();
  };
  CHECK(rows("SELECT 1 AS k, 1 + COUNT(*) AS n FROM t GROUP BY ROLLUP(k) ORDER BY k") == "NULL, 3\n1, 3\n");
  CHECK(rows("SELECT 'a' AS k, IFNULL(LPAD('a', 2, 'b'), 'a') AS s, SUM(x) AS n FROM t GROUP BY CUBE(k) ORDER BY k") ==
        "NULL, \"ba\", 3\n\"a\", \"ba\", 3\n");
  CHECK(rows("SELECT TRUE AS k, x, IF(TRUE, x + 1, 0) AS y FROM t WHERE x = 2 GROUP BY GROUPING SETS ((k, x), (x)) "
             "ORDER BY k") == "NULL, 2, 3\ntrue, 2, 3\n");
  CHECK(rows("SELECT @p AS k, CONCAT(@p, 'b') AS s FROM t GROUP BY ROLLUP(k) ORDER BY k",
             {{"p", Value::String("a")}}) == "NULL, \"ab\"\n\"a\", \"ab\"\n");
}

TEST_CASE("sums out of range are errors") {
  CHECK_FALSE(EvaluateAggregate("SUM", {I(INT64_MAX), I(1)}, {}, {}).ok());
  CHECK_FALSE(EvaluateAggregate("SUM", {F(1e308), F(1e308)}, {}, {}).ok());
  CHECK(Of("SUM", {F(INFINITY), F(1)}) == F(INFINITY));
}

TEST_CASE("a sum that is in range is an answer, whatever its running total is") {
  const Value most = Value::Numeric("99999999999999999999999999999.999999999");
  const Value least = Value::Numeric("-99999999999999999999999999999.999999999");
  const Value null = Value::Null(Type::Numeric());
  CHECK(Of("SUM", {most, most, most, null, least, least}) == most);
  CHECK(Of("SUM", {least, least, Value::Numeric("1.5"), most, most}) == Value::Numeric("1.5"));
  CHECK(Of("SUM", {Value::Numeric("-0.5"), Value::Numeric("0.3"), Value::Numeric("-2")}) == Value::Numeric("-2.2"));
  CHECK(Of("SUM", {null}) == null);
  CHECK(Of("AVG", {most, most, most}) == most);
  CHECK(Of("AVG", {most, Value::Numeric("0.000000001")}) == Value::Numeric("50000000000000000000000000000"));
  CHECK(Of("AVG", {null}) == null);
  CHECK(EvaluateAggregate("SUM", {most, Value::Numeric("0.000000001")}, {}, {}).status().message() ==
        "NUMERIC overflow: SUM");
  CHECK(Of("SUM", {F(1.7e308), F(1.7e308), F(-1.7e308)}) == F(1.7e308));
  CHECK(EvaluateAggregate("SUM", {F(1.7e308), F(1.7e308), F(-1)}, {}, {}).status().message() ==
        "FLOAT64 overflow: SUM");
  CHECK(Of("SUM", {F(1.7e308), F(1.7e308), F(-INFINITY)}) == F(-INFINITY));
  CHECK(std::isnan(Of("SUM", {F(INFINITY), F(-INFINITY)}).float64_value()));
  CHECK(std::isnan(Of("SUM", {F(NAN), F(1)}).float64_value()));
  CHECK(Of("SUM", {F(5e-324), F(0)}) == F(5e-324));
}

TEST_CASE("statistics of numbers whose squares are out of range are answers") {
  const auto near = [](const Value& value, double expected) {
    return std::abs(value.float64_value() - expected) <= std::abs(expected) * 1e-12;
  };
  CHECK(near(Of("STDDEV_SAMP", {F(1), F(2.2e304), F(-2.2e304)}), 2.2e304));
  CHECK(near(Of("STDDEV_POP", {F(1.5e308), F(-1.5e308)}), 1.5e308));
  CHECK(near(Of("VAR_POP", {F(1e150), F(3e150)}), 1e300));
  CHECK(Of("VAR_SAMP", {F(1.7e308), F(-1.7e308)}) == F(INFINITY));
  CHECK(Of("VAR_POP", {F(1.7e308)}) == F(0));
  CHECK(std::isnan(Of("VAR_POP", {F(1.7e308), F(NAN)}).float64_value()));
  testing::SqlRunner runner;
  const auto of_pairs = [&](const std::string& call, const std::string& pairs) {
    return runner.Evaluate(StrCat("(SELECT ", call, " FROM UNNEST([STRUCT(0.0 AS x, 0.0 AS y), ", pairs, "]))"));
  };
  CHECK(of_pairs("COVAR_POP(x, y)", "(2.2e304, -2.2e304)") == "-Infinity");
  CHECK(of_pairs("COVAR_POP(x, y)", "(1.7e308, 1.7e308), (-1.7e308, -1.7e308)") == "Infinity");
  CHECK(of_pairs("COVAR_SAMP(x, y)", "(1.6e308, 4e-300)") == "3.2e+08");
  CHECK(of_pairs("ROUND(CORR(x, y), 9)", "(1.7e308, 1.0), (-1.7e308, -1.0)") == "1.0");
  CHECK(of_pairs("ROUND(CORR(x, y), 9)", "(1.7e308, -1.7e308), (-1.7e308, 1.7e308)") == "-1.0");
  const absl::StatusOr<testing::SqlRun> run = runner.Run(
      "SELECT STDDEV_POP(a) OVER (ORDER BY a ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM UNNEST([1.0, 3.0, 1e300]) "
      "AS a "
      "ORDER BY a");
  REQUIRE(run.ok());
  CHECK(testing::RowsText(run->rows) == "0.0\n1.0\n5e+299\n");
}

TEST_CASE("a SAFE sum out of range is NULL, in groups and in windows; an error of its argument stays one") {
  testing::SqlRunner runner;
  CHECK(runner.Evaluate("(SELECT SAFE.SUM(a) FROM UNNEST([9223372036854775807, 1]) AS a)") == "NULL");
  CHECK(runner.Evaluate("(SELECT SAFE.SUM(a) FROM UNNEST([2, 1]) AS a)") == "3");
  CHECK(runner.Evaluate("(SELECT SAFE.SUM(a) FROM UNNEST([1e308, 1e308]) AS a)") == "NULL");
  CHECK(runner.Evaluate("(SELECT SAFE.SUM(a) FROM UNNEST([NUMERIC '99999999999999999999999999999', 1]) AS a)") ==
        "NULL");
  CHECK(runner.Evaluate("(SELECT SAFE.SUM(a) FROM UNNEST([INTERVAL 9000 YEAR, INTERVAL 9000 YEAR]) AS a)") == "NULL");
  CHECK(runner.Evaluate("(SELECT SAFE.SUM(a) FROM UNNEST([INTERVAL 1 YEAR, INTERVAL 2 YEAR]) AS a)") ==
        "INTERVAL \"3-0 0 0:0:0\"");
  CHECK(runner.Evaluate("(SELECT SAFE.SUM(a) FROM UNNEST([BIGNUMERIC '5e38', BIGNUMERIC '5e38']) AS a)") == "NULL");
  const absl::StatusOr<testing::SqlRun> run =
      runner.Run("SELECT SAFE.SUM(a) OVER (ORDER BY a) FROM UNNEST([9223372036854775807, 1]) AS a");
  REQUIRE(run.ok());
  CHECK(testing::RowsText(run->rows) == "1\nNULL\n");
  CHECK(runner.Evaluate("(SELECT SAFE.SUM(CAST(a AS INT64)) FROM UNNEST(['x']) AS a)").starts_with("Bad INT64 value"));
}

TEST_CASE("NaN is both the least and the greatest") {
  CHECK(Of("MIN", {F(1), F(NAN)}) == F(NAN));
  CHECK(Of("MAX", {F(1), F(NAN)}) == F(NAN));
  CHECK(Of("MIN", {F(1), F(-INFINITY)}) == F(-INFINITY));
}

TEST_CASE("statistics of too few values are NULL, and those of infinite values NaN") {
  CHECK(Of("VAR_SAMP", {F(1), kNullFloat}) == kNullFloat);
  CHECK(Of("VAR_POP", {F(1)}) == F(0));
  CHECK(Of("STDDEV", {F(1), F(3)}) == F(std::sqrt(2.0)));
  CHECK(Of("STDDEV_POP", {F(1), F(INFINITY)}) == F(NAN));
  CHECK(Of("CORR", {F(1)}, {F(2)}) == kNullFloat);
}

TEST_CASE("statistics of decimals tell numbers apart that differ in the last of their digits") {
  const Value most = Value::Numeric("99999999999999999999999999999.999999999");
  const Value less = Value::Numeric("99999999999999999999999999999.999999997");
  const Value null = Value::Null(Type::Numeric());
  const auto near = [](const Value& value, double expected) {
    return std::abs(value.float64_value() - expected) <= std::abs(expected) * 1e-12;
  };
  CHECK(near(Of("VAR_POP", {most, less, null}), 1e-18));
  CHECK(near(Of("VAR_SAMP", {most, less}), 2e-18));
  CHECK(near(Of("STDDEV_POP", {most, less}), 1e-9));
  CHECK(near(Of("STDDEV", {Value::Numeric("1"), Value::Numeric("3")}), std::sqrt(2.0)));
  CHECK(near(Of("VARIANCE", {Value::BigNumeric("0.000000000000000001"), Value::BigNumeric("0")}), 5e-37));
  // The values are as far apart as they can be: their difference has more digits than any decimal.
  CHECK(near(Of("STDDEV_POP", {most, Value::Numeric("-99999999999999999999999999999.999999999")}), 1e29));
  CHECK(Of("VAR_SAMP", {most, null}) == kNullFloat);
  CHECK(Of("VAR_POP", {null}) == kNullFloat);
}

TEST_CASE("statistics of decimals work over large windows, with one frame and with one per row") {
  rewrite::AggregateCall call;
  call.overload = PickOverload("VAR_POP", {Value::Numeric("1")}).overload;
  call.arguments.push_back(std::make_unique<rewrite::Constant>(Value::Numeric("1")));
  for (const char* window : {"", "PARTITION BY i // 5000", "ORDER BY i ROWS BETWEEN 9 PRECEDING AND CURRENT ROW"}) {
    CAPTURE(window);
    const absl::StatusOr<Sql> text =
        DuckDbAggregate(call, {.args = {"CAST(i % 2 AS DECIMAL(38, 9))"}, .over = Cat("OVER (", window, ")")});
    REQUIRE(text.ok());
    const absl::StatusOr<Value> least = RunOne(
        StrCat("SELECT min(x) AS x FROM (SELECT i, ", text->text(), " AS x FROM range(20000) AS t(i)) WHERE i > 9"),
        Type::Float64());
    REQUIRE(least.ok());
    CHECK(*least == F(0.25));
  }
  const absl::StatusOr<Sql> text =
      DuckDbAggregate(call, {.args = {"CAST(i + 10000000 AS DECIMAL(38, 9))"}, .over = "OVER ()"});
  REQUIRE(text.ok());
  const auto of_rows = [&](int rows) {
    return RunOne(
        StrCat("SELECT any_value(x) AS x FROM (SELECT ", text->text(), " AS x FROM range(", rows, ") AS t(i))"),
        Type::Float64());
  };
  CHECK(*of_rows(1) == F(0));
  CHECK(of_rows(3).status().message() ==
        "VAR_POP over a window can't tell numbers apart that differ by less than a millionth");
}

// sorted[max(1, ceil(i * count / n))], counted from 1.
Value ExpectedQuantiles(int count, int n) {
  std::vector<Value> values;
  for (int i = 0; i <= n; ++i) values.push_back(I(std::max(1, (i * count + n - 1) / n)));
  return Ints(std::move(values));
}

TEST_CASE("quantiles are exact for every count and number") {
  for (int count : {1, 2, 3, 7, 10, 99, 100, 101, 333}) {
    std::vector<Value> rows;
    for (int i = count; i >= 1; --i) rows.push_back(I(i));
    rows.push_back(kNullInt);
    for (int n : {1, 2, 3, 4, 7, 10, 100}) {
      INFO(count << " values, " << n << " quantiles");
      CHECK(Of("APPROX_QUANTILES", rows, {I(n)}) == ExpectedQuantiles(count, n));
    }
  }
  CHECK(Of("APPROX_QUANTILES", {kNullInt}, {I(2)}) == Value::Null(Type::Array(Type::Int64())));
  rewrite::AggregateCall respect;
  respect.respect_nulls = true;
  CHECK(Of("APPROX_QUANTILES", {I(1), kNullInt, I(2)}, {I(2)}, respect) == Ints({kNullInt, I(1), I(2)}));
  CHECK(absl::IsInvalidArgument(EvaluateAggregate("APPROX_QUANTILES", {I(1)}, {I(0)}, {}).status()));
}

TEST_CASE("the most frequent values, NULL too") {
  const Type top = Type::Struct({{"value", Type::String()}, {"count", Type::Int64()}});
  const auto entry = [&](Value value, int64_t count) { return Value::Struct(top, {std::move(value), I(count)}); };
  const std::vector<Value> rows = {S("b"), S("a"), kNullString, S("b"), S("c"), kNullString, kNullString};
  CHECK(Of("APPROX_TOP_COUNT", rows, {I(3)}) ==
        Value::Array(top, {entry(kNullString, 3), entry(S("b"), 2), entry(S("a"), 1)}));
  CHECK(Of("APPROX_COUNT_DISTINCT", rows) == I(3));
}

TEST_CASE("the most frequent STRUCTs and arrays") {
  testing::SqlRunner runner;
  CHECK(runner.Evaluate("(SELECT APPROX_TOP_COUNT(STRUCT(m, p), 2) FROM UNNEST([STRUCT('GET' AS m, '/a' AS p), "
                        "('PUT', '/a'), ('GET', '/a'), ('PUT', NULL), ('PUT', NULL), ('PUT', NULL)]))") ==
        "[{value: {m: \"PUT\", p: NULL}, count: 3}, {value: {m: \"GET\", p: \"/a\"}, count: 2}]");
  CHECK(runner.Evaluate("(SELECT APPROX_TOP_COUNT(v, 1)[OFFSET(0)].value FROM UNNEST([STRUCT([1, 2] AS v), "
                        "STRUCT([2, 1]), STRUCT([1, 2])]))") == "[1, 2]");
  CHECK(runner.Evaluate("(SELECT APPROX_TOP_COUNT(x, 1) FROM UNNEST([INTERVAL 1 DAY]) AS x)")
            .find("APPROX_TOP_COUNT of INTERVAL is not supported") != std::string::npos);
  CHECK(runner.Evaluate("(SELECT APPROX_TOP_COUNT(JSON '1', 1))").find("APPROX_TOP_COUNT does not take (JSON") !=
        std::string::npos);
}

TEST_CASE("a group whose key is random shows that key, by its alias, its position or ALL") {
  testing::SqlRunner runner;
  for (const char* group_by : {"x", "1", "ALL"}) {
    CAPTURE(group_by);
    // A key that is computed once more above the groups would repeat some, and need a column that is gone.
    CHECK(runner.Evaluate(
              StrCat("(SELECT AS STRUCT COUNT(*) AS keys, COUNT(DISTINCT x) AS distinct_keys, SUM(c) AS total "
                     "FROM (SELECT MOD(n + CAST(FLOOR(RAND() * 50) AS INT64), 50) AS x, COUNT(*) AS c FROM "
                     "UNNEST(GENERATE_ARRAY(1, 20000)) AS n GROUP BY ",
                     group_by, "))")) == "{keys: 50, distinct_keys: 50, total: 20000}");
  }
}

TEST_CASE("DISTINCT, ORDER BY, FILTER and OVER are passed to DuckDB's own call") {
  const rewrite::Function* sum = rewrite::FindFunction("SUM");
  rewrite::AggregateCall call;
  call.overload = &sum->overloads[0];
  call.distinct = true;
  AggregateTexts texts{.args = {"a"}, .filter = "b > 1", .over = "OVER (PARTITION BY c)"};
  CHECK(*DuckDbAggregate(call, texts) == "CAST(sum(DISTINCT a) FILTER (WHERE b > 1) OVER (PARTITION BY c) AS BIGINT)");

  rewrite::AggregateCall list;
  list.overload = &rewrite::FindFunction("ARRAY_AGG")->overloads[0];
  list.ignore_nulls = true;
  list.limit = std::make_unique<rewrite::Constant>(Value::Int64(5));
  texts = {.args = {"a"}, .order_by = "ORDER BY k DESC NULLS LAST", .limit = "5"};
  CHECK(*DuckDbAggregate(list, texts) ==
        "list_slice(list(a ORDER BY k DESC NULLS LAST) FILTER (WHERE a IS NOT NULL), 1, 5)");
}

TEST_CASE("arguments with braces and dollar signs are unchanged") {
  rewrite::AggregateCall call;
  call.overload = &rewrite::FindFunction("COUNT")->overloads[1];
  CHECK(*DuckDbAggregate(call, {.args = {"struct_pack(a := '{$1}')"}}) == "count(struct_pack(a := '{$1}'))");
}

}  // namespace
}  // namespace logquery::emit
