// BIGNUMERIC over its whole range, on DuckDB.
#include <catch2/catch_all.hpp>

#include "lib/base/strings.h"
#include "tests/support/sql_runner.h"

namespace logquery::testing {
namespace {

using base::StrCat;

constexpr char kMost[] = "578960446186580977117854925043439539266.34992332820282019728792003956564819967";
constexpr char kLeast[] = "-578960446186580977117854925043439539266.34992332820282019728792003956564819968";

struct Row {
  std::string expression;
  std::string
      expected;  // digits of a BIGNUMERIC; a whole DebugString after "="; a part of the error's message after "!"
};

void Check(const std::vector<Row>& rows) {
  SqlRunner runner;
  runner.AddTable("t", {{"most", Type::BigNumeric()}, {"least", Type::BigNumeric()}, {"x", Type::BigNumeric()}},
                  {{Value::BigNumeric(kMost), Value::BigNumeric(kLeast), Value::BigNumeric("-2.5")}});
  for (const Row& row : rows) {
    INFO(row.expression);
    const absl::StatusOr<SqlRun> run = runner.Run(StrCat("SELECT ", row.expression, " FROM t"));
    const std::string value = run.ok() ? run->rows.at(0).at(0).DebugString() : std::string(run.status().message());
    if (row.expected[0] == '!') {
      CHECK_THAT(value, Catch::Matchers::ContainsSubstring(row.expected.substr(1)));
      CHECK_FALSE(run.ok());
    } else {
      CHECK(value == (row.expected[0] == '=' ? row.expected.substr(1) : StrCat("BIGNUMERIC \"", row.expected, "\"")));
    }
  }
}

TEST_CASE("BIGNUMERIC has 76 digits and some of a 77th") {
  Check({{"most", kMost},
         {"least", kLeast},
         {"BIGNUMERIC '1e-38'", "0.00000000000000000000000000000000000001"},
         {StrCat("most = BIGNUMERIC '", kMost, "'"), "=true"},
         {"least < -x AND x < BIGNUMERIC '1e-38'", "=true"},
         {"x IN (1, BIGNUMERIC '-2.5')", "=true"},
         {"GREATEST(least, x, most)", kMost},
         {"IF(x > 0, x, 0)", "0"},
         {"ZEROIFNULL(NULLIF(x, x))", "0"}});
}

TEST_CASE("A literal with more places than its type has is rounded half away from zero") {
  Check({{"NUMERIC '1.9999999999'", "=NUMERIC \"2\""},
         {"NUMERIC '-0.0000000005'", "=NUMERIC \"-0.000000001\""},
         {"NUMERIC '1.2345678944999999'", "=NUMERIC \"1.234567894\""},
         {"NUMERIC ' -12.5e3 '", "=NUMERIC \"-12500\""},
         {"CAST(1.9999999999 AS NUMERIC)", "=NUMERIC \"2\""},
         {"BIGNUMERIC '5e-39'", "0.00000000000000000000000000000000000001"},
         {"NUMERIC '99999999999999999999999999999.999999999'", "=NUMERIC \"99999999999999999999999999999.999999999\""},
         {"NUMERIC '99999999999999999999999999999.9999999995'", "!is out of the range of NUMERIC"},
         {"NUMERIC '1e29'", "!1e29 is out of the range of NUMERIC"},
         {"NUMERIC '1.2.3'", "!\"1.2.3\" is not a NUMERIC at line 1, column 8; write it as -12.5"},
         {"NUMERIC '1e'", "!\"1e\" is not a NUMERIC"}});
}

TEST_CASE("Arithmetic is exact, rounds half away from zero at the 38th place, and passes no bound") {
  Check({{"most + least", "-0.00000000000000000000000000000000000001"},
         {"most + BIGNUMERIC '1e-38'", "!BIGNUMERIC overflow: 578960446186580977117854925043439539266.3499"},
         {"least - 1", "!BIGNUMERIC overflow: -578960446186580977117854925043439539266.3499"},
         {"-least", "!BIGNUMERIC overflow"},
         {"-most", "-578960446186580977117854925043439539266.34992332820282019728792003956564819967"},
         {"x * x", "6.25"},
         {"BIGNUMERIC '12345678901234567890.5' * BIGNUMERIC '98765432109876543.21'",
          "1219326311370217952286846517166201798.505"},
         {"BIGNUMERIC '1e-20' * BIGNUMERIC '5e-19'", "0.00000000000000000000000000000000000001"},
         {"most * x", "!BIGNUMERIC overflow"},
         {"BIGNUMERIC '2' / 3", "0.66666666666666666666666666666666666667"},
         {"x / 3", "-0.83333333333333333333333333333333333333"},
         {"most / 2", "289480223093290488558927462521719769633.17496166410141009864396001978282409984"},
         {"x / 0", "!division by zero: -2.5 / 0"},
         {"DIV(x, 2)", "-1"},
         {"DIV(most, BIGNUMERIC '0.001')", "!BIGNUMERIC overflow"},
         {"MOD(x, 2)", "-0.5"},
         {"MOD(x, 0)", "!division by zero"},
         {"ABS(x)", "2.5"},
         {"ABS(least)", "!BIGNUMERIC overflow: ABS(-57896"},
         {"SIGN(x)", "-1"},
         {"SQRT(BIGNUMERIC '2')", "1.41421356237309504880168872420969807857"},
         {"SQRT(x)", "!SQRT takes no negative number: -2.5"}});
}

TEST_CASE("Powers of decimals are exact to their last digit") {
  Check({{"POW(BIGNUMERIC '1.1', 10)", "2.5937424601"},
         {"POW(x, 3)", "-15.625"},
         {"POWER(x, -2)", "0.16"},
         {"POW(BIGNUMERIC '2', BIGNUMERIC '0.5')", "1.41421356237309504880168872420969807857"},
         {"POW(BIGNUMERIC '1.000000001', BIGNUMERIC '1000000000')", "2.71828182709990432237664402386033286283"},
         {"POW(BIGNUMERIC '10', 38)", "100000000000000000000000000000000000000"},
         {"POW(BIGNUMERIC '10', 39)", "!BIGNUMERIC overflow: POW(10, 39)"},
         {"POW(most, most)", "!BIGNUMERIC overflow: POW("},
         {"POW(most, least)", "0"},
         {"POW(BIGNUMERIC '0.5', most)", "0"},
         {"POW(BIGNUMERIC '-1', BIGNUMERIC '578960446186580977117854925043439539265')", "-1"},
         {"POW(BIGNUMERIC '0', 0)", "1"},
         {"POW(BIGNUMERIC '0', -1)", "!division by zero: POW(0, -1)"},
         {"POW(x, BIGNUMERIC '0.5')", "!a negative number has no power of a fraction: POW(-2.5, 0.5)"},
         {"POW(NUMERIC '1.5', 2)", "=NUMERIC \"2.25\""},
         {"POW(NUMERIC '10', 29)", "!numeric out of range: 100000000000000000000000000000"},
         {"SQRT(NUMERIC '2')", "=NUMERIC \"1.414213562\""},
         {"SAFE_MULTIPLY(NUMERIC '1e28', NUMERIC '1e28')", "=NULL"},
         {"SAFE_MULTIPLY(NUMERIC '-1.5', 2)", "=NUMERIC \"-3\""}});
}

TEST_CASE("SAFE functions return NULL where others raise an error") {
  Check({{"SAFE_ADD(most, 1)", "=NULL"},
         {"SAFE_SUBTRACT(least, 1)", "=NULL"},
         {"SAFE_MULTIPLY(most, most)", "=NULL"},
         {"SAFE_MULTIPLY(x, x)", "6.25"},
         {"SAFE_DIVIDE(x, 0)", "=NULL"},
         {"SAFE_DIVIDE(x, 2)", "-1.25"},
         {"SAFE_NEGATE(least)", "=NULL"},
         {"SAFE_NEGATE(x)", "2.5"},
         {"SAFE_CAST('x' AS BIGNUMERIC)", "=NULL"},
         {"SAFE_CAST(most AS INT64)", "=NULL"}});
}

TEST_CASE("Rounding to places before and behind the point") {
  Check({{"ROUND(x)", "-3"},
         {"ROUND(x, 0, 'ROUND_HALF_EVEN')", "-2"},
         {"ROUND(BIGNUMERIC '3.5', 0, 'ROUND_HALF_EVEN')", "4"},
         {"ROUND(BIGNUMERIC '1.005', 2)", "1.01"},
         {"ROUND(BIGNUMERIC '155', -1)", "160"},
         {"ROUND(most, -38)", "!BIGNUMERIC overflow: ROUND"},
         {"ROUND(most, -39)", "!BIGNUMERIC overflow: ROUND"},
         {"ROUND(most, -1000)", "0"},
         {"ROUND(most, 1000)", kMost},
         {"TRUNC(x)", "-2"},
         {"TRUNC(BIGNUMERIC '1.999', 2)", "1.99"},
         {"TRUNC(most, -38)", "500000000000000000000000000000000000000"},
         {"CEIL(x)", "-2"},
         {"CEIL(BIGNUMERIC '2.00000000000000000000000000000000000001')", "3"},
         {"CEIL(most)", "!BIGNUMERIC overflow: CEIL"},
         {"FLOOR(x)", "-3"},
         {"FLOOR(least)", "!BIGNUMERIC overflow: FLOOR"}});
}

TEST_CASE("Casts of BIGNUMERIC") {
  Check({{"CAST(' -1.5e3 ' AS BIGNUMERIC)", "-1500"},
         {"CAST('1_000' AS BIGNUMERIC)", "!Invalid BIGNUMERIC value: 1_000"},
         {"CAST(0.1 + 0.2 AS BIGNUMERIC)", "0.30000000000000004440892098500626161695"},
         {"CAST(1e26 * 1 AS BIGNUMERIC)", "100000000000000004764729344"},
         {"CAST(CAST('nan' AS FLOAT64) AS BIGNUMERIC)", "!Illegal conversion of non-finite floating point number"},
         {"CAST(1e39 * 1 AS BIGNUMERIC)", "!BIGNUMERIC out of range: 1e+39"},
         {"CAST(NUMERIC '99999999999999999999999999999.999999999' AS BIGNUMERIC)",
          "99999999999999999999999999999.999999999"},
         {"CAST(9223372036854775807 AS BIGNUMERIC)", "9223372036854775807"},
         {"CAST(x AS INT64)", "=-3"},
         {"CAST(BIGNUMERIC '-9223372036854775808.4' AS INT64)", "=-9223372036854775808"},
         {"CAST(most AS INT64)", "!int64 out of range: 57896"},
         {"CAST(BIGNUMERIC '0.1' AS FLOAT64)", "=0.1"},
         {"CAST(BIGNUMERIC '-1.0000000005' AS NUMERIC)", "=NUMERIC \"-1.000000001\""},
         {"CAST(most AS NUMERIC)", "!numeric out of range: 57896"},
         {"CAST(least AS STRING)", StrCat("=\"", kLeast, "\"")},
         {"CAST(BIGNUMERIC '12.345' AS BIGNUMERIC(4, 2))", "12.35"},
         {"CAST(most AS BIGNUMERIC(38))", "!BIGNUMERIC(38, 0) has no room for 57896"},
         {"PARSE_BIGNUMERIC(' - 1,2.34 ')", "-12.34"},
         {"PARSE_BIGNUMERIC('12.5 -')", "-12.5"},
         {"PARSE_BIGNUMERIC('+1-')", "!Invalid input to PARSE_BIGNUMERIC: +1-"},
         {"PARSE_BIGNUMERIC('- -1')", "!Invalid input to PARSE_BIGNUMERIC: - -1"}});
}

TEST_CASE("BIGNUMERIC as text and JSON") {
  Check({{"FORMAT('%t %T', x, most)", StrCat("=\"-2.5 BIGNUMERIC \\\"", kMost, "\\\"\"")},
         {"FORMAT('%.40f', BIGNUMERIC '1e-38')", "=\"0.0000000000000000000000000000000000000100\""},
         {"TO_JSON_STRING(STRUCT(x, most, BIGNUMERIC '7' AS seven))",
          StrCat("=\"{\\\"x\\\":\\\"-2.5\\\",\\\"most\\\":\\\"", kMost, "\\\",\\\"seven\\\":7}\"")},
         {"TO_JSON_STRING(TO_JSON(STRUCT(x, BIGNUMERIC '7' AS seven)))", "=\"{\\\"x\\\":-2.5,\\\"seven\\\":7}\""}});
}

TEST_CASE("Arrays of BIGNUMERIC") {
  Check({{"GENERATE_ARRAY(BIGNUMERIC '1', 2, BIGNUMERIC '0.5')[OFFSET(2)]", "2"},
         {"ARRAY_LENGTH(GENERATE_ARRAY(x, 1))", "=4"},
         {"ARRAY_LENGTH(GENERATE_ARRAY(most, most - 1, -1))", "=2"},
         {"ARRAY_LENGTH(GENERATE_ARRAY(x, 1, BIGNUMERIC '0'))", "!the step must not be 0"},
         {"ARRAY_LENGTH(GENERATE_ARRAY(least, most))", "!a value may have at most"},
         {"(SELECT SUM(n) FROM UNNEST([x, most, -x]) AS n)", kMost}});
}

class Aggregates {
 public:
  Aggregates() {
    std::vector<std::vector<Value>> rows;
    for (const char* digits : {kMost, kLeast, "1", "-10", kMost}) {
      rows.push_back({Value::Int64(static_cast<int64_t>(rows.size())), Value::BigNumeric(digits)});
    }
    rows.push_back({Value::Int64(5), Value::Null(Type::BigNumeric())});
    runner_.AddTable("t", {{"id", Type::Int64()}, {"x", Type::BigNumeric()}}, rows);
  }

