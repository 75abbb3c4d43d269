// kill -9 while four clients send logs: what was answered is there, once, and what was not is there as a whole or not at all.
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "lib/base/strings.h"
#include "logquery/store/duckdb_backend.h"
#include "tests/backend/duckdb_test_util.h"
#include "tests/ingest/ingest_server.h"

namespace logquery::ingest_tests {
namespace {

using duckdb::SelectValue;

constexpr int kClients = 4;
constexpr int kRows = 20;  // of a request

// Counts answers, for a test that waits for some.
class Answers {
 public:
  void Add() {
    absl::MutexLock lock(&mutex_);
    ++count_;
  }
  // False: they did not come within a minute.
  bool Await(int64_t count) {
    absl::MutexLock lock(&mutex_);
    const auto there = [&] {
      mutex_.AssertReaderHeld();
      return count_ >= count;
    };
    return mutex_.AwaitWithTimeout(absl::Condition(&there), absl::Minutes(1));
  }
  int64_t count() {
    absl::MutexLock lock(&mutex_);
    return count_;
  }

 private:
  absl::Mutex mutex_;
  int64_t count_ ABSL_GUARDED_BY(mutex_) = 0;
};

std::string Body(int client, int64_t request) {
  std::string rows = "[";
  for (int i = 0; i < kRows; ++i) {
    base::StrAppend(&rows, i > 0 ? "," : "", R"({"project":"abc","id":")", client, "-", request, "-", i,
                    R"(","event_message":")", client, "-", request, "\"}");
  }
  return rows + "]";
}

// Sends requests one after another until the server dies. `next` is the first that was not answered.
void SendUntilDead(const IngestServer& server, int client, int64_t& next, Answers& answers) {
  while (true) {
    const Response response = server.Post("/api/logs?source_name=edge_logs", Body(client, next),
                                          base::StrCat("Idempotency-Key: ", client, "-", next, "\r\n"));
    if (response.status != 200) return;
    ++next;
    answers.Add();
  }
}

int64_t Count(QueryBackend& backend, const std::string& sql) {
  return SelectValue(backend, sql, Type::Int64()).int64_value();
}

void KillAndCount(int rounds) {
  IngestServer server;
  std::vector<int64_t> next(kClients, 0);
  Answers answers;
  for (int round = 0; round < rounds; ++round) {
    CAPTURE(round);
    const int64_t until = answers.count() + 1 + 3 * (round % 7);
    std::vector<std::thread> clients;
    for (int client = 0; client < kClients; ++client) {
      clients.emplace_back([&, client] { SendUntilDead(server, client, next[client], answers); });
    }
    const bool came = answers.Await(until);
    const int code = server.End(SIGKILL);
    for (std::thread& client : clients) client.join();
    REQUIRE(came);
    REQUIRE(code == -SIGKILL);
    {
      const auto backend = OpenDuckDb({.folder = server.data().string()});
      REQUIRE(backend.ok());
      const std::string logs = "\"cloudflare.logs.prod\"";
      CHECK(Count(**backend, "SELECT count(*) - count(DISTINCT id) FROM " + logs) == 0);
      CHECK(Count(**backend, "SELECT count(*) FROM (SELECT event_message FROM " + logs +
                                 " GROUP BY ALL HAVING count(*) <> " + std::to_string(kRows) + ")") == 0);
      int64_t unanswered = 0;
      for (int client = 0; client < kClients; ++client) {
        const std::string of_client = base::StrCat("SELECT count(DISTINCT event_message) FROM ", logs,
                                                   " WHERE event_message LIKE '", client, "-%'");
        const int64_t there = Count(**backend, of_client);
        CHECK(there >= next[client]);
        CHECK(there <= next[client] + 1);
        unanswered += there - next[client];
      }
      CHECK(Count(**backend, "SELECT count(*) FROM " + logs) == (answers.count() + unanswered) * kRows);
    }
    server.Start();
  }
  CHECK(server.End(SIGTERM) == 0);
}

TEST_CASE("kill -9 while four clients send logs: nothing answered is lost, nothing is doubled") { KillAndCount(10); }

TEST_CASE("kill -9 at many moments while four clients send logs", "[nightly]") { KillAndCount(100); }

}  // namespace
}  // namespace logquery::ingest_tests
