// PostgreSQL over a network: its certificate is checked, and a proxy that cuts, garbles or stands still is an error of the call,
// never fewer rows.
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/match.h"
#include "absl/synchronization/notification.h"
#include "lib/base/strings.h"
#include "lib/engines/postgres/backend/postgres_source.h"
#include "tests/postgres/cluster.h"
#include "tests/support/tcp_proxy.h"

namespace logquery::postgres {
namespace {

using base::StrCat;
using testing::Cluster;
using testing::TcpProxy;

constexpr int kRows = 20'000;

class Counter : public BatchSink {
 public:
  absl::Status Append(const Batch& batch) override {
    for (int64_t row = 0; row < batch.rows(); ++row) sum_ += batch.column(0).Int64At(row);
    rows_ += batch.rows();
    if (!begun_.HasBeenNotified()) begun_.Notify();
    return absl::OkStatus();
  }
  int64_t rows() const { return rows_; }
  int64_t sum() const { return sum_; }
  void AwaitBegin() { begun_.WaitForNotification(); }

 private:
  int64_t rows_ = 0;
  int64_t sum_ = 0;
  absl::Notification begun_;
};

QueryFragment Rows(int count = kRows) {
  QueryFragment fragment;
  fragment.text = StrCat("SELECT g AS c1 FROM generate_series(1::int8, ", count, ") AS g");
  fragment.schema = {{"c1", Type::Int64()}};
  return fragment;
}

std::string Outcome(const PostgresOptions& options) {
  PostgresSource source(options, Catalog());
  return source.Probe({}).ToString();
}

TEST_CASE("PostgreSQL's certificate is checked", "[postgres]") {
  if (!Cluster::IsPossible()) SKIP("there is no PostgreSQL server on this machine");
  Cluster cluster;
  cluster.Listen(/*tls=*/true);
  PostgresOptions options = cluster.Options({});
  options.host = "localhost";
  options.port = cluster.port();
  options.ca_file = cluster.certificate();
  CHECK(options.tls == "verify-full");
  PostgresSource source(options, Catalog());
  Counter rows;
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
  if (!Cluster::IsPossible()) SKIP("there is no PostgreSQL server on this machine");
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
  if (!Cluster::IsPossible()) SKIP("there is no PostgreSQL server on this machine");
  Cluster cluster;
  cluster.Listen(/*tls=*/false);
  TcpProxy proxy(cluster.port());
  PostgresOptions options = cluster.Options({});
  options.host = "127.0.0.1";
  options.port = proxy.port();
  options.tls = "disable";
  PostgresSource source(options, Catalog());
  for (const int64_t bytes : {0, 1, 7, 100, 5'000, 200'000}) {
    CAPTURE(bytes);
    // The query runs on a connection that is open already, and on a new one.
    for (const bool is_open : {true, false}) {
      if (is_open) REQUIRE(source.Probe({}).ok());
      proxy.CutAfter(bytes);
      Counter rows;
      const absl::Status status = source.Run(Rows(), {}, {}, rows);
      INFO(status.ToString());
      CHECK(absl::IsUnavailable(status));
      CHECK(rows.rows() < kRows);
      proxy.PassAll();
    }
    Counter rows;
    CHECK(source.Run(Rows(), {}, {}, rows).ok());
    CHECK(rows.rows() == kRows);
  }
}

TEST_CASE("a proxy that garbles PostgreSQL's answer never causes missing rows", "[postgres]") {
  if (!Cluster::IsPossible()) SKIP("there is no PostgreSQL server on this machine");
  Cluster cluster;
  cluster.Listen(/*tls=*/false);
  TcpProxy proxy(cluster.port());
  PostgresOptions options = cluster.Options({});
  options.host = "127.0.0.1";
  options.port = proxy.port();
  options.tls = "disable";
  PostgresSource source(options, Catalog());
  int failed = 0;
  for (int64_t at = 0; at < 150; at += 6) {
    CAPTURE(at);
    REQUIRE(source.Probe({}).ok());
    proxy.GarbleAfter(at);
    // Garbage that makes a length of megabytes of a few bytes has the server wait for the client, and the client for the server.
    CancellationSource cancellation;
    Counter rows;
    absl::Status status;
    absl::Notification done;
    std::thread call([&] {
      status = source.Run(Rows(20), {}, cancellation.token(), rows);
      done.Notify();
    });
    if (!done.WaitForNotificationWithTimeout(absl::Milliseconds(300))) cancellation.Cancel();
    call.join();
    proxy.PassAll();
    INFO(status.ToString());
    // A value may be another one: nothing but TLS tells.
    if (status.ok()) CHECK(rows.rows() == 20);
    failed += status.ok() ? 0 : 1;
  }
  CHECK(failed > 8);
  Counter rows;
  CHECK(source.Run(Rows(), {}, {}, rows).ok());
  CHECK(rows.sum() == int64_t{kRows} * (kRows + 1) / 2);
}

TEST_CASE("a stalled proxy blocks no cancelled call of PostgreSQL", "[postgres]") {
  if (!Cluster::IsPossible()) SKIP("there is no PostgreSQL server on this machine");
  Cluster cluster;
  cluster.Listen(/*tls=*/false);
  TcpProxy proxy(cluster.port());
  PostgresOptions options = cluster.Options({});
  options.host = "127.0.0.1";
  options.port = proxy.port();
  options.tls = "disable";
  options.connect_timeout = absl::Milliseconds(300);
  PostgresSource source(options, Catalog());
  REQUIRE(source.Probe({}).ok());
  CancellationSource cancellation;
  Counter rows;
  absl::Status status;
  std::thread call([&] { status = source.Run(Rows(3'000'000), {}, cancellation.token(), rows); });
  rows.AwaitBegin();
  proxy.StandStill();
  cancellation.Cancel();
  call.join();
  CHECK(absl::IsCancelled(status));
  // A new connection gets no answer in time.
  Counter none;
  const absl::Status late = source.Run(Rows(), {}, {}, none);
  INFO(late.ToString());
  CHECK(absl::IsUnavailable(late));
  proxy.PassAll();
  Counter again;
  CHECK(source.Run(Rows(), {}, {}, again).ok());
}

}  // namespace
}  // namespace logquery::postgres
