// The three built-in endpoints on all engines: random calls answer from each what the same rows answer from a data folder.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_random.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "lib/base/strings.h"
#include "logquery/bigquery/bigquery_backend.h"
#include "logquery/clickhouse/clickhouse_backend.h"
#include "logquery/parameter_binder.h"
#include "logquery/postgres/postgres_backend.h"
#include "logquery/query_service.h"
#include "logquery/store/duckdb_backend.h"
#include "logquery/testing/fake_clock.h"
#include "tests/bigquery/bigquery_host.h"
#include "tests/clickhouse/click_house.h"
#include "tests/clickhouse/log_loader.h"
#include "tests/postgres/cluster.h"
#include "tests/postgres/logflare_loader.h"
#include "tests/support/random_logs.h"

namespace logquery::testing {
namespace {

constexpr int kRows = 30'000;
constexpr int kCalls = 300;

// A data folder with the rows, which is gone with it.
class Folder {
 public:
  explicit Folder(const RandomLogs& logs) {
    path_ = (std::filesystem::temp_directory_path() / "logquery-engines-XXXXXX").string();
    REQUIRE(mkdtemp(path_.data()) != nullptr);
    auto opened = OpenDuckDb({.folder = path_ + "/data"});
    REQUIRE(opened.ok());
    backend_ = *std::move(opened);
    for (const Table& table : logs.tables()) {
      const std::string file = path_ + "/rows.ndjson";
      std::ofstream(file, std::ios::binary) << logs.Lines(table);
      LoadRequest load;
      load.table = table.name;
      load.files = {file};
      const auto report = backend_->store().Load(load, nullptr);
      INFO(report.status().ToString());
      REQUIRE(report.ok());
      REQUIRE(report->rows == static_cast<int64_t>(logs.rows(table).size()));
    }
  }
  ~Folder() {
    backend_ = nullptr;
    std::filesystem::remove_all(path_);
  }
  QueryBackend& backend() { return *backend_; }

 private:
  std::string path_;
  std::unique_ptr<DuckDbBackend> backend_;
};

std::string WordsOf(const QueryRequest& call) {
  std::string words = call.endpoint;
  for (const auto& [name, value] : call.parameters) base::StrAppend(&words, " ", name, "=", value);
  return words;
}

std::vector<std::string> Answers(QueryBackend& backend, const std::vector<QueryRequest>& calls) {
  const FakeClock clock(*ParseTimestamp(kRandomLogsNow));
  QueryServiceOptions options;
  options.backend = &backend;
  options.clock = &clock;
  const auto service = QueryService::Create(options);
  INFO(service.status().ToString());
  REQUIRE(service.ok());
  std::vector<std::string> answers;
  for (const QueryRequest& call : calls) {
    const auto answer = (*service)->Run(call);
    CAPTURE(WordsOf(call), answer.status().ToString());
    REQUIRE(answer.ok());
    answers.push_back(answer->body);
  }
  return answers;
}

void Compare(QueryBackend& backend, const std::vector<QueryRequest>& calls, const std::vector<std::string>& expected) {
  const std::vector<std::string> answers = Answers(backend, calls);
  for (size_t i = 0; i < calls.size(); ++i) {
    CAPTURE(WordsOf(calls[i]));
    CHECK(answers[i] == expected[i]);
  }
}

TEST_CASE("300 random calls of the built-in endpoints on 30,000 rows are equal on all engines", "[nightly]") {
  const auto seed = GENERATE(take(1, random<uint32_t>(0, 1'000'000)));
  CAPTURE(seed);
  const auto logs = std::make_shared<RandomLogs>(seed, absl::ToUnixMicros(*ParseTimestamp(kRandomLogsNow)), kRows);
  Random random(seed);
  std::vector<QueryRequest> calls;
  for (int i = 0; i < kCalls; ++i) calls.push_back(RandomCall(random));
  Folder folder(*logs);
  const std::vector<std::string> expected = Answers(folder.backend(), calls);
  if (Cluster::IsPossible()) {
    Cluster cluster;
    std::vector<PostgresTable> tables;
    for (const Table& table : logs->tables()) tables.push_back(LoadLogflare(cluster, table.name, logs->Lines(table)));
    const auto postgres = OpenPostgres(cluster.Options(tables));
    REQUIRE(postgres.ok());
    Compare(**postgres, calls, expected);
  }
  if (ClickHouse::WhyNot().empty()) {
    ClickHouse server;
    std::vector<ClickHouseTable> tables;
    for (const Table& table : logs->tables()) tables.push_back(LoadLog(server, table, logs->Lines(table)));
    const auto clickhouse = OpenClickHouse(server.Options(tables));
    REQUIRE(clickhouse.ok());
    Compare(**clickhouse, calls, expected);
  }
  std::map<std::string, std::string> names;
  for (const Table& table : logs->tables()) {
    std::string& name = names[table.name];
    for (const unsigned char c : table.name) name += absl::ascii_isalnum(c) ? static_cast<char>(c) : '_';
  }
  BigQueryHost host(&folder.backend(), names);
  const auto bigquery = OpenBigQuery(host.Options());
  REQUIRE(bigquery.ok());
  Compare(**bigquery, calls, expected);
  CHECK(host.problems() == std::vector<std::string>());
}

}  // namespace
}  // namespace logquery::testing
