// Principals by themselves, without a token file.
#include "logquery/authenticator.h"

#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "tests/endpoint/token_file_test_util.h"

namespace logquery::token_file_tests {
namespace {

TEST_CASE("a principal may call the endpoints that it lists by name or id, and all if it lists none") {
  const Principal all;
  CHECK(all.MayCall("logs.all", "x"));
  Principal some;
  some.endpoints = {"logs.all", "B0A9A6E8-6a0e-4a63-9f0b-6d4c4a1f8f11"};
  CHECK(some.MayCall("logs.all", "-"));
  CHECK(some.MayCall("other", "b0a9a6e8-6A0E-4a63-9f0b-6d4c4a1f8f11"));
  CHECK_FALSE(some.MayCall("Logs.All", "-"));
  some.endpoints = std::vector<std::string>();
  CHECK_FALSE(some.MayCall("logs.all", "-"));
}

TEST_CASE("AllowAll accepts every caller") {
  const auto principal = AllowAll()->Authenticate("");
  REQUIRE(principal.ok());
  CHECK(principal->MayCall("anything", "x"));
  CHECK_FALSE(principal->project_scope.has_value());
}

}  // namespace
}  // namespace logquery::token_file_tests
