#include "logquery/prepared_query.h"

#include <catch2/catch_test_macros.hpp>

namespace logquery {
namespace {

TEST_CASE("a prepared query hands out its parts") {
  PreparedQuery::Parts parts;
  parts.googlesql = "SELECT @project";
  parts.dialect_text = "SELECT $1";
  parts.slots = {{"project", Type::String()}};
  const PreparedQuery query(parts);
  CHECK(query.googlesql() == "SELECT @project");
  CHECK(query.dialect_text() == "SELECT $1");
  CHECK(query.slots().front().name == "project");
  CHECK_FALSE(query.top_n_by_time().has_value());
}

TEST_CASE("dialects have names") {
  CHECK(DialectName(Dialect::kGoogleSql) == "googlesql");
  CHECK(DialectName(Dialect::kDuckDb) == "duckdb");
  CHECK(DialectName(Dialect::kBigQuery) == "bigquery");
}

}  // namespace
}  // namespace logquery
