#include "lib/base/query_string.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <utility>
#include <vector>

namespace logquery::base {
namespace {

using Texts = std::vector<std::string>;

// The keys of a query, and what is left of it.
std::pair<Texts, std::string> Taken(std::string query) {
  Texts keys = TakeApiKeys(query);
  return {std::move(keys), std::move(query)};
}

TEST_CASE("the keys of a query string are taken out of it, and the other parameters stay as they are") {
  CHECK(Taken("source_name=edge_logs&api_key=lq_a&x=%20+b") ==
        std::pair(Texts{"lq_a"}, std::string("source_name=edge_logs&x=%20+b")));
  CHECK(Taken("api_key=a") == std::pair(Texts{"a"}, std::string()));
  CHECK(Taken("api_key=%61+b&api_key=c&d") == std::pair(Texts{"a b", "c"}, std::string("d")));
  CHECK(Taken("") == std::pair(Texts{}, std::string()));
}

TEST_CASE("a key that can't be decoded is taken as it is, and other names are no keys") {
  CHECK(Taken("api_key=%zz&api_key=%") == std::pair(Texts{"%zz", "%"}, std::string()));
  CHECK(Taken("api_key=&a=1") == std::pair(Texts{""}, std::string("a=1")));
  for (const char* query : {"xapi_key=a", "api_keys=a", "API_KEY=a", "api_key", "a=api_key=b", "api%5Fkey=a"}) {
    CAPTURE(query);
    CHECK(Taken(query) == std::pair(Texts{}, std::string(query)));
  }
}

TEST_CASE("the value of api_key among decoded parameters is hidden") {
  CHECK(HideApiKey({{"sql", "select 1"}, {"api_key", "lq_a"}}) ==
        std::vector<std::pair<std::string, std::string>>{{"sql", "select 1"}, {"api_key", "REDACTED"}});
}

}  // namespace
}  // namespace logquery::base
