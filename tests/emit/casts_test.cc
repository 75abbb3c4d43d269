// Casts as GoogleSQL has them, evaluated on DuckDB.
#include <catch2/catch_all.hpp>

#include "lib/base/strings.h"
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

TEST_CASE("text to numbers and BOOL: forms that only DuckDB accepts are rejected") {
  Check({{"CAST(' 12 ' AS INT64)", "12"},
         {"CAST('-0' AS INT64)", "0"},
         {"CAST('0x1F' AS INT64)", "31"},
         {"CAST('1.5' AS INT64)", "!Bad INT64 value"},
         {"CAST('1e3' AS INT64)", "!Bad INT64 value"},
         {"CAST('1_000' AS INT64)", "!Bad INT64 value"},
         {"SAFE_CAST('twelve' AS INT64)", "NULL"},
         {"SAFE_CAST(CONCAT('1', '2') AS INT64)", "12"},
         {"CAST('1.5e3' AS FLOAT64)", "1500.0"},
         {"CAST('-inf' AS FLOAT64)", "-Infinity"},
         {"SAFE_CAST('1_0' AS FLOAT64)", "NULL"},
         {"CAST('1.25' AS NUMERIC)", "NUMERIC \"1.25\""},
         {"CAST('TRUE' AS BOOL)", "true"},
         {"CAST('t' AS BOOL)", "!Bad BOOL value: \"t\"; a BOOL is true or false"},
         {"SAFE_CAST('yes' AS BOOL)", "NULL"}});
}

TEST_CASE("CONCAT casts non-text arguments as CAST does") {
  Check({{"CONCAT('Summer', ' ', 1923)", "\"Summer 1923\""},
         {"CONCAT('a', 1, TRUE, 1.5, NUMERIC '2.50')", "\"a1true1.52.5\""},
         {"CONCAT(TIMESTAMP '2026-01-02 03:04:05.678+01', DATE '2026-01-02')",
          "\"2026-01-02 02:04:05.678+002026-01-02\""},
         {"CONCAT(b'ab', 1)", "\"ab1\""},
         {"CONCAT(b'ab', b'\\xff')", "b\"ab\\xff\""},
         {"CONCAT(b'\\xff', 1)", "!invalid UTF"},
         {"CONCAT(1, NULL)", "NULL"},
         {"CONCAT(1, CAST(NULL AS TIMESTAMP), 'a')", "NULL"},
         {"CONCAT([1], 'a')", "!CONCAT does not take (ARRAY<INT64>, STRING)"},
         {"CONCAT(JSON '1', 'a')", "!CONCAT does not take (JSON, STRING)"}});
}

TEST_CASE("A type's parameters: text may not be longer, a number is rounded and may not have more digits") {
  Check({{"CAST('añ' AS STRING(2))", "\"añ\""},
         {"CAST('añb' AS STRING(2))", "!STRING(2) has room for 2, and the value has 3"},
         {"SAFE_CAST('añb' AS STRING(2))", "NULL"},
         {"CAST(NULL AS STRING(2))", "NULL"},
         {"CAST(12345 AS STRING(5))", "\"12345\""},
         {"CAST(12345 AS STRING(4))", "!STRING(4)"},
         {"CAST('ñ' AS BYTES(2))", "b\"\\xc3\\xb1\""},
         {"CAST('ñ' AS BYTES(1))", "!BYTES(1)"},
         {"CAST(1.255 AS NUMERIC(5, 2))", "NUMERIC \"1.26\""},
         {"CAST('999.994' AS NUMERIC(5, 2))", "NUMERIC \"999.99\""},
         {"CAST('999.995' AS NUMERIC(5, 2))", "!NUMERIC(5, 2) has no room for 1000"},
         {"CAST(-1000 AS NUMERIC(5, 2))", "!NUMERIC(5, 2)"},
         {"SAFE_CAST(1000 AS NUMERIC(5, 2))", "NULL"},
         {"CAST(12.5 AS NUMERIC(2))", "NUMERIC \"13\""},
         {"CAST('1.5' AS NUMERIC(38, 9))", "NUMERIC \"1.5\""},
         {"CAST('0.99' AS NUMERIC(2, 2))", "NUMERIC \"0.99\""},
         {"CAST('1' AS NUMERIC(2, 2))", "!NUMERIC(2, 2)"},
         {"CAST('12.34' AS BIGNUMERIC(4, 2))", "BIGNUMERIC \"12.34\""},
         {"CAST('a' AS STRING(0))", "!at least 1"},
         {"CAST('a' AS STRING(1, 2))", "!takes one parameter"},
         {"CAST(1 AS NUMERIC(40, 2))", "!a precision P from S to S + 29"},
         {"CAST(1 AS NUMERIC(3, 10))", "!a scale S from 0 to 9"},
         {"CAST(1 AS INT64(3))", "!takes no parameters"},
         {"CAST(['hello'] AS ARRAY<STRING(2)>)", "!has room for 2"}});
}

