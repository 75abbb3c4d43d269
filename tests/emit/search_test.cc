// CONTAINS_SUBSTR and SEARCH over values of every kind, and IN UNNEST of STRUCTs, evaluated on DuckDB.
#include <catch2/catch_test_macros.hpp>

#include "tests/support/sql_runner.h"

namespace logquery::testing {
namespace {

struct Case {
  const char* expression;
  const char* expected;  // as Value::DebugString() writes it; or a part of the error's message, after "!"
};

void Check(const std::vector<Case>& cases) {
  SqlRunner runner;
  for (const Case& each : cases) {
    INFO(each.expression);
    const std::string value = runner.Evaluate(each.expression);
    INFO(value);
    if (each.expected[0] != '!') {
      CHECK(value == each.expected);
    } else {
      CHECK(value.find(each.expected + 1) != std::string::npos);
    }
  }
}

TEST_CASE("CONTAINS_SUBSTR finds a text in any case") {
  Check({{"CONTAINS_SUBSTR('the blue house', 'Blue house')", "true"},
         {"CONTAINS_SUBSTR('the red house', 'blue')", "false"},
         {"CONTAINS_SUBSTR('a', '')", "true"},
         {"CONTAINS_SUBSTR(CAST(NULL AS STRING), 'a')", "NULL"},
         {"CONTAINS_SUBSTR('ÉCOLE', 'e\\u0301cole')", "true"},
         {"CONTAINS_SUBSTR('100%_', '%_')", "true"},
         {"CONTAINS_SUBSTR('a', NULL)", "NULL"},
         {"CONTAINS_SUBSTR(b'a', 'a')", "!can't search BYTES"},
         {"CONTAINS_SUBSTR('a', 'b', json_scope => 'KEYS')", "!CONTAINS_SUBSTR: json_scope is JSON_VALUES"}});
}

TEST_CASE("CONTAINS_SUBSTR finds a text in the keys and scalars of JSON") {
  Check({{"CONTAINS_SUBSTR(JSON '{\"lunch\": [\"Soup\", 125]}', 'soup')", "true"},
         {"CONTAINS_SUBSTR(JSON '{\"lunch\": [\"Soup\", 125]}', '25')", "true"},
         {"CONTAINS_SUBSTR(JSON '{\"lunch\": [\"Soup\", null]}', 'null')", "false"},
         {"CONTAINS_SUBSTR(JSON '{\"lunch\": \"\\\\u00c9cole\"}', 'école')", "true"},
         {"CONTAINS_SUBSTR(JSON '{\"lunch\": \"Soup\"}', 'lunch')", "false"},
         {"CONTAINS_SUBSTR(JSON '{\"lunch\": \"Soup\"}', 'LUNCH', json_scope => 'JSON_KEYS')", "true"},
         {"CONTAINS_SUBSTR(JSON '{\"lunch\": \"Soup\"}', 'soup', json_scope => 'JSON_KEYS')", "false"},
         {"CONTAINS_SUBSTR(JSON '{\"lunch\": \"Soup\"}', 'u', json_scope => 'JSON_KEYS_AND_VALUES')", "true"},
         {"CONTAINS_SUBSTR(JSON '{}', 'a')", "false"},
         {"CONTAINS_SUBSTR(CAST(NULL AS JSON), 'a')", "NULL"},
         {"CONTAINS_SUBSTR((1, JSON '[\"a\"]'), 'A')", "true"},
         {"(SELECT CONTAINS_SUBSTR(j, p) FROM (SELECT JSON '[\"Abc\"]' AS j, 'BC' AS p))", "true"}});
}

TEST_CASE("CONTAINS_SUBSTR finds a text in values of other types, in fields and in elements") {
  Check({{"CONTAINS_SUBSTR(2351, '35')", "true"},
         {"CONTAINS_SUBSTR(TIMESTAMP '2026-01-31 08:00:00+00', '01-31 08')", "true"},
         {"CONTAINS_SUBSTR(TRUE, 'RU')", "true"},
         {"CONTAINS_SUBSTR((23, 35, 41), '35')", "true"},
         {"CONTAINS_SUBSTR(('abc', ['def', 'ghi', 'jkl'], 'mno'), 'jk')", "true"},
         {"CONTAINS_SUBSTR((23, NULL, 41), '41')", "true"},
         {"CONTAINS_SUBSTR((23, NULL, 41), '35')", "NULL"},
         {"CONTAINS_SUBSTR(['a', 'b'], 'c')", "false"},
         {"CONTAINS_SUBSTR(['a', NULL], 'c')", "NULL"},
         {"CONTAINS_SUBSTR(CAST([] AS ARRAY<STRING>), 'c')", "false"},
         {"CONTAINS_SUBSTR(CAST(NULL AS ARRAY<STRING>), 'c')", "NULL"},
         {"CONTAINS_SUBSTR([STRUCT(['x'] AS a), STRUCT(['Yz'] AS a)], 'yZ')", "true"},
         {"(SELECT CONTAINS_SUBSTR(s, p) FROM (SELECT 'Abc' AS s, 'BC' AS p))", "true"},
         {"(SELECT CONTAINS_SUBSTR(t, 'bC') FROM (SELECT 'Abc' AS s, 1 AS p) AS t)", "true"}});
}

TEST_CASE("SEARCH looks for all terms in one text of a STRUCT, an ARRAY or JSON") {
  Check({{"SEARCH('foobar-example', CONCAT('Foo', 'bar'))", "true"},
         {"SEARCH('foobar-example', R'foobar\\&example')", "true"},
         {"SEARCH('foobar.example', '`foobar.\\`')", "false"},
         {"SEARCH(('GET /a', 1, 'error timeout'), 'timeout error')", "true"},
         {"SEARCH(('GET', 'error'), 'get error')", "false"},
         {"SEARCH(('GET', CAST(NULL AS STRING)), 'error')", "NULL"},
         {"SEARCH(('GET', CAST(NULL AS INT64)), 'error')", "false"},
         {"SEARCH([STRUCT(['x'] AS a), STRUCT(['y z'] AS a)], 'z y')", "true"},
         {"SEARCH(CAST([] AS ARRAY<STRING>), 'c')", "false"},
         {"SEARCH(CAST(NULL AS INT64), 'c')", "false"},
         {"(SELECT SEARCH(t, 'abc') FROM (SELECT 'Abc' AS s, 1 AS p) AS t)", "true"},
         {"(SELECT SEARCH(s, p) FROM (SELECT 'Abc' AS s, 'x OR abc' AS p))", "true"},
         {"SEARCH(JSON '{\"key\": [1, \"a \\\\u0042 c\"]}', 'b c')", "true"},
         {"SEARCH(JSON '{\"key\": [1, \"a\"]}', 'key')", "false"},
         {"SEARCH(JSON '{\"key\": [1, \"a\"]}', '1')", "false"},
         {"SEARCH(JSON '{\"key\" : \"a\"}', 'key', json_scope => 'JSON_KEYS')", "true"},
         {"SEARCH(JSON '{\"key\": \"a\"}', 'a', json_scope => 'JSON_KEYS')", "false"},
         {"SEARCH(JSON '{\"key\": \"a\"}', 'a', json_scope => 'JSON_KEYS_AND_VALUES')", "true"},
         {"SEARCH(CAST(NULL AS JSON), 'a')", "NULL"},
         {"SEARCH('Foo-bar', 'Foo-bar', analyzer => 'NO_OP_ANALYZER')", "true"},
         {"SEARCH('Foo-bar', 'Foo', analyzer => 'NO_OP_ANALYZER')", "false"},
         {"SAFE.SEARCH('a', '(')", "NULL"},
         {"SAFE.SEARCH('a b', 'b')", "true"}});
}

TEST_CASE("an invalid or unsupported call of SEARCH is an error") {
  Check({{"SEARCH('a', 'foo-bar')", "!the character - is reserved"},
         {"SEARCH('a', NULL)", "!SEARCH: the search query is NULL"},
         {"SEARCH('a', '')", "!there is no word to search for"},
         {"SEARCH('a', 'b', json_scope => 'KEYS')", "!JSON_KEYS_AND_VALUES, not 'KEYS'"},
         {"SEARCH('a', 'b', analyzer => 'PATTERN_ANALYZER')", "!LOG_ANALYZER and NO_OP_ANALYZER are supported"},
         {"SEARCH('a', 'b', analyzer_options => '{}')", "!SEARCH with analyzer_options"},
         {"SEARCH('a', 'b', analyser => 'LOG_ANALYZER')", "!SEARCH has no argument named analyser"}});
}

TEST_CASE("IN over STRUCTs is true for an equal element, and NULL where a field is NULL") {
  Check({{"(1, 2) IN UNNEST([(1, 2)])", "true"},
         {"(1, 3) IN UNNEST([(1, 2)])", "false"},
         {"(1, CAST(NULL AS INT64)) IN UNNEST([(1, 2)])", "NULL"},
         {"(1, CAST(NULL AS INT64)) IN UNNEST([(2, 2)])", "false"},
         {"(1, 2) IN UNNEST([(1, CAST(NULL AS INT64)), (1, 2)])", "true"},
         {"(1, 2) IN UNNEST(ARRAY<STRUCT<INT64, INT64>>[])", "false"},
         {"(1, 2) IN UNNEST(CAST(NULL AS ARRAY<STRUCT<INT64, INT64>>))", "false"}});
}

}  // namespace
}  // namespace logquery::testing
