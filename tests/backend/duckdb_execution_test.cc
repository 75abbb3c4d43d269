// Running queries on the DuckDB backend: rows, errors, limits, and being stopped.
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "logquery/error.h"
#include "tests/backend/duckdb_test_util.h"

namespace logquery::duckdb {
namespace {

// Takes minutes if nobody stops it, and gives nothing before.
const char kEndless[] = "SELECT sum(a.range * b.range)::BIGINT FROM range(10000000) a, range(10000000) b";

const Schema kNumber = {{"n", Type::Int64()}};

class CountingSink : public BatchSink {
 public:
  absl::Status Append(const Batch& batch) override {
    rows += batch.rows();
    if (rows >= stop_at) return absl::AbortedError("enough");
    if (after_append) after_append();
    return absl::OkStatus();
  }
  int64_t rows = 0;
  int64_t stop_at = std::numeric_limits<int64_t>::max();
  std::function<void()> after_append;
};

TEST_CASE("rows arrive in order, in batches") {
  const auto backend = OpenInMemory();
  const Rows rows = Select(*backend, Duck("SELECT range FROM range(5000) ORDER BY range DESC", kNumber));
  REQUIRE(rows.size() == 5000);
  CHECK(rows[0][0] == Value::Int64(4999));
  CHECK(rows[4999][0] == Value::Int64(0));
}

TEST_CASE("a query without rows gives no batch") {
  const auto backend = OpenInMemory();
  CHECK(Select(*backend, Duck("SELECT range FROM range(0)", kNumber)).empty());
}

TEST_CASE("an error that depends on rows is the caller's, with a message fit for callers") {
  const auto backend = OpenInMemory();
  struct Case {
    const char* sql;
    const char* message;
  };
  const Case cases[] = {
      {"SELECT CAST(s AS BIGINT) FROM (VALUES ('x')) t(s)", "Bad INT64 value: \"x\""},
      {"SELECT range + 9223372036854775807 FROM range(2)", "INT64 overflow: 1 + 9223372036854775807 is out of range"},
      {"SELECT error('division by zero: 1 / 0')::BIGINT", "division by zero: 1 / 0"},
      {"SELECT (SELECT range FROM range(2))", "a scalar subquery gave more than one row: it may give at most one"},
      {"SELECT CAST('x' AS BIGINT)", "Bad INT64 value: \"x\""},
  };
  for (const Case& c : cases) {
    CAPTURE(c.sql);
    CountingSink sink;
    const absl::Status status = Execute(*backend, Duck(c.sql, kNumber), sink);
    CHECK(status.code() == absl::StatusCode::kInvalidArgument);
    CHECK(status.message() == c.message);
    // The connection serves on.
    CHECK(SelectValue(*backend, "SELECT 1::BIGINT", Type::Int64()) == Value::Int64(1));
  }
}

TEST_CASE("a feature that the engine lacks is reported as unimplemented") {
  const auto backend = OpenInMemory();
  CountingSink sink;
  const absl::Status status = Execute(*backend,
                                      Duck("SELECT (SELECT max(a) FROM (SELECT unnest(s.x) AS a) FULL JOIN (SELECT "
                                           "unnest(s.y) AS b) ON a = b) FROM (SELECT [1] AS x, [2] AS y) AS s",
                                           kNumber),
                                      sink);
  CHECK(status.code() == absl::StatusCode::kUnimplemented);
  CHECK(status.message() ==
        "what the log database can't do yet: Unsupported join type for flattening correlated subquery");
}

TEST_CASE("an error after many rows ends the query with that error") {
  const auto backend = OpenInMemory();
  CountingSink sink;
  const absl::Status status = Execute(
      *backend,
      Duck("SELECT CASE WHEN range = 900000 THEN error('late')::BIGINT ELSE range END FROM range(1000000)", kNumber),
      sink);
  CHECK(status.code() == absl::StatusCode::kInvalidArgument);
  CHECK(status.message() == "late");
}

TEST_CASE("an error is not lost when the engine reports an interrupt in its place") {
  // The engine does so for some in a hundred of these: a worker fails while the next rows are asked for.
  DuckDbOptions options;
  options.threads = 4;
  const auto backend = OpenInMemory(options);
  const PreparedQuery query =
      Duck("SELECT CASE WHEN range = $1 THEN error('late')::BIGINT ELSE range END FROM range(1000000)", kNumber,
           {{"at", Type::Int64()}});
  for (int i = 0; i < 300; ++i) {
    CountingSink sink;
    REQUIRE(Execute(*backend, query, sink, {Value::Int64(400'000)}) == absl::InvalidArgumentError("late"));
  }
  // The connections serve on.
  CHECK(SelectValue(*backend, "SELECT 1::BIGINT", Type::Int64()) == Value::Int64(1));
}

TEST_CASE("generated SQL that is invalid or not a SELECT is an internal error") {
  const auto backend = OpenInMemory();
  for (const char* sql : {"CREATE TABLE t(a INT)", "SELEC 1", "SELECT nothing FROM nowhere", "SET threads = 1",
                          "ATTACH ':memory:' AS other"}) {
    CAPTURE(sql);
    CountingSink sink;
    CHECK(Execute(*backend, Duck(sql, kNumber), sink).code() == absl::StatusCode::kInternal);
  }
}

TEST_CASE("the engine reaches no file and no setting") {
  const auto backend = OpenInMemory();
  for (const char* sql : {"SELECT content FROM read_text('/etc/hostname')", "SELECT * FROM '/etc/passwd'",
                          "SELECT * FROM glob('/*')", "SELECT * FROM read_csv('/etc/passwd')"}) {
    CAPTURE(sql);
    CountingSink sink;
    CHECK_FALSE(Execute(*backend, Duck(sql, {{"x", Type::String()}}), sink).ok());
    CHECK(sink.rows == 0);
  }
  CHECK(SelectValue(*backend, "SELECT value FROM duckdb_settings() WHERE name = 'lock_configuration'",
                    Type::String()) == Value::String("true"));
  CHECK(SelectValue(*backend, "SELECT value FROM duckdb_settings() WHERE name = 'enable_external_access'",
                    Type::String()) == Value::String("false"));
}

TEST_CASE("rows beyond the limit are not handed over") {
  const auto backend = OpenInMemory();
  for (const int64_t max_rows : {0, 1, 2047, 2048, 2049, 4096, 9999, 10000, 10001}) {
    CAPTURE(max_rows);
    CountingSink sink;
    ExecutionLimits limits;
    limits.max_rows = max_rows;
    const PreparedQuery query = Duck("SELECT range FROM range(10000)", kNumber);
    CHECK(backend->Execute(query, {}, limits, {}, sink).ok());
    CHECK(sink.rows == std::min<int64_t>(max_rows, 10000));
  }
}

TEST_CASE("the sink's status ends the query and is its status") {
  const auto backend = OpenInMemory();
  CountingSink sink;
  sink.stop_at = 3000;
  const absl::Status status = Execute(*backend, Duck("SELECT range FROM range(1000000000)", kNumber), sink);
  CHECK(status.code() == absl::StatusCode::kAborted);
  CHECK(sink.rows < 10'000);
}

TEST_CASE("a query that needs too much memory is stopped, and says so to programs") {
  const auto backend = OpenInMemory({.memory_limit_bytes = 50 << 20});
  CountingSink sink;
  const absl::Status status = Execute(
      *backend,
      Duck("SELECT count(*) FROM (SELECT range, max('x' || range) FROM range(20000000) GROUP BY ALL)", kNumber), sink);
  CAPTURE(status.ToString());
  CHECK(status.code() == absl::StatusCode::kResourceExhausted);
  CHECK(GetErrorDetails(status).reason == ErrorReason::kResourcesExceeded);
  CHECK(SelectValue(*backend, "SELECT 1::BIGINT", Type::Int64()) == Value::Int64(1));
}

TEST_CASE("a query that takes too long is stopped, and says so to programs") {
  const auto backend = OpenInMemory();
  CountingSink sink;
  ExecutionLimits limits;
  limits.time_limit = absl::Milliseconds(30);
  const absl::Status status = backend->Execute(Duck(kEndless, kNumber), {}, limits, {}, sink);
  CHECK(status.code() == absl::StatusCode::kDeadlineExceeded);
  CHECK(status.message() == "the query took longer than it may, 30ms");
  CHECK(GetErrorDetails(status).reason == ErrorReason::kResourcesExceeded);
}

TEST_CASE("a time limit of zero stops the query") {
  const auto backend = OpenInMemory();
  CountingSink sink;
  ExecutionLimits limits;
  limits.time_limit = absl::ZeroDuration();
  const absl::Status status = backend->Execute(Duck("SELECT 1::BIGINT", kNumber), {}, limits, {}, sink);
  CHECK(status.code() == absl::StatusCode::kDeadlineExceeded);
  CHECK(sink.rows == 0);
}

TEST_CASE("a query is stopped by cancelling it: before, while it computes, while rows flow") {
  const auto backend = OpenInMemory();
  SECTION("before") {
    CancellationSource source;
    source.Cancel();
    CountingSink sink;
    CHECK(backend->Execute(Duck(kEndless, kNumber), {}, {}, source.token(), sink).code() ==
          absl::StatusCode::kCancelled);
  }
  SECTION("while it computes") {
    CancellationSource source;
    CountingSink sink;
    std::thread canceller([&] {
      absl::SleepFor(absl::Milliseconds(20));
      source.Cancel();
    });
    CHECK(backend->Execute(Duck(kEndless, kNumber), {}, {}, source.token(), sink).code() ==
          absl::StatusCode::kCancelled);
    canceller.join();
  }
  SECTION("while rows flow") {
    CancellationSource source;
    CountingSink sink;
    sink.after_append = [&] { source.Cancel(); };
    CHECK(backend->Execute(Duck("SELECT range FROM range(100000000)", kNumber), {}, {}, source.token(), sink).code() ==
          absl::StatusCode::kCancelled);
    CHECK(sink.rows <= 2048);
  }
  CHECK(SelectValue(*backend, "SELECT 1::BIGINT", Type::Int64()) == Value::Int64(1));
}

TEST_CASE("executions beyond the number of connections fail because the backend is busy") {
  const auto backend = OpenInMemory({.max_connections = 1});
  CountingSink outer;
  absl::Status inner_status;
  outer.after_append = [&] {
    CountingSink inner;
    inner_status = Execute(*backend, Duck("SELECT 1::BIGINT", kNumber), inner);
  };
  CHECK(Execute(*backend, Duck("SELECT 1::BIGINT", kNumber), outer).ok());
  CHECK(inner_status.code() == absl::StatusCode::kUnavailable);
  CHECK(SelectValue(*backend, "SELECT 1::BIGINT", Type::Int64()) == Value::Int64(1));
}

// One query in two is cancelled at a moment of its own, often when it is over already; the one after it on the same
// connection must not feel it.
TEST_CASE("stopping a query never hits the one after it, in 10,000 quick ones") {
  const auto backend = OpenInMemory({.threads = 1, .max_connections = 1});
  const PreparedQuery query = Duck("SELECT sum(range)::BIGINT FROM range(1000)", kNumber);
  absl::Mutex mutex;
  std::optional<CancellationSource> next;
  std::atomic<bool> done{false};
  std::thread canceller([&] {
    while (!done) {
      std::optional<CancellationSource> source;
      {
        absl::MutexLock lock(&mutex);
        source.swap(next);
      }
      if (source) source->Cancel();
    }
  });
  int cancelled = 0;
  int wrong = 0;
  for (int i = 0; i < 5'000; ++i) {
    CancellationSource source;
    CountingSink sink;
    {
      absl::MutexLock lock(&mutex);
      next = source;
    }
    const absl::Status first = backend->Execute(query, {}, {}, source.token(), sink);
    if (absl::IsCancelled(first)) ++cancelled;
    if (!first.ok() && !absl::IsCancelled(first)) ++wrong;
    CountingSink second;
    if (!Execute(*backend, query, second).ok() || second.rows != 1) ++wrong;
  }
  done = true;
  canceller.join();
  CAPTURE(cancelled);
  CHECK(wrong == 0);
}

TEST_CASE("deadlines that end about when the query does never hit the one after it") {
  const auto backend = OpenInMemory({.threads = 1, .max_connections = 1});
  const PreparedQuery query = Duck("SELECT sum(range)::BIGINT FROM range(1000)", kNumber);
  // The query's time here and now is measured, so that deadlines come just before, at and just after its end.
  const absl::Time begin = absl::Now();
  for (int i = 0; i < 100; ++i) {
    CountingSink sink;
    REQUIRE(Execute(*backend, query, sink).ok());
  }
  const absl::Duration usual = (absl::Now() - begin) / 100;
  int wrong = 0;
  int late = 0;
  for (int i = 0; i < 10'000; ++i) {
    ExecutionLimits limits;
    limits.time_limit = usual * (50 + i % 100) / 100;
    CountingSink sink;
    const absl::Status first = backend->Execute(query, {}, limits, {}, sink);
    if (absl::IsDeadlineExceeded(first)) ++late;
    if (!first.ok() && !absl::IsDeadlineExceeded(first)) ++wrong;
    CountingSink second;
    if (!Execute(*backend, query, second).ok() || second.rows != 1) ++wrong;
  }
  CAPTURE(late);
  CHECK(wrong == 0);
}

TEST_CASE("many threads query at once") {
  const auto backend = OpenInMemory();
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 100; ++i) {
        CollectingSink sink;
        const absl::Status status = Execute(*backend, Duck("SELECT $1 + 1", kNumber, {{"n", Type::Int64()}}), sink,
                                            {Value::Int64(t * 1000 + i)});
        if (!status.ok() || sink.rows()[0][0] != Value::Int64(t * 1000 + i + 1)) ++failures;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(failures == 0);
}

}  // namespace
}  // namespace logquery::duckdb
