#include "tests/conformance/answerer.h"

#include <catch2/catch_all.hpp>

namespace logquery::conformance {
namespace {

TEST_CASE("a request is answered with typed rows, and leaves nothing behind") {
  absl::StatusOr<std::unique_ptr<Answerer>> answerer = Answerer::Open();
  REQUIRE(answerer.ok());
  CHECK((*answerer)->Answer(R"({"id":"1","sql":"SELECT a + @p AS s, b FROM t ORDER BY a",)"
                            R"("tables":[{"name":"T","columns":[["a","INT64"],["b","ARRAY<STRING>"]],)"
                            R"("rows":[[1,["x"]],[null,null]]}],"params":[["p","INT64",3]],"time_zone":"UTC"})") ==
        R"({"id":"1","columns":[["s","INT64"],["b","ARRAY<STRING>"]],"rows":[[null,null],[4,["x"]]]})");
  const std::string gone = (*answerer)->Answer(R"({"id":"2","sql":"SELECT 1 FROM T","tables":[],"params":[]})");
  CHECK_THAT(gone, Catch::Matchers::ContainsSubstring("unknown table"));
}

TEST_CASE("the request's zone is the query's default zone") {
  absl::StatusOr<std::unique_ptr<Answerer>> answerer = Answerer::Open();
  REQUIRE(answerer.ok());
  const std::string sql =
      GENERATE("TIMESTAMP '1970-01-01 00:00:00'", "CAST('1970-01-01' AS TIMESTAMP)", "TIMESTAMP('1970-01-01')",
               "TIMESTAMP(DATE '1970-01-01')", "PARSE_TIMESTAMP('%Y-%m-%d', '1970-01-01')",
               "TIMESTAMP_TRUNC(TIMESTAMP '1970-01-01 12:00:00', DAY)",
               "IF(TRUE, DATETIME '1970-01-01 00:00:00', TIMESTAMP '2000-01-01')");
  INFO(sql);
  CHECK((*answerer)->Answer(R"({"id":"1","sql":"SELECT )" + sql + R"( AS t","time_zone":"America/Los_Angeles"})") ==
        R"({"id":"1","columns":[["t","TIMESTAMP"]],"rows":[[28800000000]]})");
}

TEST_CASE("a timestamp becomes text in the request's time zone") {
  absl::StatusOr<std::unique_ptr<Answerer>> answerer = Answerer::Open();
  REQUIRE(answerer.ok());
  const std::string timestamp = "TIMESTAMP '2026-01-02 03:04:05.678+00'";
  const std::string sql =
      GENERATE_REF(as<std::string>(), "CAST(" + timestamp + " AS STRING)", "STRING(" + timestamp + ")",
                   "CONCAT(" + timestamp + ")", "ARRAY_TO_STRING([STRING(" + timestamp + ")], '')");
  INFO(sql);
  CHECK((*answerer)->Answer(R"({"id":"1","sql":"SELECT )" + sql + R"( AS t","time_zone":"America/Los_Angeles"})") ==
        R"({"id":"1","columns":[["t","STRING"]],"rows":[["2026-01-01 19:04:05.678-08"]]})");
}

TEST_CASE("an invalid request is answered with an error") {
  absl::StatusOr<std::unique_ptr<Answerer>> answerer = Answerer::Open();
  REQUIRE(answerer.ok());
  const std::string line =
      GENERATE("", "[]", "{", R"({"id":"1"})", R"({"id":"1","sql":1})", R"({"id":"1","sql":"SELECT","tables":[{}]})",
               R"({"id":"1","sql":"SELECT 1","tables":[{"name":"t","columns":[["a","INT64"]],"rows":[[1,2]]}]})");
  INFO(line);
  CHECK_THAT((*answerer)->Answer(line), Catch::Matchers::ContainsSubstring(R"("error":)"));
}

}  // namespace
}  // namespace logquery::conformance
