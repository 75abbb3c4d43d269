// Logs from requests into a folder's tables, whose logs may change while the server runs.
#include "shim/cli/serve/compose_ingest.h"

#include <stdlib.h>

#include <algorithm>
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
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
#include "logquery/authenticator.h"
#include "logquery/error.h"
#include "logquery/store/duckdb_backend.h"

namespace logquery::shim {
namespace {

TEST_CASE("a log that is declared while the server runs takes events") {
  std::string folder = (std::filesystem::temp_directory_path() / "logquery-compose-ingest-XXXXXX").string();
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  {
    DuckDbOptions options;
    options.folder = folder;
    const auto backend = OpenDuckDb(options);
    REQUIRE(backend.ok());
    const auto ingest = MakeIngest(**backend, {.max_bytes = 16 << 20});
    REQUIRE(ingest.ok());
    Principal writer;
    writer.token_id = "writer";
    writer.ingest = IngestRights();
    const std::string event = R"([{"at":"2026-03-04T05:06:07Z","text":"new"}])";
    const absl::Status none = (*ingest)->CheckSource(writer, "app_logs");
    CHECK(absl::IsNotFound(none));
    const size_t sources = (*ingest)->sources(writer).size();

    REQUIRE((*backend)
                ->DeclareLogs("schema.json", R"({"app.logs": {"log": "app_logs", "time": "at", "message": "text",
                    "columns": {"at": "TIMESTAMP", "text": "STRING"}}})")
                .ok());
    for (const char* source : {"app_logs", "app.logs"}) {
      IngestCall call{writer, source, EventForm::kLogs, false, event};
      const auto answer = (*ingest)->Take(call);
      INFO(answer.status().ToString());
      REQUIRE(answer.ok());
      CHECK(answer->rows == 1);
    }
    CHECK((*ingest)->sources(writer).size() == sources + 1);
    CHECK(absl::StrContains((*ingest)->CheckSource(writer, "app_log").message(), "app_logs"));
    const auto stats = (*backend)->ReadStats();
    REQUIRE(stats.ok());
    int64_t rows = 0;
    for (const TableStats& table : *stats) rows += table.rows;
    CHECK(rows == 2);
    (*ingest)->Stop();
  }
  std::filesystem::remove_all(folder);
}

