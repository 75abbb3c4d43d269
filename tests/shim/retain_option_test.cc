#include "shim/cli/serve/retain_option.h"

#include <catch2/catch_test_macros.hpp>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "lib/base/strings.h"

namespace logquery::shim {
namespace {

std::string Parsed(const std::vector<std::string>& options) {
  const auto rules = ParseRetain(options);
  if (!rules.ok()) return rules.status().ToString();
  std::string text;
  for (const RetentionRule& rule : *rules) {
    base::StrAppend(&text, rule.table, " ", absl::FormatDuration(rule.max_age), " ", rule.max_bytes, ";");
  }
  return text;
}

TEST_CASE("limits are ages or sizes, for one log or for all logs without their own") {
  CHECK(Parsed({"edge_logs=90d"}) == "edge_logs 2160h 0;");
  CHECK(Parsed({"edge_logs=12h,postgres_logs=20GB"}) == "edge_logs 12h 0;postgres_logs inf 20000000000;");
  CHECK(Parsed({"edge_logs=1d", "EDGE_LOGS=5MB"}) == "edge_logs 24h 5000000;");
  CHECK(Parsed({"*=30d", "auth_logs=1d,auth_logs=1TB"}) == "* 720h 0;auth_logs 24h 1000000000000;");
  CHECK(Parsed({}).empty());
}

TEST_CASE("the clock is confirmed by a date") {
  const absl::Time midnight = absl::FromCivil(absl::CivilDay(2026, 11, 27), absl::UTCTimeZone());
  CHECK(ParseConfirmedDay("2026-11-27").value() == midnight);
  CHECK(ParseConfirmedDay("").value() == std::nullopt);
  for (const char* text : {"yes", "27.11.2026", "2026-13-01", "2026-11-27x"}) {
    CAPTURE(text);
    const absl::Status status = ParseConfirmedDay(text).status();
    CHECK(absl::IsInvalidArgument(status));
    CHECK(absl::StrContains(status.message(), "such as 2026-11-27"));
  }
}

TEST_CASE("the rules of a server come from its retention, its share of clustering, and its confirmed clock") {
  ServeArguments arguments;
  arguments.retain = {"*=90d,edge_logs=1d"};
  arguments.cluster_percent = 50;
  arguments.confirm_clock = "2026-11-27";
  const auto rules = MaintenanceRulesOf(arguments);
  REQUIRE(rules.ok());
  CHECK(rules->retention.size() == 2);
  CHECK(rules->cluster_share == 0.5);
  CHECK(rules->clock_confirmed_on.has_value());
  arguments.confirm_clock = "yes";
  CHECK(absl::IsInvalidArgument(MaintenanceRulesOf(arguments).status()));
  arguments.confirm_clock.clear();
  arguments.retain = {"edge_logs=never"};
  CHECK(absl::IsInvalidArgument(MaintenanceRulesOf(arguments).status()));
}

TEST_CASE("an invalid retention limit is rejected with an example of a valid one") {
  struct Case {
    const char* option;
    const char* says;
  };
  for (const Case& c :
       {Case{"", "LOG=LIMIT"}, Case{"edge_logs", "LOG=LIMIT"}, Case{"edge_logs=", "such as 90d"},
        Case{"edge_logs=90", "such as 90d"}, Case{"edge_logs=0d", "such as 90d"}, Case{"edge_logs=-1d", "such as 90d"},
        Case{"edge_logs=1.5d", "such as 90d"}, Case{"edge_logs=90 d", "such as 90d"},
        Case{"edge_logs=1gb", "such as 90d"}, Case{"edge_logs=99999999999999999999d", "such as 90d"},
        Case{"edge_logs=1000001TB", "such as 90d"}, Case{"edge_logs=1d,edge_logs=24h", "has an age already"},
        Case{"*=1MB,*=2MB", "has a size already"}, Case{"edge_logs=1d,", "LOG=LIMIT"}}) {
    CAPTURE(c.option);
    const std::string parsed = Parsed({c.option});
    CAPTURE(parsed);
    CHECK(absl::StartsWith(parsed, "INVALID_ARGUMENT: --retain "));
    CHECK(absl::StrContains(parsed, c.says));
  }
}

}  // namespace
}  // namespace logquery::shim
