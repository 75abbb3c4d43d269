// Failures between here and a PostgreSQL: each is a status that says what, and the next call works again.
#include <libpq-fe.h>

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/synchronization/notification.h"
#include "lib/backend/circuit_breaker.h"
#include "lib/base/strings.h"
#include "lib/engines/postgres/backend/postgres_source.h"
#include "tests/postgres/cluster.h"
#include "tests/support/one_column.h"

namespace logquery::postgres {
namespace {

using base::StrCat;
using testing::Cluster;
using testing::OneColumn;
using testing::RunFragment;
using Sink = testing::CallingSink;

constexpr char kSleep[] = "SELECT 1::int8 AS c1 FROM pg_sleep(3600)";
constexpr char kManyRows[] = "SELECT g AS c1 FROM generate_series(1::int8, 3000000) AS g";

struct Server {
  PostgresOptions Options() const { return cluster.Options({}); }
  std::unique_ptr<PostgresSource> Source() const { return Source(Options()); }
  static std::unique_ptr<PostgresSource> Source(const PostgresOptions& options) {
    return std::make_unique<PostgresSource>(options, Catalog());
  }
  // Waits until `count` statements of logquery's run in the server.
  void AwaitActive(int count) {
    while (
        cluster.Ask("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'logquery' AND state = 'active'") !=
        std::to_string(count)) {
    }
  }
  Cluster cluster;
};

bool Works(FragmentSource& source) { return testing::ReturnsOneRow(source, "SELECT 5::int8 AS c1"); }

TEST_CASE("a statement runs, is cancelled, and is gone from the server", "[postgres]") {
  if (!Cluster::IsPossible()) SKIP("there is no PostgreSQL server on this machine");
  Server server;
  const auto source = server.Source();
  CHECK(Works(*source));
  CancellationSource cancellation;
  absl::Status status;
  std::thread call([&] {
    Sink sink;
    status = RunFragment(*source, OneColumn(kSleep), sink, cancellation.token());
  });
  server.AwaitActive(1);
  cancellation.Cancel();
  call.join();
  CHECK(absl::IsCancelled(status));
  server.AwaitActive(0);
  CHECK(Works(*source));

  Sink sink;
  CHECK(absl::IsCancelled(RunFragment(*source, OneColumn(kSleep), sink, cancellation.token())));
}

TEST_CASE("the server's limit of a statement's time ends it", "[postgres]") {
  if (!Cluster::IsPossible()) SKIP("there is no PostgreSQL server on this machine");
  Server server;
  PostgresOptions options = server.Options();
  options.statement_timeout = absl::Milliseconds(50);
  const auto source = Server::Source(options);
  Sink sink;
  CHECK(absl::IsDeadlineExceeded(RunFragment(*source, OneColumn(kSleep), sink)));
}

TEST_CASE("a sink's error ends the statement with its status", "[postgres]") {
  if (!Cluster::IsPossible()) SKIP("there is no PostgreSQL server on this machine");
  Server server;
  const auto source = server.Source();
  Sink sink([] { return absl::ResourceExhaustedError("that is enough"); });
  CHECK(RunFragment(*source, OneColumn(kManyRows), sink) == absl::ResourceExhaustedError("that is enough"));
  CHECK(sink.rows() < 3'000'000);
  server.AwaitActive(0);
  CHECK(Works(*source));
}

TEST_CASE("a server that restarts is Unavailable while it is away, and used again after", "[postgres]") {
  if (!Cluster::IsPossible()) SKIP("there is no PostgreSQL server on this machine");
  Server server;
  const auto source = server.Source();
  bool stopped = false;
  Sink sink([&] {
    if (!stopped) server.cluster.Stop();
    stopped = true;
    return absl::OkStatus();
  });
  const absl::Status in_stream = RunFragment(*source, OneColumn(kManyRows), sink);
  CHECK(absl::IsUnavailable(in_stream));
  CHECK(sink.rows() < 3'000'000);
  const absl::Status away = RunFragment(*source, OneColumn("SELECT 1::int8 AS c1"), sink);
  CHECK(absl::IsUnavailable(away));
  // The caller is not told where the server is.
  CHECK(base::Message(away).find(server.cluster.folder()) == std::string_view::npos);
  server.cluster.Start();
  CHECK(Works(*source));
  // A connection is idle while the server restarts.
  server.cluster.Stop();
  server.cluster.Start();
  CHECK(Works(*source));
}

TEST_CASE("a hanging server blocks neither a cancelled call nor a connection", "[postgres]") {
  if (!Cluster::IsPossible()) SKIP("there is no PostgreSQL server on this machine");
  Server server;
  PostgresOptions options = server.Options();
  options.connect_timeout = absl::Milliseconds(200);
  const auto source = Server::Source(options);
  CancellationSource cancellation;
  absl::Status status;
  std::thread call([&] {
    Sink sink;
    status = RunFragment(*source, OneColumn(kSleep), sink, cancellation.token());
  });
  server.AwaitActive(1);
  server.cluster.Freeze();
  cancellation.Cancel();
  call.join();
  CHECK(absl::IsCancelled(status));
  Sink sink;
  CHECK(absl::IsUnavailable(RunFragment(*source, OneColumn("SELECT 1::int8 AS c1"), sink)));
  server.cluster.Thaw();
  server.AwaitActive(0);
  options.connect_timeout = absl::Minutes(1);
  CHECK(Works(*Server::Source(options)));
}

TEST_CASE("a probe finds out whether PostgreSQL is available, also while all connections are in use", "[postgres]") {
  if (!Cluster::IsPossible()) SKIP("there is no PostgreSQL server on this machine");
  Server server;
  PostgresOptions options = server.Options();
  options.max_connections = 1;
  const auto source = Server::Source(options);
  CHECK(source->Probe({}).ok());
  absl::Status meanwhile = absl::UnknownError("not asked");
  Sink sink([&] {
    meanwhile = source->Probe({});
    return absl::OkStatus();
  });
  CHECK(RunFragment(*source, OneColumn("SELECT 1::int8 AS c1"), sink).ok());
  CHECK(meanwhile.ok());
  server.cluster.Stop();
  CHECK(absl::IsUnavailable(source->Probe({})));
  server.cluster.Start();
  CHECK(source->Probe({}).ok());
  // One that was cancelled, as it had no answer in time.
  server.cluster.Freeze();
  CancellationSource cancellation;
  cancellation.Cancel();
  CHECK(absl::IsCancelled(source->Probe(cancellation.token())));
  server.cluster.Thaw();
  CHECK(source->Probe({}).ok());
  options.password = "wrong";
  CHECK(absl::IsFailedPrecondition(Server::Source(options)->Probe({})));
}

TEST_CASE("connections are limited, and waiting too long for one is an error", "[postgres]") {
  if (!Cluster::IsPossible()) SKIP("there is no PostgreSQL server on this machine");
  Server server;
  PostgresOptions options = server.Options();
  options.max_connections = 1;
  const auto warm = Server::Source(options);
  options.connect_timeout = absl::Milliseconds(500);
  const auto source = Server::Source(options);
  absl::Status inner;
  Sink sink([&] {
    Sink other;
    inner = RunFragment(*source, OneColumn("SELECT 1::int8 AS c1"), other);
    return absl::OkStatus();
  });
  CHECK(RunFragment(*source, OneColumn("SELECT 1::int8 AS c1"), sink).ok());
  CHECK(Works(*source));
  Sink busy([&] {
    Sink other;
    inner = RunFragment(*source, OneColumn("SELECT 1::int8 AS c1"), other);
    return absl::CancelledError("enough");
  });
  CHECK(RunFragment(*source, OneColumn(kManyRows), busy).code() == absl::StatusCode::kCancelled);
  CHECK(inner == backend::Busy("all 1 connections to PostgreSQL are in use; try again"));
}

TEST_CASE("a table that has changed since its statement was prepared is asked again", "[postgres]") {
  if (!Cluster::IsPossible()) SKIP("there is no PostgreSQL server on this machine");
  Server server;
  server.cluster.Sql("CREATE TABLE t (s varchar(9)); INSERT INTO t VALUES ('a')");
  const auto source = server.Source();
  const QueryFragment fragment = OneColumn("SELECT s AS c1 FROM public.t", Type::String());
  Sink sink;
  CHECK(RunFragment(*source, fragment, sink).ok());
  server.cluster.Sql("ALTER TABLE t ALTER COLUMN s TYPE text");
  CHECK(RunFragment(*source, fragment, sink).ok());
  CHECK(sink.rows() == 2);
  // More statements than a connection keeps.
  for (int i = 0; i < 300; ++i)
    REQUIRE(RunFragment(*source, OneColumn(StrCat("SELECT ", i, "::int8 AS c1")), sink).ok());
  CHECK(RunFragment(*source, fragment, sink).ok());
}

TEST_CASE("nothing is written, and errors of the server are Internal", "[postgres]") {
  if (!Cluster::IsPossible()) SKIP("there is no PostgreSQL server on this machine");
  Server server;
  server.cluster.Sql("CREATE TABLE t (n int8); GRANT ALL ON t TO reader");
  const auto source = server.Source();
  Sink sink;
  const absl::Status written = RunFragment(
      *source, OneColumn("WITH w AS (INSERT INTO public.t VALUES (1) RETURNING n) SELECT n AS c1 FROM w"), sink);
  CHECK(absl::IsInternal(written));
  CHECK(base::Message(written).find("read-only transaction (SQLSTATE 25006)") != std::string_view::npos);
  CHECK(server.cluster.Ask("SELECT count(*) FROM t") == "0");
  const absl::Status missing = RunFragment(*source, OneColumn("SELECT no_such AS c1 FROM public.t"), sink);
  CHECK(absl::IsInternal(missing));
  CHECK(base::Message(missing).find("no_such") != std::string_view::npos);
  const absl::Status other = RunFragment(*source, OneColumn("SELECT 'text' AS c1"), sink);
  CHECK(absl::IsInternal(other));
  CHECK(Works(*source));
}

TEST_CASE("a parameter that PostgreSQL cannot store is an error of the caller", "[postgres]") {
  if (!Cluster::IsPossible()) SKIP("there is no PostgreSQL server on this machine");
  Server server;
  const auto source = server.Source();
  const QueryFragment fragment =
      OneColumn("SELECT 1::int8 AS c1 WHERE $1::text = 'it''s \"$1\" \\ žluť'", Type::Int64());
  Sink sink;
  CHECK(RunFragment(*source, fragment, sink, {}, {Value::String("it's \"$1\" \\ žluť")}).ok());
  CHECK(sink.rows() == 1);
  CHECK(absl::IsInvalidArgument(RunFragment(*source, fragment, sink, {}, {Value::String(std::string("a\0b", 3))})));
  CHECK(absl::IsInvalidArgument(RunFragment(*source, fragment, sink, {}, {Value::String("\xFF")})));
  CHECK(RunFragment(*source, fragment, sink, {}, {Value::Null(Type::String())}).ok());
  CHECK(sink.rows() == 1);
}

}  // namespace
}  // namespace logquery::postgres
