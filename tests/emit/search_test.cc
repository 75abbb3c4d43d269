// CONTAINS_SUBSTR over values of every kind, and IN UNNEST of STRUCTs, evaluated on DuckDB.
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
         {"CONTAINS_SUBSTR(JSON '\"a\"', 'a')", "!CONTAINS_SUBSTR of JSON"}});
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

TEST_CASE("A STRUCT is in an array where one of its elements equals it, and may be where a field is NULL") {
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
