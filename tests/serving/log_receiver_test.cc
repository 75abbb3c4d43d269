#include "logquery/serving/log_receiver.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "logquery/error.h"
#include "logquery/store/duckdb_backend.h"
#include "tests/serving/log_receiver_fixture.h"

namespace logquery::log_receiver_tests {
namespace {

TEST_CASE("a body that is admitted is appended, and its rows are in the log") {
  const Folder folder;
  const auto backend = folder.Open();
  const auto receiver = ReceiverOf(*backend);
  const Principal writer = Writer();
  const std::string body =
      R"([{"message":"GET /","project":"p"},{"message":"GET /a","project":"p"},{"message":"x","timestamp":0}])";

  const auto admission = receiver->Admit(writer, "edge_logs", static_cast<int64_t>(body.size()));
  REQUIRE(admission.ok());
  CHECK((*admission)->principal().token_id == "writer");
  const auto received = receiver->Append(**admission, {.text = body});
  INFO(received.status().ToString());
  REQUIRE(received.ok());
  CHECK(received->rows == 2);
  CHECK(received->rejected_rows == 1);
  REQUIRE(received->rejected.size() == 1);
  CHECK(received->rejected[0].index == 2);
  CHECK_FALSE(received->repeated);
  CHECK(RowsOf(*backend, "edge_logs") == 2);

  const LogReceiverState state = receiver->state();
  CHECK(state.ingest.requests == 1);
  CHECK(state.ingest.rows == 2);
  CHECK(state.ingest.rejected_rows == 1);
  CHECK(state.rejected_bytes > 0);
}

TEST_CASE("a body of another shape, or with an event on each line, is converted to rows") {
  const Folder folder;
  const auto backend = folder.Open();
  const auto receiver = ReceiverOf(*backend);
  const auto objects =
      Send(*receiver, Writer(), "edge_logs", {.text = R"({"any":{"thing":1}})", .shape = EventShape::kObject});
  REQUIRE(objects.ok());
  CHECK(objects->rows == 1);
  const auto lines =
      Send(*receiver, Writer(), "edge_logs", {.text = "{\"message\":\"a\"}\n{\"message\":\"b\"}\n", .by_lines = true});
  REQUIRE(lines.ok());
  CHECK(lines->rows == 2);
  CHECK(RowsOf(*backend, "edge_logs") == 3);
}

TEST_CASE("a source is found by the name of its log, by its table's, and by its UUID in any letter case") {
  const Folder folder;
  const auto backend = folder.Open();
  const auto receiver = ReceiverOf(*backend, {.source_ids = {{"0f3c5a7e-9D3B-4628-80df-2b1c9d07a5e4", "edge_logs"}}});
  for (const char* source : {"edge_logs", "EDGE_LOGS", "cloudflare.logs.prod", "0f3c5a7e-9d3b-4628-80df-2b1c9d07a5e4",
                             "0F3C5A7E-9D3B-4628-80DF-2B1C9D07A5E4"}) {
    CAPTURE(source);
    CHECK(Send(*receiver, Writer(), source).ok());
  }
  CHECK(RowsOf(*backend, "edge_logs") == 5);
  const absl::Status unknown = receiver->Admit(Writer(), "1f3c5a7e-9d3b-4628-80df-2b1c9d07a5e4", 1).status();
  CHECK(absl::IsNotFound(unknown));
  CHECK(absl::StrContains(unknown.message(), "no log has the UUID"));
}

TEST_CASE("Create rejects a missing backend, and a UUID of a log that does not exist") {
  CHECK(absl::IsInvalidArgument(LogReceiver::Create(nullptr, {}).status()));
  const Folder folder;
  const auto backend = folder.Open();
  const absl::Status status =
      LogReceiver::Create(backend.get(), {.source_ids = {{"0f3c5a7e-9d3b-4628-80df-2b1c9d07a5e4", "nothing"}}})
          .status();
  CHECK(absl::IsInvalidArgument(status));
  CHECK(absl::StrContains(status.message(), "there is no log of the name"));
}

TEST_CASE("Admit rejects a principal without the right, and names sources like an unknown one") {
  const Folder folder;
  const auto backend = folder.Open();
  const auto receiver = ReceiverOf(*backend);
  CHECK(absl::IsPermissionDenied(receiver->Admit(Principal(), "edge_logs", 1).status()));
  const Principal limited = Writer(std::vector<std::string>{"auth_logs"});
  CHECK(receiver->Admit(limited, "auth_logs", 1).ok());
  CHECK(absl::IsPermissionDenied(receiver->Admit(limited, "edge_logs", 1).status()));
  const absl::Status unknown = receiver->Admit(Writer(), "edge_log", 1).status();
  CHECK(absl::IsNotFound(unknown));
  const std::vector<std::string> near = GetErrorDetails(unknown).nearest;
  CHECK(std::find(near.begin(), near.end(), "edge_logs") != near.end());
  CHECK(receiver->state().ingest.refused == 0);
}

TEST_CASE("an admission holds memory until it is destroyed, and grows while there is some") {
  const Folder folder;
  const auto backend = folder.Open();
  const auto receiver = ReceiverOf(*backend, {.max_bytes = 1'000, .max_requests = 2});
  Principal other = Writer();
  other.token_id = "other";
  auto admission = receiver->Admit(Writer(), "edge_logs", 600);
  REQUIRE(admission.ok());
  CHECK(receiver->state().ingest.held_bytes == 600);
  CHECK((*admission)->Grow(300));
  CHECK_FALSE((*admission)->Grow(200));
  const absl::Status full = receiver->Admit(other, "edge_logs", 200).status();
  CHECK(absl::IsResourceExhausted(full));
  CHECK(GetErrorDetails(full).retry_after > absl::ZeroDuration());
  {
    const auto second = receiver->Admit(other, "edge_logs", 50);
    REQUIRE(second.ok());
    CHECK(absl::IsResourceExhausted(receiver->Admit(other, "edge_logs", 0).status()));  // max_requests
  }
  CHECK(receiver->state().ingest.refused == 3);
  *admission = nullptr;
  CHECK(receiver->state().ingest.held_bytes == 0);
  CHECK(receiver->Admit(other, "edge_logs", 200).ok());
}

TEST_CASE("a token's quota counts bodies that are stored, and neither rejected nor repeated ones") {
  const Folder folder;
  const auto backend = folder.Open();
  const auto receiver = ReceiverOf(*backend);
  Principal writer = Writer();
  writer.ingest->bytes_per_day = static_cast<int64_t>(2 * kEvent.size());
  const LogBody keyed = {.text = kEvent, .idempotency_key = "a"};
  CHECK(absl::IsInvalidArgument(Send(*receiver, writer, "edge_logs", "").status()));
  CHECK(Send(*receiver, writer, "edge_logs", keyed).ok());
  CHECK(Send(*receiver, writer, "edge_logs", keyed).ok());
  CHECK(Send(*receiver, writer, "edge_logs").ok());
  const absl::Status used_up = Send(*receiver, writer, "edge_logs").status();
  CHECK(absl::IsResourceExhausted(used_up));
  CHECK(GetErrorDetails(used_up).retry_after > absl::ZeroDuration());
  CHECK(RowsOf(*backend, "edge_logs") == 2);
}

TEST_CASE("a key stores a body once, and rejects another body") {
  const Folder folder;
  const auto backend = folder.Open();
  const auto receiver = ReceiverOf(*backend);
  const LogBody body = {.text = kEvent, .idempotency_key = "batch-1"};
  const auto first = Send(*receiver, Writer(), "edge_logs", body);
  REQUIRE(first.ok());
  CHECK_FALSE(first->repeated);
  const auto second = Send(*receiver, Writer(), "edge_logs", body);
  REQUIRE(second.ok());
  CHECK(second->repeated);
  CHECK(second->rows == first->rows);
  CHECK(RowsOf(*backend, "edge_logs") == 1);
  const LogBody different = {.text = R"([{"message":"another"}])", .idempotency_key = "batch-1"};
  CHECK(absl::IsAlreadyExists(Send(*receiver, Writer(), "edge_logs", different).status()));
}

TEST_CASE("a body that can't be split is kept as one rejected row") {
  const Folder folder;
  const auto backend = folder.Open();
  const auto receiver = ReceiverOf(*backend);
  const auto received = Send(*receiver, Writer(), "edge_logs", "{");
  REQUIRE(received.ok());
  CHECK_FALSE(received->broken.empty());
  CHECK(received->rows == 0);
  CHECK(received->rejected_rows == 1);
}

TEST_CASE("the receiver does not redact the reasons that it returns; its caller does") {
  const Folder folder;
  const auto backend = folder.Open();
  const auto receiver = ReceiverOf(*backend);
  Principal redacted = Writer();
  redacted.redact_pii = true;
  const auto received = Send(*receiver, redacted, "edge_logs", R"([{"message":"m","timestamp":"192.0.2.77"}])");
  REQUIRE(received.ok());
  REQUIRE(received->rejected.size() == 1);
  CHECK(absl::StrContains(received->rejected[0].reason, "192.0.2.77"));
}

TEST_CASE("a stopped receiver stores nothing more") {
  const Folder folder;
  const auto backend = folder.Open();
  const auto receiver = ReceiverOf(*backend);
  CHECK(Send(*receiver, Writer(), "edge_logs").ok());
  receiver->Stop();
  receiver->Stop();
  CHECK(absl::IsUnavailable(Send(*receiver, Writer(), "edge_logs").status()));
  CHECK(RowsOf(*backend, "edge_logs") == 1);
}

TEST_CASE("a log that is declared while the server runs takes events") {
  const Folder folder;
  const auto backend = folder.Open();
  const auto receiver = ReceiverOf(*backend);
  const Principal writer = Writer();
  CHECK(absl::IsNotFound(receiver->Admit(writer, "app_logs", 0).status()));
  const size_t sources = receiver->Sources(writer).size();
  REQUIRE(backend
              ->DeclareLogs("schema.json", R"({"app.logs": {"log": "app_logs", "time": "at", "message": "text",
                  "columns": {"at": "TIMESTAMP", "text": "STRING"}}})")
              .ok());
  for (const char* source : {"app_logs", "app.logs"}) {
    const auto received = Send(*receiver, writer, source, R"([{"at":"2026-03-04T05:06:07Z","text":"new"}])");
    INFO(received.status().ToString());
    REQUIRE(received.ok());
    CHECK(received->rows == 1);
  }
  CHECK(receiver->Sources(writer).size() == sources + 1);
  CHECK(absl::StrContains(receiver->Admit(writer, "app_log", 0).status().message(), "app_logs"));
  CHECK(RowsOf(*backend, "app_logs") == 2);
}

TEST_CASE("entries of Logpush are the rows of a log that declares their time, and metadata in others") {
  const Folder folder;
  const auto backend = folder.Open();
  const auto receiver = ReceiverOf(*backend);
  REQUIRE(backend
              ->DeclareLogs("schema.json", R"({"cloudflare": {"time": "EdgeStartTimestamp",
                  "columns": {"EdgeStartTimestamp": "TIMESTAMP", "EdgeResponseStatus": "INT64"}}})")
              .ok());
  // A status that is no number does not fit the declared column, so the entry was read as a row.
  const LogBody body = {.text =
                            "{\"EdgeStartTimestamp\":1772600767000000000,\"EdgeResponseStatus\":200}\n"
                            "{\"EdgeStartTimestamp\":\"2026-03-04T05:06:07Z\",\"EdgeResponseStatus\":\"?\"}\n",
                        .shape = EventShape::kCloudflare,
                        .by_lines = true};
  const auto own = Send(*receiver, Writer(), "cloudflare", body);
  INFO(own.status().ToString());
  REQUIRE(own.ok());
  CHECK(own->rows == 1);
  CHECK(own->rejected_rows == 1);
  const auto built_in = Send(*receiver, Writer(), "edge_logs", body);
  REQUIRE(built_in.ok());
  CHECK(built_in->rows == 2);
}

