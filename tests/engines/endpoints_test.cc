// The three built-in endpoints on all engines: random calls answer from each what the same rows answer from a data folder.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_random.hpp>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "logquery/bigquery/bigquery_backend.h"
#include "logquery/clickhouse/clickhouse_backend.h"
#include "logquery/postgres/postgres_backend.h"
#include "logquery/store/duckdb_backend.h"
#include "tests/bigquery/bigquery_host.h"
#include "tests/clickhouse/click_house.h"
#include "tests/clickhouse/log_loader.h"
#include "tests/engines/random_calls.h"
#include "tests/postgres/cluster.h"
#include "tests/postgres/logflare_loader.h"

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

TEST_CASE("300 random calls of the built-in endpoints on 30,000 rows are equal on all engines", "[nightly]") {
  const auto seed = GENERATE(take(1, random<uint32_t>(0, 1'000'000)));
  CAPTURE(seed);
  const auto logs = MakeRandomLogs(seed, kRows);
  const std::vector<QueryRequest> calls = RandomCalls(seed, kCalls);
  Folder folder(*logs);
  const std::vector<std::string> expected = RunCalls(folder.backend(), calls);
  if (Cluster::IsPossible()) {
    Cluster cluster;
    std::vector<PostgresTable> tables;
    for (const Table& table : logs->tables()) tables.push_back(LoadLogflare(cluster, table.name, logs->Lines(table)));
    const auto postgres = OpenPostgres(cluster.Options(tables));
    REQUIRE(postgres.ok());
    CheckAnswers(**postgres, calls, expected);
  }
  if (ClickHouse::WhyNot().empty()) {
    ClickHouse server;
    std::vector<ClickHouseTable> tables;
    for (const Table& table : logs->tables()) tables.push_back(LoadLog(server, table, logs->Lines(table)));
    const auto clickhouse = OpenClickHouse(server.Options(tables));
    REQUIRE(clickhouse.ok());
    CheckAnswers(**clickhouse, calls, expected);
  }
  BigQueryHost host(&folder.backend(), BigQueryNames(logs->tables()));
  const auto bigquery = OpenBigQuery(host.Options());
  REQUIRE(bigquery.ok());
  CheckAnswers(**bigquery, calls, expected);
  CHECK(host.problems() == std::vector<std::string>());
  // The engines that are here have passed; the report of the run says which one was not asked.
  if (!Cluster::IsPossible()) SKIP("there is no PostgreSQL server on this machine");
  if (const std::string why = ClickHouse::WhyNot(); !why.empty()) SKIP(why);
}

}  // namespace
}  // namespace logquery::testing
