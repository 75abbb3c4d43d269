#include "shim/cli/serve/source_ids.h"

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <string>

namespace logquery::shim {
namespace {

constexpr char kId[] = "0f3c5a7e-9d3b-4628-80df-2b1c9d07a5e4";

TEST_CASE("UUIDs of sources are read in any letter case, each with its log") {
  const auto ids = ParseSourceIds({std::string(kId) + "=edge_logs,1F3C5A7E-9D3B-4628-80DF-2B1C9D07A5E4=auth_logs"});
  REQUIRE(ids.ok());
  CHECK(*ids ==
        std::map<std::string, std::string>{{kId, "edge_logs"}, {"1f3c5a7e-9d3b-4628-80df-2b1c9d07a5e4", "auth_logs"}});
  CHECK(ParseSourceIds({})->empty());
}

TEST_CASE("invalid source UUIDs are reported with a valid form") {
  for (const std::string& option : {std::string("edge_logs"), std::string("abc=edge_logs"), std::string(kId),
                                    kId + std::string("="), std::string(kId) + "=edge_logs,", std::string()}) {
    CAPTURE(option);
    const auto ids = ParseSourceIds({option});
    REQUIRE(absl::IsInvalidArgument(ids.status()));
    CHECK(ids.status().message().find("it is UUID=LOG, such as") != absl::string_view::npos);
  }
  CHECK(ParseSourceIds({std::string(kId) + "=a", std::string(kId) + "=b"}).status().message().find("names the UUID") !=
        absl::string_view::npos);
}

}  // namespace
}  // namespace logquery::shim
