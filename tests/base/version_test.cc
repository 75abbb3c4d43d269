#include "logquery/version.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

namespace logquery {
namespace {

TEST_CASE("the library, its headers and the version's number agree") {
  CHECK(Version() == LOGQUERY_VERSION_STRING);
  const int number = LOGQUERY_VERSION_NUMBER;
  CHECK(Version() == std::to_string(number / 10'000) + "." + std::to_string(number / 100 % 100) + "." +
                         std::to_string(number % 100));
}

}  // namespace
}  // namespace logquery
