// The engine's words about values become GoogleSQL's; our own stay as they are.
#include <catch2/catch_test_macros.hpp>

#include "lib/engines/duckdb/backend/error_words.h"

namespace logquery::duckdb {
namespace {

TEST_CASE("the engine's message is replaced by our own, with the value and GoogleSQL's type") {
  CHECK(InGoogleSqlWords("Could not convert string 'x' to INT64") == "Bad INT64 value: \"x\"");
  CHECK(InGoogleSqlWords("Could not convert string \"1e999\" to DECIMAL(38,9)") == "Bad NUMERIC value: \"1e999\"");
  CHECK(InGoogleSqlWords("Overflow in addition of INT64 (1 + 9223372036854775807)!") ==
        "INT64 overflow: 1 + 9223372036854775807 is out of range");
}

TEST_CASE("each form of message that the engine has") {
  struct Case {
    const char* engine;
    const char* ours;
  };
  const Case cases[] = {
      {"Type DOUBLE with value -inf can't be cast because the value is out of range for the destination type INT64",
       "the value -inf is out of range of INT64"},
      {"Casting value \"1000\" to type DECIMAL(38,9) failed: value is out of range!",
       "the value 1000 is out of range of NUMERIC"},
      {"Could not cast value nan to DECIMAL(38,9)", "the value nan is out of range of NUMERIC"},
      {"Overflow in multiplication of DECIMAL(38) (2 * 9). You might want to add an explicit cast to a decimal.",
       "NUMERIC overflow: the result has more than 29 digits before the point"},
      {"Overflow in HUGEINT addition: 9 + 9", "NUMERIC overflow: the result has more than 29 digits before the point"},
      {"date field value out of range: \"2026-02-30\"",
       "Invalid date: \"2026-02-30\"; there is no such day or time of day"},
      {"invalid timestamp field format: \"x\", expected format is (YYYY-MM-DD HH:MM:SS[.US][±HH[:MM[:SS]]| ZONE])",
       "Invalid timestamp: \"x\"; there is no such day or time of day"},
      {"Could not parse string \"1970 a\" according to format specifier \"%Y \"b\"\"\n1970 a\n     ^\nError: Literal",
       "\"a\" does not match the format \"\"b\"\", or one of its parts is out of range"},
      {"More than one row returned by a subquery used as an expression.\n\nUse \"SET scalar_subquery=false\"",
       "a scalar subquery gave more than one row: it may give at most one"},
      {"cannot take logarithm of zero", "the logarithm of 0 is undefined; LN, LOG and LOG10 take numbers above 0"},
      {"cannot take logarithm of a negative number",
       "the logarithm of a negative number is undefined; LN, LOG and LOG10 take numbers above 0"},
      {"cannot take square root of a negative number",
       "the square root of a negative number is undefined; SQRT takes 0 and above"},
      {"ACOS is undefined outside [-1,1]", "ACOS is undefined outside of [-1,1]"},
      {"VARSAMP is out of range!", "FLOAT64 overflow: a statistic is out of range"},
      {"STDDEV_POP for X is out of range!", "FLOAT64 overflow: a statistic is out of range"},
      {"a BIGINT[] and DECIMAL(18,3) beside \"VARCHAR\"", "a INT64[] and NUMERIC beside \"VARCHAR\""},
      {"LEFT: the second argument is negative", "LEFT: the second argument is negative"},
      {"Bad BOOL value: \"BIGINT\"; a BOOL is true or false", "Bad BOOL value: \"BIGINT\"; a BOOL is true or false"},
  };
  for (const Case& each : cases) {
    CAPTURE(each.engine);
    CHECK(InGoogleSqlWords(each.engine) == each.ours);
  }
}

}  // namespace
}  // namespace logquery::duckdb
