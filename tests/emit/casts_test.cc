// Casts as GoogleSQL has them, evaluated on DuckDB.
#include <catch2/catch_all.hpp>

#include "tests/support/sql_runner.h"

namespace logquery::testing {
namespace {

struct CastCase {
  const char* expression;
  const char* expected;  // as Value::DebugString() writes it; or a part of the error's message, after "!"
};

void Check(const std::vector<CastCase>& cases) {
  SqlRunner runner;
  for (const CastCase& each : cases) {
    INFO(each.expression);
    const std::string value = runner.Evaluate(each.expression);
    if (each.expected[0] != '!') {
      CHECK(value == each.expected);
    } else {
      CHECK(value.find(each.expected + 1) != std::string::npos);
    }
  }
}

TEST_CASE("Numbers to numbers: FLOAT64 rounds half away from zero, overflow is an error") {
  Check({{"CAST(2.5 AS INT64)", "3"},
         {"CAST(-2.5 AS INT64)", "-3"},
         {"CAST(NUMERIC '0.5' AS INT64)", "1"},
         {"CAST(1e19 AS INT64)", "!out of range"},
         {"CAST(CAST('nan' AS FLOAT64) AS INT64)", "!out of range"},
         {"SAFE_CAST(1e19 AS INT64)", "NULL"},
         {"CAST(3 AS FLOAT64)", "3.0"},
         {"CAST(1.5 AS NUMERIC)", "NUMERIC \"1.5\""},
         {"CAST(0 AS BOOL)", "false"},
         {"CAST(TRUE AS INT64)", "1"},
         {"CAST(NULL AS ARRAY<INT64>)", "NULL"}});
}

TEST_CASE("Text to numbers and BOOL: nothing that only DuckDB would take") {
  Check({{"CAST(' 12 ' AS INT64)", "12"},
         {"CAST('-0' AS INT64)", "0"},
         {"CAST('0x1F' AS INT64)", "31"},
         {"CAST('1.5' AS INT64)", "!Could not convert"},
         {"CAST('1e3' AS INT64)", "!Could not convert"},
         {"CAST('1_000' AS INT64)", "!Could not convert"},
         {"SAFE_CAST('twelve' AS INT64)", "NULL"},
         {"SAFE_CAST(CONCAT('1', '2') AS INT64)", "12"},
         {"CAST('1.5e3' AS FLOAT64)", "1500.0"},
         {"CAST('-inf' AS FLOAT64)", "-Infinity"},
         {"SAFE_CAST('1_0' AS FLOAT64)", "NULL"},
         {"CAST('1.25' AS NUMERIC)", "NUMERIC \"1.25\""},
         {"CAST('TRUE' AS BOOL)", "true"},
         {"CAST('t' AS BOOL)", "!Could not convert"},
         {"SAFE_CAST('yes' AS BOOL)", "NULL"}});
}

TEST_CASE("To text") {
  Check({{"CAST(1.0 AS STRING)", "\"1\""},
         {"CAST(0.1 AS STRING)", "\"0.1\""},
         {"CAST(1e15 AS STRING)", "\"1e+15\""},
         {"CAST(CAST('nan' AS FLOAT64) AS STRING)", "\"nan\""},
         {"CAST(-0.0 AS STRING)", "\"0\""},
         {"CAST(NUMERIC '1.500' AS STRING)", "\"1.5\""},
         {"CAST(NUMERIC '100' AS STRING)", "\"100\""},
         {"CAST(TRUE AS STRING)", "\"true\""},
         {"CAST(b'abc' AS STRING)", "\"abc\""},
         {"CAST(b'\\xff' AS STRING)", "!invalid UTF"},
         {"SAFE_CAST(b'\\xff' AS STRING)", "NULL"},
         {"CAST('é' AS BYTES)", "b\"\\xc3\\xa9\""},
         {"CAST(DATE '2026-01-05' AS STRING)", "\"2026-01-05\""},
         {"CAST(TIME '08:05:03.1' AS STRING)", "\"08:05:03.100\""},
         {"CAST(DATETIME '2026-01-05 08:05:03' AS STRING)", "\"2026-01-05 08:05:03\""},
         {"CAST(TIMESTAMP '2026-01-05 08:05:03.000001+01' AS STRING)", "\"2026-01-05 07:05:03.000001+00\""},
         {"CAST(INTERVAL '1-2 3 -4:5:6.5' YEAR TO SECOND AS STRING)", "\"1-2 3 -4:5:6.500\""}});
}

TEST_CASE("Text to times: offsets and zones count, and what only DuckDB would take is refused") {
  Check({{"CAST('2026-1-5' AS DATE)", "DATE \"2026-01-05\""},
         {"CAST('infinity' AS DATE)", "!"},
         {"SAFE_CAST('2026/01/05' AS DATE)", "NULL"},
         {"CAST('8:5:3' AS TIME)", "TIME \"08:05:03\""},
         {"CAST('2026-01-05T08:05:03.25' AS DATETIME)", "DATETIME \"2026-01-05 08:05:03.250\""},
         {"CAST('2026-01-05' AS TIMESTAMP)", "TIMESTAMP \"2026-01-05 00:00:00+00\""},
         {"CAST('2026-01-05 08:05:03' AS TIMESTAMP)", "TIMESTAMP \"2026-01-05 08:05:03+00\""},
         {"CAST('2026-01-05T08:05:03Z' AS TIMESTAMP)", "TIMESTAMP \"2026-01-05 08:05:03+00\""},
         {"CAST('2026-01-05 08:05:03+01' AS TIMESTAMP)", "TIMESTAMP \"2026-01-05 07:05:03+00\""},
         {"CAST('2026-01-05 08:05:03 -3:30' AS TIMESTAMP)", "TIMESTAMP \"2026-01-05 11:35:03+00\""},
         {"CAST('2026-01-05 08:05:03 America/New_York' AS TIMESTAMP)", "TIMESTAMP \"2026-01-05 13:05:03+00\""},
         {"CAST('epoch' AS TIMESTAMP)", "!"},
         {"SAFE_CAST('yesterday' AS TIMESTAMP)", "NULL"}});
}

TEST_CASE("Times to times") {
  Check({{"CAST(TIMESTAMP '2026-01-05 23:30:00+00' AS DATE)", "DATE \"2026-01-05\""},
         {"CAST(TIMESTAMP '2026-01-05 23:30:00+00' AS TIME)", "TIME \"23:30:00\""},
         {"CAST(DATE '2026-01-05' AS DATETIME)", "DATETIME \"2026-01-05 00:00:00\""},
         {"CAST(DATETIME '2026-01-05 08:00:00' AS TIMESTAMP)", "TIMESTAMP \"2026-01-05 08:00:00+00\""}});
}

TEST_CASE("Arrays and STRUCTs element by element, by place") {
  Check({{"CAST([1, 2] AS ARRAY<FLOAT64>)", "[1.0, 2.0]"},
         {"CAST([CAST('1' AS STRING), NULL] AS ARRAY<INT64>)", "[1, NULL]"},
         {"CAST(STRUCT(1 AS a, '2' AS b) AS STRUCT<b INT64, a INT64>)", "{b: 1, a: 2}"},
         {"SAFE_CAST(STRUCT('x') AS STRUCT<INT64>)", "NULL"}});
}

TEST_CASE("SAFE_CAST gives NULL for its own failure, not for its operand's") {
  Check({{"SAFE_CAST(CAST('x' AS INT64) AS STRING)", "!Could not convert"}});
}

}  // namespace
}  // namespace logquery::testing
