// An engine that a program describes as data: what it is sent, what stays here, and what becomes of its errors.
#include "logquery/experimental/fragment_engine.h"

#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "logquery/query_service.h"
#include "tests/support/sandbox_service.h"

namespace logquery {
namespace {

using Values = std::vector<Value>;

Table Events() {
  Table table;
  table.name = "events";
  table.storage_name = "the \"events\"";
  table.columns = {{"project", Type::String()}, {"n", Type::Int64()}, {"x", Type::Float64()}};
  table.project_path = {"project"};
  return table;
}

EngineSpellings Spellings() {
  EngineSpellings spellings;
  spellings.engine = "Scripted 1";
  spellings.parameter = ":p$1";
  spellings.types = {{TypeKind::kString, "text", "$text"},
                     {TypeKind::kInt64, "int", "$number"},
                     {TypeKind::kBool, "bool", "($number = 1)"},
                     {TypeKind::kFloat64, "float", ""}};
  spellings.functions = {{"$equal", "$1 = $2"},         {"$greater", "($1 > $2)"},
                         {"$or", "($1 OR $2)"},         {"COUNT()", "count(*)"},
                         {"LENGTH(STRING)", "len($1)"}, {"$in(ORD1, ORD1...)", "($1 IN ($2*))"},
                         {"COUNT(T1)", "count($1)"}};
  spellings.groups = true;
  spellings.limits = true;
  return spellings;
}

// Does what a test says in the engine's place.
class Scripted : public FragmentEngine {
 public:
  using RunText = std::function<absl::Status(const EngineStatement&, const CancellationToken&, BatchSink&)>;
  explicit Scripted(RunText run = Give({}), Table table = Events()) : run_(std::move(run)), table_(std::move(table)) {}

  // Gives these numbers for INT64, and texts for other columns.
  static RunText Give(std::vector<int64_t> numbers) {
    return [numbers = std::move(numbers)](const EngineStatement& statement, const CancellationToken&, BatchSink& sink) {
      EngineRows rows(statement.schema, sink);
      for (const int64_t number : numbers) {
        for (const Field& column : statement.schema) {
          column.type.is(TypeKind::kInt64) ? rows.AddInt64(number) : rows.AddText("mine");
        }
        if (absl::Status status = rows.EndRow(); !status.ok()) return status;
      }
      return rows.Finish();
    };
  }

  absl::StatusOr<Catalog> ReadCatalog() override { return Catalog({table_}, 1); }
  absl::Status Run(const EngineStatement& statement, const CancellationToken& cancellation, BatchSink& sink) override {
    {
      absl::MutexLock lock(&mutex_);
      texts_.push_back(statement.text);
      bindings_.push_back(statement.bindings);
      deadlines_.push_back(statement.deadline);
    }
    return run_(statement, cancellation, sink);
  }

  std::vector<std::string> texts() const {
    absl::MutexLock lock(&mutex_);
    return texts_;
  }
  std::vector<Bindings> bindings() const {
    absl::MutexLock lock(&mutex_);
    return bindings_;
  }
  std::vector<absl::Time> deadlines() const {
    absl::MutexLock lock(&mutex_);
    return deadlines_;
  }

 private:
  const RunText run_;
  const Table table_;
  mutable absl::Mutex mutex_;
  std::vector<std::string> texts_ ABSL_GUARDED_BY(mutex_);
  std::vector<Bindings> bindings_ ABSL_GUARDED_BY(mutex_);
  std::vector<absl::Time> deadlines_ ABSL_GUARDED_BY(mutex_);
};

// Takes SQL over `events` of the project `mine`.
struct EngineService {
  explicit EngineService(const std::shared_ptr<Scripted>& engine, const EngineSpellings& spellings = Spellings())
      : backend(Opened(CreateFragmentEngineBackend(spellings, engine, {}))),
        service(*backend,
                {.query = "WITH events AS (SELECT * FROM events WHERE project = @project) SELECT * FROM events",
                 .parameters = {{"project", "mine"}}}) {}

