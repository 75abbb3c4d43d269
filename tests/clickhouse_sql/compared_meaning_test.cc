// Kinds of expressions and queries that 12,000 queries of tests/clickhouse_oracle showed to have another meaning than ours, each
// with the answer of ClickHouse's own engine.
#include <catch2/catch_all.hpp>
#include <string>

#include "absl/strings/match.h"
#include "tests/clickhouse_sql/otel_answers.h"

namespace logquery {
namespace {

TEST_CASE("a conversion of a constant text is compared in WHERE, IN, UNION and joins") {
  CheckQueries({
      {"select count() n from logs where toInt8OrZero('WARNING') not in (200, -1)", R"({"n":2})"},
      {"select count() n from logs where toInt8OrZero('WARNING') = 0", R"({"n":2})"},
      {"select count() n from logs where toFloat64OrZero('x') = 0", R"({"n":2})"},
      {"select count() n from logs where JSONExtractInt('1', 's') in (-1, 65536)", R"({"n":0})"},
      {"select count() n from logs where not (toInt8OrZero('WARNING') = 7)", R"({"n":2})"},
      {"select count() n from logs where [3, 1, 2][9] = 0 and project = 'abc'", R"({"n":2})"},
      {"(select id from logs where toInt32OrZero('a') = 256) union all (select id from logs where toInt32OrZero('a') = "
       "0 order by id limit 1)",
       R"({"id":"id0"})"},
      {"select id from logs where id in (select id from logs where toUInt16OrZero('ab') < 1) order by id limit 1",
       R"({"id":"id0"})"},
      {"select a.n + b.n as n from (select source k, count() n from logs where toInt16OrZero('x') = 0 group by k) a "
       "join (select source k, count() n from logs where toInt16OrZero('x') != 1 group by k) b using (k)",
       R"({"n":4})"},
  });
}

TEST_CASE("least and greatest of a UInt64 and a signed integer have ClickHouse's types") {
  CheckExpressions({{"least(length('abc'), -1)", "-1", "Int128"},
                    {"greatest(length('abc'), toInt16(7))", "7", "Int128"},
                    {"least(length('abc'), toInt64(-5))", "-5", "Int64"},
                    {"greatest(length('abc'), toInt64(-5))", "3", "UInt64"},
                    {"greatest(toInt64(-5), length('abc'))", "3", "UInt64"},
                    {"least(toUInt32(1), toInt8(-1))", "-1", "Int64"},
                    {"bitXor(least(-1, length('a')), 256)", "-257", "Int128"},
                    {"-1 - greatest(toInt8(1), length('abc'))", "-4", "Int128"},
                    {"least(-1, length('a')) % 3", "-1", "Int16"},
                    {"intDiv(least(-7, length('a')), 2)", "-3", "Int128"},
                    {"abs(toInt64(least(-7, length('a'))))", "7", "UInt64"},
                    {"round(least(-17, length('a')), -1)", "-20", "Int128"},
                    {"[toInt8(1), least(-1, length('a'))]", "[1,-1]", "Array(Int128)"}});
  CheckQueries(
      {{"select sum(least(length(id), -1)) as x, toTypeName(x) as t, toTypeName(max(least(length(id), -1))) u "
        "from logs",
        R"({"x":-2,"t":"Int128","u":"Int128"})"}});
}

TEST_CASE("integers of different signs have ClickHouse's rests") {
  CheckExpressions({{"65536 % -3", "0", "UInt8"},
                    {"toUInt32(7) % toInt8(-3)", "7", "UInt8"},
                    {"toUInt16(7) % toInt8(-3)", "1", "UInt8"},
                    {"toUInt32(7) % toInt64(-3)", "1", "UInt64"},
                    {"toInt8(-7) % toUInt32(3)", "0", "Int64"},
                    {"toInt64(-7) % toUInt32(3)", "-1", "Int64"},
                    {"toInt64(-7) % toUInt64(3)", "0", "Int64"},
                    {"toInt8(-7) % toUInt16(3)", "-1", "Int32"},
                    {"toInt32(-5) % toUInt32(4000000000)", "294967291", "Int64"},
                    {"moduloOrZero(toUInt32(7), toInt8(0))", "0", "UInt8"}});
  ServedRows rows(OnlyOtel());
  CHECK(absl::StrContains(OtelAnswer(rows, "select toUInt32(7) % toInt8(0) as x"), "division by zero"));
  CHECK(
      absl::StrContains(OtelAnswer(rows, "select toInt64(-1) % toUInt64(9223372036854775807) + 1 as x"), "{\"x\":2}"));
}

TEST_CASE("the least integer of a type is its own negation") {
  CheckExpressions({{"negate(toInt32(-2147483648))", "-2147483648", "Int32"},
                    {"-(toInt8(-128))", "-128", "Int8"},
                    {"negate(toInt8(-127))", "127", "Int8"},
                    {"negate(toUInt8(200))", "-200", "Int16"},
                    {"abs(toInt8(-128))", "128", "UInt8"}});
}

TEST_CASE("integers are rounded within their type") {
  CheckExpressions({{"round(toInt8(-50), -2)", "100", "Int8"},
                    {"round(toInt8(127), -2)", "100", "Int8"},
                    {"round(toInt16(32767), -4)", "30000", "Int16"},
                    {"round(toInt8(-128), -2)", "0", "Int8"},
                    {"round(toInt16(-50), -2)", "-100", "Int16"},
                    {"round(toUInt8(250), -2)", "44", "UInt8"},
                    {"round(toUInt8(255), -3)", "0", "UInt8"},
                    {"round(toInt32(2147483647), -9)", "-1000000000", "Int32"},
                    {"round(toInt32(2147483647), -10)", "0", "Int32"},
                    {"round(toInt64(9223372036854775807), -18)", "-8000000000000000000", "Int64"},
                    {"floor(toInt8(-101), -2)", "0", "Int8"},
                    {"ceil(toInt8(120), -2)", "0", "Int8"},
                    {"trunc(toInt8(-101), -2)", "-100", "Int8"},
                    {"round(length('abcdefghijklmno'), -1)", "20", "UInt64"}});
  ServedRows rows(OnlyOtel());
  CHECK(absl::StrContains(OtelAnswer(rows, "select round(toUInt64(9223372036854775807), -1) as x"), "does not fit"));
}

TEST_CASE("conversions with a default keep NULL") {
  CheckExpressions({{"toInt32OrZero(nullIf('5', '5'))", "null", "Nullable(Int32)"},
                    {"toInt32OrZero(toNullable('x'))", "0", "Nullable(Int32)"},
                    {"toFloat64OrZero(nullIf('5', '5'))", "null", "Nullable(Float64)"},
                    {"toInt32OrDefault(nullIf('5', '5'))", "0", "Int32"},
                    {"parseDateTime64BestEffortOrZero(nullIf('5', '5'), 3)", "null", "Nullable(DateTime64(3))"},
                    {"if(toInt32OrZero(nullIf('5', '5')) not in (1, 2), 'in', 'null')", "\"null\"", "String"}});
}

TEST_CASE("JSON functions of NULL give NULL, and lists of NULL are those of an empty text") {
  CheckExpressions({{"JSONExtractString(nullIf('a', 'a'), 'x')", "null", "Nullable(String)"},
                    {"JSONExtractString(toNullable('a'), 'x')", "\"\"", "Nullable(String)"},
                    {"JSONExtractInt(nullIf('a', 'a'), 'x')", "null", "Nullable(Int64)"},
                    {"JSONHas(nullIf('a', 'a'), 'x')", "null", "Nullable(UInt8)"},
                    {"JSONLength(nullIf('a', 'a'))", "null", "Nullable(UInt64)"},
                    {"countMatches(nullIf('a', 'a'), 'a')", "null", "Nullable(UInt64)"},
                    {"splitByString('a', nullIf('x', 'x'))", "[\"\"]", "Array(String)"},
                    {"splitByChar('a', nullIf('x', 'x'))", "[\"\"]", "Array(String)"},
                    {"splitByString('a', '')", "[\"\"]", "Array(String)"},
                    {"extractAll(nullIf('a', 'a'), 'a')", "[]", "Array(String)"}});
}

TEST_CASE("members of JSON objects have the order of the text") {
  CheckExpressions(
      {{R"(JSONExtractKeys('{"n": 12, "s": "x", "l": 1, "f": 1.5}'))", R"(["n","s","l","f"])", "Array(String)"},
       {R"(JSONExtractKeys('{"n": 12, "n": 1}'))", R"(["n","n"])", "Array(String)"},
       {R"(JSONLength('{"n": 12, "n": 1}'))", "2", "UInt64"},
       {R"(JSONExtractInt('{"n": 12, "n": 1}', 'n'))", "12", "Int64"},
       {R"(JSONExtractInt('{"b": 12, "a": 1}', 1))", "12", "Int64"},
       {R"(JSONExtractString('{"b": 12, "a": "x"}', -1))", "\"x\"", "String"},
       {R"(JSONExtractRaw('{"a":{"b": 12, "a": 1}}', 'a'))", R"("{\"b\":12,\"a\":1}")", "String"},
       {R"(JSONExtractArrayRaw('[{"b":1,"a":2}]'))", R"(["{\"b\":1,\"a\":2}"])", "Array(String)"}});
}

TEST_CASE("functions that give the lists of a JSON text take no Nullable") {
  ServedRows rows(OnlyOtel());
  for (const char* call : {"JSONExtractKeys(toNullable('{}'))", "JSONExtractArrayRaw(nullIf('a', 'a'))",
                           "JSONExtractKeys('{}', toNullable('a'))"}) {
    CAPTURE(call);
    CHECK(absl::StrContains(OtelAnswer(rows, base::StrCat("select ", call, " as x")), "takes no Nullable"));
  }
  CheckExpressions({{"JSONExtractKeys(ifNull(toNullable('{\"a\":1}'), ''))", R"(["a"])", "Array(String)"}});
}

TEST_CASE("arraySlice counts positions before the first one") {
  CheckExpressions({{"arraySlice([7], -2, 1)", "[]", "Array(UInt8)"},
                    {"arraySlice([7], -2)", "[7]", "Array(UInt8)"},
                    {"arraySlice([1, 2, 3], -5, 3)", "[1]", "Array(UInt8)"},
                    {"arraySlice([1, 2, 3], -5, 10)", "[1,2,3]", "Array(UInt8)"},
                    {"arraySlice([1, 2, 3], -2, 1)", "[2]", "Array(UInt8)"},
                    {"arraySlice([1, 2, 3], 2, -1)", "[2]", "Array(UInt8)"},
                    {"arraySlice([1, 2, 3], -5, -1)", "[1,2]", "Array(UInt8)"},
                    {"arraySlice([1, 2, 3], 9223372036854775807, 9223372036854775807)", "[]", "Array(UInt8)"}});
}

TEST_CASE("a host has a dot, and a text with spaces is no URL") {
  CheckExpressions({{"domain('WARNING: 42 rows')", "\"\"", "String"},
                    {"domain('100% of 12.5')", "\"\"", "String"},
                    {"domain('//a')", "\"\"", "String"},
                    {"domain('a.b:80')", "\"a.b\"", "String"},
                    {"domain('user@a.b')", "\"a.b\"", "String"},
                    {"domain('http://user:pw@a.b/x')", "\"\"", "String"},
                    {"domain('svn+ssh://a.b')", "\"a.b\"", "String"},
                    {"domain('a.b?x')", "\"a.b\"", "String"},
                    {"domain('a.b,c')", "\"a.b,c\"", "String"},
                    {"domain('a.')", "\"\"", "String"},
                    {"domain('')", "\"\"", "String"},
                    {"domainWithoutWWW('https://www.abc.example:8080/x')", "\"abc.example\"", "String"}});
}

TEST_CASE("parsed times have no more digits than their type") {
  CheckExpressions({{"parseDateTime64BestEffortOrNull('2026-03-02 00:00:01.309971', 3)", "\"2026-03-02T00:00:01.309\"",
                     "Nullable(DateTime64(3))"},
                    {"toDateTime64(parseDateTime64BestEffortOrNull('2026-03-02 00:00:01.309971', 3), 6)",
                     "\"2026-03-02T00:00:01.309000\"", "Nullable(DateTime64(6))"},
                    {"toDateTime64(parseDateTime64BestEffortOrZero('2026-03-02 00:00:01.309971', 1), 6)",
                     "\"2026-03-02T00:00:01.300000\"", "DateTime64(6)"}});
}

TEST_CASE("the first week of 1970 begins with it") {
  CheckExpressions({{"toMonday(toDateTime64(0, 3))", "\"1970-01-01\"", "Date"},
                    {"toStartOfWeek(toDate(0))", "\"1970-01-01\"", "Date"},
                    {"toMonday(toDateTime64('1969-06-04 00:00:00', 3))", "\"1970-01-01\"", "Date"},
                    {"toStartOfInterval(toDateTime(0), interval 2 week)", "\"1970-01-01\"", "Date"},
                    {"toStartOfInterval(toDateTime64(0, 9), interval 2 week)", "\"2149-05-28\"", "Date"},
                    {"toMonday(toDate('2026-03-04'))", "\"2026-03-02\"", "Date"}});
}

TEST_CASE("combinators of aggregates have ClickHouse's defaults") {
  const std::string three = " from (select arrayJoin([0, 1, 2]) as x)";
  const std::string none = " from (select 1 as x where 0)";
  ServedRows rows(OnlyOtel());
  const auto check = [&](const std::string& sql, const char* expected) {
    CAPTURE(sql);
    CHECK(OtelAnswer(rows, "select " + sql) == expected);
  };
  // -OrNull behind -If looks at the rows before the filter, and before it at those after.
  check("uniqExactIfOrNull(x, x > 9) a, uniqExactOrNullIf(x, x > 9) b, countIfOrNull(x > 9) c, countOrNullIf(x > 9) d" +
            three,
        R"({"a":0,"b":null,"c":0,"d":null})");
  check("uniqIfOrNull(x, 1) a, countIfOrNull(1) b" + none, R"({"a":null,"b":null})");
  check("uniqExactIfOrNull(x, 1) a from (select nullIf(1, 1) as x)", R"({"a":null})");
  check("uniqExactIfOrNull(x, nullIf(x > 9, 0)) a, uniqExactIfOrNull(x, toNullable(x > 9)) b" + three,
        R"({"a":null,"b":0})");
  check("sumIfOrNull(x, x > 9) a, minIfOrNull(x, x > 9) b" + three, R"({"a":null,"b":null})");
  check("avgOrDefault(x) a, stddevPopOrDefault(x) b, avgIfOrDefault(x, 1) c, medianOrDefault(x) d, avg(x) e" + none,
        R"({"a":0.0,"b":0.0,"c":0.0,"d":0.0,"e":null})");
  check("avgOrDefaultIf(x, x > 9) a, avgIfOrDefault(x, x > 9) b" + three, R"({"a":0.0,"b":null})");
  check("argMax(x, y) a, toTypeName(argMax(x, y)) t from (select toDate(0) as x, toNullable(1) as y where 0)",
        R"x({"a":null,"t":"Nullable(Date)"})x");
}

TEST_CASE("a condition that is a key of GROUP BY is found in HAVING and ORDER BY") {
  ServedRows rows(OnlyOtel());
  const auto check = [&](const std::string& sql, const char* expected) {
    CAPTURE(sql);
    CHECK(OtelAnswer(rows, "select " + sql) == expected);
  };
  const std::string from = " from (select arrayJoin([1, 2, 3]) as x, nullIf(x, 3) as y) ";
  check("(x > 1) as c, count() as n" + from + "group by c having c", R"({"c":1,"n":2})");
  check("(x > 1) as c, count() as n" + from + "group by 1 having not c", R"({"c":0,"n":1})");
  check("(y > 1 and 1) as c, count() as n" + from + "group by c having c is not null order by c desc limit 1",
        R"({"c":1,"n":1})");
  check("count() as n" + from + "group by (y > 1) having (y > 1) is null", R"({"n":1})");
  check("if(x > 1, 'many', 'one') as t, count() as n" + from + "group by x > 1 order by not (x > 1) limit 1",
        R"({"t":"many","n":2})");
}

TEST_CASE("arithmetic with constants applies to the least and greatest value of no rows, too") {
  const std::string none = " from (select toDateTime(9) as d, toDate(9) as e, length('a') as x, 1.5 as f where 0)";
  ServedRows rows(OnlyOtel());
  const auto check = [&](const std::string& sql, const char* expected) {
    CAPTURE(sql);
    CHECK(OtelAnswer(rows, "select " + sql + none) == expected);
  };
  check("max(d + 3600) a, min(d - 60) b, max(d + interval 1 day) c, max(e + 1) g",
        R"({"a":"1970-01-01T01:00:00","b":"2106-02-07T06:27:16","c":"1970-01-02T00:00:00","g":"1970-01-02"})");
  check("max(x + 3600) a, min(3 - x) b, max((x + 1) + 2) c, max(f + 1.5) g", R"({"a":3600,"b":3,"c":3,"g":1.5})");
  // Elsewhere the default is that of the sum.
  check("maxIf(x + 1, 1) a, maxOrNull(x + 1) b, maxOrDefault(x + 1) c, sum(x + 1) s, any(x + 1) g, max(x + x) h",
        R"({"a":0,"b":null,"c":0,"s":0,"g":0,"h":0})");
  check("max(toNullable(x) + 1) a, max(x * 2) b", R"({"a":null,"b":0})");
  // A constant may be computed, and be NULL in other cases.
  check(
      "max(x - length('/')) a, min(x + (2 > 1)) b, max(x + (1 + 2)) c, max(x + (select 4)) g, max(x + x + length('/')) "
      "h",
      R"({"a":-1,"b":1,"c":3,"g":4,"h":1})");
  check("max(x + toNullable(1)) a, max(x + null) b, maxOrNull(x + toNullable(1)) c, maxOrDefault(x + toNullable(1)) g",
        R"({"a":1,"b":null,"c":null,"g":null})");
  check(
      "max((x + 3) * 2) a, max((x + 3) * -2) b, min((x + 3) / 2) c, max(3 / (x + 1)) g, max(x / 0) h, max(2 * (x + 3) "
      "- 1) i",
      R"({"a":6,"b":-6,"c":1.5,"g":0.0,"h":null,"i":5})");
}

}  // namespace
}  // namespace logquery
