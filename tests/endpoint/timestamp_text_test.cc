#include <catch2/catch_test_macros.hpp>

#include "lib/base/strings.h"
#include "logquery/parameter_binder.h"

namespace logquery {
namespace {

TEST_CASE("timestamps come in the forms of ISO 8601") {
  struct Case {
    const char* text;
    int64_t micros;
  };
  const int64_t eight = 1'769'846'400'000'000;  // 2026-01-31T08:00:00Z
  const int64_t hour = 3'600'000'000;
  const Case cases[] = {
      {"2026-01-31T08:00:00Z", eight},
      {"2026-01-31t08:00:00z", eight},
      {"2026-01-31 08:00:00", eight},
      {"2026-01-31T08:00", eight},
      {"2026-01-31", eight - 8 * hour},
      {"2026-01-31T10:00:00+02:00", eight},
      {"2026-01-31T10:00:00+0200", eight},
      {"2026-01-31T10:00:00+02", eight},
      {"2026-01-31T10:00:00 02:00", eight},  // the + was decoded to a space
      {"2026-01-31 10:00:00.5 02:00", eight + 500'000},
      {"2026-01-31T02:30:00-05:30", eight},
      {"2026-01-31T08:00:00-00:00", eight},
      {"2026-01-31T08:00:00.1Z", eight + 100'000},
      {"2026-01-31T08:00:00.123Z", eight + 123'000},
      {"2026-01-31T08:00:00.123456Z", eight + 123'456},
      {"2026-01-31T08:00:00.123456999Z", eight + 123'456},
      {"1970-01-01T00:00:00Z", 0},
      {"1969-12-31T23:59:59.999999Z", -1},
      {"2024-02-29", 1'709'164'800'000'000},
      {"2016-12-31T23:59:60Z", 1'483'228'800'000'000},  // a leap second counts as the one after
      {"0001-01-01T00:00:00Z", -62'135'596'800'000'000},
      {"9999-12-31T23:59:59.999999Z", 253'402'300'799'999'999},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const auto time = ParseTimestamp(c.text);
    REQUIRE(time.ok());
    CHECK(absl::ToUnixMicros(*time) == c.micros);
  }
}

TEST_CASE("any other text is rejected as a timestamp") {
  for (const char* text : {"",
                           " ",
                           "now",
                           "2026",
                           "2026-01",
                           "2026-1-1",
                           "20260131",
                           "2026-01-31T",
                           "2026-01-31T08",
                           "2026-01-31T8:00",
                           "2026-01-31T08:00:00.",
                           "2026-01-31T08:00:00.1234567890",
                           "2026-01-31T08:00:00,5",
                           "2026-01-31T08:00:00ZZ",
                           "2026-01-31T08:00:00 Z",
                           "2026-01-31T08:00:00+2",
                           "2026-01-31T08:00:00+02:",
                           "2026-01-31T08:00:00+02:0",
                           "2026-01-31T08:00:00+24:00",
                           "2026-01-31T08:00:00+02:60",
                           " 2026-01-31",
                           "2026-01-31 ",
                           "2026-01-31Z",
                           "2026-01-31T08:00:00 UTC",
                           "2026-01-31T08:00:00'--",
                           "1769846400000000",
                           "-2026-01-31",
                           "2026-01-31\n",
                           "\xD9\xA2\xD9\xA0\xD9\xA2\xD9\xA6-01-31"}) {
    CAPTURE(text);
    const auto time = ParseTimestamp(text);
    REQUIRE(time.status().code() == absl::StatusCode::kInvalidArgument);
    CHECK(base::Message(time.status()).find("wanted ISO 8601, such as 2026-01-31T08:00:00Z") != std::string_view::npos);
  }
}

TEST_CASE("dates and times that do not exist are refused") {
  for (const char* text : {"2026-02-29", "2026-00-01", "2026-13-01", "2026-01-00", "2026-01-32", "0000-01-01",
                           "2026-01-31T24:00:00Z", "2026-01-31T08:60:00Z", "2026-01-31T08:00:61Z"}) {
    CAPTURE(text);
    const auto time = ParseTimestamp(text);
    REQUIRE(time.status().code() == absl::StatusCode::kInvalidArgument);
    CHECK(base::Message(time.status()) ==
          base::StrCat("\"", text, "\" is not a timestamp: there is no such date or time"));
  }
}

TEST_CASE("timestamps outside the years 1 to 9999 in UTC are rejected") {
  CHECK_FALSE(ParseTimestamp("0001-01-01T00:00:00+00:01").ok());
  CHECK_FALSE(ParseTimestamp("9999-12-31T23:59:59-00:01").ok());
  CHECK_FALSE(ParseTimestamp("9999-12-31T23:59:60Z").ok());
}

}  // namespace
}  // namespace logquery