  static std::unique_ptr<RemoteBackend> Opened(absl::StatusOr<std::unique_ptr<RemoteBackend>> opened) {
    REQUIRE(opened.ok());
    return *std::move(opened);
  }
  absl::StatusOr<QueryAnswer> Run(const std::string& sql, const CancellationToken& cancellation = {}) {
    return service.Run(sql, {}, cancellation);
  }
  std::string Ask(const std::string& sql) { return service.Ask(sql); }

  std::unique_ptr<RemoteBackend> backend;
  testing::SandboxService service;
};

bool Has(const std::string& text, const std::string& part) {
  INFO(text);
  const bool has = text.find(part) != std::string::npos;
  CHECK(has);
  return has;
}

TEST_CASE("a described engine runs the parts of a query that its spellings allow") {
  const auto engine = std::make_shared<Scripted>(Scripted::Give({3}));
  EngineService service(engine);
  CHECK(service.Ask("select count(*) as c from events where n > 5") == R"({"result":[{"c":3}]})");
  REQUIRE(engine->texts().size() == 1);
  CHECK(Has(engine->texts()[0], R"(SELECT count(*) AS )"));
  CHECK(Has(engine->texts()[0], R"( FROM "the ""events""" AS t1 WHERE (t1."project" = :p1) AND (t1."n" > 5))"));
  CHECK(engine->bindings()[0] == Bindings{Value::String("mine")});
  CHECK(engine->deadlines()[0] < absl::Now() + absl::Minutes(1));
  CHECK(service.backend->capabilities().engine.starts_with("Scripted 1 with DuckDB"));
  CHECK(service.backend->State().status.ok());
}

TEST_CASE("a function that the spellings do not list is computed by the local engine") {
  const auto engine = std::make_shared<Scripted>(Scripted::Give({3, 7}));
  EngineService service(engine);
  // UPPER, a sum, and a comparison of FLOAT64; ORDER BY has no flag.
  CHECK(service.Ask("select upper(project) as p from events where n > 1") ==
        R"({"result":[{"p":"MINE"},{"p":"MINE"}]})");
  CHECK(service.Ask("select n from events order by n desc limit 1") == R"({"result":[{"n":7}]})");
  CHECK(service.Ask("select n from events where x > 1.5").find("INTERNAL") ==
        0);  // this engine gives texts for FLOAT64
  for (const std::string& text : engine->texts()) {
    CAPTURE(text);
    CHECK(text.find("upper") == std::string::npos);
    CHECK(text.find("ORDER") == std::string::npos);
    CHECK(text.find("1.5") == std::string::npos);
    CHECK(Has(text, R"("project" = :p1)"));
  }
}

TEST_CASE("a function's entries are chosen by its constants and by the number of its operands") {
  EngineSpellings spellings = Spellings();
  spellings.computes = true;
  spellings.functions.push_back({"SUBSTR(STRING, INT64, [INT64])", "mid($1, $2, $3)"});
  spellings.functions.push_back({"LEFT(STRING, INT64)", "first_letter($1)", {{2, "1"}}});
  spellings.functions.push_back({"CAST(INT64 AS STRING)", "text_of($1)"});
  spellings.functions.push_back({"REPLACE(STRING, STRING, STRING)", "without_a($1, $3)", {{2, "a"}}});
  const auto engine = std::make_shared<Scripted>();
  EngineService service(engine, spellings);
  const auto text_for = [&](const std::string& scalar) {
    CHECK(service.Ask("select n from events where " + scalar + " = 'x'").find("result") != std::string::npos);
    return engine->texts().back();
  };
  CHECK(Has(text_for("substr(project, 2, 3)"), "mid(t1.\"project\", 2, 3)"));
  CHECK(text_for("substr(project, 2)").find("mid") == std::string::npos);
  CHECK(Has(text_for("cast(n as string)"), "text_of(t1.\"n\")"));
  CHECK(Has(text_for("replace(project, 'a', '')"), "without_a(t1.\"project\", '')"));
  CHECK(text_for("replace(project, 'b', '')").find("without_a") == std::string::npos);
  CHECK(Has(text_for("left(project, 1)"), "first_letter(t1.\"project\")"));
  CHECK(text_for("left(project, 2)").find("first_letter") == std::string::npos);
}

TEST_CASE("DISTINCT goes only where it is spelled") {
  EngineSpellings spellings = Spellings();
  const auto plain = std::make_shared<Scripted>(Scripted::Give({1}));
  EngineService without(plain, spellings);
  CHECK(without.Ask("select count(distinct n) as c from events") == R"({"result":[{"c":1}]})");
  // Rows that are alike come once, with their number; what is distinct is counted here.
  CHECK(plain->texts().back().find("count(t1") == std::string::npos);
  spellings.functions.back().distinct = "count(DISTINCT $1)";
  const auto engine = std::make_shared<Scripted>(Scripted::Give({1}));
  EngineService with(engine, spellings);
  CHECK(with.Ask("select count(distinct n) as c from events") == R"({"result":[{"c":1}]})");
  CHECK(Has(engine->texts().back(), "count(DISTINCT t1.\"n\")"));
}

TEST_CASE("hostile literals stay in their quotes") {
  const auto engine = std::make_shared<Scripted>();
  EngineService service(engine);
  CHECK(service.Ask("select n from events where project = 'it\\'s $number $1 :p1 -- ; \\\\'").find("result") == 2);
  CHECK(Has(engine->texts().back(), "= 'it''s $number $1 :p1 -- ; \\')"));
  // Text with a NUL stays here.
  CHECK(service.Ask("select n from events where project = 'a\\x00b'").find("result") == 2);
  CHECK(engine->texts().back().find("'a") == std::string::npos);
  CHECK(service.Ask("select n from events where n > -9223372036854775808 or n > -5").find("result") == 2);
  CHECK(Has(engine->texts().back(), "((t1.\"n\" > (-9223372036854775807 - 1)) OR (t1.\"n\" > (-5)))"));

  EngineSpellings slashes = Spellings();
  slashes.text.escapes = {{'\'', "\\'"}, {'\\', "\\\\"}};
  const auto other = std::make_shared<Scripted>();
  EngineService escaped(other, slashes);
  CHECK(escaped.Ask("select n from events where project = '\\\\\\' or 1 = 1'").find("result") == 2);
  CHECK(Has(other->texts().back(), R"(= '\\\' or 1 = 1'))"));
}

TEST_CASE("tables that the spellings can't express are rejected") {
  Table table = Events();
  table.columns.push_back({"day", Type::Date()});
  const auto status =
      CreateFragmentEngineBackend(Spellings(), std::make_shared<Scripted>(Scripted::Give({}), table), {}).status();
  CHECK(absl::IsFailedPrecondition(status));
  CHECK(Has(std::string(status.message()), "the column day of DATE"));
  table.columns.back() = {std::string("a\0b", 3), Type::Int64()};
  CHECK(absl::IsFailedPrecondition(
      CreateFragmentEngineBackend(Spellings(), std::make_shared<Scripted>(Scripted::Give({}), table), {}).status()));
}

TEST_CASE("a query that is cancelled ends, and its engine is told") {
  absl::Notification began;
  absl::Notification was_told;
  const auto engine = std::make_shared<Scripted>(
      [&](const EngineStatement&, const CancellationToken& cancellation, BatchSink&) -> absl::Status {
        absl::Notification cancelled;
        const auto registration = cancellation.OnCancel([&] { cancelled.Notify(); });
        began.Notify();
        cancelled.WaitForNotification();
        was_told.Notify();
        return absl::CancelledError("ended");
      });
  EngineService service(engine);
  CancellationSource source;
  std::thread cancel([&] {
    began.WaitForNotification();
    source.Cancel();
  });
  CHECK(absl::IsCancelled(service.Run("select n from events", source.token()).status()));
  cancel.join();
  was_told.WaitForNotification();
}

TEST_CASE("an engine's error ends the call cleanly, after a try with a bare scan") {
  const auto statuses_of = [](const absl::Status& failure, size_t texts) {
    const auto engine = std::make_shared<Scripted>(
        [failure](const EngineStatement&, const CancellationToken&, BatchSink&) { return failure; });
    EngineService service(engine);
    const absl::Status status =
        service.Run("select length(project) as l, count(*) as c from events group by 1").status();
    CHECK(engine->texts().size() == texts);
    return status;
  };
  // The engine's words are for the log: Internal is shown to no caller.
  for (const absl::Status& failure : {absl::InvalidArgumentError("no such column"), absl::InternalError("a defect"),
                                      absl::NotFoundError("gone"), absl::UnimplementedError("unknown function")}) {
    const absl::Status status = statuses_of(failure, 2);
    CHECK(absl::IsInternal(status));
    CHECK(Has(std::string(status.message()), "Scripted 1: " + std::string(failure.message())));
  }
  CHECK(absl::IsUnavailable(statuses_of(absl::UnavailableError("away"), 1)));
  CHECK(absl::IsResourceExhausted(statuses_of(absl::ResourceExhaustedError("too large"), 1)));
}

TEST_CASE("where a bare scan succeeds, DuckDB computes what the engine failed to") {
  const auto engine = std::make_shared<Scripted>(
      [](const EngineStatement& statement, const CancellationToken& cancellation, BatchSink& sink) -> absl::Status {
        if (statement.text.find("count") != std::string::npos) throw std::runtime_error("it has no count");
        return Scripted::Give({1, 2, 3})(statement, cancellation, sink);
      });
  EngineService service(engine);
  CHECK(service.Ask("select count(*) as c from events") == R"({"result":[{"c":3}]})");
  CHECK(engine->texts().size() == 2);
}

TEST_CASE("rows of an engine that have another form than asked for are errors") {
  const auto answer = [](const std::function<void(EngineRows&)>& add) {
    EngineService service(std::make_shared<Scripted>(
        [add](const EngineStatement& statement, const CancellationToken&, BatchSink& sink) -> absl::Status {
          EngineRows rows(statement.schema, sink);
          add(rows);
          if (absl::Status status = rows.EndRow(); !status.ok()) return status;
          return rows.Finish();
        }));
    return service.Ask("select project, n, x from events");
  };
  CHECK(answer([](EngineRows& rows) { rows.AddText("p"), rows.AddInt64(5), rows.AddFloat64(1.5); }) ==
        R"({"result":[{"project":"p","n":5,"x":1.5}]})");
  CHECK(answer([](EngineRows& rows) { rows.AddNull(), rows.AddNull(), rows.AddNull(); }) ==
        R"({"result":[{"project":null,"n":null,"x":null}]})");
  CHECK(Has(answer([](EngineRows& rows) { rows.AddText("p"), rows.AddText("5"), rows.AddNull(); }),
            "gave text for the column"));
  CHECK(Has(answer([](EngineRows& rows) { rows.AddText("p"), rows.AddFloat64(5), rows.AddNull(); }), "floating-point"));
  CHECK(Has(answer([](EngineRows& rows) { rows.AddText("p"); }), "a row of 1 value in place of 3"));
  CHECK(Has(answer([](EngineRows& rows) {
              for (int i = 0; i < 4; ++i) rows.AddNull();
            }),
            "a row of 4 values"));
}

TEST_CASE("EngineRows reads records, arrays and JSON from JSON text, and numbers by type") {
  const Schema schema = {{"r", Type::Record({{"a", Type::Int64()}, {"b", Type::String()}})},
                         {"l", Type::Array(Type::String())},
                         {"t", Type::Timestamp()},
                         {"d", Type::Date()},
                         {"f", Type::Bool()}};
  CollectingSink sink;
  EngineRows rows(schema, sink);
  for (int i = 0; i < 3'000; ++i) {
    rows.AddText(R"({"b":"x","a":)" + std::to_string(i) + "}");
    rows.AddText(R"(["u",null])");
    rows.AddInt64(i);
    rows.AddInt64(-i);
    rows.AddBool(i % 2 == 0);
    REQUIRE(rows.EndRow().ok());
  }
  REQUIRE(rows.Finish().ok());
  REQUIRE(sink.rows().size() == 3'000);
  CHECK(sink.rows()[2'999] == Values{Value::Struct(schema[0].type, {Value::Int64(2'999), Value::String("x")}),
                                     Value::Array(Type::String(), {Value::String("u"), Value::Null(Type::String())}),
                                     Value::TimestampMicros(2'999), Value::Date(-2'999), Value::Bool(false)});
  EngineRows broken(schema, sink);
  broken.AddText("{");
  CHECK(absl::IsInternal(broken.Finish()));
}

}  // namespace
}  // namespace logquery
