// Answers to the two forms of a query: what counts as equal, and how the first difference is told.
#include "lib/tools/rewrite_sql/compare_forms.h"

#include <catch2/catch_all.hpp>
#include <string>

namespace logquery::tools {
namespace {

std::string Difference(const std::string& bigquery, const std::string& clickhouse, const Schema& schema,
                       const std::string& sql = "select 1", bool named = true) {
  Schema other = schema;
  return FormDifference({bigquery, schema}, {clickhouse, other}, {endpoint::OrderOf(sql), named});
}

const Schema kCounts = {{"path", Type::String()}, {"n", Type::Int64()}};
constexpr char kTwo[] = R"({"result":[{"path":"/a","n":2},{"path":"/b","n":1}]})";

TEST_CASE("equal rows of the two forms have no difference, in any order without ORDER BY") {
  CHECK(Difference(kTwo, kTwo, kCounts).empty());
  CHECK(Difference(kTwo, R"({"result":[{"path":"/b","n":1},{"path":"/a","n":2}]})", kCounts).empty());
  CHECK(Difference(R"({"result":[]})", R"({"result":[]})", kCounts).empty());
}

TEST_CASE("values that the two languages write differently are equal by their type") {
  const Schema schema = {{"at", Type::Timestamp()},
                         {"yes", Type::Bool()},
                         {"share", Type::Float64()},
                         {"list", Type::Array(Type::Bool())},
                         {"record", Type::Struct({{"at", Type::Timestamp()}, {"n", Type::Int64()}})}};
  CHECK(Difference(
            R"({"result":[{"at":1772600767123456,"yes":true,"share":"NaN","list":[true],"record":{"at":0,"n":1}}]})",
            R"({"result":[{"at":"2026-03-04T05:06:07.123456","yes":1,"share":null,"list":[1],)"
            R"("record":{"at":"1970-01-01T00:00:00.000000","n":1}}]})",
            schema)
            .empty());
  // The text of a time in a column of texts is a text.
  const Schema text = {{"at", Type::String()}};
  CHECK_FALSE(
      Difference(R"({"result":[{"at":1772600767123456}]})", R"({"result":[{"at":"2026-03-04T05:06:07.123456"}]})", text)
          .empty());
  CHECK(
      Difference(R"({"result":[{"share":1.0}]})", R"({"result":[{"share":1}]})", {{"share", Type::Float64()}}).empty());
}

TEST_CASE("the first difference is told with row and column") {
  CHECK(Difference(kTwo, R"({"result":[{"path":"/b","n":7},{"path":"/a","n":2}]})", kCounts) ==
        "row 2, column n: 1 in BigQuery SQL, 7 in ClickHouse SQL");
  CHECK(Difference(kTwo, R"({"result":[{"path":"/a","n":2}]})", kCounts) ==
        "2 rows in BigQuery SQL, 1 in ClickHouse SQL; row 2 in BigQuery SQL (path: \"/b\", n: 1) is not in the answer "
        "in ClickHouse SQL");
  CHECK(Difference(R"({"result":[]})", kTwo, kCounts) ==
        "0 rows in BigQuery SQL, 2 in ClickHouse SQL; row 1 in ClickHouse SQL (path: \"/a\", n: 2) is not in the "
        "answer in BigQuery SQL");
  CHECK(Difference("an error", kTwo, kCounts) == "there are no rows in the answer in BigQuery SQL");
}

TEST_CASE("FLOAT64s are compared exactly") {
  const Schema schema = {{"x", Type::Float64()}};
  CHECK(Difference(R"({"result":[{"x":0.3}]})", R"({"result":[{"x":0.30000000000000004}]})", schema) ==
        "row 1, column x: 0.3 in BigQuery SQL, 0.30000000000000004 in ClickHouse SQL");
}

TEST_CASE("the order of rows counts as far as ORDER BY determines it") {
  const std::string turned = R"({"result":[{"path":"/b","n":1},{"path":"/a","n":2}]})";
  CHECK(Difference(kTwo, turned, kCounts, "select path, n from edge_logs order by n desc") ==
        "row 1, column path: \"/a\" in BigQuery SQL, \"/b\" in ClickHouse SQL");
  const std::string tie = R"({"result":[{"path":"/a","n":1},{"path":"/b","n":1}]})";
  const std::string tie_turned = R"({"result":[{"path":"/b","n":1},{"path":"/a","n":1}]})";
  CHECK(Difference(tie, tie_turned, kCounts, "select path, n from edge_logs order by n").empty());
  CHECK_FALSE(Difference(tie, tie_turned, kCounts, "select path, n from edge_logs order by n, 1").empty());
}

TEST_CASE("the names of columns count if they are asked for") {
  const Schema renamed = {{"path", Type::String()}, {"count", Type::Int64()}};
  const std::string other = R"({"result":[{"path":"/a","count":2},{"path":"/b","count":1}]})";
  const auto difference = [&](bool named) {
    return FormDifference({kTwo, kCounts}, {other, renamed}, {.order = {}, .named = named});
  };
  CHECK(difference(true) == "column 2 is named n in BigQuery SQL, count in ClickHouse SQL");
  CHECK(difference(false).empty());
  const Schema one = {{"path", Type::String()}};
  CHECK(FormDifference({kTwo, kCounts}, {R"({"result":[{"path":"/a"}]})", one}, {}) ==
        "2 columns in BigQuery SQL, 1 in ClickHouse SQL");
}

}  // namespace
}  // namespace logquery::tools
