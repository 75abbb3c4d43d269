// PostgreSQL over a network: its certificate is checked, and a proxy that cuts, garbles or stands still is an error of the call,
// never fewer rows.
#include <catch2/catch_test_macros.hpp>
#include <optional>
#include <string>

#include "absl/strings/match.h"
#include "lib/base/strings.h"
#include "lib/engines/postgres/backend/postgres_source.h"
#include "tests/engines/disturbance_checks.h"
#include "tests/engines/network_checks.h"
#include "tests/postgres/cluster_or_skip.h"

namespace logquery::postgres {
namespace {

using base::StrCat;
using testing::ClusterOrSkip;
using testing::RowSum;
using testing::TcpProxy;

constexpr int kRows = 20'000;

// A server on a port, and a proxy before it.
struct ProxiedServer {
  ProxiedServer() {
    cluster.Listen(/*tls=*/false);
    proxy.emplace(cluster.port());
  }
  PostgresOptions Options() const {
    PostgresOptions options = cluster.Options({});
    options.host = "127.0.0.1";
    options.port = proxy->port();
    options.tls = "disable";
    return options;
  }
  ClusterOrSkip cluster;
  std::optional<TcpProxy> proxy;
};

QueryFragment Rows(int count = kRows) {
  return testing::OneColumn(StrCat("SELECT g AS c1 FROM generate_series(1::int8, ", count, ") AS g"));
}

std::string Outcome(const PostgresOptions& options) {
  PostgresSource source(options, Catalog());
  return source.Probe({}).ToString();
}

TEST_CASE("PostgreSQL's certificate is checked", "[postgres]") {
  ClusterOrSkip cluster;
  cluster.Listen(/*tls=*/true);
  PostgresOptions options = cluster.Options({});
  options.host = "localhost";
  options.port = cluster.port();
  options.ca_file = cluster.certificate();
  CHECK(options.tls == "verify-full");
  PostgresSource source(options, Catalog());
  RowSum rows;
  CHECK(source.Run(Rows(), {}, {}, rows).ok());
  CHECK(rows.rows() == kRows);
  CHECK(
      cluster.Ask("SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE ssl AND application_name = "
                  "'logquery'") == "1");
  const std::string not_trusted = "FAILED_PRECONDITION: PostgreSQL's TLS is not as the options want it: ";
  options.ca_file.clear();
  CHECK(absl::StartsWith(Outcome(options), not_trusted));
  options.ca_file = "/etc/hostname";
  CHECK_FALSE(absl::StartsWith(Outcome(options), "OK"));
  // The certificate's name is another one.
  options.ca_file = cluster.certificate();
  options.host = "127.0.0.1";
  CHECK(absl::StartsWith(Outcome(options), not_trusted));
  options.tls = "verify-ca";
  CHECK(Outcome(options) == "OK");
  // A server without TLS.
  cluster.Listen(/*tls=*/false);
  options.port = cluster.port();
  CHECK(absl::StartsWith(Outcome(options), not_trusted));
  options.tls = "disable";
  CHECK(Outcome(options) == "OK");
}

TEST_CASE("an unknown host and a closed port are reported", "[postgres]") {
  PostgresOptions options;
  options.host = "no-such-host.invalid";
  options.user = "u";
  options.database = "d";
  CHECK(absl::StartsWith(Outcome(options), "UNAVAILABLE: PostgreSQL can't be reached: "));
  options.host = "127.0.0.1";
  options.port = 1;
  CHECK(absl::StartsWith(Outcome(options), "UNAVAILABLE: PostgreSQL can't be reached: "));
}

TEST_CASE("a proxy that cuts PostgreSQL's answer makes the call fail, and the next one works", "[postgres]") {
  ProxiedServer server;
  PostgresSource source(server.Options(), Catalog());
  for (const int64_t bytes : {0, 1, 7, 100, 5'000, 200'000}) {
    CAPTURE(bytes);
    // The query runs on a connection that is open already, and on a new one.
    for (const bool is_open : {true, false}) {
      if (is_open) REQUIRE(source.Probe({}).ok());
      testing::CheckCutAnswer(*server.proxy, source, Rows(), kRows, bytes);
    }
    RowSum rows;
    CHECK(source.Run(Rows(), {}, {}, rows).ok());
    CHECK(rows.rows() == kRows);
  }
}

TEST_CASE("a proxy that garbles PostgreSQL's answer never causes missing rows", "[postgres]") {
  ProxiedServer server;
  PostgresSource source(server.Options(), Catalog());
  int failed = 0;
  for (int64_t at = 0; at < 150; at += 6) {
    CAPTURE(at);
    REQUIRE(source.Probe({}).ok());
    failed += testing::FailsGarbled(*server.proxy, source, Rows(20), 20, at) ? 1 : 0;
  }
  CHECK(failed > 8);
  RowSum rows;
  CHECK(source.Run(Rows(), {}, {}, rows).ok());
  CHECK(rows.sum() == int64_t{kRows} * (kRows + 1) / 2);
}

TEST_CASE("a stalled proxy blocks no cancelled call of PostgreSQL", "[postgres]") {
  ProxiedServer server;
  PostgresOptions options = server.Options();
  options.connect_timeout = absl::Milliseconds(300);
  PostgresSource source(options, Catalog());
  REQUIRE(source.Probe({}).ok());
  RowSum rows;
  CHECK(absl::IsCancelled(testing::RunCancelled(source, Rows(3'000'000), rows, [&] {
    rows.AwaitBegin();
    server.proxy->StandStill();
  })));
  // A new connection gets no answer in time.
  RowSum none;
  const absl::Status late = source.Run(Rows(), {}, {}, none);
  INFO(late.ToString());
  CHECK(absl::IsUnavailable(late));
  server.proxy->PassAll();
  RowSum again;
  CHECK(source.Run(Rows(), {}, {}, again).ok());
}

}  // namespace
}  // namespace logquery::postgres
