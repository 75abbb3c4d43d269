// A few rows of four logs on a real engine of little memory, for callers' SQL that is up to no good.
//
//     SandboxLogs logs(absl::Milliseconds(500));
//     const absl::Status status = logs.Run("select repeat('a', 1000000000) as x").status();
#ifndef LOGQUERY_TESTS_SANDBOX_SANDBOX_LOGS_H_
#define LOGQUERY_TESTS_SANDBOX_SANDBOX_LOGS_H_

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/strings.h"
#include "logquery/clock.h"
#include "logquery/query_service.h"
#include "logquery/store/duckdb_backend.h"

namespace logquery::testing {

inline constexpr int64_t kSandboxMemoryLimit = 500'000'000;

// The lines of a file of tests/testdata/sandbox that are no comments.
inline std::vector<std::string> SandboxLines(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line[0] != '#') lines.push_back(line);
  }
  return lines;
}

// The most that this process has had in memory since ForgetPeakMemory, in bytes; 0: the system does not tell.
inline int64_t PeakMemory() {
  std::ifstream status("/proc/self/status");
  int64_t kib = 0;
  for (std::string word; status >> word;) {
    if (word == "VmHWM:") status >> kib;
  }
  return kib * 1'024;
}
inline void ForgetPeakMemory() { std::ofstream("/proc/self/clear_refs") << "5"; }

class SandboxLogs {
 public:
  explicit SandboxLogs(absl::Duration time_limit) {
    std::filesystem::create_directories(folder_);
    DuckDbOptions engine;
    engine.folder = (folder_ / "data").string();
    engine.memory_limit_bytes = kSandboxMemoryLimit;
    engine.threads = 2;
    backend_ = Need(OpenDuckDb(engine));
    for (const char* table : {"edge_logs", "postgres_logs", "auth_logs", "function_logs"}) Load(table);
    QueryServiceOptions options;
    options.backend = backend_.get();
    options.clock = &clock_;
    options.time_limit = time_limit;
    service_ = Need(QueryService::Create(options));
  }
  SandboxLogs(const SandboxLogs&) = delete;
  SandboxLogs& operator=(const SandboxLogs&) = delete;
  ~SandboxLogs() {
    service_ = nullptr;
    backend_ = nullptr;
    std::filesystem::remove_all(folder_);
  }

  absl::StatusOr<QueryAnswer> Run(const std::string& sql) {
    QueryRequest request;
    request.endpoint = "logs.all";
    request.parameters = {{"project", "abc"}, {"sql", sql}};
    return service_->Run(request);
  }

 private:
  template <typename T>
  static T Need(absl::StatusOr<T> value) {
    if (value.ok()) return *std::move(value);
    std::fprintf(stderr, "%s\n", value.status().ToString().c_str());
    std::abort();
  }

  void Load(const std::string& table) {
    const std::string file = (folder_ / table).string();
    std::ofstream out(file);
    for (int i = 0; i < 5; ++i) {
      out << R"({"id":")" << i << R"(","timestamp":"2026-03-04T05:00:0)" << i << R"(Z","event_message":"GET",)"
          << R"("project":"abc","metadata":{"request":{"method":"GET"},"project_ref":"abc"}})"
          << "\n";
    }
    out.close();
    Need(backend_->store().Load({.table = table, .files = {file}}, nullptr));
  }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / base::StrCat("logquery-sandbox-", getpid());
  const FixedClock clock_{absl::FromUnixSeconds(1'772'600'700)};
  std::unique_ptr<DuckDbBackend> backend_;
  std::unique_ptr<QueryService> service_;
};

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_SANDBOX_SANDBOX_LOGS_H_
