// A program's own rows, queried: what a source is asked for, and what becomes of one that does not keep its promises.
#include "logquery/duckdb/source_backend.h"

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "lib/base/status_macros.h"
#include "logquery/query_service.h"
#include "nlohmann/json.hpp"
#include "tests/support/sandbox_service.h"

namespace logquery {
namespace {

using Row = std::vector<Value>;

Table Events() {
  Table table;
  table.name = "events";
  table.columns = {{"ts", Type::Timestamp()},
                   {"project", Type::String()},
                   {"n", Type::Int64()},
                   {"note", Type::String()},
                   {"data", Type::Json()},
                   {"request", Type::Record({{"method", Type::String()}, {"size", Type::Int64()}})},
                   {"tags", Type::Array(Type::String())}};
  table.time_column = "ts";
  table.project_path = {"project"};
  return table;
}

constexpr int64_t kFirst = 1'772'600'000;

Row EventRow(int64_t i) {
  const Type request = Events().columns[5].type;
  return {Value::TimestampMicros((kFirst + i) * 1'000'000),
          Value::String(i % 2 == 0 ? "mine" : "other"),
          Value::Int64(i),
          i % 5 == 0 ? Value::Null(Type::String()) : Value::String("note " + std::to_string(i)),
          Value::Json(R"({"i": )" + std::to_string(i) + "}"),
          i % 7 == 0 ? Value::Null(request)
                     : Value::Struct(request, {Value::String(i % 3 == 0 ? "GET" : "POST"), Value::Int64(i * 10)}),
          Value::Array(Type::String(), i % 4 == 0 ? Row{} : Row{Value::String("a"), Value::String(std::to_string(i))})};
}

// A table whose scans a test can watch and change.
class Source : public TableSource {
 public:
  using Rows = std::function<absl::Status(const ScanRequest&, const CancellationToken&, BatchSink&)>;

  explicit Source(Table table = Events()) : table_(std::move(table)) {}

  absl::StatusOr<Catalog> ReadCatalog() override {
    absl::MutexLock lock(&mutex_);
    return Catalog({table_}, version_);
  }
  uint64_t CatalogVersion() const override { return version_; }
  absl::Status Scan(const ScanRequest& request, const CancellationToken& cancellation, BatchSink& sink) override {
    Rows rows;
    {
      absl::MutexLock lock(&mutex_);
      requests_.push_back(request);
      rows = rows_;
    }
    return rows ? rows(request, cancellation, sink) : Give(request, sink, count);
  }

  // The wanted columns of so many events.
  static absl::Status Give(const ScanRequest& request, BatchSink& sink, int64_t count, int64_t batch = 1'000) {
    Schema schema;
    for (const size_t column : request.columns) schema.push_back(request.table->columns[column]);
    std::vector<Row> rows;
    for (int64_t i = 0; i < count; ++i) {
      const Row event = EventRow(i);
      Row& row = rows.emplace_back();
      for (const size_t column : request.columns) row.push_back(event[column]);
      if (static_cast<int64_t>(rows.size()) < batch && i + 1 < count) continue;
      LOGQUERY_RETURN_IF_ERROR(sink.Append(ValueBatch(schema, rows).batch()));
      rows.clear();
    }
    return absl::OkStatus();
  }

  void SetRows(Rows rows) {
    absl::MutexLock lock(&mutex_);
    rows_ = std::move(rows);
  }
  void SetTable(Table table) {
    absl::MutexLock lock(&mutex_);
    table_ = std::move(table);
    ++version_;
  }
  std::vector<ScanRequest> TakeRequests() {
    absl::MutexLock lock(&mutex_);
    return std::exchange(requests_, {});
  }

