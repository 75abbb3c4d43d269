#include "shim/cli/serve/retain_option.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "lib/base/strings.h"

namespace logquery::shim {
namespace {

const std::vector<std::string> kLogs = {"edge_logs", "auth_logs", "postgres_logs"};

std::string Parsed(const std::vector<std::string>& options) {
  const auto limits = ParseRetain(options, kLogs);
  if (!limits.ok()) return limits.status().ToString();
  std::string text;
  for (const Retention& limit : *limits) {
    base::StrAppend(&text, limit.log, " ", absl::FormatDuration(limit.max_age), " ", limit.max_bytes, ";");
  }
  return text;
}

TEST_CASE("limits are ages or sizes, for one log or for all logs without their own") {
  CHECK(Parsed({"edge_logs=90d"}) == "edge_logs 2160h 0;");
  CHECK(Parsed({"edge_logs=12h,postgres_logs=20GB"}) == "edge_logs 12h 0;postgres_logs inf 20000000000;");
  CHECK(Parsed({"edge_logs=1d", "EDGE_LOGS=5MB"}) == "edge_logs 24h 5000000;");
  CHECK(Parsed({"*=30d", "auth_logs=1d,auth_logs=1TB"}) ==
        "edge_logs 720h 0;auth_logs 24h 1000000000000;postgres_logs 720h 0;");
  CHECK(Parsed({}).empty());
}

TEST_CASE("a date confirms the clock on its day and the days next to it") {
  const absl::Time noon = absl::FromCivil(absl::CivilHour(2026, 11, 27, 12), absl::UTCTimeZone());
  CHECK(ConfirmsClock("2026-11-27", noon).value());
  CHECK(ConfirmsClock("2026-11-28", noon).value());
  CHECK(ConfirmsClock("2026-11-26", noon).value());
  CHECK_FALSE(ConfirmsClock("2026-11-25", noon).value());
  CHECK_FALSE(ConfirmsClock("2026-11-29", noon).value());
  CHECK_FALSE(ConfirmsClock("", noon).value());
  for (const char* text : {"yes", "27.11.2026", "2026-13-01", "2026-11-27x"}) {
    CAPTURE(text);
    const absl::Status status = ConfirmsClock(text, noon).status();
    CHECK(absl::IsInvalidArgument(status));
    CHECK(absl::StrContains(status.message(), "such as 2026-11-27"));
  }
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
        Case{"edge_logs=1000001TB", "such as 90d"}, Case{"edge_log=1d", "there is no log edge_log"},
        Case{"=1d", "there is no log"}, Case{"edge_logs=1d,edge_logs=24h", "has an age already"},
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
