#include "shim/observe/request_log.h"

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

namespace logquery::shim {
namespace {

std::string LineOf(const RequestRecord& record, bool json) {
  const FixedClock clock(absl::FromUnixSeconds(1'700'000'000));
  std::string written;
  RequestLog log([&written](std::string_view line) { written += line; }, json, &clock);
  log.OnResponse(record);
  return written;
}

RequestRecord Record() {
  RequestRecord record;
  record.request_id = "id1";
  record.method = "GET";
  record.path = "/api/endpoints/query/logs.all";
  record.client = "dashboard";
  record.status = 200;
  record.rows = 3;
  record.bytes = 120;
  record.total = absl::Milliseconds(12);
  record.plan = absl::Microseconds(400);
  record.execute = absl::Milliseconds(10);
  return record;
}

TEST_CASE("a request is one line of JSON") {
  const std::string line = LineOf(Record(), true);

  REQUIRE(line.find('\n') == line.size() - 1);
  const auto json = nlohmann::json::parse(line);
  CHECK(json["time"] == "2023-11-14T22:13:20.000Z");
  CHECK(json["level"] == "info");
  CHECK(json["request_id"] == "id1");
  CHECK(json["status"] == 200);
  CHECK(json["rows"] == 3);
  CHECK(json["plan_ms"] == 0.4);
  CHECK_FALSE(json.contains("error"));
}

TEST_CASE("a line has the trace, the span and the labels of the call") {
  RequestRecord record = Record();
  record.trace_id = "0af7651916cd43dd8448eb211c80319c";
  record.span_id = "b7ad6b7169203331";
  record.labels = {{"team", "a"}, {"session", "s-1"}};
  const auto json = nlohmann::json::parse(LineOf(record, true));
  CHECK(json["trace_id"] == record.trace_id);
  CHECK(json["span_id"] == record.span_id);
  CHECK(json["labels"] == nlohmann::json{{"team", "a"}, {"session", "s-1"}});
  CHECK(LineOf(record, false)
            .find(" id1 trace 0af7651916cd43dd8448eb211c80319c b7ad6b7169203331 team=a session=s-1 dashboard") !=
        std::string::npos);
  CHECK_FALSE(nlohmann::json::parse(LineOf(Record(), true)).contains("labels"));
}

TEST_CASE("a call's line has its endpoint, cache use and SQL digest, and on request its parameters") {
  RequestRecord record = Record();
  record.endpoint = "logs.all";
  record.cache = "hit";
  record.sql_digest = "0123456789abcdef";
  auto json = nlohmann::json::parse(LineOf(record, true));
  CHECK(json["endpoint"] == "logs.all");
  CHECK(json["cache"] == "hit");
  CHECK(json["sql_digest"] == record.sql_digest);
  CHECK_FALSE(json.contains("parameters"));
  CHECK(LineOf(record, false).find(" id1 cache hit sql 0123456789abcdef dashboard") != std::string::npos);

  record.parameters = std::make_shared<const ParameterTexts>(
      ParameterTexts{{"project", "abc"}, {"sql", "select '192.0.2.1' as a\nfrom \x1b[2Jt"}, {"10.1.2.3", ""}});
  record.redact_pii = true;
  const std::string line = LineOf(record, true);
  json = nlohmann::json::parse(line);
  CHECK(json["parameters"] ==
        nlohmann::json{{"project", "abc"}, {"sql", "select 'REDACTED' as a\nfrom \x1b[2Jt"}, {"REDACTED", ""}});
  CHECK(json["redact_pii"] == true);
  CHECK(line.find('\n') == line.size() - 1);
  CHECK(line.find('\x1b') == std::string::npos);
  const std::string text = LineOf(record, false);
  INFO(text);
  CHECK(text.find(" project=abc sql=select 'REDACTED' as a") != std::string::npos);
  CHECK(text.find('\n') == text.size() - 1);
  CHECK(text.find('\x1b') == std::string::npos);
}

TEST_CASE("a call that was denied is marked, with the token's id and never the token") {
  for (const int status : {401, 403, 429}) {
    RequestRecord record = Record();
    record.status = status;
    record.token_id = "0123456789ab";
    const auto json = nlohmann::json::parse(LineOf(record, true));
    CHECK(json["audit"] == "denied");
    CHECK(json["token_id"] == "0123456789ab");
    CHECK(LineOf(record, false).find(" denied dashboard") != std::string::npos);
  }
  for (const int status : {200, 400, 404, 500, 503}) {
    RequestRecord record = Record();
    record.status = status;
    CHECK_FALSE(nlohmann::json::parse(LineOf(record, true)).contains("audit"));
    record.denied = true;
    CHECK(nlohmann::json::parse(LineOf(record, true))["audit"] == "denied");
  }
}

TEST_CASE("the text format is for people") {
  CHECK(LineOf(Record(), false) ==
        "2023-11-14T22:13:20.000Z 200 GET /api/endpoints/query/logs.all 12.000 ms, 120 B, 3 rows id1 dashboard\n");
}

TEST_CASE("no caller's text breaks a line, or puts an address into the log") {
  RequestRecord record = Record();
  record.path = "/a\n{\"level\":\"fake\"}";
  record.error = "can't cast '10.1.2.3' or 2001:db8::1";
  record.status = 500;
  for (const bool json : {true, false}) {
    const std::string line = LineOf(record, json);
    CAPTURE(line);
    CHECK(line.find('\n') == line.size() - 1);
    CHECK(line.find("10.1.2.3") == std::string::npos);
    CHECK(line.find("2001:db8") == std::string::npos);
  }
  CHECK(nlohmann::json::parse(LineOf(record, true))["level"] == "error");
}

TEST_CASE("an address that is cut off at the end of a long text is not logged in part") {
  RequestRecord record = Record();
  while (record.path.size() < 60'000) record.path += "/2001:db8:1111:2222:3333:4444:5555:6666";
  for (const bool json : {true, false}) CHECK(LineOf(record, json).find("2001") == std::string::npos);
}

TEST_CASE("a note of the server's own is one line without control characters") {
  const FixedClock clock(absl::FromUnixSeconds(1'700'000'000));
  for (const bool json : {true, false}) {
    std::string written;
    RequestLog log([&written](std::string_view line) { written += line; }, json, &clock);
    log.Note("info", "the file a\nb\x1B[2J is loaded");
    CHECK(written.find('\n') == written.size() - 1);
    CHECK(written.find('\x1B') == std::string::npos);
  }
}

TEST_CASE("the longest possible text is cut in the log") {
  RequestRecord record = Record();
  record.path = std::string(64 << 10, 'a');
  CHECK(LineOf(record, true).size() < 2'000);
}

}  // namespace
}  // namespace logquery::shim
