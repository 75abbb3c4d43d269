#include "shim/cli/serve/query_quarantine.h"

#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/synchronization/notification.h"
#include "lib/base/strings.h"
#include "logquery/testing/fake_clock.h"
#include "shim/observe/crash_board.h"
#include "tests/shim/server_fixture.h"
#include "tests/shim/supervised_server.h"

namespace logquery::shim {
namespace {

using Pass = std::unique_ptr<ExecutionGuard::Pass>;

const ExecutionKey kBad{"token", "bad"};
const ExecutionKey kGood{"token", "good"};

// A board over several servers, one after another, without processes.
struct Servers {
  explicit Servers(absl::Time start) : board(*CrashBoard::Create()), clock(start) { Start(); }
  void Start() { server = std::make_unique<QueryQuarantine>(board.get(), &clock); }
  // Running queries are not told of the end, as a server that dies tells none.
  void Crash(std::vector<Pass> running) {
    lines = board->Settle(/*crashed=*/true, clock.Now());
    dead.push_back(std::move(server));
    static std::vector<Pass>& never_ended = *new std::vector<Pass>;
    for (Pass& pass : running) never_ended.push_back(std::move(pass));
    Start();
  }
  absl::StatusOr<Pass> Enter(const ExecutionKey& key, absl::Duration limit = absl::InfiniteDuration()) {
    return server->Enter(key, limit, CancellationToken());
  }