TEST_CASE("Times to text by a FORMAT") {
  Check({{"CAST(DATE '2026-03-04' AS STRING FORMAT 'YYYY-MM-DD')", "\"2026-03-04\""},
         {"CAST(DATE '2026-03-04' AS STRING FORMAT 'DAY, DD Month yyyy')", "\"WEDNESDAY, 04 March 2026\""},
         {"CAST(DATE '2026-03-04' AS STRING FORMAT 'Dy mon YY DDD D \"day\"')", "\"Wed mar 26 063 4 day\""},
         {"CAST(DATETIME '2026-03-04 15:06:07.890123' AS STRING FORMAT 'HH12:MI:SS.FF3 PM')", "\"03:06:07.890 PM\""},
         {"CAST(DATETIME '2026-03-04 00:06:07' AS STRING FORMAT 'HH:MI a.m. HH24 SSSSS')", "\"12:06 a.m. 00 00367\""},
         {"CAST(TIME '15:06:07' AS STRING FORMAT 'HH24MISS')", "\"150607\""},
         {"CAST(TIMESTAMP '2026-03-04 15:06:07+00' AS STRING FORMAT 'YYYY-MM-DD HH24:MI TZH:TZM')",
          "\"2026-03-04 15:06 +00:00\""},
         {"CAST(TIMESTAMP '2026-03-04 15:06:07+00' AS STRING FORMAT 'HH24:MI TZH:TZM' AT TIME ZONE 'Asia/Kolkata')",
          "\"20:36 +05:30\""},
         {"CAST(TIMESTAMP '2026-03-04 15:06:07+00' AS STRING FORMAT 'HH24 TZH' AT TIME ZONE CAST(NULL AS STRING))",
          "NULL"},
         {"CAST(DATE '2026-03-04' AS STRING FORMAT CAST(NULL AS STRING))", "NULL"},
         {"CAST(DATE '2026-03-04' AS STRING FORMAT 'HH')", "!the type has no HH"},
         {"SAFE_CAST(DATE '2026-03-04' AS STRING FORMAT 'HH')", "NULL"},
         {"CAST(DATETIME '2026-03-04 00:00:00' AS STRING FORMAT 'TZH')", "!the type has no TZH"},
         {"CAST(DATE '2026-03-04' AS STRING FORMAT 'YYYY q')", "!has no element at 6"},
         {"CAST(DATE '2026-03-04' AS STRING FORMAT '\"x')", "!not closed"}});
}

