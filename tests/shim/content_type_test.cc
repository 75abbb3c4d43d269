#include "shim/content_type.h"

#include <catch2/catch_test_macros.hpp>

namespace logquery::shim {
namespace {

TEST_CASE("the form of an answer is chosen by format= or Accept") {
  struct Case {
    const char* format;
    const char* accept;
    Format chosen;
  };
  const Case cases[] = {
      {"", "", Format::kJson},
      {"", "*/*", Format::kJson},
      {"", "application/json", Format::kJson},
      {"", "Application/JSON; charset=utf-8", Format::kJson},
      {"", "text/html,application/xhtml+xml,*/*;q=0.8", Format::kJson},
      {"", "application/x-ndjson", Format::kNdjson},
      {"", "text/csv, application/json;q=0.5", Format::kCsv},
      {"", "text/csv;q=0.4, application/json;q=0.5", Format::kJson},
      {"", "text/*", Format::kCsv},
      {"", "application/json;q=0, text/csv", Format::kCsv},
      {"", "application/json;q=0, */*", Format::kNdjson},
      {"", "image/png", Format::kUnknown},
      {"", "application/json;q=0", Format::kUnknown},
      {"json", "image/png", Format::kJson},
      {"NDJSON", "application/json", Format::kNdjson},
      {"csv", "", Format::kCsv},
      {"xml", "application/json", Format::kUnknown},
  };
  for (const Case& c : cases) {
    CAPTURE(c.format, c.accept);
    CHECK(ChooseFormat(c.format, c.accept) == c.chosen);
  }
}

TEST_CASE("a body's type is JSON, or not said") {
  CHECK(IsJsonContentType("application/json"));
  CHECK(IsJsonContentType("Application/Json; charset=utf-8"));
  CHECK(IsJsonContentType(""));
  CHECK_FALSE(IsJsonContentType("text/plain"));
  CHECK_FALSE(IsJsonContentType("application/x-www-form-urlencoded"));
  CHECK_FALSE(IsJsonContentType("application/jsonp"));
}

}  // namespace
}  // namespace logquery::shim
