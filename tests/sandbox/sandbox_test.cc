// What callers' SQL may do over logs.all and what not, on a real engine. The lists are files that anyone can add to.
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "lib/base/strings.h"
#include "logquery/clock.h"
#include "logquery/duckdb/duckdb_backend.h"
#include "logquery/query_service.h"

namespace logquery {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kMemoryLimit = 500'000'000;
#ifdef NDEBUG
constexpr int64_t kOver = 768 << 20;
#else
constexpr int64_t kOver = int64_t{8} << 30;  // sanitizers keep memory that was let go of
#endif
constexpr absl::Duration kTimeLimit = absl::Milliseconds(500);

std::vector<std::string> Lines(const std::string& name) {
  std::ifstream file(base::StrCat(LOGQUERY_SOURCE_DIR, "/tests/testdata/sandbox/", name));
  REQUIRE(file.good());
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line[0] != '#') lines.push_back(line);
  }
  return lines;
}

struct Logs {
  explicit Logs(absl::Duration time_limit = absl::Seconds(60)) {
    fs::create_directories(folder);
    DuckDbOptions engine;
    engine.folder = (folder / "data").string();
    engine.memory_limit_bytes = kMemoryLimit;
    engine.threads = 2;
    auto opened = OpenDuckDb(engine);
    REQUIRE(opened.ok());
    backend = *std::move(opened);
    for (const char* table : {"edge_logs", "postgres_logs", "auth_logs", "function_logs"}) {
      const std::string file = (folder / table).string();
      std::ofstream out(file);
      for (int i = 0; i < 5; ++i) {
        out << R"({"id":")" << i << R"(","timestamp":"2026-03-04T05:00:0)" << i << R"(Z","event_message":"GET",)"
            << R"("project":"abc","metadata":{"request":{"method":"GET"},"project_ref":"abc"}})"
            << "\n";
      }
      out.close();
      REQUIRE(backend->store().Load({.table = table, .files = {file}}, nullptr).ok());
    }
    QueryServiceOptions options;
    options.backend = backend.get();
    options.clock = &clock;
    options.time_limit = time_limit;
    auto created = QueryService::Create(options);
    REQUIRE(created.ok());
    service = *std::move(created);
  }
  ~Logs() {
    service = nullptr;
    backend = nullptr;
    fs::remove_all(folder);
  }
  absl::StatusOr<QueryAnswer> Run(const std::string& sql) {
    QueryRequest request;
    request.endpoint = "logs.all";
    request.parameters = {{"project", "abc"}, {"sql", sql}};
    return service->Run(request);
  }

  const fs::path folder = fs::temp_directory_path() / base::StrCat("logquery-sandbox-", getpid());
  const FixedClock clock{absl::FromUnixSeconds(1'772'600'700)};
  std::unique_ptr<DuckDbBackend> backend;
  std::unique_ptr<QueryService> service;
};

// The most that this process has had in memory since ForgetPeak.
int64_t PeakMemory() {
  std::ifstream status("/proc/self/status");
  int64_t kib = 0;
  for (std::string word; status >> word;) {
    if (word == "VmHWM:") status >> kib;
  }
  REQUIRE(kib > 0);
  return kib * 1'024;
}
void ForgetPeak() { std::ofstream("/proc/self/clear_refs") << "5"; }

TEST_CASE("every attack is refused before anything runs, and the error says why") {
  Logs logs;
  const std::vector<std::string> attacks = Lines("attacks.txt");
  CHECK(attacks.size() >= 150);
  for (const std::string& sql : attacks) {
    const absl::Status status = logs.Run(sql).status();
    INFO(sql << "\n" << status.ToString());
    const bool refused = absl::IsInvalidArgument(status) || absl::IsUnimplemented(status);
    CHECK(refused);
    CHECK_FALSE(base::Message(status).empty());
    // Nothing of the engine's own is told.
    CHECK(base::Message(status).find("Binder Error") == std::string_view::npos);
    CHECK(base::Message(status).find("Catalog Error") == std::string_view::npos);
  }
}

TEST_CASE("SQL that only looks like an attack runs") {
  Logs logs;
  const std::vector<std::string> honest = Lines("honest.txt");
  CHECK(honest.size() >= 50);
  for (const std::string& sql : honest) {
    const absl::Status status = logs.Run(sql).status();
    INFO(sql << "\n" << status.ToString());
    CHECK(status.ok());
  }
}

TEST_CASE("what asks for too much ends with an error, within the engine's memory", "[serial]") {
  Logs logs(kTimeLimit);
  for (const std::string& sql : Lines("giants.txt")) {
    ForgetPeak();
    const absl::Duration start = Clock::Real()->Monotonic();
    const absl::Status status = logs.Run(sql).status();
    INFO(sql << "\n" << status.ToString() << "\nafter " << absl::FormatDuration(Clock::Real()->Monotonic() - start));
    CHECK_FALSE(status.ok());
    CHECK_FALSE(absl::IsInternal(status));
    // Each of them alone takes 70 to 520 MB; here the allocator still has pages of those before it.
    CHECK(PeakMemory() < kMemoryLimit + kOver);
  }
}

}  // namespace
}  // namespace logquery