  std::unique_ptr<CrashBoard> board;
  testing::FakeClock clock;
  std::unique_ptr<QueryQuarantine> server;
  std::vector<std::unique_ptr<QueryQuarantine>> dead;
  std::vector<std::string> lines;
};

const absl::Time kStart = absl::FromUnixSeconds(1'772'600'000);  // 04:53:20 UTC

std::vector<Pass> Of(absl::StatusOr<Pass> pass) {
  REQUIRE(pass.ok());
  std::vector<Pass> passes;
  passes.push_back(*std::move(pass));
  return passes;
}

TEST_CASE("a query that ran during a crash runs alone next, and is rejected for an hour after a second crash") {
  Servers servers(kStart);
  servers.Crash(Of(servers.Enter(kBad)));
  REQUIRE(servers.lines.size() == 1);
  CHECK(servers.lines[0].find("it is suspected") != std::string::npos);
  servers.Crash(Of(servers.Enter(kBad)));
  REQUIRE(servers.lines.size() == 1);
  CHECK(servers.lines[0].find("refused to its token for an hour") != std::string::npos);
  servers.clock.Advance(absl::Minutes(7));
  const absl::Status refused = servers.Enter(kBad).status();
  CHECK(refused.code() == absl::StatusCode::kInvalidArgument);
  CHECK(
      base::Message(refused) ==
      base::StrCat("this query, or one that differs from it in constants alone, ended the server 7 minutes ago; it is "
                   "refused to this token until 05:53 UTC; change the query, and report query ",
                   HexOf(DigestOf("token", "bad")), " to those who run the server"));
  CHECK(servers.Enter({"another", "bad"}).ok());
  CHECK(servers.Enter(kGood).ok());
  const CrashCounters counters = servers.board->counters();
  CHECK(counters.crashes == 2);
  CHECK(counters.suspected == 1);
  CHECK(counters.quarantined == 1);
  CHECK(counters.refused == 1);
  servers.clock.Advance(absl::Minutes(53));
  CHECK(servers.Enter(kBad).ok());
}

TEST_CASE("a query is identified by its token and its shape, whatever its constants") {
  Servers servers(kStart);
  servers.Crash(Of(servers.Enter({"token", "f(1)", "f(?)"})));
  servers.Crash(Of(servers.Enter({"token", "f(2)", "f(?)"})));
  CHECK(servers.Enter({"token", "f(3)", "f(?)"}).status().code() == absl::StatusCode::kInvalidArgument);
  CHECK(servers.Enter({"token", "g(1)", "g(?)"}).ok());
  CHECK(servers.Enter({"another", "f(1)", "f(?)"}).ok());
}

TEST_CASE("a query that does not end after its deadline is rejected, and concurrent ones are not suspected") {
  Servers servers(kStart);
  std::vector<Pass> running = Of(servers.Enter(kGood));
  running.push_back(*servers.Enter(kBad));
  servers.board->MarkOverdue(1);
  servers.Crash(std::move(running));
  REQUIRE(servers.lines.size() == 1);
  CHECK(servers.lines[0].find("did not end after its deadline: it is refused") != std::string::npos);
  CHECK(servers.Enter(kBad).status().code() == absl::StatusCode::kInvalidArgument);
  const std::vector<Pass> beside = Of(servers.Enter(kGood));
  CHECK(servers.Enter({"other", "good"}, absl::ZeroDuration()).ok());  // nothing runs alone
  CHECK(servers.board->counters().overdue == 1);
  CHECK(servers.board->counters().suspected == 0);
}

TEST_CASE("a suspect runs alone, and is cleared when it ends") {
  Servers servers(kStart);
  servers.Crash(Of(servers.Enter(kBad)));
  std::vector<Pass> side_by_side = Of(servers.Enter(kGood));
  side_by_side.push_back(*servers.Enter({"other", "good"}));
  // In vain while others run, and nothing else waits for it after that.
  CHECK(servers.Enter(kBad, absl::ZeroDuration()).status().code() == absl::StatusCode::kUnavailable);
  CHECK(servers.Enter(kGood, absl::ZeroDuration()).ok());
  absl::Notification alone;
  absl::Notification go;
  std::thread suspect([&] {
    const std::vector<Pass> pass = Of(servers.Enter(kBad));
    alone.Notify();
    go.WaitForNotification();
  });
  CHECK_FALSE(alone.HasBeenNotified());
  side_by_side.clear();
  alone.WaitForNotification();
  CHECK(servers.Enter(kGood, absl::ZeroDuration()).status().code() == absl::StatusCode::kUnavailable);
  CancellationSource source;
  source.Cancel();
  CHECK(absl::IsCancelled(servers.server->Enter(kGood, absl::Hours(1), source.token()).status()));
  go.Notify();
  suspect.join();
  CHECK(servers.board->counters().cleared == 1);
  const std::vector<Pass> again = Of(servers.Enter(kBad));
  CHECK(servers.Enter(kGood, absl::ZeroDuration()).ok());  // beside it
}

TEST_CASE("a clean shutdown creates no suspects, and the bounded tables keep quarantines longest") {
  Servers servers(kStart);
  CHECK(servers.board->Begin(DigestOf("t", "q"), false, kStart) >= 0);
  CHECK(servers.board->Settle(/*crashed=*/false, kStart).empty());
  CHECK(servers.board->remembered().empty());
  REQUIRE(servers.board->Begin(DigestOf("t", "alone"), true, kStart) >= 0);
  CHECK(servers.board->Settle(true, kStart).size() == 1);
  for (int i = 0; i < CrashBoard::kMaxRunning; ++i) {
    REQUIRE(servers.board->Begin(DigestOf("t", std::to_string(i)), false, kStart) == i);
  }
  CHECK(servers.board->Begin(DigestOf("t", "more"), false, kStart) == -1);
  CHECK(servers.Enter(kGood).status().code() == absl::StatusCode::kUnavailable);
  servers.board->Settle(true, kStart + absl::Minutes(1));
  const std::vector<CrashBoard::Remembered> remembered = servers.board->remembered();
  CHECK(remembered.size() == CrashBoard::kMaxRemembered);
  int refused = 0;
  for (const CrashBoard::Remembered& one : remembered) refused += one.refused_until.has_value() ? 1 : 0;
  CHECK(refused == 1);
}

// Kills the server under a query that it runs.
void DieWith(SupervisedServer& serve, int token) {
  std::string answer = "none yet";
  std::thread client([&] { answer = serve.Get(QueryPath(kEndless), token); });
  serve.AwaitQuery();
  serve.KillServer(SIGSEGV);
  client.join();
  CHECK(answer.empty());
}

TEST_CASE("a query that crashes the server twice is rejected for that token, and runs for another") {
  SupervisedServer serve;
  DieWith(serve, 0);
  serve.AwaitLog("it is suspected, and runs alone when it comes again");
  DieWith(serve, 0);
  const std::string refused = serve.Get(QueryPath(kEndless), 0);
  CHECK(StatusOf(refused) == 400);
  CHECK(BodyOf(refused).find("ended the server less than a minute ago; it is refused to "
                             "this token until ") != std::string::npos);
  CHECK(StatusOf(serve.Get(QueryPath("select count(*) as n from edge_logs"), 0)) == 200);
  // To the other token it is a query like any: it runs until the server dies under it for the first time.
  DieWith(serve, 1);
  CHECK(StatusOf(serve.Get(QueryPath(kEndless), 0)) == 400);
  CHECK(serve.End(SIGTERM) == 0);
}

}  // namespace
}  // namespace logquery::shim
