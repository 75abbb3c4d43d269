#include "shim/http/calls/content_type.h"

#include <catch2/catch_test_macros.hpp>

namespace logquery::shim {
namespace {

TEST_CASE("the form of an answer is chosen by format= or Accept") {
  struct Case {
    const char* format;
    const char* accept;
    std::optional<RowFormat> chosen;
  };
  const Case cases[] = {
      {"", "", RowFormat::kJson},
      {"", "*/*", RowFormat::kJson},
      {"", "application/json", RowFormat::kJson},
      {"", "Application/JSON; charset=utf-8", RowFormat::kJson},
      {"", "text/html,application/xhtml+xml,*/*;q=0.8", RowFormat::kJson},
      {"", "application/x-ndjson", RowFormat::kNdjson},
      {"", "text/csv, application/json;q=0.5", RowFormat::kCsv},
      {"", "text/csv;q=0.4, application/json;q=0.5", RowFormat::kJson},
      {"", "text/*", RowFormat::kCsv},
      {"", "application/json;q=0, text/csv", RowFormat::kCsv},
      {"", "application/json;q=0, */*", RowFormat::kNdjson},
      {"", "image/png", std::nullopt},
      {"", "application/json;q=0", std::nullopt},
      {"json", "image/png", RowFormat::kJson},
      {"NDJSON", "application/json", RowFormat::kNdjson},
      {"csv", "", RowFormat::kCsv},
      {"json-rows", "", RowFormat::kJsonRows},
      {"Arrow", "application/json", RowFormat::kArrow},
      {"parquet", "", RowFormat::kParquet},
      {"", "application/vnd.apache.arrow.stream", RowFormat::kArrow},
      {"", "application/vnd.apache.parquet, application/json;q=0.9", RowFormat::kParquet},
      {"", "application/vnd.logquery.rows+json", RowFormat::kJsonRows},
      {"", "application/vnd.apache.arrow.file", std::nullopt},
      {"xml", "application/json", std::nullopt},
      {"json_rows", "", std::nullopt},
  };
  for (const Case& c : cases) {
    CAPTURE(c.format, c.accept);
    CHECK((ChooseFormat(c.format, c.accept) == c.chosen));
  }
}

TEST_CASE("each form's own type chooses it again") {
  for (const RowFormat format : {RowFormat::kJson, RowFormat::kNdjson, RowFormat::kCsv, RowFormat::kJsonRows,
                                 RowFormat::kArrow, RowFormat::kParquet}) {
    CAPTURE(ContentTypeOf(format));
    CHECK((ChooseFormat("", ContentTypeOf(format)) == format));
  }
}

}  // namespace
}  // namespace logquery::shim
