// Queries whose caller has gone: over sockets, with the engine.
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "absl/synchronization/notification.h"
#include "lib/base/strings.h"
#include "tests/shim/served_logs.h"

namespace logquery::shim {
namespace {

// A billion combinations: far longer than any test, unless it is stopped.
constexpr char kEndless[] =
    "/api/endpoints/query/"
    "logs.all?project=abc&sql=select+count(*)+as+n+from+edge_logs+a+cross+join+edge_logs+b+cross+join+"
    "edge_logs+c+where+concat(a.id,b.id,c.id)='x'";
constexpr char kQuick[] = "/api/endpoints/query/logs.all?project=abc&sql=select+count(*)+as+n+from+edge_logs";
constexpr char kCached[] = "/api/endpoints/query/usage.api-counts?project=abc&interval=daily";

std::string GetLine(std::string_view path) {
  return base::StrCat("GET ", path, " HTTP/1.1\r\nHost: t\r\nX-API-KEY: good\r\n\r\n");
}

TEST_CASE("the engine stops the query of a disconnected client, and its thread serves the next call") {
  ServedLogs logs({.query_threads = 1});
  absl::Notification begun;
  absl::Notification ended;
  absl::Status outcome;
  // Watches the first execution alone; the only thread calls both.
  logs.watched().before = [&](const CancellationToken&) {
    if (!begun.HasBeenNotified()) begun.Notify();
  };
  logs.watched().after = [&](const absl::Status& status) {
    if (ended.HasBeenNotified()) return;
    outcome = status;
    ended.Notify();
  };
  RawClient client(logs.port());
  client.Send(GetLine(kEndless));
  begun.WaitForNotification();
  client.Close();
  ended.WaitForNotification();
  CHECK(outcome.code() == absl::StatusCode::kCancelled);
  CHECK_FALSE(logs.log_lines.Await("\"status\":499").empty());
  CHECK(BodyOf(Get(logs.port(), kQuick)) == R"({"result":[{"n":1000}]})");
}

TEST_CASE("a query ends when its client disconnects, whatever the engine is doing") {
  const char* kSql[] = {
      "with+recursive+t+as+(select+1+as+n+union+all+select+n%2B1+from+t+where+n<1000000000)+select+max(n)+as+x+from+t",
      "select+count(*)+as+x+from+unnest(generate_array(1,100000))+as+a+join+unnest(generate_array(1,100000))+as+b+"
      "on+a<b+and+mod(a*b,7)=3",
      "select+max(x)+as+x+from+(select+row_number()+over+(order+by+mod(a*b,1009),b,a)+as+x+from+"
      "unnest(generate_array(1,100000))+as+a,unnest(generate_array(1,100000))+as+b)",
  };
  for (const char* sql : kSql) {
    ServedLogs logs({.query_threads = 1});
    absl::Notification begun, ended;
    absl::Status outcome;
    logs.watched().before = [&](const CancellationToken&) { begun.Notify(); };
    logs.watched().after = [&](const absl::Status& status) {
      outcome = status;
      ended.Notify();
    };
    RawClient client(logs.port());
    client.Send(GetLine(base::StrCat("/api/endpoints/query/logs.all?project=abc&sql=", sql)));
    begun.WaitForNotification();
    client.Close();
    ended.WaitForNotification();
    INFO(sql << "\n" << outcome.ToString());
    CHECK(outcome.code() == absl::StatusCode::kCancelled);
  }
}

TEST_CASE("a query with several waiting clients continues when one of them disconnects") {
  ServedLogs logs({.query_threads = 4});
  std::atomic<int> executions{0};
  std::atomic<bool> cancelled{false};
  absl::Notification begun;
  absl::Notification go;
  logs.watched().before = [&](const CancellationToken& token) {
    if (++executions > 1) return;
    const auto registration = token.OnCancel([&] { cancelled = true; });
    begun.Notify();
    go.WaitForNotification();
  };
  RawClient first(logs.port());
  first.Send(GetLine(kCached));
  begun.WaitForNotification();
  RawClient second(logs.port());
  second.Send(GetLine(kCached));
  // The second one waits for the same execution, or has not got as far: a call for another thing, which came after it, is
  // answered.
  CHECK(StatusOf(Get(logs.port(), kQuick)) == 200);
  first.Close();
  CHECK_FALSE(logs.log_lines.Await("\"status\":499").empty());
  go.Notify();
  const std::string answer = second.Receive();
  CHECK(StatusOf(answer) == 200);
  if (HeaderOf(answer, "Logquery-Cache") == "shared") CHECK_FALSE(cancelled);
  CHECK(HeaderOf(Get(logs.port(), kCached), "Logquery-Cache") == "hit");
}

}  // namespace
}  // namespace logquery::shim