// A folder, gone afterwards, that is opened again at will.
class Folder {
 public:
  Folder() {
    path_ = (std::filesystem::temp_directory_path() / "logquery-new-sources-XXXXXX").string();
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

std::unique_ptr<LogIngest> Ingesting(DuckDbBackend& backend, int64_t max_new_logs) {
  auto ingest = MakeIngest(backend, {.max_bytes = 16 << 20, .max_new_logs = max_new_logs});
  REQUIRE(ingest.ok());
  return *std::move(ingest);
}

Principal Writer(std::optional<std::vector<std::string>> logs = std::nullopt) {
  Principal writer;
  writer.token_id = "writer";
  writer.ingest.emplace();
  writer.ingest->logs = std::move(logs);
  return writer;
}

constexpr std::string_view kEvent = R"([{"message":"new","project":"p","metadata":{"level":"info"}}])";

absl::StatusOr<IngestAnswer> Send(LogIngest& ingest, const Principal& writer, const std::string& source,
                                  std::string_view body = kEvent) {
  return ingest.Take(IngestCall{writer, source, EventForm::kLogs, false, body});
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

TEST_CASE("an unknown source becomes a log with its first event, also after a restart") {
  const Folder folder;
  const Principal writer = Writer();
  {
    const auto backend = folder.Open();
    const auto ingest = Ingesting(*backend, 2);
    CHECK(ingest->CheckSource(writer, "my-app.prod").ok());
    CHECK(RowsOf(*backend, "my_app_prod") == -1);  // asking makes nothing
    const auto answer = Send(*ingest, writer, "my-app.prod");
    INFO(answer.status().ToString());
    REQUIRE(answer.ok());
    CHECK(answer->rows == 1);
    CHECK(Send(*ingest, writer, "my-app.prod").ok());
    CHECK(RowsOf(*backend, "my_app_prod") == 2);
    CHECK(ingest->sources(writer).back() == "my-app.prod");
    ingest->Stop();
  }
  const auto backend = folder.Open();
  const auto ingest = Ingesting(*backend, 0);
  CHECK(Send(*ingest, writer, "my-app.prod").ok());
  CHECK(RowsOf(*backend, "my_app_prod") == 3);
  CHECK(absl::IsNotFound(Send(*ingest, writer, "another").status()));
  const auto catalog = backend->ReadCatalog();
  REQUIRE(catalog.ok());
  const Table* const table = catalog->Find("my-app.prod");
  REQUIRE(table != nullptr);
  CHECK(table->project_path == std::vector<std::string>{"project"});
  CHECK(table->time_column == "timestamp");
  ingest->Stop();
}

TEST_CASE("sources become logs up to a bound, also when many requests come at one time") {
  const Folder folder;
  const auto backend = folder.Open();
  const auto ingest = Ingesting(*backend, 3);
  const Principal writer = Writer();
  std::atomic<int> taken = 0, refused = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      for (int j = 0; j < 2; ++j) {
        const auto answer = Send(*ingest, writer, "source" + std::to_string(i / 2 + j));
        if (answer.ok()) ++taken;
        if (absl::IsNotFound(answer.status())) ++refused;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(taken + refused == 16);
  CHECK(taken > 0);
  CHECK(ingest->sources(writer).size() == Catalog::DeclaredLogs().tables().size() + 3);
  const absl::Status beyond = Send(*ingest, writer, "source9").status();
  CHECK(absl::IsNotFound(beyond));
  CHECK(absl::StrContains(beyond.message(), "tokens of all projects made 3 already, and --new-sources allows each 3"));
  CHECK(Send(*ingest, writer, "edge_logs").ok());
  ingest->Stop();
}

TEST_CASE("no log is made for a limited token, a wrong name, a name like another log's, or without events") {
  const Folder folder;
  const auto backend = folder.Open();
  const auto ingest = Ingesting(*backend, 10);
  const size_t before = ingest->sources(Writer()).size();
  const absl::Status limited = Send(*ingest, Writer(std::vector<std::string>{"edge_logs"}), "mine").status();
  CHECK(absl::IsNotFound(limited));
  CHECK(absl::StrContains(limited.message(), "for tokens that may write all logs"));
  const Principal reader;
  CHECK(absl::IsPermissionDenied(Send(*ingest, reader, "mine").status()));
  for (const char* name : {"", "../etc", "a/b", "a b", "1st", "-a", ".", "a\"b", "a;drop", "caf\xC3\xA9"}) {
    CAPTURE(name);
    CHECK(absl::IsInvalidArgument(Send(*ingest, Writer(), name).status()));
  }
  CHECK(absl::IsInvalidArgument(Send(*ingest, Writer(), std::string(101, 'a')).status()));
  const absl::Status alike = Send(*ingest, Writer(), "edge-logs").status();
  CHECK(absl::IsNotFound(alike));
  CHECK(absl::StrContains(alike.message(), "edge_logs is the name of another log"));
  CHECK(absl::StrContains(alike.message(), "did you mean"));
  CHECK(Send(*ingest, Writer(), "mine", "[]").ok());  // no event
  for (const char* body : {"{", "[1"}) {
    CAPTURE(body);
    CHECK(absl::IsInvalidArgument(Send(*ingest, Writer(), "mine", body).status()));
  }
  Principal poor = Writer();
  poor.token_id = "poor";
  poor.ingest->bytes_per_day = 1;
  CHECK(absl::IsResourceExhausted(Send(*ingest, poor, "mine").status()));
  CHECK(ingest->sources(Writer()).size() == before);
  CHECK(RowsOf(*backend, "mine") == -1);
  ingest->Stop();
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
    const auto ingest = Ingesting(*backend, 3);
    for (int i = 0; i < 5; ++i) {
      const absl::Status sent = Send(*ingest, a, "alpha.secret" + std::to_string(i), kPlainEvent).status();
      CHECK(sent.ok() == (i < 3));
      if (i >= 3) CHECK(absl::StrContains(sent.message(), "the token's project made 3 already"));
    }
    CHECK(Send(*ingest, b, "beta.own", kPlainEvent).ok());
    CHECK(Send(*ingest, Writer(), "shared", kPlainEvent).ok());
    ingest->Stop();
  }
  const auto backend = folder.Open();
  const auto ingest = Ingesting(*backend, 3);
  CHECK(absl::IsNotFound(Send(*ingest, a, "alpha.secret4", kPlainEvent).status()));
  CHECK(Send(*ingest, b, "beta.second", kPlainEvent).ok());
  ingest->Stop();
}

TEST_CASE("no error and no list names a log that another project's source made") {
  const Folder folder;
  const auto backend = folder.Open();
  const Principal a = WriterOf("alpha"), b = WriterOf("beta");
  {
    const auto ingest = Ingesting(*backend, 3);
    const std::vector<std::string> before = ingest->sources(b);
    const absl::Status missed = Send(*ingest, b, "alpha.secret!", kPlainEvent).status();
    REQUIRE(Send(*ingest, a, "alpha.secret", kPlainEvent).ok());
    CHECK(Lists(ingest->sources(a), "alpha.secret"));
    CHECK(ingest->sources(b) == before);
    CHECK(Send(*ingest, b, "alpha.secret!", kPlainEvent).status() == missed);
    CHECK(Lists(ingest->sources(Writer()), "alpha.secret"));  // a token of all projects reads all
    ingest->Stop();
  }
  const auto ingest = Ingesting(*backend, 0);
  for (const char* source : {"alpha.secret", "alpha.secre", "alpha_secret", "nothing.like.it"}) {
    CAPTURE(source);
    const absl::Status status = Send(*ingest, b, source, kPlainEvent).status();
    CHECK(absl::IsNotFound(status));
    const std::string asked = base::QuotedText(source);
    std::string message(status.message());
    if (const size_t at = message.find(asked); at != std::string::npos) message.erase(at, asked.size());
    CHECK_FALSE(absl::StrContains(message, "alpha"));
    for (const std::string& near : GetErrorDetails(status).nearest) CHECK_FALSE(absl::StrContains(near, "alpha"));
  }
  CHECK(Send(*ingest, a, "alpha.secret", kPlainEvent).ok());
  ingest->Stop();
}

TEST_CASE("a project that writes to a source of the same name has the log too, within its own bound") {
  const Folder folder;
  const Principal a = WriterOf("alpha"), b = WriterOf("beta");
  {
    const auto backend = folder.Open();
    const auto ingest = Ingesting(*backend, 1);
    REQUIRE(Send(*ingest, a, "web", kPlainEvent).ok());
    CHECK(Send(*ingest, b, "web", kPlainEvent).ok());
    CHECK(Lists(ingest->sources(b), "web"));
    CHECK(RowsOf(*backend, "web") == 2);
    CHECK(absl::IsNotFound(Send(*ingest, b, "other", kPlainEvent).status()));
    // Rows that a token of all projects writes make the log the project's as well.
    REQUIRE(Send(*ingest, Writer(), "all", R"([{"message":"m","project":"gamma"}])").ok());
    CHECK(Lists(ingest->sources(WriterOf("gamma")), "all"));
    CHECK_FALSE(Lists(ingest->sources(b), "all"));
    ingest->Stop();
  }
  const auto backend = folder.Open();
  {
    const auto ingest = Ingesting(*backend, 0);
    CHECK(Send(*ingest, b, "web", kPlainEvent).ok());
    CHECK(absl::IsNotFound(Send(*ingest, WriterOf("gamma"), "web", kPlainEvent).status()));
    ingest->Stop();
  }
  // Declared by the operator, it is everybody's.
  REQUIRE((*backend)
              .DeclareLogs("schema.json", R"({"web": {"log": "web", "time": "timestamp", "project": ["project"],
                  "columns": {"id": "STRING", "timestamp": "TIMESTAMP", "event_message": "STRING", "project": "STRING",
                              "metadata": {"level": "STRING"}, "more": "STRING"}}})")
              .ok());
  const auto ingest = Ingesting(*backend, 0);
  CHECK(Lists(ingest->sources(WriterOf("gamma")), "web"));
  CHECK(Send(*ingest, WriterOf("gamma"), "web", kPlainEvent).ok());
  ingest->Stop();
}

TEST_CASE("two sources never become one log: names that queries could not distinguish are rejected") {
  const Folder folder;
  const auto backend = folder.Open();
  const auto ingest = Ingesting(*backend, 10);
  const Principal writer = WriterOf("alpha");
  REQUIRE(Send(*ingest, writer, "my-app", kPlainEvent).ok());
  for (const char* other : {"my_app", "my.app", "My-App", "MY_APP"}) {
    CAPTURE(other);
    for (const Principal& sender : {writer, Writer(), WriterOf("beta")}) {
      const absl::Status status = Send(*ingest, sender, other, kPlainEvent).status();
      CHECK(absl::IsNotFound(status));
      CHECK(absl::StrContains(status.message(), "is the name of another log"));
    }
  }
  CHECK(RowsOf(*backend, "my_app") == 1);
  ingest->Stop();
}

}  // namespace
}  // namespace logquery::shim
