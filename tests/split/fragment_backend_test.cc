// Queries over an engine elsewhere: it runs fragments, the finisher the rest, and the caller has the whole dialect.
#include "lib/engines/duckdb/backend/source/fragment_backend.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "absl/strings/str_replace.h"
#include "lib/base/engine_failure.h"
#include "lib/base/status_macros.h"
#include "lib/engines/clickhouse/dialect/clickhouse_dialect.h"
#include "lib/engines/postgres/dialect/postgres_dialect.h"
#include "lib/tools/translate.h"
#include "logquery/endpoint_registry.h"
#include "logquery/query_service.h"
#include "logquery/sandbox_verdict.h"
#include "logquery/service_observer.h"
#include "tests/split/invented_dialect.h"
#include "tests/split/invented_engine.h"
#include "tests/support/sandbox_service.h"
#include "tests/support/value_source.h"

namespace logquery {
namespace {

using Values = std::vector<Value>;

Table Events() {
  Table table;
  table.name = "events";
  table.columns = {{"ts", Type::Timestamp()},
                   {"project", Type::String()},
                   {"n", Type::Int64()},
                   {"request", Type::Record({{"method", Type::String()}, {"size", Type::Int64()}})},
                   {"tags", Type::Array(Type::String())}};
  table.time_column = "ts";
  table.project_path = {"project"};
  return table;
}

Values EventOf(int64_t i) {
  const Type request = Events().columns[3].type;
  return {Value::TimestampMicros((1'772'600'000 + i) * 1'000'000), Value::String(i % 2 == 0 ? "mine" : "other"),
          Value::Int64(i),
          i % 7 == 0 ? Value::Null(request)
                     : Value::Struct(request, {Value::String(i % 3 == 0 ? "GET" : "POST"), Value::Int64(i * 10)}),
          Value::Array(Type::String(), i % 4 == 0 ? Values{} : Values{Value::String("a"), Value::String("b")})};
}

std::shared_ptr<TableSource> Rows() {
  std::vector<Values> rows;
  for (int64_t i = 0; i < 6'000; ++i) rows.push_back(EventOf(i));
  return std::make_shared<testing::ValueSource>(std::vector<testing::ValueTable>{{Events(), std::move(rows)}});
}

// Does what a test says in the place of the fragment.
class Broken : public FragmentSource {
 public:
  using Fragment = std::function<absl::Status(const QueryFragment&, BatchSink&)>;
  explicit Broken(Fragment run, const emit::SqlDialect& dialect = testing::InventedSql())
      : run_(std::move(run)), dialect_(dialect) {}
  std::string engine() const override { return "broken"; }
  const emit::SqlDialect& dialect() const override { return dialect_; }
  absl::StatusOr<Catalog> ReadCatalog() override { return Catalog({Events()}, 1); }
  absl::Status Run(const QueryFragment& fragment, const Bindings&, const CancellationToken&, BatchSink& sink) override {
    return run_(fragment, sink);
  }
  absl::Status Probe(const CancellationToken&) override { return absl::OkStatus(); }

 private:
  const Fragment run_;
  const emit::SqlDialect& dialect_;
};

// Takes SQL over `events` of the project `mine`.
struct Service : testing::SandboxService {
  explicit Service(std::shared_ptr<FragmentSource> source, const SourceBackendOptions& options = {},
                   ServiceObserver* observer = nullptr)
      : SandboxService(duckdb::OpenOverFragments(std::move(source), options),
                       {.query = "WITH events AS (SELECT * FROM events WHERE project = @project) SELECT * FROM events",
                        .parameters = {{"project", "mine"}},
                        .observer = observer}) {}
};

TEST_CASE("the whole dialect works over an engine that supports almost nothing") {
  const auto engine = std::make_shared<testing::InventedEngine>(Rows());
  Service service(engine);
  CHECK(service.Ask("select count(*) as n from events") == R"({"result":[{"n":3000}]})");
  CHECK(engine->texts() == std::vector<std::string>{
                               "SELECT COUNT(*) AS n_11 FROM `events` AS t1 WHERE EQ(t1.`project`, @p1) LIMIT 100001"});
  CHECK(service.Ask("select r.method, count(*) as n, max(r.size) as s from events, unnest(request) as r where n < 20 "
                    "group by 1 order by 1") ==
        R"({"result":[{"method":"GET","n":3,"s":180},{"method":"POST","n":5,"s":160}]})");
  CHECK(engine->texts().back() ==
        "SELECT t1.`request` AS request_4 FROM `events` AS t1 WHERE EQ(t1.`project`, @p1) AND LT(t1.`n`, 20)");
  CHECK(
      service.Ask("select n, row_number() over (order by n desc) as place from events where n in (2, 4) order by n") ==
      R"({"result":[{"n":2,"place":2},{"n":4,"place":1}]})");
  CHECK(service.Ask("select a.n from events as a join events as b on a.n = b.n + 2 where b.n = 6") ==
        R"({"result":[{"n":8}]})");
  CHECK(service.Ask("select array_length(tags) as l from events where n = 2") == R"({"result":[{"l":2}]})");
}

TEST_CASE("a repeated query has the right answer each time, also with its compiled text cached") {
  Service service(std::make_shared<testing::InventedEngine>(Rows()));
  for (int i = 0; i < 3; ++i) {
    // One text here, three there.
    CHECK(service.Ask("select mod(n, 1000) as m from events where n = " + std::to_string(2 * i)) ==
          R"({"result":[{"m":)" + std::to_string(2 * i) + "}]}");
  }
}

TEST_CASE("an error of a row that the query leaves out is not raised") {
  Service service(std::make_shared<testing::InventedEngine>(Rows()));
  CHECK(service.Ask("select count(*) as c from events where 10 / (n - 4) > 1 and n > 4") == R"({"result":[{"c":4}]})");
  CHECK(service.Ask("select n,\n  10 / (n - 4) as q from events where n = 4")
            .find("division by zero: 10 / 0 at line 2, column 3") != std::string::npos);
}

TEST_CASE("a transfer of too many rows is rejected, with the reason why the engine cannot do the work") {
  SourceBackendOptions options;
  options.max_scan_rows = 100;
  Service service(std::make_shared<testing::InventedEngine>(Rows()), options);
  const std::string error = service.Ask("select n, count(*) as c from events group by n");
  CHECK(error.find("more than 100 rows") != std::string::npos);
  CHECK(error.find("it has no GROUP BY") != std::string::npos);
  CHECK(service.Ask("select count(*) as n from events") == R"({"result":[{"n":3000}]})");
}

TEST_CASE("a verdict and a translation explain which work is done where, and why") {
  Service service(std::make_shared<testing::InventedEngine>(Rows()));
  Endpoint endpoint;
  endpoint.id = "5e0c2f57-5d0e-4b1b-9a53-0a6f4f0f4c11";
  endpoint.name = "events";
  endpoint.query = "WITH events AS (SELECT * FROM events WHERE project = 'mine') SELECT * FROM events";
  endpoint.query_sandboxing = true;
  const auto registry = EndpointRegistry::Create({endpoint}, Catalog({Events()}, 1)).value();
  const std::string sql = "select n, count(*) as c from events group by n";
  const auto verdict =
      CheckSandbox(*registry, *registry->Find("events"), sql, service.backend().capabilities()).value();
  CHECK(verdict.parts == std::vector<std::string>{"it has no GROUP BY"});
  CHECK(VerdictJson(verdict).find(R"("parts":[{"then_here":"it has no GROUP BY"}])") != std::string::npos);
  const auto whole = CheckSandbox(*registry, *registry->Find("events"), "select count(*) as c from events",
                                  service.backend().capabilities())
                         .value();
  CHECK(whole.parts == std::vector<std::string>{""});
  CHECK(CheckSandbox(*registry, *registry->Find("events"), sql).value().parts.empty());

  endpoint::TranslateOptions options;
  options.sql = "select n, count(*) as c from events where project = 'mine' group by n";
  options.catalog = Catalog({Events()}, 1);
  options.fragments = &testing::InventedSql();
  const auto translated = endpoint::Translate(options).value();
  const std::vector<QueryExplanation::Part>& parts = translated.explanation.parts;
  REQUIRE(parts.size() == 1);
  CHECK(parts[0].text == "SELECT t1.`n` AS n_3 FROM `events` AS t1 WHERE EQ(t1.`project`, 'mine')");
  CHECK(translated.dialect_text.find("fragment_1_") != std::string::npos);
}

// Rows of two columns with their number, as an engine that groups sends them.
struct Counted {
  std::string project;  // "-": NULL
  int64_t n = 0;
  Value rows = Value::Int64(1);
};

std::string AskCounted(const std::vector<Counted>& given, const std::string& sql,
                       const SourceBackendOptions& options = {}) {
  const auto run = [&](const QueryFragment& fragment, BatchSink& sink) {
    if (fragment.text.find("GROUP BY 1, 2") == std::string::npos) return absl::InternalError(fragment.text);
    Schema schema = {{"project", Type::String()}, {"n", Type::Int64()}, {"rows", Type::Int64()}};
    std::vector<Values> rows;
    for (const Counted& row : given) {
      schema.back().type = row.rows.type();
      rows.push_back({row.project == "-" ? Value::Null(Type::String()) : Value::String(row.project),
                      Value::Int64(row.n), row.rows});
    }
    return sink.Append(ValueBatch(schema, rows).batch());
  };
  return Service(std::make_shared<Broken>(run, emit::PostgresSql()), options).Ask(sql);
}

TEST_CASE("a row sent once with a count stands for that many rows") {
  const std::string sql =
      "select upper(project) as p, count(*) as c, sum(n) as s, approx_quantiles(n, 2)[offset(1)] as m from events "
      "group by 1 order by 1";
  const std::string many = "a text of more than twelve bytes";
  CHECK(AskCounted({{"a", 5, Value::Int64(3)},
                    {"-", 7, Value::Int64(2)},
                    {"never", 1, Value::Int64(0)},
                    {many, 1, Value::Int64(5'000)},
                    {many, 2, Value::Int64(5'001)},
                    {"a", -5, Value::Int64(1)}},
                   sql) == R"({"result":[{"p":null,"c":2,"s":14,"m":7},{"p":"A","c":4,"s":10,"m":5},)"
                           R"({"p":"A TEXT OF MORE THAN TWELVE BYTES","c":10001,"s":15002,"m":2}]})");
  CHECK(AskCounted({{"a", 1, Value::Int64(0)}, {"b", 1, Value::Int64(0)}}, sql) == R"({"result":[]})");
}

TEST_CASE("a column that a caller calls $rows is a value like any other") {
  Service service(std::make_shared<testing::InventedEngine>(Rows()));
  CHECK(service.Ask("select n as `$rows` from events where n = 2") == R"({"result":[{"$rows":2}]})");
  CHECK(service.Ask("select ts, n as `$rows` from events where n > 2 order by ts limit 2").find(R"("$rows":4},{)") !=
        std::string::npos);
  CHECK(service.Ask("select count(*) as `$rows` from events") == R"({"result":[{"$rows":3000}]})");
}

TEST_CASE("equal rows are transferred once, with a count, and count once against the row limit") {
  SourceBackendOptions options;
  options.max_scan_rows = 2;
  const std::string sql = "select upper(project) as p, sum(n) as s from events group by 1 order by 1";
  const std::vector<Counted> two = {{"a", 1, Value::Int64(100'000)}, {"b", 2, Value::Int64(3)}};
  CHECK(AskCounted(two, sql, options) == R"({"result":[{"p":"A","s":100000},{"p":"B","s":6}]})");
  std::vector<Counted> three = two;
  three.push_back({"c", 1});
  const std::string error = AskCounted(three, sql, options);
  CHECK(error.find("more than 2 rows") != std::string::npos);
  CHECK(error.find("rows that are alike come once") != std::string::npos);
}

// An operand that an engine's text has twice makes a text of a gigabyte when a caller nests it thirty times.
TEST_CASE("the text for an engine grows with the query, however its calls are nested") {
  const emit::SqlDialect* const dialect = GENERATE(&emit::PostgresSql(), &emit::ClickHouseSql());
  CAPTURE(dialect == &emit::ClickHouseSql());
  for (const std::string form :
       {"nullif(#, 'a')", "if(# is distinct from 'a', 'x', 'y')", "if(# is not distinct from project, 'x', 'y')",
        "if(# in ('a', null), 'x', 'y')", "if(# in ('a', project), 'x', 'y')", "if(# in ('a', 'b'), 'x', 'y')",
        "if(# between 'a' and 'b', 'x', 'y')", "ifnull(#, 'a')", "coalesce(#, 'a', 'b')", "if(# = 'a', #1, 'b')",
        "if(starts_with(#, 'a'), 'x', 'y')", "if(# like '%a', 'x', 'y')", "case # when 'a' then 'b' else 'c' end",
        "if(strpos(#, 'a') > 1, 'x', 'y')", "if(regexp_contains(#, 'a'), 'x', 'y')", "lower(#)", "upper(#)",
        "if(timestamp_trunc(timestamp_trunc(timestamp_trunc(timestamp_trunc(ts, hour), day), hour), day) > ts, #, "
        "'a')"}) {
    CAPTURE(form);
    std::string nested = "project";
    for (int i = 0; i < 12; ++i) nested = absl::StrReplaceAll(form, {{"#1", "'c'"}, {"#", nested}});
    size_t bytes = 0;
    const auto run = [&](const QueryFragment& fragment, BatchSink&) {
      bytes += fragment.text.size();
      return absl::UnavailableError("away");
    };
    Service service(std::make_shared<Broken>(run, *dialect));
    const std::string sql = "select n from events where " + nested + " = 'x'";
    CHECK(service.Ask(sql).find("away") != std::string::npos);
    CHECK(bytes > 0);
    CHECK(bytes < 16'000);
  }
}

TEST_CASE("an invalid row count from the engine is an error") {
  const std::string sql = "select upper(project) as p, sum(n) as s from events group by 1";
  CHECK(AskCounted({{"a", 1, Value::Int64(-1)}}, sql).find("INTERNAL") == 0);
  CHECK(AskCounted({{"a", 1, Value::Null(Type::Int64())}}, sql).find("INTERNAL") == 0);
  CHECK(AskCounted({{"a", 1, Value::String("1")}}, sql).find("INTERNAL") == 0);
}

TEST_CASE("an engine's failures and malformed answers are errors, and a correct answer is not") {
  const auto answer = [](Broken::Fragment run) {
    return Service(std::make_shared<Broken>(std::move(run))).Ask("select upper(project) as p from events");
  };
  const Schema schema = {{"project", Type::String()}};
  CHECK(answer([](const QueryFragment&, BatchSink&) {
          return absl::UnavailableError("it is away");
        }).find("it is away") != std::string::npos);
  CHECK(answer([](const QueryFragment&, BatchSink&) -> absl::Status {
          throw std::runtime_error("thrown");
        }).find("INTERNAL") == 0);
  CHECK(answer([](const QueryFragment&, BatchSink& sink) {
          return sink.Append(ValueBatch({{"n", Type::Int64()}}, {{Value::Int64(1)}}).batch());
        }).find("INTERNAL") == 0);
  CHECK(answer([](const QueryFragment&, BatchSink& sink) {
          return sink.Append(ValueBatch({}, {{}}).batch());
        }).find("INTERNAL") == 0);
  CHECK(answer([&](const QueryFragment&, BatchSink& sink) {
          return sink.Append(ValueBatch(schema, {{Value::String("a")}, {Value::Null(Type::String())}}).batch());
        }) == R"({"result":[{"p":"A"},{"p":null}]})");
}

// An engine that can't compute more than scans, and an observer of what is told of it.
struct Failing : ServiceObserver {
  absl::Status Run(const QueryFragment& fragment, BatchSink& sink) {
    texts.push_back(fragment.text);
    // Grouped, sorted, with a function, or a scan.
    const bool is_bare =
        fragment.text.find("LIMIT") == std::string::npos && fragment.text.find("length") == std::string::npos;
    if (rows_before_failure > 0 || !is_bare) {
      for (int i = 0; i < rows_before_failure; ++i) {
        const absl::Status appended = sink.Append(ValueBatch({{"n", Type::Int64()}}, {{Value::Int64(i)}}).batch());
        if (!appended.ok()) return appended;
      }
      return failure;
    }
    if (!bare_failure.ok()) return bare_failure;
    std::vector<Values> rows;
    for (int64_t i = 0; i < 4; ++i) {
      Values& row = rows.emplace_back();
      for (const Field& column : fragment.schema) {
        row.push_back(column.type.is(TypeKind::kInt64) ? Value::Int64(i) : Value::String(i < 3 ? "mine" : "mi"));
      }
    }
    return sink.Append(ValueBatch(fragment.schema, rows).batch());
  }
  void OnEngineFailure(const EngineFailureEvent& event) noexcept override {
    told.emplace_back(event.status.message());
    failed_queries.push_back(event.query_id);
  }
  void OnQueryEnd(const QueryEvent& event) noexcept override { ends.emplace_back(event.query_id, event.end); }

  absl::Status failure = base::MarkEngineFailure(absl::InternalError("the engine's words"));
  absl::Status bare_failure;
  int rows_before_failure = 0;
  std::vector<std::string> texts;
  std::vector<std::string> told;
  std::vector<uint64_t> failed_queries;
  std::vector<std::pair<uint64_t, QueryEvent::End>> ends;
};

constexpr char kGroups[] = "select length(project) as l, count(*) as c from events where n >= 0 group by 1 order by 1";

struct FailingService {
  FailingService()
      : service(std::make_shared<Broken>(
                    [this](const QueryFragment& fragment, BatchSink& sink) { return engine.Run(fragment, sink); },
                    emit::PostgresSql()),
                {}, &engine) {}
  Failing engine;
  Service service;
};

TEST_CASE("when an engine fails to compute a fragment, it is asked for a bare scan and the rest is computed locally") {
  FailingService f;
  CHECK(f.service.Ask(kGroups) == R"({"result":[{"l":2,"c":1},{"l":4,"c":3}]})");
  REQUIRE(f.engine.texts.size() == 2);
  CHECK(f.engine.texts[0].find("GROUP BY") != std::string::npos);
  // The project's condition goes with the scan.
  CHECK(f.engine.texts[1] ==
        "SELECT (t1.\"project\" COLLATE \"C\") AS project_2 FROM  AS t1 WHERE ((t1.\"project\" COLLATE "
        "\"C\") = ($1::text COLLATE \"C\")) AND (t1.\"n\" >= ('0'::int8))");
  CHECK(f.engine.told == std::vector<std::string>{"the engine's words"});
  REQUIRE(f.engine.ends.size() == 2);
  CHECK(f.engine.ends[0] == std::pair(f.engine.failed_queries[0], QueryEvent::End::kFailed));
  CHECK(f.engine.ends[1].second == QueryEvent::End::kDone);
  // The next call begins as ever: it may succeed by then.
  CHECK(f.service.Ask(kGroups).find("result") != std::string::npos);
  CHECK(f.engine.texts[2] == f.engine.texts[0]);
  CHECK(f.engine.texts[3] == f.engine.texts[1]);
}

TEST_CASE("a failing scan, or a failure other than of computation, is the call's error") {
  FailingService f;
  f.engine.bare_failure = base::MarkEngineFailure(absl::InternalError("words of the scan"));
  CHECK(f.service.Ask(kGroups).find("INTERNAL: words of the scan") == 0);
  CHECK(f.engine.texts.size() == 2);
  f.engine.texts.clear();
  for (const absl::Status& status : {absl::InternalError("a defect"), absl::UnavailableError("away"),
                                     absl::DeadlineExceededError("late"), absl::ResourceExhaustedError("too much")}) {
    f.engine.failure = status;
    CHECK(f.service.Ask(kGroups).find(std::string(status.message())) != std::string::npos);
  }
  CHECK(f.engine.texts.size() == 4);
}

TEST_CASE("rows received before an engine's failure are not duplicated in the answer") {
  FailingService f;
  f.engine.rows_before_failure = 3;
  f.engine.bare_failure = absl::InternalError("never asked");
  QueryRequest request;
  request.endpoint = "events";
  request.parameters = {{"project", "mine"}, {"sql", "select n from events"}};
  CollectingSink sink;
  CHECK(absl::IsInternal(f.service.service().Run(request, sink).status()));
  // Rows that the sink has can't be taken back.
  CHECK((f.engine.texts.size() == 1 || sink.rows().empty()));
  CHECK(sink.rows().size() <= 3);
}

}  // namespace
}  // namespace logquery