  std::atomic<int64_t> count{5'000};

 private:
  absl::Mutex mutex_;
  Table table_;
  Rows rows_;
  std::vector<ScanRequest> requests_;
  std::atomic<uint64_t> version_{1};
};

class IgnoringSink : public BatchSink {
 public:
  absl::Status Append(const Batch&) override { return absl::OkStatus(); }
};

// Takes SQL over `events` of the project `mine`.
struct Service : testing::SandboxService {
  explicit Service(std::shared_ptr<TableSource> source, const SourceBackendOptions& options = {},
                   absl::Duration time_limit = absl::Seconds(30))
      : SandboxService(OpenOverSource(std::move(source), options),
                       {.query = "WITH events AS (SELECT * FROM events WHERE project = @project) SELECT * FROM events",
                        .parameters = {{"project", "mine"}},
                        .time_limit = time_limit}) {}

  absl::Status Error(const std::string& sql) { return Run(sql).status(); }
};

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

TEST_CASE("a source's errors and invalid rows are errors of the query") {
  auto source = std::make_shared<Source>();
  Service service(source);
  const auto with = [&](Source::Rows rows, const std::string& sql = "SELECT MAX(n) AS n FROM events") {
    source->SetRows(std::move(rows));
    return service.Error(sql);
  };
  const absl::Status own = with([](const ScanRequest& request, const CancellationToken&, BatchSink& sink) {
    LOGQUERY_RETURN_IF_ERROR(Source::Give(request, sink, 10));
    return absl::UnavailableError("the disk is away");
  });
  CHECK(own == absl::UnavailableError("the disk is away"));

  const absl::Status type = with([](const ScanRequest&, const CancellationToken&, BatchSink& sink) {
    const Schema schema = {{"a", Type::String()}, {"b", Type::String()}};
    return sink.Append(ValueBatch(schema, {{Value::String("mine"), Value::String("x")}}).batch());
  });
  CHECK(absl::IsInternal(type));
  CHECK(std::string(type.message()).find("as STRING; its catalog says INT64") != std::string::npos);

  const absl::Status fewer = with([](const ScanRequest&, const CancellationToken&, BatchSink& sink) {
    return sink.Append(ValueBatch({{"a", Type::String()}}, {{Value::String("mine")}}).batch());
  });
  CHECK(std::string(fewer.message()).find("gave 1 columns of table events; 2 were wanted") != std::string::npos);

  const absl::Status thrown = with([](const ScanRequest&, const CancellationToken&, BatchSink&) -> absl::Status {
    throw std::runtime_error("out of paper");
  });
  CHECK(absl::IsInternal(thrown));
  CHECK(std::string(thrown.message()).find("threw an exception: out of paper") != std::string::npos);

  // One that goes on after its batch was refused.
  const absl::Status stubborn = with([](const ScanRequest&, const CancellationToken&, BatchSink& sink) {
    const ValueBatch batch({{"a", Type::Int64()}}, {{Value::Int64(1)}});
    sink.Append(batch.batch()).IgnoreError();
    return sink.Append(batch.batch()).ok() ? absl::InternalError("it was taken") : absl::OkStatus();
  });
  CHECK(std::string(stubborn.message()).find("were wanted") != std::string::npos);
}

TEST_CASE("a source's error after many rows is not lost in the engine, and its table is not scanned again for it") {
  SourceBackendOptions options;
  options.threads = 4;
  Table table;
  table.name = "numbers";
  table.columns = {{"n", Type::Int64()}};
  auto source = std::make_shared<Source>(table);
  const ValueBatch batch(table.columns, std::vector<Row>(2'000, Row{Value::Int64(7)}));
  source->SetRows([&](const ScanRequest&, const CancellationToken&, BatchSink& sink) {
    for (int i = 0; i < 200; ++i) LOGQUERY_RETURN_IF_ERROR(sink.Append(batch.batch()));
    return absl::UnavailableError("the disk is away");
  });
  const auto backend = OpenOverSource(source, options);
  REQUIRE(backend.ok());
  PreparedQuery::Parts parts;
  parts.dialect_text = "SELECT n FROM logquery_source(1, 0)";
  parts.schema = table.columns;
  const PreparedQuery query(std::move(parts));
  // The engine holds ready fewer rows than these: it reports the error of some as an interrupt.
  for (int i = 0; i < 300; ++i) {
    IgnoringSink sink;
    REQUIRE((*backend)->Execute(query, {}, {}, {}, sink) == absl::UnavailableError("the disk is away"));
    REQUIRE(source->TakeRequests().size() == 1);
  }
}

TEST_CASE("invalid values are rejected, and invalid UTF-8 is repaired") {
  auto source = std::make_shared<Source>();
  Service service(source);
  const auto one = [&](size_t column, Value value, const std::string& sql) {
    source->SetRows([column, value](const ScanRequest& request, const CancellationToken&, BatchSink& sink) {
      Row event = EventRow(2);
      event[column] = value;
      Schema schema;
      Row row;
      for (const size_t wanted : request.columns) {
        schema.push_back(request.table->columns[wanted]);
        row.push_back(event[wanted]);
      }
      return sink.Append(ValueBatch(schema, {row}).batch());
    });
    return service.Ask(sql);
  };
  CHECK(one(0, Value::Null(Type::Timestamp()), "SELECT MAX(ts) AS t FROM events").find("NULL for events.ts") !=
        std::string::npos);
  CHECK(one(0, Value::TimestampMicros(int64_t{1} << 62), "SELECT MAX(ts) AS t FROM events")
            .find("column events.ts holds a time outside of the years 1 to 9999") != std::string::npos);
  CHECK(one(4, Value::Json("{no"), "SELECT COUNT(data) AS n FROM events")
            .find("events.data holds text that is no JSON") != std::string::npos);
  CHECK(one(3,
            Value::String("a\xFF"
                          "b"),
            "SELECT note FROM events") ==
        "{\"result\":[{\"note\":\"a\xEF\xBF\xBD"
        "b\"}]}");
}

TEST_CASE("a scan above its row limit fails the call with advice") {
  SourceBackendOptions options;
  options.max_scan_rows = 1'000;
  Service service(std::make_shared<Source>(), options);
  const absl::Status rows = service.Error("SELECT MAX(n) AS n FROM events");
  CHECK(absl::IsResourceExhausted(rows));
  CHECK(std::string(rows.message()).find("a scan of table events gave more than 1000 rows; ask for fewer") !=
        std::string::npos);
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

TEST_CASE("a hanging source delays no query beyond its time limit, and stays alive until its thread returns") {
  auto hanging = std::make_shared<absl::Notification>();
  auto source = std::make_shared<Source>();
  const std::weak_ptr<Source> watch = source;
  source->SetRows([hanging](const ScanRequest&, const CancellationToken&, BatchSink&) {
    hanging->WaitForNotification();
    return absl::OkStatus();
  });
  {
    Service service(source, {}, absl::Milliseconds(50));
    CHECK(absl::IsDeadlineExceeded(service.Error("SELECT MAX(n) AS n FROM events")));
    source.reset();
    // The scan's thread is still in it.
    CHECK_FALSE(watch.expired());
  }
  hanging->Notify();
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

TEST_CASE("an invalid catalog is rejected with the table and the reason") {
  const auto refused = [](Table table) {
    return std::string(OpenOverSource(std::make_shared<Source>(std::move(table)), {}).status().message());
  };
  Table table = Events();
  table.columns.push_back({"N", Type::Int64()});
  CHECK(refused(table) == "a source's table \"events\" has two columns of the name N");
  table = Events();
  table.columns.clear();
  CHECK(refused(table) == "a source's table \"events\" has no columns");
  table = Events();
  table.time_column = "n";
  CHECK(refused(table) == "a source's table \"events\" has no TIMESTAMP column n, which its time_column names");
  table = Events();
  table.id_column = "n";
  CHECK(refused(table) == "a source's table \"events\" has no STRING column n, which its id_column names");
  CHECK(OpenOverSources({std::make_shared<Source>(), std::make_shared<Source>()}, {}).status().message() ==
        "two of the sources' tables have the name events");
  CHECK(absl::IsInvalidArgument(OpenOverSource(nullptr, {}).status()));
}

}  // namespace
}  // namespace logquery
