// A deployment from opening to its end, over a real data folder.
#include "logquery/serving/deployment.h"

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "lib/base/strings.h"
#include "logquery/service_observer.h"
#include "logquery/store/duckdb_backend.h"
#include "tests/serving/deployment_fixture.h"
#include "tests/support/log_lines.h"

namespace logquery::deployment_tests {
namespace {

TEST_CASE("a deployment opens a folder, receives logs, and answers calls on its queue") {
  const Folder folder;
  const std::string token = folder.MakeToken();
  const auto deployment = Opened(folder.ReceivingOptions());
  REQUIRE(deployment->Start().ok());

  const auto principal = deployment->service().Authenticate(token);
  REQUIRE(principal.ok());
  const auto admission = deployment->receiver()->Admit(*principal, "edge_logs", 100);
  REQUIRE(admission.ok());
  const auto received =
      deployment->receiver()->Append(**admission, {.text = R"([{"event_message":"hello","project":"abc"}])"});
  REQUIRE(received.ok());
  CHECK(received->rows == 1);

  auto target = deployment->service().Find(*principal, "logs.all");
  REQUIRE(target.ok());
  QueryRequest request;
  request.parameters = {{"project", "abc"}, {"sql", "select event_message from edge_logs"}};
  const QueuedAnswer answer = deployment->queue().Run(*std::move(target), request);
  REQUIRE(answer.answer.ok());
  CHECK(answer.answer->body == R"({"result":[{"event_message":"hello"}]})");
  CHECK(Call(deployment->service(), "logs.all") == "UNAUTHENTICATED");

  CHECK(deployment->store() == &deployment->backend());
  CHECK(deployment->maintenance() != nullptr);
  CHECK(deployment->owner_service() == nullptr);
  CHECK(deployment->owner_queue() == nullptr);
  CHECK(deployment->queue().use().max_threads == QueryQueueOptions().threads);
  CHECK(deployment->definitions_state().ok());
  CHECK(deployment->tokens_state().ok());
  CHECK(deployment->loading_state().ok());
  CHECK(deployment->engine_state().ok());
  REQUIRE(deployment->spools().has_value());
  CHECK(deployment->spools()->waiting_files == 0);
}

TEST_CASE("a deployment loads the files of its spools, and tells how far it is") {
  const Folder folder;
  testing::LogLines lines;
  DeploymentOptions options = folder.Options();
  options.spools = {folder.path + "/spool"};
  options.log = lines.log();
  const auto deployment = Opened(std::move(options));
  CHECK(fs::is_directory(folder.path + "/data/spool/edge_logs"));
  folder.Write("one", R"({"id":"1","timestamp":1772600767000000,"event_message":"x","project":"abc"})"
                      "\n");
  fs::rename(folder.path + "/one", folder.path + "/spool/edge_logs/one.ndjson");
  folder.Write("two", R"({"id":"2","timestamp":1772600767000000,"event_message":"y","project":"abc"})"
                      "\n");
  fs::rename(folder.path + "/two", folder.path + "/data/spool/edge_logs/two.ndjson");
  REQUIRE(deployment->Start().ok());
  for (int i = 0; i < 1'000 && deployment->spools()->files_loaded < 2; ++i) absl::SleepFor(absl::Milliseconds(20));
  CHECK(deployment->spools()->files_loaded == 2);
  CHECK(deployment->spools()->rows == 2);
  CHECK(deployment->spools()->files_failed == 0);
}

TEST_CASE("the owner of a folder reads it without a token and without cached answers") {
  const Folder folder;
  folder.MakeToken();
  DeploymentOptions options = folder.Options();
  options.token_file = folder.path + "/tokens.json";
  options.owner_threads = 1;
  const auto deployment = Opened(std::move(options));
  REQUIRE(deployment->owner_service() != nullptr);
  const char* const sql = "select count(*) as n from edge_logs";
  CHECK(Call(deployment->service(), "logs.all", "", sql) == "UNAUTHENTICATED");
  CHECK(Call(*deployment->owner_service(), "logs.all", "", sql) == R"({"result":[{"n":0}]})");
  CHECK(deployment->owner_queue()->use().max_threads == 1);
}

TEST_CASE("a deployment that only reads shares the folder, and does nothing beside answering") {
  const Folder folder;
  Opened(folder.Options())->Stop();
  DeploymentOptions options = folder.Options();
  options.read_only = true;
  options.owner_threads = 1;
  const auto one = Opened(options);
  const auto two = Opened(options);
  REQUIRE(one->Start().ok());
  CHECK(Call(two->service(), "logs.all", "", "select count(*) as n from edge_logs") == R"({"result":[{"n":0}]})");
  CHECK(one->receiver() == nullptr);
  CHECK(one->maintenance() == nullptr);
  CHECK(one->owner_service() == nullptr);
  CHECK_FALSE(one->spools().has_value());
  CHECK(one->loading_state().ok());
}

TEST_CASE("a fixed time is the time that queries are told") {
  const Folder folder;
  folder.Define("own.now", "SELECT CAST(CURRENT_TIMESTAMP() AS STRING) AS t");
  DeploymentOptions options = folder.Options();
  options.endpoint_folder = folder.path + "/endpoints";
  options.now = absl::FromUnixSeconds(0);
  const auto deployment = Opened(std::move(options));
  CHECK(deployment->clock().Now() == absl::UnixEpoch());
  CHECK(Call(deployment->service(), "own.now") == R"({"result":[{"t":"1970-01-01 00:00:00+00"}]})");
}

TEST_CASE("the caller's observer sees the calls of the service and those that its queue refuses") {
  class Counts : public ServiceObserver {
   public:
    void OnCall(const CallEvent&) noexcept override { ++calls; }
    void OnQueryEnd(const QueryEvent&) noexcept override { ++queries; }
    void OnDefinitions(const DefinitionsEvent&) noexcept override { ++definitions; }
    std::atomic<int> calls{0};
    std::atomic<int> queries{0};
    std::atomic<int> definitions{0};
  } counts;
  const Folder folder;
  DeploymentOptions options = folder.Options();
  options.service.observer = &counts;
  const auto deployment = Opened(std::move(options));
  Call(deployment->service(), "logs.all", "", "select count(*) as n from edge_logs");
  CHECK(counts.calls == 1);
  CHECK(counts.queries == 1);
  REQUIRE(deployment->Reload().ok());
  CHECK(counts.definitions >= 1);
  auto target = deployment->service().Find(Principal(), "logs.all");
  REQUIRE(target.ok());
  deployment->Stop();
  CHECK(absl::IsUnavailable(deployment->queue().Run(*std::move(target), {}).answer.status()));
  CHECK(counts.calls == 2);
}

TEST_CASE("Stop ends queries and background work, may be repeated, and may come before Start") {
  const Folder folder;
  DeploymentOptions options = folder.Options();
  options.receiver = LogReceiverOptions();
  options.owner_threads = 1;
  auto deployment = Opened(options);
  deployment->Stop();
  deployment->Stop();
  Principal writer;
  writer.ingest.emplace();
  {
    const auto late = deployment->receiver()->Admit(writer, "edge_logs", 10);
    CHECK((!late.ok() || absl::IsUnavailable(deployment->receiver()->Append(**late, {.text = "{}"}).status())));
  }
  deployment.reset();

  // Rows that were received before Stop are there afterwards.
  deployment = Opened(options);
  REQUIRE(deployment->Start().ok());
  {
    const auto admitted = deployment->receiver()->Admit(writer, "edge_logs", 100);
    REQUIRE(admitted.ok());
    REQUIRE(deployment->receiver()->Append(**admitted, {.text = R"({"event_message":"m","project":"abc"})"}).ok());
  }
  deployment->Stop();
  CHECK(Call(deployment->service(), "logs.all", "", "select count(*) as n from edge_logs") ==
        R"({"result":[{"n":1}]})");
}

TEST_CASE("options that are wrong, or need a data folder that the deployment does not own, are rejected") {
  const Folder folder;
  DeploymentOptions options = folder.Options();
  options.create_folder = false;
  CHECK(base::Message(Refused(options)) ==
        base::StrCat("there is no folder ", folder.path, "/data; make it, or load logs into it"));
  CHECK(absl::IsNotFound(Refused(options)));

  options = folder.Options();
  options.read_only = true;
  CHECK(absl::IsNotFound(Refused(options)));
  options.receiver = LogReceiverOptions();
  CHECK(base::Message(Refused(options)) ==
        "the option receiver is for a deployment that owns a data folder; opened read-only, it does not");
  options.receiver.reset();
  options.maintenance = MaintenanceOptions();
  CHECK(absl::IsInvalidArgument(Refused(options)));

  options = {};
  options.backend.engine = "oracle";
  CHECK(base::Message(Refused(options)).find("there is no engine \"oracle\"") == 0);
  if (CheckEngine("clickhouse").ok()) {
    options.backend.engine = "clickhouse";
    options.spools = {folder.path};
    CHECK(base::Message(Refused(options)) ==
          "the option spools is for a deployment that owns a data folder; the engine clickhouse has none");
    options.spools.clear();
    options.schema_file = "logs.json";
    CHECK(base::Message(Refused(options)) ==
          "the schema file logs.json is for a data folder; the tables of clickhouse are named by its backend file");
  }

  options = folder.Options();
  options.owner_threads = -1;
  CHECK(absl::IsInvalidArgument(Refused(options)));
  options = folder.Options();
  options.queue.threads = 0;
  CHECK(absl::IsInvalidArgument(Refused(options)));
  options = folder.Options();
  options.service.default_tier = "BOGUS";
  CHECK(absl::IsInvalidArgument(Refused(options)));
  options = folder.Options();
  options.token_file = folder.path + "/none.json";
  CHECK(absl::IsNotFound(Refused(options)));
  options = folder.Options();
  options.token_variables = {{"LOGQUERY_DEPLOYMENT_TEST_UNSET", {}}};
  CHECK(base::Message(Refused(options)).find("the variable LOGQUERY_DEPLOYMENT_TEST_UNSET is not set") == 0);
  options = folder.Options();
  options.maintenance.emplace().rules.retention = {{.table = "nothing", .max_age = absl::Hours(1)}};
  CHECK(absl::IsInvalidArgument(Refused(options)));
  options = folder.Options();
  options.endpoint_folder = folder.path + "/endpoints";
  CHECK(absl::IsNotFound(Refused(options)));  // it has no definitions
  folder.Define("own.a", "SELECT FROM");
  CHECK(base::Message(Refused(options))
            .find(base::StrCat("the definitions in ", options.endpoint_folder, " have 1 error\n")) == 0);
}

}  // namespace
}  // namespace logquery::deployment_tests
