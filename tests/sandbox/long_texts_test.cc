// Functions over long stored texts: one vector of them is gone through before the engine looks whether the query must end.
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

#include "absl/strings/str_replace.h"
#include "lib/base/strings.h"
#include "logquery/clock.h"
#include "logquery/query_service.h"
#include "logquery/store/duckdb_backend.h"
#include "tests/sandbox/sandbox_logs.h"
#include "tests/support/folders.h"
#include "tests/support/thread_time.h"

namespace logquery {
namespace {

using testing::ShortestSeconds;

constexpr int kRows = 100;
constexpr size_t kBytes = 64 << 10;
constexpr size_t kPartBytes = 30'000;

// The sanitizers make each step longer, and not all alike.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kComparesTime = false;
#else
constexpr bool kComparesTime = true;
#endif

// Every other row has one `b` in as many bytes as the part has, in another place in each; the rest are commas and letters by turns.
std::string TextOf(int row) {
  std::string text;
  for (size_t i = 0; text.size() < kBytes; ++i) {
    const size_t place = i + static_cast<size_t>(row) * 311;
    text += row % 2 == 1 && place % 2 == 0 ? ',' : row % 2 == 0 && place % kPartBytes == 0 ? 'b' : 'a';
  }
  return text;
}

// Differs from each part of a text by the last two bytes, whose sum is that of `a` and `b`.
std::string Part() { return std::string(kPartBytes - 2, 'a') + "Zi"; }

class LongTexts {
 public:
  LongTexts() {
    std::filesystem::create_directories(folder_);
    std::ofstream file(folder_ / "rows");
    for (int row = 0; row < kRows; ++row) {
      file << R"({"id":")" << row << R"(","timestamp":"2026-03-04T05:00:00Z","project":"abc","event_message":")"
           << TextOf(row) << "\"}\n";
    }
    file.close();
    DuckDbOptions engine;
    engine.folder = (folder_ / "data").string();
    engine.threads = 1;  // the calling one, whose processor time is taken
    auto backend = OpenDuckDb(engine);
    REQUIRE(backend.ok());
    backend_ = *std::move(backend);
    REQUIRE(backend_->store().Load({.table = "edge_logs", .files = {(folder_ / "rows").string()}}, nullptr).ok());
    QueryServiceOptions options;
    options.backend = backend_.get();
    options.clock = &clock_;
    options.kept_bytes = 0;
    auto service = QueryService::Create(options);
    REQUIRE(service.ok());
    service_ = *std::move(service);
  }

  LongTexts(const LongTexts&) = delete;
  LongTexts& operator=(const LongTexts&) = delete;
  ~LongTexts() {
    service_ = nullptr;
    backend_ = nullptr;
    std::filesystem::remove_all(folder_);
  }

  absl::Status Run(std::string_view expression) {
    QueryRequest request;
    request.endpoint = "logs.all";
    request.parameters = {
        {"project", "abc"},
        {"sql", base::StrCat("SELECT ", expression, " AS n FROM (SELECT event_message AS t FROM edge_logs)")}};
    return service_->Run(request).status();
  }

 private:
  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / base::StrCat("logquery-long-texts-", getpid());
  const FixedClock clock_{absl::FromUnixSeconds(1'772'600'700)};
  std::unique_ptr<DuckDbBackend> backend_;
  std::unique_ptr<QueryService> service_;
};

TEST_CASE("every function over long texts takes some nanoseconds a byte, or says that they are too long") {
  constexpr double kMostTimes = 200;  // functions of ours may take 40 times as long, and end with the query
  LongTexts texts;
  const double lower = ShortestSeconds(5, [&] { CHECK(texts.Run("SUM(LENGTH(LOWER(t)))").ok()); });
  for (const std::string& line : testing::SandboxLines(testing::SourcePath("tests/testdata/sandbox/long_texts.txt"))) {
    INFO(line);
    absl::Status status;
    const double seconds = ShortestSeconds(3, [&] {
      status = texts.Run(absl::StrReplaceAll(line, {{"{part}", Part()}}));
    });
    INFO(status.ToString());
    CHECK(
        (status.ok() || absl::IsResourceExhausted(status) || status.message().find("bytes") != std::string_view::npos));
    CHECK((!kComparesTime || seconds < kMostTimes * lower));
  }
}

}  // namespace
}  // namespace logquery
