#include "lib/endpoint/call/query_shape.h"

#include <catch2/catch_test_macros.hpp>

namespace logquery::endpoint {
namespace {

TEST_CASE("the shape of a query leaves its constants out") {
  const std::string shape = SqlShape("select a, count(*) from t where b = 'x' and c > 1.5 group by a limit 10");
  CHECK(shape == "select a , count ( * ) from t where b = ? and c > ? group by a limit ? ");
  CHECK(SqlShape("SELECT a,count(*)FROM t -- x\n WHERE b=\"y\" and C>7 group by a limit 100") == shape);
  CHECK(SqlShape("select a, count(*) from t where b = 'x' and c < 1.5 group by a limit 10") != shape);
}

TEST_CASE("a list of constants has one shape, however long it is") {
  CHECK(SqlShape("select x in (1, 2, 3)") == SqlShape("select x in (4)"));
  CHECK(SqlShape("select f(1, x, 2)") != SqlShape("select f(1, 2)"));
}

TEST_CASE("text that is not SQL is its own shape") {
  CHECK(SqlShape("select 'x") == "select 'x");
  CHECK(SqlShape("") == "");
}

}  // namespace
}  // namespace logquery::endpoint
