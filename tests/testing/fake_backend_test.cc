#include "logquery/testing/fake_backend.h"

#include <catch2/catch_test_macros.hpp>
#include <thread>

#include "lib/base/strings.h"

namespace logquery::testing {
namespace {

const Schema kSchema = {{"n", Type::Int64()}};

PreparedQuery Query(std::string googlesql, std::string endpoint_id = "") {
  PreparedQuery::Parts parts;
  parts.googlesql = std::move(googlesql);
  parts.endpoint_id = std::move(endpoint_id);
  parts.schema = kSchema;
  return PreparedQuery(std::move(parts));
}

FakeBackend::Rows Numbers(int count) {
  FakeBackend::Rows rows;
  for (int i = 0; i < count; ++i) rows.push_back({Value::Int64(i)});
  return rows;
}

absl::Status Run(FakeBackend& backend, const PreparedQuery& query, BatchSink& sink, ExecutionLimits limits = {},
                 CancellationToken cancellation = {}) {
  return backend.Execute(query, {}, limits, cancellation, sink);
}

TEST_CASE("a fake backend answers with given rows, and records its queries") {
  FakeBackend backend(Catalog::DeclaredLogs());
  backend.AnswerText("SELECT 1", Numbers(2));
  CollectingSink sink;
  REQUIRE(backend.Execute(Query("SELECT 1", "id"), {Value::String("p")}, {}, {}, sink).ok());
  CHECK(sink.rows() == Numbers(2));

  REQUIRE(backend.calls().size() == 1);
  CHECK(backend.calls()[0].googlesql == "SELECT 1");
  CHECK(backend.calls()[0].endpoint_id == "id");
  CHECK(backend.calls()[0].bindings == Bindings{Value::String("p")});
}

TEST_CASE("the text comes before the endpoint, the endpoint before the callback") {
  FakeBackend backend(Catalog::DeclaredLogs());
  backend.AnswerBy([](const PreparedQuery&, const Bindings&) { return Numbers(1); });
  backend.AnswerEndpoint("e", Numbers(2));
  backend.AnswerText("t", Numbers(3));
  const auto count = [&](const PreparedQuery& query) {
    CollectingSink sink;
    REQUIRE(Run(backend, query, sink).ok());
    return sink.rows().size();
  };
  CHECK(count(Query("other", "other")) == 1);
  CHECK(count(Query("other", "e")) == 2);
  CHECK(count(Query("t", "e")) == 3);
}

TEST_CASE("a query without an answer says which text to register") {
  FakeBackend backend(Catalog::DeclaredLogs());
  CollectingSink sink;
  const absl::Status status = Run(backend, Query("SELECT 2"), sink);
  CHECK(status == absl::InternalError("fake backend: no answer for SELECT 2"));
}

TEST_CASE("rows that do not fit the query are an error of the fake backend") {
  FakeBackend backend(Catalog::DeclaredLogs());
  CollectingSink sink;
  backend.AnswerText("t", {{Value::Int64(1), Value::Int64(2)}});
  CHECK(base::Message(Run(backend, Query("t"), sink)) ==
        "fake backend: row 0 of the answer has 2 values, the query has 1 column");
  backend.AnswerText("t", {{Value::Int64(1)}, {Value::String("x")}});
  CHECK(base::Message(Run(backend, Query("t"), sink)) ==
        "fake backend: row 1 of the answer has a STRING in column n, which is INT64");
}

TEST_CASE("a configured failure occurs at once or after some rows, until it is changed") {
  FakeBackend backend(Catalog::DeclaredLogs());
  backend.AnswerText("t", Numbers(5));
  backend.FailWith(absl::UnavailableError("down"));
  CollectingSink none;
  CHECK(Run(backend, Query("t"), none) == absl::UnavailableError("down"));
  CHECK(none.rows().empty());

  backend.FailWith(absl::ResourceExhaustedError("memory"), 3);
  CollectingSink some;
  CHECK(Run(backend, Query("t"), some) == absl::ResourceExhaustedError("memory"));
  CHECK(some.rows() == Numbers(3));

  backend.FailWith(absl::OkStatus());
  CollectingSink all;
  CHECK(Run(backend, Query("t"), all).ok());
  CHECK(all.rows() == Numbers(5));
}

TEST_CASE("the row cap holds over batches") {
  FakeBackend backend(Catalog::DeclaredLogs());
  backend.AnswerText("t", Numbers(10));
  backend.SetBatchRows(3);
  for (const int cap : {0, 1, 3, 4, 10, 11}) {
    CollectingSink sink;
    ExecutionLimits limits;
    limits.max_rows = cap;
    REQUIRE(Run(backend, Query("t"), sink, limits).ok());
    CHECK(sink.rows() == Numbers(std::min(cap, 10)));
  }
}

TEST_CASE("a blocked query ends by its fake clock") {
  FakeClock clock;
  FakeBackend backend(Catalog::DeclaredLogs(), &clock);
  backend.AnswerText("t", Numbers(1));
  backend.Block();
  CollectingSink sink;
  ExecutionLimits limits;
  limits.time_limit = absl::Seconds(30);
  absl::Status status;
  std::thread runner([&] { status = Run(backend, Query("t"), sink, limits); });
  backend.AwaitBlocked(1);
  clock.Advance(absl::Seconds(29));
  clock.Advance(absl::Seconds(1));
  runner.join();
  CHECK(status.code() == absl::StatusCode::kDeadlineExceeded);
  CHECK(sink.rows().empty());
}

TEST_CASE("a blocked query ends when it is cancelled, and goes on when it is unblocked") {
  for (const bool fake_time : {true, false}) {
    FakeClock clock;
    FakeBackend backend(Catalog::DeclaredLogs(), fake_time ? &clock : nullptr);
    backend.AnswerText("t", Numbers(1));
    backend.Block();
    CancellationSource source;
    CollectingSink first_sink;
    CollectingSink second_sink;
    absl::Status first;
    absl::Status second;
    std::thread one([&] { first = Run(backend, Query("t"), first_sink, {}, source.token()); });
    std::thread two([&] { second = Run(backend, Query("t"), second_sink); });
    backend.AwaitBlocked(2);
    source.Cancel();
    one.join();
    CHECK(first.code() == absl::StatusCode::kCancelled);
    backend.Unblock();
    two.join();
    CHECK(second.ok());
    CHECK(second_sink.rows() == Numbers(1));
    CHECK(backend.calls().size() == 2);
  }
}

TEST_CASE("the catalog and the capabilities can be set") {
  FakeBackend backend(Catalog::DeclaredLogs());
  CHECK(backend.ReadCatalog()->tables().size() == 9);
  backend.SetCatalog(absl::UnavailableError("down"));
  CHECK(backend.ReadCatalog().status() == absl::UnavailableError("down"));
  CHECK(backend.capabilities().engine == "fake");
  backend.SetCapabilities({Dialect::kDuckDb, "fake duck"});
  CHECK(backend.capabilities().dialect == Dialect::kDuckDb);
}

}  // namespace
}  // namespace logquery::testing
