// A program's own rows, queried: the requests that a source gets, and the rows that it gives.
#include "logquery/duckdb/source_backend.h"

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "absl/synchronization/notification.h"
#include "logquery/query_service.h"
#include "nlohmann/json.hpp"
#include "tests/source/events_source.h"
#include "tests/support/sandbox_service.h"

namespace logquery::source_tests {
namespace {

TEST_CASE("a program's rows are queried in the whole dialect") {
  Service service(std::make_shared<Source>());
  CHECK(service.Ask("SELECT COUNT(*) AS n, SUM(n) AS total FROM events") ==
        R"({"result":[{"n":2500,"total":6247500}]})");
  CHECK(
      service.Ask("SELECT r.method, COUNT(*) AS n, MAX(r.size) AS largest FROM events CROSS JOIN UNNEST(request) AS r "
                  "GROUP BY 1 ORDER BY 1") ==
      R"({"result":[{"method":"GET","n":714,"largest":49920},{"method":"POST","n":1428,"largest":49960}]})");
  CHECK(service.Ask("SELECT n, JSON_VALUE(data, '$.i') AS i, note, tags FROM events WHERE n BETWEEN 10 AND 14 "
                    "ORDER BY ts") ==
        R"({"result":[{"n":10,"i":"10","note":null,"tags":["a","10"]},{"n":12,"i":"12","note":"note 12","tags":[]},)"
        R"({"n":14,"i":"14","note":"note 14","tags":["a","14"]}]})");
  CHECK(service.Ask("SELECT n, LAG(n) OVER (ORDER BY ts) AS before FROM events QUALIFY before = 4 ORDER BY n") ==
        R"({"result":[{"n":6,"before":4}]})");
  CHECK(service.Ask("SELECT COUNT(*) AS n FROM events AS a JOIN events AS b ON a.n = b.n + 2 WHERE b.n < 10") ==
        R"({"result":[{"n":5}]})");
  // The fields of a record that is not there are NULL, and so are those of one that holds NULL.
  CHECK(service.Ask("SELECT COUNTIF(r.method IS NULL) AS n FROM events LEFT JOIN UNNEST(request) AS r WHERE n < 20") ==
        R"({"result":[{"n":2}]})");
}

TEST_CASE("a scan requests only the columns that the query reads, with the conditions known for the rows") {
  auto source = std::make_shared<Source>();
  Service service(source);
  source->TakeRequests();
  REQUIRE(service.Run("SELECT SUM(n) AS s FROM events WHERE ts >= '2026-03-04 05:00:00' AND n < 100 AND note LIKE 'x%'")
              .ok());
  const std::vector<ScanRequest> requests = source->TakeRequests();
  REQUIRE(requests.size() == 1);
  std::vector<size_t> columns = requests[0].columns;
  std::sort(columns.begin(), columns.end());
  CHECK(columns == std::vector<size_t>{0, 1, 2, 3});
  CHECK_FALSE(requests[0].newest.has_value());
  REQUIRE(requests[0].conditions.size() == 3);
  const auto find = [&](const std::string& column) {
    for (const ScanCondition& condition : requests[0].conditions) {
      if (condition.path == std::vector<std::string>{column}) return condition;
    }
    return ScanCondition();
  };
  CHECK(find("project").value == Value::String("mine"));
  CHECK(find("n").comparison == ScanCondition::Comparison::kLess);
  CHECK(find("n").value == Value::Int64(100));
  CHECK(find("ts").comparison == ScanCondition::Comparison::kGreaterOrEqual);
  CHECK(find("ts").value == Value::TimestampMicros(1'772'600'400'000'000));

  REQUIRE(service.Run("SELECT COUNT(*) AS n FROM events").ok());
  CHECK(source->TakeRequests()[0].columns == std::vector<size_t>{1});
}

TEST_CASE("a condition reaches a source only if it holds for all scans of the table and no LIMIT precedes it") {
  auto source = std::make_shared<Source>();
  Service service(source);
  source->TakeRequests();
  REQUIRE(service
              .Run("SELECT COUNT(*) AS n FROM (SELECT n FROM events WHERE n > 7) AS a "
                   "JOIN (SELECT n FROM events WHERE n > 9) AS b USING (n)")
              .ok());
  for (const ScanRequest& request : source->TakeRequests()) {
    REQUIRE(request.conditions.size() == 1);
    CHECK(request.conditions[0].path == std::vector<std::string>{"project"});
  }
  REQUIRE(service.Run("SELECT COUNT(*) AS n FROM (SELECT n FROM events ORDER BY ts LIMIT 10) WHERE n > 9").ok());
  CHECK(source->TakeRequests()[0].conditions.size() == 1);
}

TEST_CASE("only the newest rows are requested if they are the answer") {
  auto source = std::make_shared<Source>();
  Service service(source);
  source->TakeRequests();
  CHECK(service.Ask("SELECT n FROM events WHERE n < 100 ORDER BY ts DESC LIMIT 2") ==
        R"({"result":[{"n":98},{"n":96}]})");
  CHECK(source->TakeRequests()[0].newest == 2);
  // A condition that is not said: the newest rows may be others.
  REQUIRE(service.Run("SELECT n FROM events WHERE MOD(n, 3) = 0 ORDER BY ts DESC LIMIT 2").ok());
  CHECK_FALSE(source->TakeRequests()[0].newest.has_value());
}

TEST_CASE("a scan ends as soon as its rows are no longer needed") {
  auto source = std::make_shared<Source>();
  Service service(source);
  std::atomic<int> appended{0};
  absl::Notification ended;
  source->SetRows([&](const ScanRequest& request, const CancellationToken&, BatchSink& sink) {
    absl::Status status;
    while (status.ok()) {
      status = Source::Give(request, sink, 2);
      ++appended;
    }
    ended.Notify();
    return status;
  });
  CHECK(service.Ask("SELECT n FROM events LIMIT 1") == R"({"result":[{"n":0}]})");
  ended.WaitForNotification();
  CHECK(appended > 0);
}

TEST_CASE("a changed catalog is read again, and earlier plans still run as before") {
  auto source = std::make_shared<Source>();
  Service service(source);
  CHECK(service.Ask("SELECT MAX(n) AS n FROM events") == R"({"result":[{"n":4998}]})");
  Table changed = Events();
  changed.columns[2].name = "number";
  source->SetTable(changed);
  CHECK(service.Ask("SELECT MAX(number) AS n FROM events") == R"({"result":[{"n":4998}]})");
  CHECK(absl::IsInvalidArgument(service.Error("SELECT MAX(n) AS n FROM events")));
}

TEST_CASE("several sources act as one, with many concurrent calls") {
  auto teams = std::make_shared<Source>([] {
    Table table;
    table.name = "teams";
    table.columns = {{"project", Type::String()}, {"team", Type::String()}};
    return table;
  }());
  teams->SetRows([](const ScanRequest& request, const CancellationToken&, BatchSink& sink) {
    const Row team = {Value::String("mine"), Value::String("red")};
    Schema schema;
    Row row;
    for (const size_t column : request.columns) {
      schema.push_back(request.table->columns[column]);
      row.push_back(team[column]);
    }
    return sink.Append(ValueBatch(schema, {row}).batch());
  });
  auto backend = OpenOverSources({std::make_shared<Source>(), teams}, {});
  REQUIRE(backend.ok());
  Endpoint endpoint;
  endpoint.id = "5e0c2f57-5d0e-4b1b-9a53-0a6f4f0f4c11";
  endpoint.name = "teams";
  endpoint.query = "SELECT team, COUNT(*) AS n FROM events JOIN teams USING (project) GROUP BY team";
  QueryServiceOptions options;
  options.backend = backend->get();
  options.endpoints = {endpoint};
  auto service = QueryService::Create(options);
  REQUIRE(service.ok());
  std::vector<std::string> bodies(8);
  std::vector<std::thread> threads;
  for (std::string& body : bodies) {
    threads.emplace_back([&body, &service] {
      QueryRequest request;
      request.endpoint = "teams";
      const auto answer = (*service)->Run(request);
      body = answer.ok() ? answer->body : answer.status().ToString();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& body : bodies) CHECK(body == R"({"result":[{"team":"red","n":2500}]})");
}

TEST_CASE("rows of a program have pages by the id column that its table names, and none without one") {
  Table table = Events();
  table.columns[3].name = "key";
  const auto source = std::make_shared<Source>(table);
  source->SetRows([](const ScanRequest& request, const CancellationToken&, BatchSink& sink) {
    Schema schema;
    for (const size_t column : request.columns) schema.push_back(request.table->columns[column]);
    std::vector<Row> rows;
    for (int64_t i = 0; i < 100; ++i) {
      Row event = EventRow(i);
      event[0] = Value::TimestampMicros((kFirst + i / 10) * 1'000'000);  // ten rows of each time
      event[1] = Value::String("mine");
      event[3] = Value::String("key " + std::to_string(i * 37 % 100));
      Row& row = rows.emplace_back();
      for (const size_t column : request.columns) row.push_back(event[column]);
    }
    return sink.Append(ValueBatch(schema, rows).batch());
  });
  const std::string sql = "select ts, key from events order by ts desc, key limit 7";
  Service service(source);
  const absl::StatusOr<QueryAnswer> without = service.Run(sql);
  INFO(without.status().ToString());
  REQUIRE(without.ok());
  CHECK(without->next_cursor.empty());

  table.id_column = "key";
  source->SetTable(table);
  std::set<std::string> keys;
  size_t rows = 0;
  std::string cursor;
  do {
    const absl::StatusOr<QueryAnswer> page = service.Run(sql, {{"cursor", cursor}});
    INFO(page.status().ToString());
    REQUIRE(page.ok());
    const nlohmann::json body = nlohmann::json::parse(page->body);
    for (const auto& row : body["result"]) {
      keys.insert(row["key"].get<std::string>());
      ++rows;
    }
    REQUIRE(rows <= 100);
    cursor = page->next_cursor;
  } while (!cursor.empty());
  CHECK(rows == 100);
  CHECK(keys.size() == 100);
}

}  // namespace
}  // namespace logquery::source_tests
