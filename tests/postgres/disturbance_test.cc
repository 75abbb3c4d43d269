// Failures between here and a PostgreSQL: each is a status that says what, and the next call works again.
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>

#include "lib/backend/circuit_breaker.h"
#include "lib/base/strings.h"
#include "lib/engines/postgres/backend/postgres_source.h"
#include "tests/engines/disturbance_checks.h"
#include "tests/postgres/cluster_or_skip.h"

namespace logquery::postgres {
namespace {

using base::StrCat;
using testing::ClusterOrSkip;
using testing::EngineUnderTest;
using testing::OneColumn;
using testing::RunFragment;
using Sink = testing::CallingSink;

constexpr char kSleep[] = "SELECT 1::int8 AS c1 FROM pg_sleep(3600)";
constexpr char kOne[] = "SELECT 5::int8 AS c1";
constexpr testing::EngineStatements kStatements = {
    .one = kOne,
    .many = "SELECT g AS c1 FROM generate_series(1::int8, 3000000) AS g",
    .endless = kSleep,
    .count_running = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'logquery' AND state = 'active'"};

struct Server {
  PostgresOptions Options() const { return cluster.Options({}); }
  std::shared_ptr<PostgresSource> Source() const { return Source(Options()); }
  static std::shared_ptr<PostgresSource> Source(const PostgresOptions& options) {
    return std::make_shared<PostgresSource>(options, Catalog());
  }
  EngineUnderTest<ClusterOrSkip> Engine() { return Engine(Options()); }
  EngineUnderTest<ClusterOrSkip> Engine(const PostgresOptions& options) {
    return {cluster, Source(options), kStatements};
  }
  ClusterOrSkip cluster;
};

bool Works(FragmentSource& source) { return testing::ReturnsOneRow(source, kOne); }

TEST_CASE("a statement runs, is cancelled, and is gone from the server", "[postgres]") {
  Server server;
  testing::CheckCancelledCall(server.Engine());
}

TEST_CASE("the server's limit of a statement's time ends it", "[postgres]") {
  Server server;
  PostgresOptions options = server.Options();
  options.statement_timeout = absl::Milliseconds(50);
  const auto source = Server::Source(options);
  Sink sink;
  CHECK(absl::IsDeadlineExceeded(RunFragment(*source, OneColumn(kSleep), sink)));
}

TEST_CASE("a sink's error ends the statement with its status", "[postgres]") {
  Server server;
  testing::CheckSinkError(server.Engine());
}

TEST_CASE("a server that restarts is Unavailable while it is away, and used again after", "[postgres]") {
  Server server;
  const absl::Status away = testing::CheckRestart(server.Engine());
  // The caller is not told where the server is.
  CHECK(base::Message(away).find(server.cluster.folder()) == std::string_view::npos);
}

TEST_CASE("a hanging server blocks neither a cancelled call nor a connection", "[postgres]") {
  Server server;
  PostgresOptions options = server.Options();
  options.connect_timeout = absl::Milliseconds(200);
  const auto engine = server.Engine(options);
  testing::CheckHangingServer(engine, [&] { CHECK(absl::IsUnavailable(engine.RunOne())); });
  options.connect_timeout = absl::Minutes(1);
  CHECK(Works(*Server::Source(options)));
}

TEST_CASE("a probe finds out whether PostgreSQL is available, also while all connections are in use", "[postgres]") {
  Server server;
  PostgresOptions options = server.Options();
  options.max_connections = 1;
  const auto engine = server.Engine(options);
  absl::Status meanwhile = absl::UnknownError("not asked");
  Sink sink([&] {
    meanwhile = engine.source->Probe({});
    return absl::OkStatus();
  });
  CHECK(RunFragment(*engine.source, OneColumn(kOne), sink).ok());
  CHECK(meanwhile.ok());
  CHECK(absl::IsUnavailable(testing::CheckProbe(engine)));
  options.password = "wrong";
  CHECK(absl::IsFailedPrecondition(Server::Source(options)->Probe({})));
}

TEST_CASE("connections are limited, and waiting too long for one is an error", "[postgres]") {
  Server server;
  PostgresOptions options = server.Options();
  options.max_connections = 1;
  const auto warm = Server::Source(options);
  options.connect_timeout = absl::Milliseconds(500);
  const auto source = Server::Source(options);
  absl::Status inner;
  Sink sink([&] {
    Sink other;
    inner = RunFragment(*source, OneColumn(kOne), other);
    return absl::OkStatus();
  });
  CHECK(RunFragment(*source, OneColumn(kOne), sink).ok());
  CHECK(Works(*source));
  Sink busy([&] {
    Sink other;
    inner = RunFragment(*source, OneColumn(kOne), other);
    return absl::CancelledError("enough");
  });
  CHECK(RunFragment(*source, OneColumn(kStatements.many), busy).code() == absl::StatusCode::kCancelled);
  CHECK(inner == backend::Busy("the only connection to PostgreSQL is in use; try again"));
}

TEST_CASE("a table that has changed since its statement was prepared is asked again", "[postgres]") {
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