TEST_CASE("Text to times by a FORMAT") {
  Check(
      {{"CAST('2026-03-04' AS DATE FORMAT 'YYYY-MM-DD')", "DATE \"2026-03-04\""},
       {"CAST('4 MARCH 26' AS DATE FORMAT 'DD Month RR')", "DATE \"2026-03-04\""},
       {"CAST('04/Mar/1999' AS DATE FORMAT 'dd/mon/yyyy')", "DATE \"1999-03-04\""},
       {"CAST('20260304' AS DATE FORMAT 'YYYYMMDD')", "DATE \"2026-03-04\""},
       {"CAST('2026-03-04 15:06:07.89' AS DATETIME FORMAT 'YYYY-MM-DD HH24:MI:SS.FF3')",
        "DATETIME \"2026-03-04 15:06:07.890\""},
       {"CAST('2026 1:06 p.m.' AS DATETIME FORMAT 'YYYY HH12:MI A.M.') = DATETIME(CAST('2026' AS DATE FORMAT 'YYYY'), "
        "TIME '13:06:00')",
        "true"},
       {"CAST('12 AM' AS TIME FORMAT 'HH12 AM')", "TIME \"00:00:00\""},
       {"CAST('' AS TIME FORMAT '')", "TIME \"00:00:00\""},
       {"CAST('2026-03-04 15' AS TIMESTAMP FORMAT 'YYYY-MM-DD HH24')", "TIMESTAMP \"2026-03-04 15:00:00+00\""},
       {"CAST('2026-03-04 15' AS TIMESTAMP FORMAT 'YYYY-MM-DD HH24' AT TIME ZONE 'Asia/Tokyo')",
        "TIMESTAMP \"2026-03-04 06:00:00+00\""},
       {"CAST('2026-03-04 15 -05:30' AS TIMESTAMP FORMAT 'YYYY-MM-DD HH24 TZH:TZM' AT TIME ZONE 'Asia/Tokyo')",
        "TIMESTAMP \"2026-03-04 20:30:00+00\""},
       {"EXTRACT(DAY FROM CAST('' AS DATE FORMAT ''))", "1"},
       {"CAST('2026-02-30' AS DATE FORMAT 'YYYY-MM-DD')", "!there is no such day"},
       {"CAST('2026-3' AS DATE FORMAT 'YYYY-MM-DD')", "!is missing"},
       {"CAST('2026x' AS DATE FORMAT 'YYYY')", "!goes on after"},
       {"CAST('2026-13' AS DATE FORMAT 'YYYY-MM')", "!MM lies between 1 and 12"},
       {"CAST('3' AS TIME FORMAT 'HH12')", "!HH12 and AM or PM go together"},
       {"CAST('1 2' AS DATE FORMAT 'MM MM')", "!two elements"},
       {"CAST('Mon' AS DATE FORMAT 'DY')", "!can be written, not read"},
       {"SAFE_CAST('x' AS DATE FORMAT 'YYYY')", "NULL"},
       {"CAST('1234' AS TIMESTAMP FORMAT 'YYYY' AT TIME ZONE NULL)", "NULL"}});
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

TEST_CASE("text to times: offsets and zones are applied, and forms that only DuckDB accepts are rejected") {
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
  Check({{"SAFE_CAST(CAST('x' AS INT64) AS STRING)", "!Bad INT64 value"}});
}

TEST_CASE("date arithmetic outside the years 0001 to 9999 is an error") {
  Check({{"DATE_ADD(DATE '9999-12-30', INTERVAL 1 DAY)", "DATE \"9999-12-31\""},
         {"DATE_ADD(DATE '9999-12-31', INTERVAL 1 DAY)", "!DATE is out of range"},
         {"DATE_SUB(DATE '0001-01-31', INTERVAL 1 MONTH)", "!DATE is out of range"},
         {"DATE '9999-12-31' + 1", "!DATE is out of range"},
         {"DATE '0001-01-01' - 1", "!DATE is out of range"},
         {"DATE '9999-12-31' + INTERVAL 1 DAY", "!out of range"},
         {"SAFE.DATE_ADD(DATE '9999-12-31', INTERVAL 1 DAY)", "NULL"},
         {"DATE_ADD(CAST(NULL AS DATE), INTERVAL 1 DAY)", "NULL"},
         {"DATE_FROM_UNIX_DATE(2932897)", "!DATE is out of range"},
         {"TIMESTAMP_ADD(TIMESTAMP '9999-12-31 23:59:59.999999', INTERVAL 1 MICROSECOND)", "!out of range"},
         {"TIMESTAMP_SUB(TIMESTAMP '0001-01-01', INTERVAL MAX(1) DAY)", "!out of range"},
         {"DATETIME_ADD(DATETIME '9999-12-31', INTERVAL 23 HOUR)", "DATETIME \"9999-12-31 23:00:00\""},
         {"DATETIME_ADD(DATETIME '9999-12-31', INTERVAL 24 HOUR)", "!out of range"},
         {"INTERVAL 1 YEAR + DATETIME '9999-01-01'", "!out of range"},
         {"DATETIME_SUB(DATETIME '0001-06-01', INTERVAL 1 YEAR)", "!out of range"},
         {"MAKE_INTERVAL(10000) + INTERVAL 1 MONTH", "!INTERVAL is out of range"},
         {"MAKE_INTERVAL(0, 0, 0, 87840000)", "INTERVAL \"0-0 0 87840000:0:0\""},
         {"(SELECT SUM(i) FROM UNNEST([INTERVAL 10000 YEAR, INTERVAL 1 MONTH]) AS i)", "!INTERVAL is out of range"},
         {"TIMESTAMP_SECONDS(253402300800)", "!out of range"},
         {"SAFE.TIMESTAMP_MILLIS(-62135596800001)", "NULL"},
         {"TIMESTAMP_MICROS(253402300799999999)", "TIMESTAMP \"9999-12-31 23:59:59.999999+00\""}});
}

TEST_CASE("a numeric literal becomes exactly the decimal of its digits") {
  Check({{"CAST(99999999999999999999999999999.999999999 AS NUMERIC)",
          "NUMERIC \"99999999999999999999999999999.999999999\""},
         {"CAST(-0.1234567891 AS NUMERIC)", "NUMERIC \"-0.123456789\""},
         {"CAST(9999999999999999999999999999.999999999 AS NUMERIC(29, 1))", "!NUMERIC(29, 1)"},
         {"CAST(1e3 AS NUMERIC)", "NUMERIC \"1000\""},
         {"CAST(1e39 AS NUMERIC)", "!is out of range of NUMERIC"},
         {"SAFE_CAST(1e39 AS NUMERIC)", "NULL"}});
}

TEST_CASE("DATE and DATETIME of a literal take a time of day and a zone, as a TIMESTAMP has them") {
  Check({{"DATE('2019-08-01 03:00:00+05')", "DATE \"2019-07-31\""},
         {"DATE('2019-08-01')", "DATE \"2019-08-01\""},
         {"DATE('2019-08-01 23:00:00-02', 'UTC+1')", "DATE \"2019-08-02\""},
         {"DATETIME('2019-08-01T03:00:00+01')", "DATETIME \"2019-08-01 02:00:00\""},
         {"DATETIME('2019-08-01')", "DATETIME \"2019-08-01 00:00:00\""},
         {"DATE(NULL)", "NULL"},
         {"DATE('x')", "!\"x\" is not a TIMESTAMP"},
         {"DATE(x) FROM (SELECT '2019-08-01' AS x)", "!DATE does not take (STRING)"}});
}

TEST_CASE("a leap second is the beginning of the second after it") {
  Check({{"(SELECT CAST(x AS DATETIME) FROM (SELECT '2015-11-06 23:59:60' AS x))", "DATETIME \"2015-11-07 00:00:00\""},
         {"(SELECT CAST(x AS TIME) FROM (SELECT '23:59:60.5' AS x))", "TIME \"00:00:00\""},
         {"(SELECT CAST(x AS TIMESTAMP) FROM (SELECT '2015-11-06 23:59:60' AS x))",
          "TIMESTAMP \"2015-11-07 00:00:00+00\""},
         {"(SELECT CAST(x AS DATETIME) FROM (SELECT '2015-11-31 23:59:00' AS x))", "!there is no such day"},
         {"(SELECT SAFE_CAST(x AS DATETIME) FROM (SELECT '2015-11-31 23:59:00' AS x))", "NULL"},
         {"(SELECT CAST(x AS TIME) FROM (SELECT '24:00:00' AS x))", "!Invalid time: \"24:00:00\""}});
}

TEST_CASE("MAKE_INTERVAL takes its parts by place and by name") {
  Check({{"MAKE_INTERVAL(1, 2, 3)", "INTERVAL \"1-2 3 0:0:0\""},
         {"MAKE_INTERVAL(second => 20, hour => 10)", "INTERVAL \"0-0 0 10:0:20\""},
         {"MAKE_INTERVAL(1, day => 2)", "INTERVAL \"1-0 2 0:0:0\""},
         {"MAKE_INTERVAL(1, year => 2)", "!the argument year is given twice"},
         {"MAKE_INTERVAL(day => 1, day => 2)", "!the argument day is given twice"},
         {"MAKE_INTERVAL(week => 2)", "!MAKE_INTERVAL has no argument named week"},
         {"MAKE_INTERVAL(day => 2, 3)", "!an argument without a name stands before"},
         {"MAKE_INTERVAL(day => 'x')", "!MAKE_INTERVAL"}});
}

TEST_CASE("NULL and [] take the type that a cast asks of them, in constructors as well") {
  Check({{"CAST([] AS ARRAY<DATE>)", "[]"},
         {"CAST([] AS ARRAY<JSON>)", "[]"},
         {"SAFE_CAST([] AS ARRAY<STRUCT<a INT64>>)", "[]"},
         {"CAST(NULL AS ARRAY<STRUCT<a INT64>>)", "NULL"},
         {"CAST([NULL, NULL] AS ARRAY<DATE>)", "[NULL, NULL]"},
         {"CAST(STRUCT(1, NULL) AS STRUCT<a INT64, b DATE>).b", "NULL"},
         {"CAST((CURRENT_TIMESTAMP(), NULL) AS STRUCT<t TIMESTAMP, s STRUCT<a INT64, b STRING>>).s", "NULL"},
         {"CAST((1, (NULL, [])) AS STRUCT<a STRING, s STRUCT<d DATE, l ARRAY<BYTES>>>).s.l", "[]"},
         {"CAST([STRUCT(NULL AS d)] AS ARRAY<STRUCT<d DATE>>)[0].d", "NULL"},
         {"CAST([STRUCT(NULL AS d), STRUCT(1)] AS ARRAY<STRUCT<d DATE>>)", "!can't cast"},
         {"CAST([1, 2] AS ARRAY<STRUCT<a INT64>>)", "!can't cast"},
         {"CAST([] AS DATE)", "!can't cast"},
         {"CAST((1, 2) AS STRUCT<a DATE, b INT64>)", "!can't cast"}});
}

TEST_CASE("Parts of a constructor are cast to types with parameters") {
  Check({{"CAST((1.255, 'abc') AS STRUCT<NUMERIC(5, 2), STRING(3)>)", "{NUMERIC \"1.26\", \"abc\"}"},
         {"CAST([0.12345, NULL] AS ARRAY<NUMERIC(2, 2)>)", "[NUMERIC \"0.12\", NULL]"},
         {"CAST((1, 'abcd') AS STRUCT<INT64, STRING(3)>)", "!has room for 3"},
         {"(SELECT CAST(s AS STRUCT<STRING(3)>) FROM (SELECT STRUCT('a') AS s))", "!only in casts of constructors"},
         {"SAFE_CAST(('a', 1) AS STRUCT<STRING(3), INT64>)", "!not supported"}});
}

TEST_CASE("A text that the query writes has at most six fraction digits, one from a row or a parameter any number") {
  Check({{"TIMESTAMP '2024-01-05 09:30:00.1234567'", "!has 7 fraction digits at line 1, column 8; write at most 6"},
         {"TIMESTAMP '2024-01-05 09:30:00.123456'", "TIMESTAMP \"2024-01-05 09:30:00.123456+00\""},
         {"DATETIME '2024-01-05 09:30:00.1234567'", "!has 7 fraction digits"},
         {"TIME '09:30:00.1234567'", "!has 7 fraction digits"},
         {"TIMESTAMP('2024-01-05 09:30:00.1234567')", "!has 7 fraction digits"},
         {"SAFE.TIMESTAMP('2024-01-05 09:30:00.1234567')", "NULL"},
         {"CAST('2024-01-05 09:30:00.1234567' AS DATETIME)", "!has 7 fraction digits"},
         {"SAFE_CAST('2024-01-05T09:30:00.123456789Z' AS TIMESTAMP)", "NULL"},
         {"CURRENT_TIMESTAMP() > '2024-01-05 09:30:00.1234567'", "!has 7 fraction digits"},
         {"(SELECT CAST(s AS TIMESTAMP) FROM UNNEST(['2024-01-05 09:30:00.123456789']) AS s)",
          "TIMESTAMP \"2024-01-05 09:30:00.123456+00\""}});
  SqlRunner runner;
  const SqlRunner::Parameters at = {{"at", Value::String("2024-01-05T09:30:00.123456789Z")}};
  CHECK(runner.Evaluate("CAST(@at AS TIMESTAMP)", at) == "TIMESTAMP \"2024-01-05 09:30:00.123456+00\"");
}

TEST_CASE("An aggregate with DISTINCT is ordered by its own arguments alone") {
  Check(
      {{"(SELECT STRING_AGG(DISTINCT x, '-' ORDER BY x DESC) FROM UNNEST(['a', 'b', 'a']) AS x)", "\"b-a\""},
       {"(SELECT ARRAY_AGG(DISTINCT LOWER(x) ORDER BY LOWER(x)) FROM UNNEST(['B', 'a', 'b']) AS x)", "[\"a\", \"b\"]"},
       {"(SELECT STRING_AGG(DISTINCT x ORDER BY LENGTH(x)) FROM UNNEST(['a']) AS x)",
        "!STRING_AGG with DISTINCT can be ordered only by its own arguments"},
       {"(SELECT ARRAY_AGG(DISTINCT x ORDER BY x, y) FROM (SELECT 1 AS x, 2 AS y))",
        "!ARRAY_AGG with DISTINCT can be ordered only by its own arguments"}});
}

TEST_CASE("aggregates reject arguments for which they would return wrong results") {
  Check({{"(SELECT SUM(x) FROM UNNEST([NUMERIC '99999999999999999999999999999', NUMERIC '1']) AS x)",
          "!NUMERIC overflow"},
         {"(SELECT SUM(x) FROM UNNEST([NUMERIC '99999999999999999999999999998', NUMERIC '1']) AS x)",
          "NUMERIC \"99999999999999999999999999999\""},
         {"(SELECT AVG(i) FROM UNNEST([INTERVAL 10000 YEAR, INTERVAL 10000 YEAR]) AS i)",
          "INTERVAL \"10000-0 0 0:0:0\""}});
  SqlRunner runner;
  const SqlRunner::Parameters none = {{"separator", Value::Null(Type::String())}};
  CHECK(runner.Evaluate("(SELECT STRING_AGG(x, @separator) FROM UNNEST(['a']) AS x)", none).find("must not be NULL") !=
        std::string::npos);
  const SqlRunner::Parameters dash = {{"separator", Value::String("-")}};
  CHECK(runner.Evaluate("(SELECT STRING_AGG(x, @separator ORDER BY x) FROM UNNEST(['b', 'a']) AS x)", dash) ==
        "\"a-b\"");
}

TEST_CASE("percentiles treat NaN as the least value") {
  const auto of = [](const char* call, const char* values) {
    return base::StrCat("(SELECT ANY_VALUE(p) FROM (SELECT ", call, " OVER () AS p FROM UNNEST([", values,
                        "]) AS s, UNNEST([CAST(s AS FLOAT64)]) AS x))");
  };
  SqlRunner runner;
  CHECK(runner.Evaluate(of("PERCENTILE_CONT(x, 0.5)", "'1', '2'")) == "1.5");
  CHECK(runner.Evaluate(of("PERCENTILE_CONT(x, 0.75)", "'nan', '1', '2'")) == "1.5");
  CHECK(runner.Evaluate(of("PERCENTILE_CONT(x, 0)", "'1', 'nan', '-inf'")) == "NaN");
  CHECK(runner.Evaluate(of("PERCENTILE_CONT(x, 0.5)", "'1', 'nan', '-inf'")) == "-Infinity");
  CHECK(runner.Evaluate(of("PERCENTILE_CONT(x, 0.5)", "NULL, NULL")) == "NULL");
  CHECK(runner.Evaluate(of("PERCENTILE_DISC(x, 0.5)", "'2', 'nan', '1', 'nan'")) == "NaN");
  CHECK(runner.Evaluate(of("PERCENTILE_DISC(x, 0.75)", "'2', 'nan', '1', 'nan'")) == "1.0");
  CHECK(runner.Evaluate(of("PERCENTILE_DISC(x, 1)", "'2', 'nan', '1'")) == "2.0");
}

TEST_CASE("a failed cast reports the value and a valid form") {
  Check({{"CAST('1.5' AS INT64)", "!Bad INT64 value: \"1.5\"; an INT64 is digits"},
         {"CAST('2026-02-30' AS DATE)", "!Invalid date: \"2026-02-30\"; there is no such day"},
         {"CAST('infinity' AS DATE)", "!Invalid date: \"infinity\"; the form is YYYY-MM-DD"},
         {"CAST('25:00:00' AS TIME)", "!Invalid time: \"25:00:00\"; there is no such"},
         {"CAST('yesterday' AS TIMESTAMP)", "!Invalid timestamp: \"yesterday\"; the form is YYYY-MM-DD"},
         {"CAST('1e999' AS NUMERIC)", "!Bad NUMERIC value: \"1e999\""},
         {"CAST('a' AS FLOAT64)", "!Bad FLOAT64 value: \"a\""},
         {"CAST(1e19 AS INT64)", "!is out of range of INT64"},
         {"CAST('12' AS BYTES FORMAT 5)", "!FORMAT"},
         {"NUMERIC '99999999999999999999999999999' * 10", "!NUMERIC overflow"},
         {"TIMESTAMP_ADD(DATE '2026-01-31', INTERVAL 1 DAY)", "DATE \"2026-02-01\""}});
}

TEST_CASE("texts with NUL, empty names in JSON paths and patterns from columns reach the engine unchanged") {
  Check({{"LENGTH(FORMAT_TIMESTAMP('%Y\\x00', TIMESTAMP '2026-01-31'))", "5"},
         {"JSON_VALUE('{\"\": 1}', '$.\"\"')", "\"1\""},
         {"JSON_VALUE('{\"a\": 1}', '$.\\x00')", "NULL"},
         {"TO_JSON_STRING(JSON_OBJECT('a\\x00b', 1))", "\"{\\\"a\\\\u0000b\\\":1}\""},
         {"(SELECT 'a' LIKE p FROM UNNEST(['a\\\\']) AS p)", "!LIKE pattern ends with a backslash"},
         {"(SELECT 'a\\\\' LIKE p FROM UNNEST(['a\\\\\\\\']) AS p)", "true"},
         {"STRUCT(1 AS `a\\x00b`)", "!U+0000"},
         {"SAFE.REGEXP_CONTAINS('a', '(')", "NULL"},
         {"SAFE.REGEXP_EXTRACT('a', '(')", "NULL"},
         {"SAFE.REGEXP_REPLACE('a', 'a', '\\\\9')", "NULL"},
         {"SAFE.REGEXP_CONTAINS('ab', 'a.')", "true"}});
}

}  // namespace
}  // namespace logquery::testing
