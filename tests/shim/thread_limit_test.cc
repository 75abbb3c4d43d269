// Code that starts threads of its own reports a limit of threads as an error, instead of ending the process by an exception, and
// works once there is a thread.
#include <sys/resource.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/synchronization/notification.h"
#include "lib/base/start_thread.h"
#include "lib/base/strings.h"
#include "lib/serving/deployment/definition_report.h"
#include "logquery/endpoint_folder.h"
#include "logquery/memory_watch.h"
#include "logquery/overdue_watch.h"
#include "logquery/serving/log_receiver.h"
#include "logquery/store/duckdb_backend.h"
#include "logquery/store/ingest.h"
#include "logquery/store/spool.h"
#include "shim/observe/span_exporter.h"
#include "tests/backend/duckdb_test_util.h"
#include "tests/support/child_process.h"
#include "tests/support/log_lines.h"

namespace logquery::shim {
namespace {

namespace fs = std::filesystem;

// While it lives, the process can start no thread.
class NoThreads {
 public:
  NoThreads() {
    constexpr int kNobody = 65'534;
    // The limit does not hold for root. There is no way back: only for a child.
    if (geteuid() == 0)
      REQUIRE((setresgid(kNobody, kNobody, kNobody) == 0 && setresuid(kNobody, kNobody, kNobody) == 0));
    REQUIRE(getrlimit(RLIMIT_NPROC, &before_) == 0);
    rlimit none = before_;
    none.rlim_cur = 0;
    REQUIRE(setrlimit(RLIMIT_NPROC, &none) == 0);
    REQUIRE(absl::IsResourceExhausted(base::StartThread([] {}).status()));
  }
  ~NoThreads() { setrlimit(RLIMIT_NPROC, &before_); }
  NoThreads(const NoThreads&) = delete;
  NoThreads& operator=(const NoThreads&) = delete;

 private:
  rlimit before_{};
};

void CheckRefused(const absl::Status& status, absl::StatusCode code, std::string_view purpose) {
  CHECK(status.code() == code);
  CHECK(base::Message(status) ==
        base::StrCat("the system allows no further thread for ", purpose,
                     "; raise the limit (ulimit -u, TasksMax= of systemd, --pids-limit of a container)"));
}

std::unique_ptr<DuckDbBackend> OpenLogs(const std::string& folder) {
  DuckDbOptions options;
  options.folder = folder;
  auto backend = OpenDuckDb(options);
  INFO(backend.status().ToString());
  REQUIRE(backend.ok());
  return *std::move(backend);
}

absl::Status RunQuery(DuckDbBackend& backend) {
  const PreparedQuery query = duckdb::Duck("SELECT 1::BIGINT AS one", {{"one", Type::Int64()}});
  CollectingSink sink;
  ExecutionLimits limits;
  limits.time_limit = absl::Minutes(1);
  return backend.Execute(query, {}, limits, {}, sink);
}

TEST_CASE("child: parts of a server start while no thread can be started", "[.child]") {
  const std::string folder = testing::ChildArgument();
  const auto backend = OpenLogs(folder + "/data");
  const auto ingest = Ingest::Create({}, &backend->store());
  auto spool = Spool::Open({.folder = folder + "/spool", .logs = {"edge_logs"}}, &backend->store());
  REQUIRE(spool.ok());
  auto none = std::make_unique<NoThreads>();
  constexpr auto kExhausted = absl::StatusCode::kResourceExhausted;
  CheckRefused(ingest->Start(), kExhausted, "commits of events");
  CheckRefused((*spool)->Start(), kExhausted, "the spool");
  CheckRefused(LogReceiver::Create(backend.get(), {}).status(), kExhausted, "commits of events");
  const auto definitions = EndpointFolder::Open(folder + "/endpoints");
  CheckRefused(definitions->Read().status(), kExhausted, "changes of " + folder + "/endpoints");
  // The thread of its deadlines is there since the folder was opened.
  CHECK(RunQuery(*backend).ok());

  none.reset();
  CHECK(ingest->Start().ok());
  CHECK((*spool)->Start().ok());
  const absl::Status read = definitions->Read().status();
  INFO(read.ToString());
  CHECK(read.ok());
  CHECK(RunQuery(*backend).ok());
}

TEST_CASE("child: what watches and reports starts while no thread can be started", "[.child]") {
  auto none = std::make_unique<NoThreads>();
  SpanExporter exporter({.url = "http://127.0.0.1:9/v1/traces"});
  CheckRefused(exporter.started(), absl::StatusCode::kResourceExhausted, "sending traces");
  exporter.Add(std::vector<Span>(3));
  CHECK(exporter.counters().dropped == 3);
  exporter.Stop();

  MemoryWatchOptions memory_options;
  memory_options.limit_bytes = 1LL << 40;
  MemoryWatch memory(memory_options);
  CheckRefused(memory.Enter({}, absl::Seconds(1), {}).status(), absl::StatusCode::kUnavailable,
               "the watch over memory");
  OverdueWatch overdue({});
  CheckRefused(overdue.Enter({}, absl::Seconds(1), {}).status(), absl::StatusCode::kUnavailable,
               "the watch over queries' deadlines");

  testing::LogLines lines;
  absl::Notification found;
  serving::DefinitionReport report(
      [&found] {
        found.Notify();
        return std::vector<std::string>();
      },
      lines.log());
  report.Ask();
  CHECK_FALSE(lines.Await("error: the system allows no further thread for the list of definitions' errors").empty());

  none.reset();
  CHECK(memory.Enter({}, absl::Seconds(1), {}).ok());
  CHECK(overdue.Enter({}, absl::Seconds(1), {}).ok());
  report.Ask();
  found.WaitForNotification();
}

TEST_CASE("what starts threads reports a limit of threads, and works once there is one") {
  std::string folder = (fs::temp_directory_path() / "logquery-threads-XXXXXX").string();
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  // The child gives up the rights of root, and reads the definitions after that.
  fs::permissions(folder, fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec);
  fs::create_directory(folder + "/endpoints");
  std::ofstream(folder + "/endpoints/one.json")
      << R"({"id":"0c0a8a6b-5c63-4f0a-8d4a-0a1f6a4b7e21","name":"one","max_rows":1})";
  std::ofstream(folder + "/endpoints/one.sql") << "select 1 as one";
  CHECK(testing::RunInChild("child: parts of a server start while no thread can be started", folder) == 0);
  CHECK(testing::RunInChild("child: what watches and reports starts while no thread can be started", folder) == 0);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace logquery::shim