TEST_CASE("CloudEvents have their time and fields where the log has them") {
  const Folder folder;
  const auto backend = folder.Open();
  const auto receiver = ReceiverOf(*backend, {.max_new_logs = 1});
  REQUIRE(
      backend
          ->DeclareLogs("schema.json", R"({"machines": {"time": "at", "columns": {"at": "TIMESTAMP", "total": "INT64",
                  "cloud_event": {"type": "STRING"}}}})")
          .ok());
  const LogBody body = {
      .text = R"({"total":5})",
      .shape = EventShape::kCloudEventData,
      .attributes = R"({"specversion":"1.0","id":"7","source":"s","type":"t","time":"2026-03-04T05:06:07Z"})"};
  for (const char* source : {"machines", "edge_logs", "new_source"}) {
    CAPTURE(source);
    const auto received = Send(*receiver, Writer(), source, body);
    INFO(received.status().ToString());
    REQUIRE(received.ok());
    CHECK(received->rows == 1);
    CHECK(received->rejected_rows == 0);
  }
  // Values that do not fit the declared columns show that these got them.
  LogBody late = body;
  late.text = R"({"total":"?"})";
  const auto wrong_total = Send(*receiver, Writer(), "machines", late);
  REQUIRE(wrong_total.ok());
  REQUIRE(wrong_total->rejected.size() == 1);
  CHECK(absl::StrContains(wrong_total->rejected[0].reason, "total is ?"));
  late = body;
  late.attributes = R"({"specversion":"1.0","id":"7","source":"s","type":"t","time":"yesterday"})";
  const auto wrong_time = Send(*receiver, Writer(), "machines", late);
  REQUIRE(wrong_time.ok());
  REQUIRE(wrong_time->rejected.size() == 1);
  CHECK(absl::StrContains(wrong_time->rejected[0].reason, "at is yesterday"));
}

}  // namespace
}  // namespace logquery::log_receiver_tests
