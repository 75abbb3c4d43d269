// Sources that become logs with their first event: by whom, up to which number, and under which names.
#include <algorithm>
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/strings/match.h"
#include "lib/base/quoted_text.h"
#include "logquery/catalog.h"
#include "logquery/error.h"
#include "logquery/serving/log_receiver.h"
#include "logquery/store/duckdb_backend.h"
#include "tests/serving/log_receiver_fixture.h"

namespace logquery::log_receiver_tests {
namespace {

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
}  // namespace logquery::log_receiver_tests
