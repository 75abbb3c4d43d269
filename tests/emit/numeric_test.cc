// NUMERIC over its whole range, on DuckDB: stored values near the limits, and the sums that dashboards write.
#include <catch2/catch_all.hpp>
#include <random>

#include "lib/base/big_integer.h"
#include "lib/base/strings.h"
#include "tests/support/sql_runner.h"

namespace logquery::testing {
namespace {

using base::BigInteger;
using base::StrCat;

struct Case {
  std::string expression;
  std::string expected;  // digits of a NUMERIC; a whole DebugString after "="; a part of the error's message after "!"
};

void Check(const std::vector<Case>& cases) {
  SqlRunner runner;
  runner.AddTable("t", {{"most", Type::Numeric()}, {"x", Type::Numeric()}, {"f", Type::Float64()}},
                  {{Value::Numeric("99999999999999999999999999999.999999999"), Value::Numeric("-2.5"),
                    Value::Float64(98765432.1)}});
  for (const Case& one : cases) {
    INFO(one.expression);
    const absl::StatusOr<SqlRun> run = runner.Run(StrCat("SELECT ", one.expression, " FROM t"));
    const std::string value = run.ok() ? run->rows.at(0).at(0).DebugString() : std::string(run.status().message());
    if (one.expected[0] == '!') {
      CHECK_FALSE(run.ok());
      CHECK_THAT(value, Catch::Matchers::ContainsSubstring(one.expected.substr(1)));
    } else {
      CHECK(value == (one.expected[0] == '=' ? one.expected.substr(1) : StrCat("NUMERIC \"", one.expected, "\"")));
    }
  }
}

TEST_CASE("NUMERIC products and quotients reach the type's limit") {
  Check({{"NUMERIC '10000000000' * NUMERIC '10000000000'", "100000000000000000000"},
         {"most * 1", "99999999999999999999999999999.999999999"},
         {"most * 0.5", "50000000000000000000000000000"},
         {"most * NUMERIC '1.000000001'", "!NUMERIC overflow: 99999999999999999999999999999.999999999 * 1.000000001"},
         {"x * x", "6.25"},
         {"most / 3", "33333333333333333333333333333.333333333"},
         {"most / NUMERIC '7e21'", "14285714.285714286"},
         {"most / NUMERIC '0.1'", "!NUMERIC overflow"},
         {"x / 0", "!division by zero: -2.5 / 0"},
         {"DIV(most, 3)", "33333333333333333333333333333"},
         {"DIV(most, NUMERIC '0.01')", "!NUMERIC overflow"},
         {"MOD(most, NUMERIC '0.000000007')", "0.000000001"},
         {"MOD(x, 2)", "-0.5"},
         {"MOD(x, 0)", "!division by zero"},
         {"SAFE_MULTIPLY(most, 2)", "=NULL"},
         {"SAFE_DIVIDE(most, NUMERIC '0.1')", "=NULL"},
         {"SAFE_DIVIDE(x, 0)", "=NULL"},
         {"SAFE_DIVIDE(x, 2)", "-1.25"},
         {"SAFE_ADD(most, NUMERIC '0.000000001')", "=NULL"},
         {"SAFE_SUBTRACT(-most, NUMERIC '0.000000001')", "=NULL"}});
}

TEST_CASE("NUMERIC is rounded at any place, and to any mode") {
  Check({{"ROUND(x)", "-3"},
         {"ROUND(x, 0, 'ROUND_HALF_EVEN')", "-2"},
         {"ROUND(NUMERIC '250', -2, 'ROUND_HALF_EVEN')", "200"},
         {"ROUND(x, CAST(x AS INT64))", "0"},
         {"ROUND(most, 9)", "99999999999999999999999999999.999999999"},
         {"ROUND(most)", "!NUMERIC overflow"},
         {"ROUND(most, -29)", "!NUMERIC overflow"},
         {"ROUND(most, -30)", "0"},
         {"ROUND(x, 0, 'UP')", "!ROUND takes the mode"},
         {"TRUNC(most, -28)", "90000000000000000000000000000"},
         {"TRUNC(x)", "-2"},
         {"CEIL(x)", "-2"},
         {"FLOOR(x)", "-3"},
         {"CEIL(most)", "!NUMERIC"},
         {"FLOOR(-most)", "!NUMERIC"}});
}

TEST_CASE("casts between NUMERIC and other numbers round once") {
  Check({{"CAST(f AS NUMERIC)", "98765432.099999994"},
         {"CAST(most AS FLOAT64)", "=1e+29"},
         {"CAST(CAST(f AS NUMERIC) AS STRING)", "=\"98765432.099999994\""},
         {"CAST(CONCAT('99999999999999999999999999999', '.5e1') AS NUMERIC)", "!Bad NUMERIC value"},
         {"CAST(CONCAT('999999999999999999999999999', '.95e1') AS NUMERIC)", "9999999999999999999999999999.5"},
         {"CAST(x AS INT64)", "=-3"},
         {"CAST(most AS INT64)", "!out of range"},
         {"SAFE_CAST(CONCAT('1e', '29') AS NUMERIC)", "=NULL"},
         {"SAFE_CAST(f * 1e25 AS NUMERIC)", "=NULL"}});
}

TEST_CASE("the symmetric aggregates that dashboards write are exact") {
  SqlRunner runner;
  const std::string key = "TO_HEX(MD5(CAST(k AS STRING)))";
  const std::string hash =
      StrCat("(CAST(CAST(CONCAT('0x', SUBSTR(", key, ", 1, 15)) AS INT64) AS NUMERIC) * 4294967296 ",
             "+ CAST(CAST(CONCAT('0x', SUBSTR(", key, ", 16, 8)) AS INT64) AS NUMERIC)) * 0.000000001");
  const std::string sum = StrCat("SUM(DISTINCT CAST(v AS NUMERIC) + ", hash, ") - SUM(DISTINCT ", hash, ")");
  const absl::StatusOr<SqlRun> run = runner.Run(
      StrCat("SELECT ", sum, " AS s FROM UNNEST([STRUCT(1 AS k, 10 AS v), (1, 10), (2, 5), (3, 5), (3, 5)])"));
  CAPTURE(run.status().ToString());
  REQUIRE(run.ok());
  CHECK(run->rows[0][0].DebugString() == "NUMERIC \"20\"");
}

std::string Digits(const BigInteger& units) {
  std::string digits = units.Digits();
  if (digits.size() < 10) digits.insert(0, 10 - digits.size(), '0');
  digits.insert(digits.size() - 9, ".");
  return (units.Sign() < 0 ? "-" : "") + digits;
}

// A stored column of pairs, most of them near the limits, and the engine's own + and - on them.
TEST_CASE("sums and differences of stored NUMERICs are exact") {
  const unsigned seed = std::random_device()();
  CAPTURE(seed);
  std::mt19937 random(seed);
  const BigInteger limit = BigInteger::PowerOfTen(38);
  const auto next = [&] {
    std::string digits;
    for (unsigned i = 0; i < random() % 39; ++i) digits += static_cast<char>('0' + random() % 10);
    const BigInteger number =
        random() % 4 == 0 ? limit - static_cast<int64_t>(1 + random() % 5) : BigInteger::OfDigits(digits);
    return random() % 2 == 0 ? number : -number;
  };
  std::vector<std::vector<Value>> rows, expected;
  while (rows.size() < 500) {
    const BigInteger a = next(), b = next(), sum = a + b, difference = a - b;
    if (sum.Abs() >= limit || difference.Abs() >= limit) continue;
    rows.push_back(
        {Value::Int64(static_cast<int64_t>(rows.size())), Value::Numeric(Digits(a)), Value::Numeric(Digits(b))});
    expected.push_back({Value::Numeric(Digits(sum)), Value::Numeric(Digits(difference))});
  }
  SqlRunner runner;
  runner.AddTable("pairs", {{"i", Type::Int64()}, {"a", Type::Numeric()}, {"b", Type::Numeric()}}, rows);
  runner.AddTable("sums", {{"s", Type::Numeric()}, {"d", Type::Numeric()}}, expected);
  const absl::StatusOr<SqlRun> got = runner.Run("SELECT a + b AS s, a - b AS d FROM pairs ORDER BY i");
  const absl::StatusOr<SqlRun> right = runner.Run("SELECT s, d FROM sums");
  CAPTURE(got.status().ToString());
  REQUIRE(got.ok());
  REQUIRE(right.ok());
  CHECK(RowsText(got->rows) == RowsText(right->rows));
}

}  // namespace
}  // namespace logquery::testing
