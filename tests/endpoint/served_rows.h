// A service over a real engine with a few rows of two projects, for tests of what queries may read.
#ifndef LOGQUERY_TESTS_ENDPOINT_SERVED_ROWS_H_
#define LOGQUERY_TESTS_ENDPOINT_SERVED_ROWS_H_

#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/strings.h"
#include "logquery/authenticator.h"
#include "logquery/query_service.h"
#include "logquery/store/duckdb_backend.h"
#include "logquery/testing/fake_clock.h"

namespace logquery {

// Definitions that a test changes.
class ChangingSource : public EndpointSource {
 public:
  absl::StatusOr<EndpointSet> Read() override { return EndpointSet{endpoints, std::to_string(revision)}; }
  std::unique_ptr<Watch> OnChange(std::function<void()>) override { return nullptr; }
  std::vector<Endpoint> endpoints;
  int revision = 0;
};

class OnePrincipal : public Authenticator {
 public:
  absl::StatusOr<Principal> Authenticate(std::string_view) override { return principal; }
  Principal principal;
};

// Projects abc and xyz: each has requests of GET at 1.2.3.4, abc two of them and xyz three.
struct ServedRows {
  explicit ServedRows(std::vector<Endpoint> endpoints) {
    std::filesystem::remove_all(folder);  // that of a process with this id that was killed
    std::filesystem::create_directories(folder);
    DuckDbOptions engine;
    engine.folder = (folder / "data").string();
    engine.memory_limit_bytes = 500'000'000;
    engine.threads = 2;
    backend = OpenDuckDb(engine).value();
    Load();
    source.endpoints = std::move(endpoints);
    Serve(Options());
  }
  ~ServedRows() {
    service = nullptr;
    backend = nullptr;
    std::filesystem::remove_all(folder);
  }

  QueryServiceOptions Options() {
    QueryServiceOptions options;
    options.backend = backend.get();
    options.clock = &clock;
    options.authenticator = &authenticator;
    options.endpoints = {};
    options.source = &source;
    options.warming_threads = 0;
    options.time_limit = absl::Minutes(10);  // for slow machines, and for sanitizers
    return options;
  }
  // Replaces the service.
  void Serve(QueryServiceOptions options) {
    auto made = QueryService::Create(std::move(options));
    INFO(made.status().ToString());
    REQUIRE(made.ok());
    service = *std::move(made);
  }

  void Load() {
    const std::string file = (folder / "rows").string();
    std::ofstream out(file);
    for (int i = 0; i < 5; ++i) {
      out << R"({"id":"id)" << i << R"(","timestamp":"2026-03-04T05:00:0)" << i
          << R"(Z","event_message":"from 1.2.3.4",)"
          << R"("project":")" << (i < 2 ? "abc" : "xyz")
          << R"(","metadata":{"request":{"method":"GET","url":"https://1.2.3.4/a"},"response":{"status_code":200}}})"
          << "\n";
    }
    out.close();
    const auto report = backend->store().Load({.table = "edge_logs", .files = {file}}, nullptr);
    INFO(report.status().ToString());
    REQUIRE(report.ok());
  }

  std::string Body(const std::string& endpoint, ParameterTexts parameters = {}) {
    QueryRequest request;
    request.endpoint = endpoint;
    request.parameters = std::move(parameters);
    const auto answer = service->Run(request);
    return answer.ok() ? answer->body : answer.status().ToString();
  }

  static std::string NewName() {
    static int made = 0;
    return base::StrCat("logquery-served-rows-", getpid(), "-", ++made);
  }

  const std::filesystem::path folder = std::filesystem::temp_directory_path() / NewName();
  testing::FakeClock clock{absl::FromUnixSeconds(1'772'600'767)};
  OnePrincipal authenticator;
  ChangingSource source;
  std::unique_ptr<DuckDbBackend> backend;
  std::unique_ptr<QueryService> service;
};

inline Endpoint MakeEndpoint(std::string name, std::string query, int number) {
  Endpoint endpoint;
  std::string digits = std::to_string(number);
  digits.insert(0, 12 - digits.size(), '0');
  endpoint.id = base::StrCat("b0a9a6e8-6a0e-4a63-9f0b-", digits);
  endpoint.name = std::move(name);
  endpoint.query = std::move(query);
  return endpoint;
}

inline Endpoint InClickHouseSql(Endpoint endpoint) {
  endpoint.language = QueryLanguage::kClickHouse;
  return endpoint;
}

}  // namespace logquery

#endif  // LOGQUERY_TESTS_ENDPOINT_SERVED_ROWS_H_
