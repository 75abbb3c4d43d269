// Definitions that are replaced again and again, some of them by wrong ones, while they are called.
#include <algorithm>
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "lib/base/strings.h"
#include "re2/re2.h"
#include "tests/shim/configured_server.h"
#include "tests/shim/server_fixture.h"

namespace logquery::shim {
namespace {

namespace fs = std::filesystem;
using base::StrCat;

#ifdef __SANITIZE_ADDRESS__
// AddressSanitizer keeps freed memory, by its default 256 MiB of it.
constexpr int64_t kKeptFreedKib = 256 << 10;
#else
constexpr int64_t kKeptFreedKib = 0;
#endif

// Returns the value of a metric; 0 if the server has none yet.
int64_t Metric(const std::string& metrics, const std::string& name) {
  double value = 0;
  RE2::PartialMatch(metrics, RE2(StrCat("\n", RE2::QuoteMeta(name), " ([0-9.e+]+)")), &value);
  return static_cast<int64_t>(value);
}

int64_t ResidentKib(pid_t process) {
  int64_t kib = 0;
  RE2::PartialMatch(ReadFile(StrCat("/proc/", process, "/status")), R"(VmRSS:\s+(\d+) kB)", &kib);
  return kib;
}

// A server whose folder of definitions is a symbolic link, which each change points to a new folder.
class ReloadedServer {
 public:
  ReloadedServer() {
    fs::remove(server.folder + "/endpoints");
    Point(0, false);
    server.Start({{"endpoints", "\"endpoints\""}});
  }

  // The set of that number; `wrong`: the server can't take it.
  void Replace(int number, bool wrong) {
    Point(number, wrong);
    const std::string counter =
        StrCat("logquery_definitions_reloads_total{result=\"", wrong ? "failed" : "done", "\"}");
    const int64_t before = Metric(server.Metrics(), counter);
    REQUIRE(kill(server.process, SIGHUP) == 0);
    while (Metric(server.Metrics(), counter) == before) std::this_thread::yield();
    fs::remove_all(StrCat(server.folder, "/set", number - 1));
  }

  ConfiguredServer server;

 private:
  void Point(int number, bool wrong) const {
    const std::string folder = StrCat(server.folder, "/set", number);
    fs::create_directory(folder);
    const auto write = [&](const std::string& name, int digit, const std::string& settings, const std::string& sql) {
      WriteFile(StrCat(folder, "/", name, ".json"),
                StrCat(R"({"id":"b0a9a6e8-6a0e-4a63-9f0b-6d4c4a1f8f0)", digit, R"(","name":")", name,
                       R"(","revision":"r)", number, "\"", settings, "}"));
      WriteFile(StrCat(folder, "/", name, ".sql"), sql);
    };
    write("own", 1, "", StrCat("SELECT ", number, " AS n"));
    write("cached", 2, ",\"caching\":900", StrCat("SELECT ", number, wrong ? " AS n FROM" : " AS n"));
    write("reader", 3, "", StrCat("SELECT n, ", number, " AS m FROM own"));
    const std::string next = server.folder + "/next";
    fs::create_directory_symlink(folder, next);
    fs::rename(next, server.folder + "/endpoints");
  }
};

// Calls the three endpoints in turn; counts what is wrong with the answers.
struct Caller {
  void Call(const ReloadedServer& reloaded) {
    constexpr const char* kNames[] = {"own", "cached", "reader"};
    for (int i = 0; !stop; ++i) {
      const std::string answer = reloaded.server.Get(StrCat("/api/endpoints/query/", kNames[i % 3]));
      ++calls;
      if (StatusOf(answer) != 200) {
        ++failed;
        continue;
      }
      int n = -1, m = -2;
      if (i % 3 == 2) {
        RE2::FullMatch(BodyOf(answer), R"re(\{"result":\[\{"n":(\d+),"m":(\d+)\}\]\})re", &n, &m);
      } else {
        RE2::FullMatch(BodyOf(answer), R"re(\{"result":\[\{"n":(\d+)\}\]\})re", &n);
        RE2::FullMatch(HeaderOf(answer, "Logquery-Revision"), R"re(r(\d+))re", &m);
      }
      if (n != m) ++mixed;
      // A set is never served again after a later one was.
      if (n < last) ++mixed;
      last = std::max(last, n);
    }
  }
  std::atomic<bool> stop{false};
  std::atomic<int64_t> calls{0};
  int64_t failed = 0;
  int64_t mixed = 0;
  int last = -1;
};

// Every seventh set is wrong. `most_growth` is in KiB, from the first fifth of the reloads on.
void ReloadUnderLoad(int reloads, int64_t most_growth) {
  ReloadedServer reloaded;
  Caller callers[3];
  std::vector<std::thread> threads;
  for (Caller& caller : callers) threads.emplace_back([&] { caller.Call(reloaded); });
  int64_t early = 0;
  int right = 0;
  for (int i = 1; i <= reloads; ++i) {
    const bool wrong = i % 7 == 3;
    reloaded.Replace(i, wrong);
    if (!wrong) right = i;
    if (i == reloads / 5) early = ResidentKib(reloaded.server.process);
  }
  const int64_t late = ResidentKib(reloaded.server.process);
  for (Caller& caller : callers) caller.stop = true;
  for (std::thread& thread : threads) thread.join();
  int64_t calls = 0;
  for (const Caller& caller : callers) {
    CHECK(caller.failed == 0);
    CHECK(caller.mixed == 0);
    calls += caller.calls;
  }
  CHECK(reloaded.server.Get("/api/endpoints/query/own").find(StrCat("{\"n\":", right, "}")) != std::string::npos);
  INFO(calls << " calls; " << early << " KiB after a fifth of the reloads, " << late << " after all");
  CHECK(calls > reloads);
  CHECK(late - early < most_growth + kKeptFreedKib);
  CHECK(reloaded.server.End(SIGTERM) == 0);
}

TEST_CASE("definitions are replaced while they are called: no call fails, and none gets parts of two sets") {
  ReloadUnderLoad(30, 64 << 10);
}

TEST_CASE("a thousand reloads under load take no more memory than a few", "[nightly]") {
  ReloadUnderLoad(1'000, 32 << 10);
}

}  // namespace
}  // namespace logquery::shim
