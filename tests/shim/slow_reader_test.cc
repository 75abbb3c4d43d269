// A client that stops reading in the middle of its answer, over a folder that is loaded meanwhile.
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <string>

#include "lib/base/strings.h"
#include "logquery/clock.h"
#include "logquery/store/duckdb_backend.h"
#include "tests/shim/server_fixture.h"

namespace logquery::shim {
namespace {

namespace fs = std::filesystem;

constexpr int kRows = 900;

// Rows of 10 KB each, of ids that begin with `prefix`.
std::string WriteRows(const fs::path& path, const std::string& prefix) {
  std::ofstream file(path);
  for (int i = 0; i < kRows; ++i) {
    file << R"({"id":")" << prefix << i << R"(","timestamp":"2026-03-04T05:00:00Z","project":"abc","event_message":")"
         << std::string(10'000, 'x') << "\"}\n";
  }
  return path.string();
}

struct Logs {
  Logs() {
    fs::create_directories(folder);
    auto opened = OpenDuckDb({.folder = (folder / "data").string()});
    REQUIRE(opened.ok());
    backend = *std::move(opened);
    QueryServiceOptions options;
    options.backend = backend.get();
    options.clock = &clock;
    auto created = QueryService::Create(options);
    REQUIRE(created.ok());
    service = *std::move(created);
  }
  ~Logs() {
    service = nullptr;
    backend = nullptr;
    fs::remove_all(folder);
  }
  absl::Status Load(const std::string& prefix) {
    const std::string file = WriteRows(folder / prefix, prefix);
    return backend->store().Load({.table = "edge_logs", .files = {file}}, nullptr).status();
  }

  const fs::path folder = fs::temp_directory_path() / base::StrCat("logquery-slow-reader-", getpid());
  const FixedClock clock{absl::FromUnixSeconds(1'772'600'700)};  // minutes after the rows' time
  std::unique_ptr<DuckDbBackend> backend;
  std::unique_ptr<QueryService> service;
};

TEST_CASE("a client that reads one byte and stops delays no load, no checkpoint and no other reader") {
  constexpr char kRead[] = "/api/endpoints/query/logs.all?project=abc&sql=select+id,event_message+from+edge_logs";
  constexpr char kCount[] = "/api/endpoints/query/logs.all?project=abc&sql=select+count(*)+as+n+from+edge_logs";
  Logs logs;
  REQUIRE(logs.Load("first").ok());
  ServerFixture fixture;
  fixture.service.on_run = [&](const QueryRequest& request) {
    QueryRequest call = request;
    call.endpoint = "logs.all";
    absl::StatusOr<QueryAnswer> answer = logs.service->Run(call);
    return answer.ok() ? *std::move(answer) : AnswerWith("");
  };

  RawClient slow(fixture.port(), 4'096);
  slow.Send(base::StrCat("GET ", kRead, " HTTP/1.1\r\nHost: t\r\nX-API-KEY: good\r\n\r\n"));
  REQUIRE(slow.ReceiveByte() == 'H');

  CHECK(BodyOf(Get(fixture.port(), kCount)) == R"({"result":[{"n":900}]})");
  CHECK(logs.Load("second").ok());
  CHECK(logs.backend->store().Checkpoint().ok());
  CHECK(BodyOf(Get(fixture.port(), kCount)) == R"({"result":[{"n":1800}]})");
  // And the slow one gets what its query saw, whole.
  CHECK(slow.Receive().size() > 900 * 10'000);
}

}  // namespace
}  // namespace logquery::shim
