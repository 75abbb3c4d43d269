// Queries in ClickHouse SQL over engines elsewhere have the answers of a folder with the same rows: the plan is split as one of
// the other language is, and what the engine can't compute runs here.
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
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

constexpr int kOtelRows = 400;

// Each with an order that is determined. They look up attributes of one log and of several, and read the whole map.
constexpr const char* kOtelQueries[] = {
    "select source, count() n from logs group by source order by source",
    "select id, timestamp, event_message, severity_text, source, project from logs order by timestamp desc, id limit "
    "50",
    "select id, log_attributes['request.path'] path, log_attributes['response.status_code'] code from logs where "
    "source = "
    "'edge_logs' order by id limit 40",
    "select log_attributes['request.method'] m, countIf(toInt32OrZero(log_attributes['response.status_code']) >= 500) "
    "e, "
    "avg(toFloat64OrNull(log_attributes['response.origin_time'])) t from logs where source = 'edge_logs' group by m "
    "order by m",
    "select toStartOfMinute(timestamp) t, count() n from logs where severity_text != 'INFO' group by t order by t",
    "select severity_text s, source, uniqExact(id) n, min(timestamp) a, max(timestamp) b from logs group by s, source "
    "order by s, "
    "source",
    "select id from logs where log_attributes['response.status_code'] in ('200', '404') and event_message ilike "
    "'%get%' order by id",
    "select id, mapContains(log_attributes, 'request.path') has from logs order by id limit 60",
    "select id, arrayStringConcat(arraySort(mapKeys(log_attributes)), ',') k from logs order by id limit 60",
    "select log_attributes[concat('request.', 'path')] p, count() n from logs group by p order by p",
    "select a.source s, a.n + b.n n from (select source, count() n from logs group by source) a left join (select "
    "source, count() n "
    "from logs where severity_text = 'ERROR' group by source) b on a.source = b.source order by s",
    "select source, id, row_number() over (partition by source order by timestamp, id) n from logs order by source, n "
    "limit 80",
    "select source, id from logs order by source, timestamp desc, id limit 2 by source",
    "(select id, 'a' as k from logs where source = 'edge_logs' order by id limit 3) union all (select id, 'b' as k "
    "from logs where "
    "source = 'postgres_logs' order by id limit 3)",
    "select quantile(0.5)(toInt64OrZero(log_attributes['response.status_code'])) q, intDiv(count(), 7) d, count() / 3 "
    "f from logs",
    "select id from logs where source in (select source from logs where severity_text = 'ERROR') order by id limit 30",
    "select substring(event_message, 1, 9) m, length(event_message) n from logs where match(event_message, '[0-9]{3}') "
    "order by id "
    "limit 30",
    "select toStartOfHour(timestamp) as timestamp, count() n from logs where timestamp > '2026-03-04 04:00:00' group "
    "by timestamp "
    "order by timestamp",
    "select toStartOfMinute(timestamp) t, count() n from logs where source = 'edge_logs' group by t order by t with "
    "fill step 60 "
    "limit 50",
};

std::string OtelAnswer(QueryService& service, const std::string& project, const std::string& sql) {
  QueryRequest request;
  request.endpoint = "logs.all.otel";
  request.parameters = {{"project", project}, {"project_tier", "ENTERPRISE"}, {"sql", sql}};
  const auto answer = service.Run(request);
  return answer.ok() ? answer->body : answer.status().ToString();
}

std::vector<std::string> OtelAnswers(QueryBackend& backend, const std::string& project) {
  const FakeClock clock(*ParseTimestamp(kRandomLogsNow));
  QueryServiceOptions options;
  options.backend = &backend;
  options.clock = &clock;
  const auto service = QueryService::Create(options);
  INFO(service.status().ToString());
  REQUIRE(service.ok());
  std::vector<std::string> answers;
  for (const char* sql : kOtelQueries) answers.push_back(OtelAnswer(**service, project, sql));
  return answers;
}

