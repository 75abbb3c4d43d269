// The texts that senders are told of their events, and their lengths.
#include "logquery/serving/ingest_response.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "lib/base/strings.h"

namespace logquery {
namespace {

// The bytes that Fluent Bit reads of a response, without room for its head.
constexpr size_t kMostBytes = 3'700;

ReceivedLogs Rejecting(int64_t stored, int64_t rejected, const std::string& reason, const std::string& kind) {
  ReceivedLogs logs;
  logs.rows = stored;
  logs.rejected_rows = rejected;
  for (int64_t i = 0; i < std::min<int64_t>(rejected, 1'000); ++i) logs.rejected.push_back({i, reason});
  logs.rejected_by_reason = {{kind, rejected}};
  return logs;
}

TEST_CASE("events that are all stored are logged, and the first rejected ones are listed") {
  ReceivedLogs logs;
  logs.rows = 2;
  CHECK(*IngestResponse(logs) == R"({"message":"Logged!"})");
  CHECK(IngestNote(logs).empty());
  CHECK(CheckBody(logs).ok());
  logs.misfits = {{"metadata.count", "INT64", 2}};
  CHECK(*IngestResponse(logs) ==
        R"({"message":"Logged!","stored_as_json":[{"field":"metadata.count","type":"INT64","values":2}]})");
  CHECK(IngestNote(logs) == "stored as JSON, as the column of metadata.count takes INT64: 2 values");
  CHECK(*IngestResponse(Rejecting(1, 1, "timestamp is x, which is no TIMESTAMP", "timestamp is no TIMESTAMP")) ==
        R"({"message":"Logged!","rejected":[{"index":0,"reason":"timestamp is x, which is no TIMESTAMP"}]})");
}

TEST_CASE("more rejected events than are listed are counted by reason") {
  ReceivedLogs logs = Rejecting(1, 1'207, "timestamp is " + std::string(150, 'x'), "timestamp is no TIMESTAMP");
  logs.rejected_by_reason = {{"timestamp is no TIMESTAMP", 1'204}, {"status is no INT64", 3}};
  const std::string response = *IngestResponse(logs);
  CHECK(response.starts_with(
      R"({"message":"Logged!","rejected_rows":1207,"rejected_by_reason":[{"reason":"timestamp is no TIMESTAMP","rows":1204},)"
      R"({"reason":"status is no INT64","rows":3}],"rejected":[{"index":0,"reason":"timestamp is xxx)"));
  CHECK(response.size() < kMostBytes);
  CHECK(IngestNote(logs).ends_with("; in all 1,204 events: timestamp is no TIMESTAMP; 3 events: status is no INT64"));
}

TEST_CASE("a body of which no event is stored is an error with the reasons, and speaks of one event as one") {
  CHECK(IngestResponse(Rejecting(0, 1, "i is x, which is no INT64", "i is no INT64")).status() ==
        absl::InvalidArgumentError("the event could not be taken: event 0: i is x, which is no INT64"));
  CHECK(IngestResponse(Rejecting(0, 2, "no", "i is no INT64")).status() ==
        absl::InvalidArgumentError("none of the 2 events could be taken: event 0: no; event 1: no"));
  CHECK(IngestResponse(Rejecting(0, 1'204, "no", "i is no INT64")).status() ==
        absl::InvalidArgumentError("none of the 1,204 events could be taken: event 0: no; event 1: no; event 2: no; "
                                   "in all 1,204 events: i is no INT64"));
  ReceivedLogs broken;
  broken.rejected_rows = 1;
  broken.broken = "the body is not JSON: character 1: wanted an event";
  const absl::Status error = absl::InvalidArgumentError(
      "the body is not JSON: character 1: wanted an event; nothing of it is stored, and it is kept with the rejected "
      "events");
  CHECK(CheckBody(broken) == error);
  CHECK(IngestResponse(broken).status() == error);
}

TEST_CASE("no response is longer than collectors read, however long reasons and lists are") {
  ReceivedLogs logs = Rejecting(1, 100'000, std::string(100'000, 'r'), "");
  logs.rejected_by_reason.clear();
  for (int i = 0; i < 51; ++i) logs.rejected_by_reason.push_back({base::StrCat(i, std::string(3'000, 'k')), 5});
  for (int i = 0; i < 300; ++i) logs.misfits.push_back({base::StrCat("metadata.field_", i), "INT64", 1});
  const std::string response = *IngestResponse(logs);
  CHECK(response.find("\"rejected\":[{") != std::string::npos);
  CHECK(response.find("\"rejected_by_reason\":[{") != std::string::npos);
  CHECK(response.find("\"stored_as_json\":[{") != std::string::npos);
  CHECK(response.size() < kMostBytes);
  logs.rows = 0;
  CHECK(IngestResponse(logs).status().message().size() < kMostBytes);
  CHECK(IngestNote(logs).size() < kMostBytes);
}

TEST_CASE("reasons are redacted, and a count's reason holds no value") {
  ReceivedLogs logs = Rejecting(1, 1, "project is 192.0.2.77, which is no INT64", "project is no INT64");
  logs.warning = "192.0.2.78 is unknown";
  RedactReasons(logs);
  CHECK(logs.rejected[0].reason == "project is REDACTED, which is no INT64");
  CHECK(logs.warning == "REDACTED is unknown");
  CHECK(logs.rejected_by_reason[0].reason == "project is no INT64");
}

}  // namespace
}  // namespace logquery
