#include "logquery/serving/log_receiver.h"

#include <stdlib.h>

#include <algorithm>
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "lib/base/quoted_text.h"
#include "logquery/catalog.h"
#include "logquery/error.h"
#include "logquery/store/duckdb_backend.h"

namespace logquery {
namespace {

// A folder, gone afterwards, that is opened again at will.
class Folder {
 public:
  Folder() {
    path_ = (std::filesystem::temp_directory_path() / "logquery-log-receiver-XXXXXX").string();
    REQUIRE(mkdtemp(path_.data()) != nullptr);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::unique_ptr<DuckDbBackend> Open() const {
    DuckDbOptions options;
    options.folder = path_;
    auto backend = OpenDuckDb(options);
    REQUIRE(backend.ok());
    return *std::move(backend);
  }

 private:
  std::string path_;
};

std::unique_ptr<LogReceiver> ReceiverOf(DuckDbBackend& backend, LogReceiverOptions options = {}) {
  auto receiver = LogReceiver::Create(&backend, std::move(options));
  INFO(receiver.status().ToString());
  REQUIRE(receiver.ok());
  return *std::move(receiver);
}

Principal Writer(std::optional<std::vector<std::string>> logs = std::nullopt) {
  Principal writer;
  writer.token_id = "writer";
  writer.ingest.emplace();
  writer.ingest->logs = std::move(logs);
  return writer;
}

constexpr std::string_view kEvent = R"([{"message":"new","project":"p","metadata":{"level":"info"}}])";

absl::StatusOr<ReceivedLogs> Send(LogReceiver& receiver, const Principal& writer, std::string_view source,
                                  const LogBody& body) {
  const auto admission = receiver.Admit(writer, source, static_cast<int64_t>(body.text.size()));
  if (!admission.ok()) return admission.status();
  return receiver.Append(**admission, body);
}

absl::StatusOr<ReceivedLogs> Send(LogReceiver& receiver, const Principal& writer, std::string_view source,
                                  std::string_view text = kEvent) {
  return Send(receiver, writer, source, LogBody{.text = text});
}

// -1: there is no such log.
int64_t RowsOf(DuckDbBackend& backend, const std::string& log) {
  const auto stats = backend.ReadStats();
  REQUIRE(stats.ok());
  for (const TableStats& table : *stats) {
    if (table.log == log) return table.rows;
  }
  return -1;
}

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

TEST_CASE("an unknown source becomes a log with its first event, also after a restart") {
  const Folder folder;
  const Principal writer = Writer();
  {
    const auto backend = folder.Open();
    const auto receiver = ReceiverOf(*backend, {.max_new_logs = 2});
    CHECK(receiver->Admit(writer, "my-app.prod", 0).ok());
    CHECK(RowsOf(*backend, "my_app_prod") == -1);  // asking makes nothing
    const auto received = Send(*receiver, writer, "my-app.prod");
    INFO(received.status().ToString());
    REQUIRE(received.ok());
    CHECK(received->rows == 1);
    CHECK(Send(*receiver, writer, "my-app.prod").ok());
    CHECK(RowsOf(*backend, "my_app_prod") == 2);
    CHECK(receiver->Sources(writer).back() == "my-app.prod");
    receiver->Stop();
  }
  const auto backend = folder.Open();
  const auto receiver = ReceiverOf(*backend, {.max_new_logs = 0});
  CHECK(Send(*receiver, writer, "my-app.prod").ok());
  CHECK(RowsOf(*backend, "my_app_prod") == 3);
  CHECK(absl::IsNotFound(Send(*receiver, writer, "another").status()));
  const auto catalog = backend->ReadCatalog();
  REQUIRE(catalog.ok());
  const Table* const table = catalog->Find("my-app.prod");
  REQUIRE(table != nullptr);
  CHECK(table->project_path == std::vector<std::string>{"project"});
  CHECK(table->time_column == "timestamp");
  receiver->Stop();
}

TEST_CASE("sources become logs up to a bound, also when many requests come at one time") {
  const Folder folder;
  const auto backend = folder.Open();
  const auto receiver = ReceiverOf(*backend, {.max_new_logs = 3});
  const Principal writer = Writer();
  std::atomic<int> taken = 0, refused = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      for (int j = 0; j < 2; ++j) {
        const auto received = Send(*receiver, writer, "source" + std::to_string(i / 2 + j));
        if (received.ok()) ++taken;
        if (absl::IsNotFound(received.status())) ++refused;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(taken + refused == 16);
  CHECK(taken > 0);
  CHECK(receiver->Sources(writer).size() == Catalog::DeclaredLogs().tables().size() + 3);
  const absl::Status beyond = Send(*receiver, writer, "source9").status();
  CHECK(absl::IsNotFound(beyond));
  CHECK(absl::StrContains(beyond.message(), "tokens of all projects made 3 already, and --new-sources allows each 3"));
  CHECK(Send(*receiver, writer, "edge_logs").ok());
  receiver->Stop();
}

TEST_CASE("no log is made for a limited token, a wrong name, a name like another log's, or without events") {
  const Folder folder;
  const auto backend = folder.Open();
  const auto receiver = ReceiverOf(*backend, {.max_new_logs = 10});
  const size_t before = receiver->Sources(Writer()).size();
  const absl::Status limited = Send(*receiver, Writer(std::vector<std::string>{"edge_logs"}), "mine").status();
  CHECK(absl::IsNotFound(limited));
  CHECK(absl::StrContains(limited.message(), "for tokens that may write all logs"));
  const Principal reader;
  CHECK(absl::IsPermissionDenied(Send(*receiver, reader, "mine").status()));
  for (const char* name : {"", "../etc", "a/b", "a b", "1st", "-a", ".", "a\"b", "a;drop", "caf\xC3\xA9"}) {
    CAPTURE(name);
    CHECK(absl::IsInvalidArgument(Send(*receiver, Writer(), name).status()));
  }
  CHECK(absl::IsInvalidArgument(Send(*receiver, Writer(), std::string(101, 'a')).status()));
  const absl::Status alike = Send(*receiver, Writer(), "edge-logs").status();
  CHECK(absl::IsNotFound(alike));
  CHECK(absl::StrContains(alike.message(), "edge_logs is the name of another log"));
  CHECK(absl::StrContains(alike.message(), "did you mean"));
  CHECK(Send(*receiver, Writer(), "mine", "[]").ok());  // no event
  for (const char* body : {"{", "[1"}) {
    CAPTURE(body);
    CHECK(absl::IsInvalidArgument(Send(*receiver, Writer(), "mine", body).status()));
  }
  Principal poor = Writer();
  poor.token_id = "poor";
  poor.ingest->bytes_per_day = 1;
  CHECK(absl::IsResourceExhausted(Send(*receiver, poor, "mine").status()));
  CHECK(receiver->Sources(Writer()).size() == before);
  CHECK(RowsOf(*backend, "mine") == -1);
  receiver->Stop();
}

Principal WriterOf(const std::string& project) {
  Principal writer = Writer();
  writer.token_id = project;
  writer.project_scope = project;
  return writer;
}

constexpr std::string_view kPlainEvent = R"([{"message":"new"}])";

bool Lists(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

TEST_CASE("each project makes logs of its own, and none can use up another's") {
  const Folder folder;
  const Principal a = WriterOf("alpha"), b = WriterOf("beta");
  {
    const auto backend = folder.Open();
    const auto receiver = ReceiverOf(*backend, {.max_new_logs = 3});
    for (int i = 0; i < 5; ++i) {
      const absl::Status sent = Send(*receiver, a, "alpha.secret" + std::to_string(i), kPlainEvent).status();
      CHECK(sent.ok() == (i < 3));
      if (i >= 3) CHECK(absl::StrContains(sent.message(), "the token's project made 3 already"));
    }
    CHECK(Send(*receiver, b, "beta.own", kPlainEvent).ok());
    CHECK(Send(*receiver, Writer(), "shared", kPlainEvent).ok());
    receiver->Stop();
  }
  const auto backend = folder.Open();
  const auto receiver = ReceiverOf(*backend, {.max_new_logs = 3});
  CHECK(absl::IsNotFound(Send(*receiver, a, "alpha.secret4", kPlainEvent).status()));
  CHECK(Send(*receiver, b, "beta.second", kPlainEvent).ok());
  receiver->Stop();
}

TEST_CASE("no error and no list names a log that another project's source made") {
  const Folder folder;
  const auto backend = folder.Open();
  const Principal a = WriterOf("alpha"), b = WriterOf("beta");
  {
    const auto receiver = ReceiverOf(*backend, {.max_new_logs = 3});
    const std::vector<std::string> before = receiver->Sources(b);
    const absl::Status missed = Send(*receiver, b, "alpha.secret!", kPlainEvent).status();
    REQUIRE(Send(*receiver, a, "alpha.secret", kPlainEvent).ok());
    CHECK(Lists(receiver->Sources(a), "alpha.secret"));
    CHECK(receiver->Sources(b) == before);
    CHECK(Send(*receiver, b, "alpha.secret!", kPlainEvent).status() == missed);
    CHECK(Lists(receiver->Sources(Writer()), "alpha.secret"));  // a token of all projects reads all
    receiver->Stop();
  }
  const auto receiver = ReceiverOf(*backend, {.max_new_logs = 0});
  for (const char* source : {"alpha.secret", "alpha.secre", "alpha_secret", "nothing.like.it"}) {
    CAPTURE(source);
    const absl::Status status = Send(*receiver, b, source, kPlainEvent).status();
    CHECK(absl::IsNotFound(status));
    const std::string asked = base::QuotedText(source);
    std::string message(status.message());
    if (const size_t at = message.find(asked); at != std::string::npos) message.erase(at, asked.size());
    CHECK_FALSE(absl::StrContains(message, "alpha"));
    for (const std::string& near : GetErrorDetails(status).nearest) CHECK_FALSE(absl::StrContains(near, "alpha"));
  }
  CHECK(Send(*receiver, a, "alpha.secret", kPlainEvent).ok());
  receiver->Stop();
}

TEST_CASE("a project that writes to a source of the same name has the log too, within its own bound") {
  const Folder folder;
  const Principal a = WriterOf("alpha"), b = WriterOf("beta");
  {
    const auto backend = folder.Open();
    const auto receiver = ReceiverOf(*backend, {.max_new_logs = 1});
    REQUIRE(Send(*receiver, a, "web", kPlainEvent).ok());
    CHECK(Send(*receiver, b, "web", kPlainEvent).ok());
    CHECK(Lists(receiver->Sources(b), "web"));
    CHECK(RowsOf(*backend, "web") == 2);
    CHECK(absl::IsNotFound(Send(*receiver, b, "other", kPlainEvent).status()));
    // Rows that a token of all projects writes make the log the project's as well.
    REQUIRE(Send(*receiver, Writer(), "all", R"([{"message":"m","project":"gamma"}])").ok());
    CHECK(Lists(receiver->Sources(WriterOf("gamma")), "all"));
    CHECK_FALSE(Lists(receiver->Sources(b), "all"));
    receiver->Stop();
  }
  const auto backend = folder.Open();
  {
    const auto receiver = ReceiverOf(*backend, {.max_new_logs = 0});
    CHECK(Send(*receiver, b, "web", kPlainEvent).ok());
    CHECK(absl::IsNotFound(Send(*receiver, WriterOf("gamma"), "web", kPlainEvent).status()));
    receiver->Stop();
  }
  // Declared by the operator, it is everybody's.
  REQUIRE((*backend)
              .DeclareLogs("schema.json", R"({"web": {"log": "web", "time": "timestamp", "project": ["project"],
                  "columns": {"id": "STRING", "timestamp": "TIMESTAMP", "event_message": "STRING", "project": "STRING",
                              "metadata": {"level": "STRING"}, "more": "STRING"}}})")
              .ok());
  const auto receiver = ReceiverOf(*backend, {.max_new_logs = 0});
  CHECK(Lists(receiver->Sources(WriterOf("gamma")), "web"));
  CHECK(Send(*receiver, WriterOf("gamma"), "web", kPlainEvent).ok());
  receiver->Stop();
}

TEST_CASE("two sources never become one log: names that queries could not distinguish are rejected") {
  const Folder folder;
  const auto backend = folder.Open();
  const auto receiver = ReceiverOf(*backend, {.max_new_logs = 10});
  const Principal writer = WriterOf("alpha");
  REQUIRE(Send(*receiver, writer, "my-app", kPlainEvent).ok());
  for (const char* other : {"my_app", "my.app", "My-App", "MY_APP"}) {
    CAPTURE(other);
    for (const Principal& sender : {writer, Writer(), WriterOf("beta")}) {
      const absl::Status status = Send(*receiver, sender, other, kPlainEvent).status();
      CHECK(absl::IsNotFound(status));
      CHECK(absl::StrContains(status.message(), "is the name of another log"));
    }
  }
  CHECK(RowsOf(*backend, "my_app") == 1);
  receiver->Stop();
}

}  // namespace
}  // namespace logquery