  std::string Of(const std::string& sql) {
    const absl::StatusOr<SqlRun> run = runner_.Run(sql);
    return run.ok() ? RowsText(run->rows) : std::string(run.status().message());
  }

 private:
  SqlRunner runner_;
};

TEST_CASE("Sums and averages of BIGNUMERIC are exact, and only the result has bounds") {
  Aggregates t;
  // Two of the greatest and the least: what is on the way has 257 bits.
  CHECK(t.Of("SELECT SUM(x) FROM t") ==
        "BIGNUMERIC \"578960446186580977117854925043439539257.34992332820282019728792003956564819966\"\n");
  CHECK(t.Of("SELECT SUM(x) FROM t WHERE id IN (0, 2)") == "BIGNUMERIC overflow: SUM");
  CHECK(t.Of("SELECT AVG(x) FROM t WHERE id IN (0, 2)") ==
        "BIGNUMERIC \"289480223093290488558927462521719769633.67496166410141009864396001978282409984\"\n");
  CHECK(t.Of("SELECT SUM(DISTINCT x), AVG(DISTINCT x), COUNT(DISTINCT x) FROM t") ==
        "BIGNUMERIC \"-9.00000000000000000000000000000000000001\", BIGNUMERIC \"-2.25\", 4\n");
  CHECK(t.Of("SELECT SUM(DISTINCT x) OVER () FROM t") == "SUM(DISTINCT) of BIGNUMERIC over a window");
  CHECK(t.Of("SELECT SUM(x), AVG(x), MIN(x), VAR_POP(x) FROM t WHERE FALSE") == "NULL, NULL, NULL, NULL\n");
  CHECK(t.Of("SELECT MIN(x), MAX(x) FROM t") ==
        base::StrCat("BIGNUMERIC \"", kLeast, "\", BIGNUMERIC \"", kMost, "\"\n"));
  CHECK(t.Of("SELECT id, SUM(x) OVER (ORDER BY id ROWS 1 PRECEDING) FROM t WHERE id BETWEEN 1 AND 3 ORDER BY id") ==
        base::StrCat(
            "1, BIGNUMERIC \"", kLeast,
            "\"\n2, BIGNUMERIC \"-578960446186580977117854925043439539265.34992332820282019728792003956564819968\"\n"
            "3, BIGNUMERIC \"-9\"\n"));
}

TEST_CASE("Statistics of BIGNUMERIC tell numbers of 77 digits apart") {
  SqlRunner runner;
  runner.AddTable(
      "t", {{"x", Type::BigNumeric()}},
      {{Value::BigNumeric(kMost)},
       {Value::BigNumeric("578960446186580977117854925043439539264.34992332820282019728792003956564819967")}});
  const auto groups = runner.Run("SELECT VAR_POP(x), VAR_SAMP(x), STDDEV_POP(x), VAR_SAMP(DISTINCT x) FROM t");
  REQUIRE(groups.ok());
  CHECK(RowsText(groups->rows) == "1.0, 2.0, 1.0, 2.0\n");
  const auto windows = runner.Run("SELECT VAR_SAMP(x) OVER (), VAR_SAMP(x) OVER (ORDER BY x) FROM t ORDER BY x");
  REQUIRE(windows.ok());
  CHECK(RowsText(windows->rows) == "2.0, NULL\n2.0, 2.0\n");
}

TEST_CASE("PERCENTILE_DISC takes decimal fractions, by their digits") {
  SqlRunner runner;
  runner.AddTable("t", {{"x", Type::Int64()}}, {{Value::Int64(1)}});
  const auto run = runner.Run(
      "SELECT PERCENTILE_DISC(s, BIGNUMERIC '0.4') OVER (),"
      " PERCENTILE_DISC(s, BIGNUMERIC '0.400000000000000001') OVER (),"
      " PERCENTILE_DISC(f, NUMERIC '0.2') OVER (), PERCENTILE_DISC(f, NUMERIC '0.200000001') OVER (),"
      " PERCENTILE_DISC(f, BIGNUMERIC '1') OVER (), PERCENTILE_DISC(f, BIGNUMERIC '0') OVER ()"
      " FROM UNNEST([STRUCT('a' AS s, 5.0 AS f), ('b', 4), ('c', CAST('nan' AS FLOAT64)), ('d', 2), ('e', 1)]) LIMIT "
      "1");
  INFO(run.status().ToString());
  REQUIRE(run.ok());
  CHECK(RowsText(run->rows) == "\"b\", \"c\", NaN, 1.0, 5.0, NaN\n");
  for (const char* fraction : {"1.5", "-0.1"}) {
    const auto refused = runner.Run(StrCat("SELECT PERCENTILE_DISC(x, BIGNUMERIC '", fraction, "') OVER () FROM t"));
    CHECK(refused.status().message() == "PERCENTILE_DISC: the fraction lies between 0 and 1");
  }
  const auto longer = runner.Run("SELECT PERCENTILE_DISC(x, BIGNUMERIC '0.4000000000000000001') OVER () FROM t");
  REQUIRE(longer.ok());
  CHECK(RowsText(longer->rows) == "1\n");
}

TEST_CASE("RANGE frames over BIGNUMERIC reach as far as their offsets, to the last digit") {
  SqlRunner runner;
  std::vector<std::vector<Value>> rows;
  for (const char* digits : {"-1e38", "-1.5", "-0.5", "0", "1e-38", "0.5", "0.500000000000000000000000000000000001",
                             "1", "1", "1e37", "1e38"}) {
    rows.push_back({Value::Int64(static_cast<int64_t>(rows.size())), Value::BigNumeric(digits)});
  }
  rows.push_back({Value::Int64(11), Value::Null(Type::BigNumeric())});
  runner.AddTable("t", {{"id", Type::Int64()}, {"x", Type::BigNumeric()}}, rows);
  const auto frames = [&](const std::string& frame, const std::string& order) {
    const auto run =
        runner.Run(StrCat("SELECT STRING_AGG(f, ' ' ORDER BY id) FROM (SELECT id, CONCAT(MIN(id) OVER w, '-', "
                          "MAX(id) OVER w) AS f FROM t WINDOW w AS (ORDER BY x ",
                          order, " RANGE BETWEEN ", frame, "))"));
    return run.ok() ? run->rows.at(0).at(0).string_value() : std::string(run.status().message());
  };
  // A frame without rows has no text.
  CHECK(frames("1 PRECEDING AND 1 FOLLOWING", "") == "0-0 1-2 1-5 2-8 2-8 2-8 3-8 3-8 3-8 9-9 10-10 11-11");
  CHECK(frames("1 PRECEDING AND 1 FOLLOWING", "DESC") == "0-0 1-2 1-5 2-8 2-8 2-8 3-8 3-8 3-8 9-9 10-10 11-11");
  CHECK(frames("BIGNUMERIC '0.5' PRECEDING AND CURRENT ROW", "") ==
        "0-0 1-1 2-2 2-3 3-4 3-5 5-6 5-8 5-8 9-9 10-10 11-11");
  CHECK(frames("BIGNUMERIC '1e-38' FOLLOWING AND BIGNUMERIC '5e38' FOLLOWING", "") ==
        "1-10 2-10 3-10 4-10 5-10 6-10 7-10 9-10 9-10 10-10 11-11");
  CHECK(frames("UNBOUNDED PRECEDING AND BIGNUMERIC '1e37' PRECEDING", "") ==
        "11-11 0-11 0-11 0-11 0-11 0-11 0-11 0-11 0-11 0-11 0-11 11-11");
  const std::string of_parameter = "SELECT COUNT(*) OVER (ORDER BY x RANGE @p PRECEDING) FROM t ORDER BY x LIMIT 3";
  const auto given = runner.Run(of_parameter, {{"p", Value::BigNumeric("1")}});
  REQUIRE(given.ok());
  CHECK(RowsText(given->rows) == "1\n1\n1\n");
  const auto negative = runner.Run(of_parameter, {{"p", Value::BigNumeric("-1")}});
  CHECK_THAT(std::string(negative.status().message()),
             Catch::Matchers::ContainsSubstring("the offset of a window frame must not be NULL or negative"));
}

TEST_CASE("RANGE with an offset rejects a key of more than 36 digits") {
  Check({{"COUNT(*) OVER (ORDER BY most RANGE 1 PRECEDING)",
          "!RANGE with an offset over a BIGNUMERIC of more than 36 digits"},
         {"COUNT(*) OVER (ORDER BY most RANGE UNBOUNDED PRECEDING)", "=1"}});
}

TEST_CASE("BIGNUMERIC can be a parameter, alone and in arrays") {
  SqlRunner runner;
  CHECK(runner.Evaluate("@p + 1", {{"p", Value::BigNumeric(kLeast)}}) ==
        "BIGNUMERIC \"-578960446186580977117854925043439539265.34992332820282019728792003956564819968\"");
  const Value array = Value::Array(Type::BigNumeric(), {Value::BigNumeric("1"), Value::Null(Type::BigNumeric())});
  CHECK(runner.Evaluate("(SELECT SUM(x) FROM UNNEST(@p) AS x)", {{"p", array}}) == "BIGNUMERIC \"1\"");
  CHECK(runner.Evaluate("@p IS NULL", {{"p", Value::Null(Type::BigNumeric())}}) == "true");
}

TEST_CASE("INT64 with a decimal operand becomes a decimal, not a FLOAT64") {
  Check({{"IF(x > 0, x, 0)", "0"},
         {"x / 2", "-1.25"},
         {"most - 1 = most", "=false"},
         {"most IN (1, 2, 3, 4, 5, 6, 7, most - 1)", "=false"},
         {"NUMERIC '12345678901234567890' IN (1, 2, 3, 4, 5, 6, 7, NUMERIC '12345678901234567891')", "=false"},
         {"x + NUMERIC '0.5'", "-2"},
         {"x * 2.0", "-5"},
         {"x * CAST('2' AS FLOAT64)", "=-5.0"}});
}

TEST_CASE("BIGNUMERIC as a key of groups, joins, orders and DISTINCT") {
  Aggregates t;
  CHECK(t.Of("SELECT x, COUNT(*) FROM t WHERE id < 5 GROUP BY x HAVING COUNT(*) > 1") ==
        base::StrCat("BIGNUMERIC \"", kMost, "\", 2\n"));
  CHECK(t.Of("SELECT COUNT(*) FROM t AS a JOIN t AS b USING (x)") == "7\n");
  CHECK(t.Of("SELECT id FROM t ORDER BY x DESC, id") == "0\n4\n2\n3\n1\n5\n");
  CHECK(t.Of("SELECT APPROX_QUANTILES(x, 2)[OFFSET(1)], APPROX_TOP_COUNT(x, 1)[OFFSET(0)].count FROM t") ==
        "BIGNUMERIC \"1\", 2\n");
}

}  // namespace
}  // namespace logquery::testing