// A data folder with the rows, and its answers.
class OtelFolder {
 public:
  explicit OtelFolder(const RandomLogs& logs) {
    path_ = (std::filesystem::temp_directory_path() / "logquery-otel-XXXXXX").string();
    REQUIRE(mkdtemp(path_.data()) != nullptr);
    backend_ = OpenDuckDb({.folder = path_ + "/data"}).value();
    for (const Table& table : logs.tables()) {
      const std::string file = path_ + "/rows.ndjson";
      std::ofstream(file, std::ios::binary) << logs.Lines(table);
      const auto report = backend_->store().Load({.table = table.name, .files = {file}}, nullptr);
      INFO(report.status().ToString());
      REQUIRE(report.ok());
    }
  }
  ~OtelFolder() {
    backend_ = nullptr;
    std::filesystem::remove_all(path_);
  }
  QueryBackend& backend() { return *backend_; }

 private:
  std::string path_;
  std::unique_ptr<DuckDbBackend> backend_;
};

struct OtelRows {
  RandomLogs logs{32, absl::ToUnixMicros(*ParseTimestamp(kRandomLogsNow)), kOtelRows};
  OtelFolder folder{logs};
  const std::string project = "abc";
  std::vector<std::string> expected;

  OtelRows() {
    expected = OtelAnswers(folder.backend(), project);
    size_t with_rows = 0;
    for (size_t i = 0; i < expected.size(); ++i) {
      CAPTURE(kOtelQueries[i], expected[i].substr(0, 500));
      REQUIRE(expected[i].starts_with("{\"result\":["));
      with_rows += expected[i].starts_with("{\"result\":[{") ? 1 : 0;
    }
    // A few queries may have no rows by chance.
    REQUIRE(with_rows * 5 >= expected.size() * 4);
  }

  void Compare(QueryBackend& backend) const {
    const std::vector<std::string> answers = OtelAnswers(backend, project);
    for (size_t i = 0; i < expected.size(); ++i) {
      CAPTURE(kOtelQueries[i]);
      CHECK(answers[i] == expected[i]);
    }
  }
};

TEST_CASE("ClickHouse SQL over PostgreSQL has the folder's answers", "[postgres]") {
  if (!Cluster::IsPossible()) SKIP("there are no programs of a PostgreSQL server here");
  const OtelRows rows;
  Cluster cluster;
  std::vector<PostgresTable> tables;
  for (const Table& table : rows.logs.tables()) {
    tables.push_back(LoadLogflare(cluster, table.name, rows.logs.Lines(table)));
  }
  const auto postgres = OpenPostgres(cluster.Options(tables));
  REQUIRE(postgres.ok());
  rows.Compare(**postgres);
}

TEST_CASE("ClickHouse SQL over ClickHouse has the folder's answers", "[clickhouse]") {
  if (const std::string why = ClickHouse::WhyNot(); !why.empty()) SKIP(why);
  const OtelRows rows;
  ClickHouse server;
  std::vector<ClickHouseTable> tables;
  for (const Table& table : rows.logs.tables()) tables.push_back(LoadLog(server, table, rows.logs.Lines(table)));
  const auto clickhouse = OpenClickHouse(server.Options(tables));
  REQUIRE(clickhouse.ok());
  rows.Compare(**clickhouse);
}

TEST_CASE("ClickHouse SQL over BigQuery has the folder's answers", "[bigquery]") {
  OtelRows rows;
  std::map<std::string, std::string> names;
  for (const Table& table : rows.logs.tables()) {
    std::string& name = names[table.name];
    for (const unsigned char c : table.name) name += absl::ascii_isalnum(c) ? static_cast<char>(c) : '_';
  }
  BigQueryHost host(&rows.folder.backend(), names);
  const auto bigquery = OpenBigQuery(host.Options());
  REQUIRE(bigquery.ok());
  rows.Compare(**bigquery);
  CHECK(host.problems() == std::vector<std::string>());
}

}  // namespace
}  // namespace logquery::testing
