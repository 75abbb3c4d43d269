#include "shim/http/logs/source_ids.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

namespace logquery::shim {
namespace {

constexpr char kId[] = "0f3c5a7e-9d3b-4628-80df-2b1c9d07a5e4";

TEST_CASE("a source's UUID identifies a log, in any letter case") {
  const auto ids = ParseSourceIds({std::string(kId) + "=edge_logs,1F3C5A7E-9D3B-4628-80DF-2B1C9D07A5E4=auth_logs"});
  REQUIRE(ids.ok());
  CHECK(LogOfSource(*ids, kId) == "edge_logs");
  CHECK(LogOfSource(*ids, "0F3C5A7E-9D3B-4628-80DF-2B1C9D07A5E4") == "edge_logs");
  CHECK(LogOfSource(*ids, "1f3c5a7e-9d3b-4628-80df-2b1c9d07a5e4") == "auth_logs");
  CHECK(LogOfSource(*ids, "2f3c5a7e-9d3b-4628-80df-2b1c9d07a5e4") == "2f3c5a7e-9d3b-4628-80df-2b1c9d07a5e4");
  CHECK(LogOfSource(*ids, "edge_logs") == "edge_logs");
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
