// JSON that queries look into, change and lay out, from the query's text to its value.
#include <catch2/catch_test_macros.hpp>

#include "tests/support/sql_runner.h"

namespace logquery::emit {
namespace {

using testing::SqlRunner;

struct Case {
  const char* expression;  // of type JSON or STRING
  const char* expected;    // nullptr: NULL
};

void CheckAll(const std::vector<Case>& cases) {
  SqlRunner runner;
  for (const Case& c : cases) {
    INFO(c.expression);
    const auto run = runner.Run(std::string("SELECT ") + c.expression);
    INFO(run.status());
    REQUIRE(run.ok());
    const Value& value = run->rows.at(0).at(0);
    CHECK(value.is_null() == (c.expected == nullptr));
    if (!value.is_null() && c.expected != nullptr) CHECK(value.string_value() == c.expected);
  }
}

void CheckError(const std::string& expression, std::string_view words) {
  SqlRunner runner;
  const auto run = runner.Run("SELECT " + expression);
  INFO(expression);
  REQUIRE_FALSE(run.ok());
  INFO(run.status());
  CHECK(run.status().ToString().find(words) != std::string::npos);
}

TEST_CASE("JSON_SET and JSON_REMOVE") {
  CheckAll({
      {R"(JSON_SET(JSON '{"a":1}', '$.a', 2))", R"({"a":2})"},
      {R"(JSON_SET(JSON '{"a":1}', '$.b', 'x', '$.c[1]', TRUE))", R"({"a":1,"b":"x","c":[null,true]})"},
      {R"(JSON_SET(JSON '{"a":1}', '$.b', 2, create_if_missing => FALSE))", R"({"a":1})"},
      {R"(JSON_SET(JSON '{"a":1}', '$.a.b', 2))", R"({"a":1})"},
      {R"(JSON_SET(JSON '{"a":null}', '$.a.b', [1, 2]))", R"({"a":{"b":[1,2]}})"},
      {R"(JSON_SET(JSON '{}', '$', NULL))", "null"},
      {R"(JSON_SET(CAST(NULL AS JSON), '$', 1))", nullptr},
      {R"(JSON_REMOVE(JSON '{"a":[1,2,3],"b":1}', '$.a[1]', '$.b', '$.x'))", R"({"a":[1,3]})"},
      {R"(JSON_REMOVE(JSON '{"a":1,"b":2}', '$.a', CAST(NULL AS STRING)))", R"({"b":2})"},
  });
  CheckError(R"(JSON_REMOVE(JSON '{}', '$'))", "would leave nothing");
  CheckError(R"(JSON_REMOVE(JSON '{}', NULL, 'x'))", "it begins with $");
  CheckError(R"(JSON_SET(JSON '[]', '$[999999999]', 1))", "at most 100000 elements");
  CheckError(R"(JSON_SET(JSON '[]', 'a', 1))", "it begins with $");
  CheckError(R"(JSON_SET(JSON '[]', '$', 1, create_if_missed => TRUE))", "no argument named create_if_missed");
}

TEST_CASE("JSON arrays grow in place") {
  CheckAll({
      {R"(JSON_ARRAY_APPEND(JSON '{"a":[10,null]}', '$.a', 'foo', '$.a', 20))", R"({"a":[10,null,"foo",20]})"},
      {R"(JSON_ARRAY_APPEND(JSON '{"a":[1]}', '$.a', [2, 3]))", R"({"a":[1,2,3]})"},
      {R"(JSON_ARRAY_APPEND(JSON '{"a":[1]}', '$.a', [2, 3], append_each_element => FALSE))", R"({"a":[1,[2,3]]})"},
      {R"(JSON_ARRAY_APPEND(JSON '{"a":1}', '$.a', 2))", R"({"a":1})"},
      {R"(JSON_ARRAY_INSERT(JSON '[1,2]', '$[1]', [8, 9]))", "[1,8,9,2]"},
      {R"(JSON_ARRAY_INSERT(JSON '[1]', '$[3]', 'x', insert_each_element => TRUE))", R"([1,null,null,"x"])"},
  });
}

TEST_CASE("JSON taken apart") {
  CheckAll({
      {R"(JSON_STRIP_NULLS(JSON '{"a":null,"b":[1,null],"c":{"d":null}}'))", R"({"b":[1],"c":{}})"},
      {R"(JSON_STRIP_NULLS(JSON '{"a":[null],"b":null}', include_arrays => FALSE))", R"({"a":[null]})"},
      {R"(JSON_STRIP_NULLS(JSON '{"a":[null],"c":{"d":null}}', remove_empty => TRUE))", "null"},
      {R"(TO_JSON_STRING(JSON_KEYS(JSON '{"a":{"b c":1},"d":[{"e":1}]}')))", R"(["a","a.\"b c\"","d"])"},
      {R"(TO_JSON_STRING(JSON_KEYS(JSON '[{"a":{"b":1}}]', 1, mode => 'lax')))", R"(["a"])"},
      {R"(TO_JSON_STRING(JSON_FLATTEN(JSON '[[[1,2],3],{"a":[4]}]')))", R"([1,2,3,{"a":[4]}])"},
      {R"(JSON_QUERY(JSON '{"a":[{"b":1},{"b":[2]}]}', 'lax $.a.b'))", "[1,[2]]"},
      {R"(JSON_VALUE('{"a":{"b":"x"}}', CONCAT('$.', 'a.', LOWER('B'))))", "x"},
      {R"(JSON_QUERY('no JSON', CONCAT('$', LOWER('.A'))))", nullptr},
  });
  CheckError(R"(TO_JSON_STRING(JSON_KEYS(JSON '{}', mode => 'loose')))", "mode is");
  CheckError(R"(JSON_QUERY(JSON '{}', 'recursive lax RECURSIVE $.a'))", "it begins with $");
  CheckError("STRING_AGG('a', NULL)", "must not be NULL");
}

TEST_CASE("numbers, layout and formats") {
  CheckAll({
      {R"(PARSE_JSON('[1, null, 2.5]'))", "[1,null,2.5]"},
      {R"(PARSE_JSON('{"b":1,"a":2,"b":3}'))", R"({"a":2,"b":1})"},
      {R"(TO_JSON_STRING(FLOAT64(PARSE_JSON('0.1000000000000000055', wide_number_mode => 'round'))))", "0.1"},
      {R"(TO_JSON(9007199254740993, stringify_wide_numbers => TRUE))", R"("9007199254740993")"},
      {R"(TO_JSON_STRING(STRUCT(1 AS a, JSON '[{}]' AS b), TRUE))", "{\n  \"a\": 1,\n  \"b\": [\n    {}\n  ]\n}"},
      {"CAST(b'abc' AS STRING FORMAT 'base8')", "30261143"},
      {"TO_HEX(CAST('30261143' AS BYTES FORMAT 'BASE8'))", "616263"},
      {"TO_HEX(SAFE_CAST('xyz' AS BYTES FORMAT 'HEX'))", nullptr},
      {"CAST(CAST('-1-2 -3 -4:5:6.789' AS INTERVAL) AS STRING)", "-1-2 -3 -4:5:6.789"},
      {"CAST(CAST('P1Y2M3DT4H5M6.789S' AS INTERVAL) AS STRING)", "1-2 3 4:5:6.789"},
      {"NET.IP_TO_STRING(NET.IP_FROM_STRING('::1'))", "::1"},
      {"NET.IP_TO_STRING(NET.SAFE_IP_FROM_STRING('1.2.3'))", nullptr},
      {"IF(b'a\\xFFb' LIKE b'a_b' AND NOT b'abc' LIKE b'%d', 'yes', 'no')", "yes"},
      {"ARRAY_TO_STRING(['a', NULL, 'c'], LOWER('-'), UPPER('x'))", "a-X-c"},
  });
  CheckError("CAST('P1X' AS INTERVAL)", "Invalid INTERVAL");
  CheckError("NET.IP_FROM_STRING('1.2.3')", "no IP address");
  CheckError("PARSE_JSON('1', wide_number_mode => 'some')", "wide_number_mode is");
  CheckError(std::string("PARSE_JSON(REPEAT('[', 600))"), "nested deeper");
}

}  // namespace
}  // namespace logquery::emit
