// Expressions whose meaning was found to be another than ours by tests/clickhouse_oracle, each with the answer of ClickHouse's own
// engine and the type that its toTypeName says.
#include <catch2/catch_all.hpp>
#include <string>

#include "absl/strings/match.h"
#include "lib/base/strings.h"
#include "tests/clickhouse_sql/otel_answers.h"

namespace logquery {
namespace {

TEST_CASE("integers in ClickHouse SQL have ClickHouse's widths") {
  CheckExpressions({{"intDiv(7, -2)", "-3", "Int8"},
                    {"intDiv(toUInt8(200), toInt8(1))", "-56", "Int8"},
                    {"intDiv(toUInt8(200), toInt8(-1))", "56", "Int8"},
                    {"intDiv(toInt64(-68519013000), 3600000000)", "-19", "Int64"},
                    {"bitAnd(5, 3)", "1", "UInt8"},
                    {"bitAnd(toInt8(-1), 200)", "-56", "Int8"},
                    {"bitXor(1, 256)", "257", "UInt16"},
                    {"-true", "-1", "Int16"},
                    {"floor(toInt32(-17), -1)", "-20", "Int32"},
                    {"ceil(toInt32(-17), -1)", "-10", "Int32"},
                    {"trunc(toInt32(-17), -1)", "-10", "Int32"},
                    {"round(toInt8(127), -1)", "-126", "Int8"},
                    {"range(1, 4)", "[1,2,3]", "Array(UInt8)"},
                    {"true and 1", "true", "Bool"},
                    {"not true", "false", "Bool"},
                    {"(1 = 1) and 1", "1", "UInt8"},
                    {"true = 5", "0", "UInt8"}});
}

TEST_CASE("constants beyond 63 bits are compared, converted and answered as UInt64") {
  CheckExpressions(
      {{"18446744073709551615", "18446744073709551615", "UInt64"},
       {"0xFFFFFFFFFFFFFFFF", "18446744073709551615", "UInt64"},
       {"toUInt64('9223372036854775808')", "9223372036854775808", "UInt64"},
       {"toUInt64(-1)", "18446744073709551615", "UInt64"},
       {"toUInt64(toInt8(-1))", "18446744073709551615", "UInt64"},
       {"toUInt64OrZero('18446744073709551615')", "18446744073709551615", "UInt64"},
       {"toUInt64OrNull('18446744073709551615')", "18446744073709551615", "Nullable(UInt64)"},
       {"accurateCastOrNull('18446744073709551615', 'UInt64')", "18446744073709551615", "Nullable(UInt64)"},
       {"toInt64(18446744073709551615)", "-1", "Int64"},
       {"toUInt8(18446744073709551615)", "255", "UInt8"},
       {"toString(18446744073709551615)", "\"18446744073709551615\"", "String"},
       {"toFloat64(18446744073709551615)", "18446744073709551616.0", "Float64"},
       {"18446744073709551615 / 2", "9223372036854775808.0", "Float64"},
       {"18446744073709551615 > 5", "1", "UInt8"},
       {"18446744073709551615 = '18446744073709551615'", "1", "UInt8"},
       {"18446744073709551615 > -1", "1", "UInt8"},
       {"18446744073709551615 = 1.5", "0", "UInt8"},
       {"18446744073709551615 in (1, 18446744073709551615)", "1", "UInt8"},
       {"if(1 = 2, 1, 18446744073709551615)", "18446744073709551615", "UInt64"},
       {"if(18446744073709551615, 'yes', 'no')", "\"yes\"", "String"},
       {"[18446744073709551615, 1]", "[18446744073709551615,1]", "Array(UInt64)"},
       {"(18446744073709551615, 'x')", "[18446744073709551615,\"x\"]", "Tuple(UInt64, String)"},
       {"18446744073709551616", "18446744073709551616.0", "Float64"},
       {"-9223372036854775809", "-9223372036854775808.0", "Float64"}});
  ServedRows rows(OnlyOtel());
  CHECK(OtelAnswer(rows,
                   "select max(x) as m, count() as c from (select 18446744073709551615 as x) group by x having m > 7 "
                   "order by m") == R"({"m":18446744073709551615,"c":1})");
}

TEST_CASE("integers beyond 63 bits are refused where they are computed, not answered wrongly") {
  ServedRows rows(OnlyOtel());
  for (const char* expression :
       {"9223372036854775807 + 1", "toUInt64(5) * 4611686018427387904", "toUInt64(toInt64(concat('-', '1')))",
        "18446744073709551615 + 1", "intDiv(18446744073709551615, 2)", "sum(18446744073709551615)", "toUInt8('-1')",
        "18446744073709551615 = 'x'", "18446744073709551615 > concat('5', '')",
        "18446744073709551615 = toDate('2026-03-04')", "18446744073709551615 = [1]",
        "if(1 = 1, 18446744073709551615, 'x')", "toDate(18446744073709551615)",
        "if(1 = 2, toInt8(1), 18446744073709551615)", "toFloat32(1)"}) {
    CAPTURE(expression);
    CHECK(absl::StartsWith(OtelAnswer(rows, base::StrCat("select ", expression, " as x")), "INVALID_ARGUMENT"));
  }
}

TEST_CASE("the average of integers is their sum, which fits into 64 bits, by their number") {
  ServedRows rows(OnlyOtel());
  const auto check = [&](const std::string& sql, const std::string& expected) {
    CAPTURE(sql);
    CHECK(OtelAnswer(rows, "select " + sql) == expected);
  };
  check(
      "avg(x) a, avgIf(x, x > 1) b, avg(distinct x) c, avgIf(x, x > 9) d, avgOrNull(x) e, avg(toNullable(x)) f, "
      "toTypeName(avg(toNullable(x))) g from (select arrayJoin([1, 2, 2, 4]) as x)",
      R"x({"a":2.25,"b":2.6666666666666665,"c":2.3333333333333335,"d":null,"e":2.25,"f":2.25,"g":"Nullable(Float64)"})x");
  check("arrayAvg([1, 2]) a, arrayAvg(x -> x * 2, [1, 2]) b, arrayAvg([1.5, 2]) c, arrayAvg([toInt8(-1)]) d",
        R"({"a":1.5,"b":3.0,"c":1.75,"d":-1.0})");
  // A FLOAT64 has no 2^53 + 1, and the sum of the integers has.
  check("avg(x) = 9007199254740993 / 2 a from (select arrayJoin([9007199254740992, 1]) as x)", R"({"a":1})");
  for (const char* too_large : {"avg(x) a from (select arrayJoin([9223372036854775807, 9223372036854775807]) as x)",
                                "arrayAvg([9223372036854775807, 9223372036854775807]) a"}) {
    CAPTURE(too_large);
    CHECK(absl::StartsWith(OtelAnswer(rows, base::StrCat("select ", too_large)), "INVALID_ARGUMENT"));
  }
}

TEST_CASE("a text of a time that its type does not have gives the nearest one") {
  CheckExpressions(
      {{"toDateTime('1960-01-01 00:00:00')", "\"1970-01-01T00:00:00\"", "DateTime"},
       {"cast('2200-01-01 00:00:00' as DateTime)", "\"2106-02-07T06:28:15\"", "DateTime"},
       {"parseDateTimeBestEffort('1960-01-01 00:00:00')", "\"1970-01-01T00:00:00\"", "DateTime"},
       {"parseDateTimeBestEffortOrNull('2200-01-01 00:00:00')", "\"2106-02-07T06:28:15\"", "Nullable(DateTime)"},
       {"toDateTime(concat('1960-01-01 00:00:0', toString(length('a'))))", "\"1970-01-01T00:00:00\"", "DateTime"},
       {"toDate('1960-01-01')", "\"1970-01-01\"", "Date"},
       {"toDate('2200-01-01')", "\"2149-06-06\"", "Date"},
       {"toDate(concat('2149-06-0', toString(length('seven77'))))", "\"2149-06-06\"", "Date"},
       {"toDateTime64('1800-01-01 00:00:00', 3)", "\"1800-01-01T00:00:00.000\"", "DateTime64(3)"}});
}

TEST_CASE("values as texts in ClickHouse SQL have ClickHouse's form") {
  CheckExpressions({{"toString(1e15)", "\"1000000000000000\"", "String"},
                    {"toString(1e20)", "\"100000000000000000000\"", "String"},
                    {"toString(-1e21)", "\"-1e21\"", "String"},
                    {"toString(0.000001)", "\"0.000001\"", "String"},
                    {"toString(1.5e-7)", "\"1.5e-7\"", "String"},
                    {"toString(1.1e-5)", "\"0.000011\"", "String"},
                    {"toString(123456789.125)", "\"123456789.125\"", "String"},
                    {"toString(-0.0)", "\"-0\"", "String"},
                    {"toString(['a', 'it''s', 'b\\\\c'])", R"("['a','it\\'s','b\\\\c']")", "String"},
                    {"toString([1.5, nan])", "\"[1.5,nan]\"", "String"},
                    {"toString([null, 1])", "\"[NULL,1]\"", "String"},
                    {"toString((1, 'a', null))", "\"(1,'a',NULL)\"", "String"},
                    {"toString(map('a', 'b'))", "\"{'a':'b'}\"", "String"},
                    {"toString([toDate('2026-03-04')])", "\"['2026-03-04']\"", "String"},
                    {"arrayStringConcat([1, 2], '-')", "\"1-2\"", "String"},
                    {"toBool('1')", "true", "Bool"}});
}

TEST_CASE("texts in ClickHouse SQL are cut, reversed and replaced as there") {
  CheckExpressions({{"substring('hello', -10, 7)", "\"he\"", "String"},
                    {"substring('hello', -10, 3)", "\"\"", "String"},
                    {"substringUTF8('hello', -10, 7)", "\"he\"", "String"},
                    {"reverse('äb')", "\"b\xEF\xBF\xBD\"", "String"},
                    {"replaceRegexpAll('hello', '', '-')", "\"hello\"", "String"},
                    {"JSONExtractBool('{\"a\": true}', 'a')", "1", "UInt8"},
                    {"JSONExtractInt('{\"a\": true}', 'a')", "0", "Int64"},
                    {"JSONExtractUInt('{\"a\": -5}', 'a')", "0", "UInt64"},
                    {"JSONExtract('{\"a\": 300}', 'a', 'UInt8')", "0", "UInt8"}});
}

TEST_CASE("NULL is no value for least and greatest in ClickHouse SQL, and NaN is none before another value") {
  CheckExpressions({{"least('a', null)", "\"a\"", "Nullable(String)"},
                    {"greatest(1, null)", "1", "Nullable(UInt8)"},
                    {"greatest(toInt32OrNull('x'), 5, null)", "5", "Nullable(Int32)"},
                    {"greatest(nan, 1.5)", "1.5", "Float64"},
                    {"toString(least(1.5, nan))", "\"nan\"", "String"},
                    {"toString(greatest(1.5, nan))", "\"nan\"", "String"},
                    {"least(toNullable(1.5), nan)", "1.5", "Nullable(Float64)"},
                    {"greatest(1.5, nan, 2.5)", "2.5", "Float64"}});
}

TEST_CASE("functions on floats in ClickHouse SQL are infinite or NaN, not errors") {
  CheckExpressions({{"log(0)", "null", "Float64"},
                    {"toString(log(0))", "\"-inf\"", "String"},
                    {"toString(sqrt(-1))", "\"nan\"", "String"},
                    {"toString(exp(1000))", "\"inf\"", "String"},
                    {"toString(pow(0, -1))", "\"inf\"", "String"}});
}

TEST_CASE("arrays in ClickHouse SQL keep their order, and hold tuples") {
  CheckExpressions({{"arrayDistinct([2, 1, 2])", "[2,1]", "Array(UInt8)"},
                    {"arrayDistinct(['b', 'a', 'b', ''])", "[\"b\",\"a\",\"\"]", "Array(String)"},
                    {"arrayMap(x -> (x, 'a'), [1, 2])", "[[1,\"a\"],[2,\"a\"]]", "Array(Tuple(UInt8, String))"},
                    {"has([1, 2], 300)", "0", "UInt8"},
                    {"range(length([5, 6, 7]))", "[0,1,2]", "Array(UInt64)"},
                    {"groupArray((1, 'b'))", "[[1,\"b\"]]", "Array(Tuple(UInt8, String))"}});
}

TEST_CASE("a tuple in ClickHouse SQL whose parts have names is an object") {
  CheckExpressions(
      {{"CAST((1, 'a') AS Tuple(a Int64, `b c` String))", R"({"a":1,"b c":"a"})",
        "Tuple(\\n    a Int64,\\n    `b c` String)"},
       {"CAST(tuple('x', arrayFilter(r -> 1, [tuple(1, NULL)])) AS Tuple(a String, r Array(Tuple(h Int64, p "
        "Nullable(Int64)))))",
        R"({"a":"x","r":[{"h":1,"p":null}]})",
        "Tuple(\\n    a String,\\n    r Array(Tuple(\\n        h Int64,\\n        p Nullable(Int64))))"},
       {"tupleElement(CAST((1, 'a') AS Tuple(a Int64, b String)), 'b')", "\"a\"", "String"},
       {"CAST(tuple(9007199254740993) AS Tuple(n Int64))", R"({"n":9007199254740993})", "Tuple(\\n    n Int64)"}});
  ServedRows rows(OnlyOtel());
  for (const char* expression : {"CAST((1, 'a') AS Tuple(a Int64))", "CAST((1, 'a') AS Tuple(a Int64, String))",
                                 "CAST(tuple(NULL) AS Tuple(a Int64))", "CAST(tuple(1) AS Tuple(a Nothing))",
                                 "tupleElement(CAST(tuple(1) AS Tuple(a Int64)), 'b')", "groupUniqArray((1, 2))"}) {
    CAPTURE(expression);
    CHECK(
        absl::StartsWith(OtelAnswer(rows, base::StrCat("select ", expression, " as x from logs")), "INVALID_ARGUMENT"));
  }
}

TEST_CASE("a time in ClickHouse SQL plus an interval that may be NULL may be NULL") {
  CheckQueries(
      {{"select ifNull(toDateTime('2026-03-04 05:06:07') + toIntervalSecond(nullIf(1, 1)), toDateTime('2026-03-04 "
        "00:00:00')) as x",
        R"({"x":"2026-03-04T00:00:00"})"},
       {"select ifNull(addHours(toDateTime('2026-03-04 05:06:07'), nullIf(1, 1)), toDateTime('2026-03-04 00:00:00')) "
        "as x",
        R"({"x":"2026-03-04T00:00:00"})"}});
}

TEST_CASE("printf in ClickHouse SQL writes integers, floats and texts") {
  CheckExpressions({{"printf('%s/%05d %.1f %%', 'a', 42, 2.25)", "\"a/00042 2.2 %\"", "String"},
                    {"printf('%5d|%-5d|%+d', 3, 4, 5)", "\"    3|4    |+5\"", "String"},
                    {"printf('%05d', -42)", "\"-0042\"", "String"},
                    {"printf('%f', 1.5)", "\"1.500000\"", "String"},
                    {"printf('%d', nullIf(1, 1))", "null", "Nullable(String)"}});
  ServedRows rows(OnlyOtel());
  for (const char* expression : {"printf('%d')", "printf('%d', 'a')", "printf('x', 1)", "printf('%n', 1)",
                                 "printf('%5s', 'a')", "printf(id, 1)", "printf('%')"}) {
    CAPTURE(expression);
    CHECK(
        absl::StartsWith(OtelAnswer(rows, base::StrCat("select ", expression, " as x from logs")), "INVALID_ARGUMENT"));
  }
}

TEST_CASE("times in ClickHouse SQL have ClickHouse's types") {
  CheckExpressions(
      {{"toDateTime64('2026-03-04 05:06:07.5', 1) - toDateTime64('2026-03-04 05:06:06.2', 1)", "\"1.3\"",
        "Decimal(18, 1)"},
       {"toDateTime('2026-03-04 05:06:06') - toDateTime64('2026-03-04 05:06:07.5', 9)", "\"-1.500000000\"",
        "Decimal(18, 9)"},
       {"toDateTime64('2026-03-04 05:06:07.5', 1) + interval 1 millisecond", "\"2026-03-04T05:06:07.501\"",
        "DateTime64(3)"},
       {"addMilliseconds(toDateTime('2026-01-31 05:06:07'), 1)", "\"2026-01-31T05:06:07.001\"", "DateTime64(3)"},
       {"date_trunc('day', toDate('2026-03-04'))", "\"2026-03-04T00:00:00\"", "DateTime"},
       {"date_trunc('millisecond', toDateTime64('2026-03-04 05:06:07.987', 3))", "\"2026-03-04T05:06:07.987\"",
        "DateTime64(3)"},
       {"toDateTime(-1)", "\"1970-01-01T00:00:00\"", "DateTime"},
       {"toDateTime(4294967296)", "\"2106-02-07T06:28:15\"", "DateTime"},
       {"toFloat64(toDateTime64('2026-03-04 05:06:07.98', 2))", "1772600767.98", "Float64"},
       {"formatDateTime(toDateTime('2026-03-04 05:06:07'), '%V')", "\"10\"", "String"}});
  ServedRows rows(OnlyOtel());
  for (const char* expression :
       {"toDate('2026-03-04') - toDateTime('2026-03-04 05:00:00')", "toHour(toDate('2026-03-04'))",
        "toStartOfHour(toDate('2026-03-04'))", "date_trunc('hour', toDate('2026-03-04'))",
        "toStartOfSecond(toDateTime('2026-03-04 05:06:07'))",
        "toUnixTimestamp64Milli(toDateTime('2026-03-04 05:06:07'))"}) {
    CAPTURE(expression);
    CHECK(absl::StartsWith(OtelAnswer(rows, base::StrCat("select ", expression, " as x")), "INVALID_ARGUMENT"));
  }
}

TEST_CASE("aggregates in ClickHouse SQL skip NaN, and say NULL where asked") {
  ServedRows rows(OnlyOtel());
  const std::pair<const char*, const char*> cases[] = {
      {"select max(x) a, min(x) b, median(x) c, quantileExact(0.5)(x) d, argMax(x, x) e from (select arrayJoin([nan, "
       "1, 3]) as x)",
       R"({"a":3.0,"b":1.0,"c":2.0,"d":3.0,"e":3.0})"},
      {"select max(x) a from (select arrayJoin([nan]) as x)", R"({"a":null})"},
      {"select countOrNull(x) a, uniqExactOrNull(x) b, count(x) c from (select 1 as x where 0)",
       R"({"a":null,"b":null,"c":0})"},
      {"select argMax(x, y) a from (select arrayJoin([(null, 9), (2, 5)]) as t, t.1 as x, t.2 as y)", R"({"a":2})"}};
  for (const auto& [sql, expected] : cases) {
    CAPTURE(sql);
    CHECK(OtelAnswer(rows, sql) == expected);
  }
}

TEST_CASE("a column of USING is that of the side which has the row") {
  ServedRows rows(OnlyOtel());
  const std::pair<const char*, const char*> cases[] = {
      {"select x from (select 1 as x) a full join (select 2 as x) b using (x) order by x", R"({"x":1},{"x":2})"},
      {"select a.x as l, b.x as r from (select 1 as x) a full join (select 2 as x) b using (x) order by l",
       R"({"l":0,"r":2},{"l":1,"r":0})"},
      {"select x, y from (select 1 as x) a right join (select 2 as x, 'k' as y) b using (x)", R"({"x":2,"y":"k"})"},
      {"select * from (select 1 as x, 2 as y) a join (select 1 as x, 3 as z) b using (x)", R"({"y":2,"z":3,"x":1})"},
      {"select toTypeName(x) t from (select toUInt8(1) as x) a left join (select toInt64(2) as x) b using (x)",
       R"({"t":"Int64"})"}};
  for (const auto& [sql, expected] : cases) {
    CAPTURE(sql);
    CHECK(OtelAnswer(rows, sql) == expected);
  }
}

TEST_CASE("keys that ROLLUP leaves out have their type's default") {
  ServedRows rows(OnlyOtel());
  CHECK(OtelAnswer(rows, "select x, count() n from (select arrayJoin([1, 2]) as x) group by rollup(x) order by x") ==
        R"({"x":0,"n":2},{"x":1,"n":1},{"x":2,"n":1})");
}

TEST_CASE("GROUP BY makes no group of no rows") {
  ServedRows rows(OnlyOtel());
  CHECK(OtelAnswer(rows, "select 5 as c, count() n from logs where id = 'nothing' group by c").empty());
  CHECK(OtelAnswer(rows, "select source s, count() n from logs where id = 'nothing' group by rollup(s)").empty());
  CHECK(OtelAnswer(rows, "select count() n from logs where id = 'nothing'") == R"({"n":0})");
}

TEST_CASE("QUALIFY may have a window that SELECT has not") {
  ServedRows rows(OnlyOtel());
  CHECK(OtelAnswer(rows, "select id, count() over () n from logs qualify row_number() over (order by id desc) = 1") ==
        R"({"id":"id1","n":2})");
}

TEST_CASE("a Date is compared with texts that are dates only") {
  ServedRows rows(OnlyOtel());
  CHECK(OtelAnswer(rows, "select toDate('2026-03-04') > '2026-03-03' as x") == R"({"x":1})");
  CHECK(absl::StrContains(OtelAnswer(rows, "select toDate(timestamp) > '2026-03-03 12:00:00' as x from logs"),
                          "can't read a Date in the text"));
}

TEST_CASE("WITH FILL adds the values that no row has") {
  ServedRows rows(OnlyOtel());
  const std::pair<const char*, const char*> cases[] = {
      {"select arrayJoin([1, 4]) as x, 7 as y order by x with fill from 0 to 8 step 3",
       R"({"x":0,"y":0},{"x":1,"y":7},{"x":3,"y":0},{"x":4,"y":7},{"x":6,"y":0})"},
      {"select arrayJoin([1, 5]) as x, 'a' as y order by x with fill step 2",
       R"({"x":1,"y":"a"},{"x":3,"y":""},{"x":5,"y":"a"})"},
      {"select arrayJoin([3, 1]) as x order by x desc with fill", R"({"x":3},{"x":2},{"x":1})"},
      {"select arrayJoin([1, 10]) as x order by x with fill from 3 to 6",
       R"({"x":1},{"x":3},{"x":4},{"x":5},{"x":10})"},
      {"select arrayJoin([1, 3]) as x order by x with fill limit 2", R"({"x":1},{"x":2})"},
      {"select arrayJoin([1, 3]) as x where x > 9 order by x with fill from 0 to 2", R"({"x":0},{"x":1})"},
      {"select arrayJoin([1, 3]) as x where x > 9 order by x with fill", ""},
      {"select toDate('2026-03-04') + x as t, x from (select arrayJoin([1, 3]) as x) order by t with fill",
       R"({"t":"2026-03-05","x":1},{"t":"2026-03-06","x":0},{"t":"2026-03-07","x":3})"},
      {"select toStartOfMinute(timestamp) t, count() n from logs group by t order by t with fill to "
       "toDateTime('2026-03-04 "
       "05:02:00') step interval 1 minute",
       R"({"t":"2026-03-04T05:00:00","n":2},{"t":"2026-03-04T05:01:00","n":0})"},
      {"select toDateTime64('2026-03-04 05:00:00', 3) + x as t from (select arrayJoin([1, 2]) as x) order by t with "
       "fill step "
       "interval 500 millisecond",
       R"({"t":"2026-03-04T05:00:01.000"},{"t":"2026-03-04T05:00:01.500"},{"t":"2026-03-04T05:00:02.000"})"}};
  for (const auto& [sql, expected] : cases) {
    CAPTURE(sql);
    CHECK(OtelAnswer(rows, sql) == expected);
  }
  const std::pair<const char*, const char*> refused[] = {
      {"select arrayJoin([1, 3]) as x order by x with fill step 0", "must be positive"},
      {"select arrayJoin([1, 3]) as x order by x with fill step -1", "must be positive"},
      {"select arrayJoin([1.5, 3]) as x order by x with fill", "WITH FILL of Float64 is not supported"},
      {"select id, timestamp from logs order by timestamp, id with fill", "only supported for one key"},
      {"select id from logs order by length(id) with fill", "only supported for one key"},
      {"select toDate(timestamp) d from logs order by d with fill step interval 1 month", "not supported for Date"},
      {"select length(id) n from logs order by n with fill from n", "must be a constant"},
      {"select length(id) n from logs order by n with fill from '1'", "has the type String"},
      {"select 1 as n order by n with fill from 1 to 100000000", ""}};
  for (const auto& [sql, message] : refused) {
    CAPTURE(sql);
    const std::string answer = OtelAnswer(rows, sql);
    INFO(answer);
    CHECK_FALSE(answer.starts_with("{"));
    CHECK(absl::StrContains(answer, message));
  }
}

TEST_CASE("NULL stays NULL in extract and IN, and types are those of what counts") {
  CheckExpressions({{"extract(nullIf('', ''), '[0-9]+')", "null", "Nullable(String)"},
                    {"extract(toNullable('a1'), '[0-9]+')", "\"1\"", "Nullable(String)"},
                    {"coalesce(toUInt8OrZero('5'), -1)", "5", "UInt8"},
                    {"coalesce(toUInt8OrNull('x'), -1)", "-1", "Int16"},
                    {"length('INFO') % -3", "4", "UInt8"},
                    {"toInt64(4) % -3", "1", "Int16"}});
  ServedRows rows(OnlyOtel());
  const std::string none = "(select length(id) from logs where id = '')";
  CHECK(OtelAnswer(rows, "select nullIf(1, 1) not in " + none + " as a, nullIf(1, 1) in " + none + " as b, 1 not in " +
                             none + " as c from logs limit 1") == R"({"a":null,"b":null,"c":1})");
  const std::string types =
      "select toTypeName(countArray(range(4))) as a, toTypeName(maxArray([toInt16OrNull('x')])) as b";
  CHECK(OtelAnswer(rows, types + " from logs") == "{\"a\":\"UInt64\",\"b\":\"Nullable(Int16)\"}");
}

}  // namespace
}  // namespace logquery
