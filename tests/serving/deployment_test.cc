// A deployment from opening to its end: over a real data folder, with files that change while it runs.
#include "logquery/serving/deployment.h"

#include <unistd.h>

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "lib/base/strings.h"
#include "logquery/cancellation.h"
#include "logquery/service_observer.h"
#include "logquery/store/duckdb_backend.h"
#include "tests/support/log_lines.h"

namespace logquery {
namespace {

namespace fs = std::filesystem;

constexpr char kVariable[] = "LOGQUERY_DEPLOYMENT_TEST_TOKEN";
constexpr char kSecret[] = "f2b1c9d07a5e4836a1f0c5a7e9d3b4628c0d";
constexpr char kSchema[] = R"({"app.logs": {"log": "app_logs", "time": "at", "project": ["tenant"],
  "columns": {"at": "TIMESTAMP", "text": "STRING", "tenant": "STRING"}}})";

struct Folder {
  Folder() {
    path = (fs::temp_directory_path() / "logquery-deployment-XXXXXX").string();
    REQUIRE(mkdtemp(path.data()) != nullptr);
    fs::create_directory(path + "/endpoints");
  }
  ~Folder() { fs::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(path + "/" + name, std::ios::trunc) << text;
  }
  void Define(const std::string& name, const std::string& sql) const {
    Write("endpoints/" + name + ".sql", sql);
    Write("endpoints/" + name + ".json", R"({"id":"b0a9a6e8-6a0e-4a63-9f0b-6d4c4a1f8f01","name":")" + name + R"("})");
  }
  // Makes a token for all projects, which may also write.
  std::string MakeToken() const {
    Principal owner;
    owner.ingest.emplace();
    const auto token = TokenFile::Create(path + "/tokens.json", owner, std::nullopt, Clock::Real());
    REQUIRE(token.ok());
    return *token;
  }
  DeploymentOptions Options() const {
    DeploymentOptions options;
    options.backend.folder = path + "/data";
    options.create_folder = true;
    return options;
  }

  std::string path;
};

std::unique_ptr<Deployment> Opened(DeploymentOptions options) {
  auto deployment = Deployment::Open(std::move(options));
  INFO(deployment.status().ToString());
  REQUIRE(deployment.ok());
  return *std::move(deployment);
}

absl::Status Refused(DeploymentOptions options) { return Deployment::Open(std::move(options)).status(); }

// The body, or the error's code.
std::string Call(QueryService& service, const std::string& endpoint, const std::string& token = "",
                 const std::string& sql = "") {
  QueryRequest request;
  request.endpoint = endpoint;
  request.token = token;
  if (!sql.empty()) request.parameters = {{"project", "abc"}, {"sql", sql}};
  const auto answer = service.Run(request);
  return answer.ok() ? answer->body : absl::StatusCodeToString(answer.status().code());
}

TEST_CASE("a deployment opens a folder, receives logs, and answers calls on its queue") {
  const Folder folder;
  const std::string token = folder.MakeToken();
  DeploymentOptions options = folder.Options();
  options.token_file = folder.path + "/tokens.json";
  options.receiver = LogReceiverOptions();
  const auto deployment = Opened(std::move(options));
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

TEST_CASE("definitions are read again when they change or when Reload asks, with the logs that they need") {
  const Folder folder;
  folder.Define("own.a", "SELECT 1 AS a");
  testing::LogLines lines;
  DeploymentOptions options = folder.Options();
  options.endpoint_folder = folder.path + "/endpoints";
  options.owner_threads = 1;
  options.log = lines.log();
  const auto deployment = Opened(options);
  CHECK(Call(deployment->service(), "own.a") == R"({"result":[{"a":1}]})");
  folder.Define("own.a", "SELECT 22 AS a");
  CHECK(lines.Await("changed own.a") == "info: definitions: changed own.a; 5 endpoints");
  CHECK(Call(deployment->service(), "own.a") == R"({"result":[{"a":22}]})");

  folder.Write("endpoints/schema.json", kSchema);
  folder.Define("own.a", "SELECT text FROM `app.logs`");
  REQUIRE(deployment->Reload().ok());
  CHECK(Call(deployment->service(), "own.a") == R"({"result":[]})");
  CHECK(Call(*deployment->owner_service(), "own.a") == R"({"result":[]})");
  CHECK(fs::is_directory(folder.path + "/data/spool/app_logs"));

  folder.Define("own.a", "SELECT FROM");
  CHECK(absl::IsInvalidArgument(deployment->Reload()));
  CHECK(absl::IsInvalidArgument(deployment->definitions_state()));
  CHECK(Call(deployment->service(), "own.a") == R"({"result":[]})");
}

TEST_CASE("SQL of the owner reads every log of the folder, and my.logs those that were declared") {
  const Folder folder;
  const std::string token = folder.MakeToken();
  folder.Write("logs.json", kSchema);
  DeploymentOptions options = folder.Options();
  options.token_file = folder.path + "/tokens.json";
  options.schema_file = folder.path + "/logs.json";
  options.receiver = LogReceiverOptions();
  options.receiver->max_new_logs = 2;
  Opened(options)->Stop();  // the folder keeps the declarations
  options.schema_file.clear();
  const auto deployment = Opened(std::move(options));
  const auto principal = deployment->service().Authenticate(token);
  REQUIRE(principal.ok());
  const auto admission = deployment->receiver()->Admit(*principal, "shop", 100);
  REQUIRE(admission.ok());
  REQUIRE(deployment->receiver()->Append(**admission, {.text = R"([{"event_message":"hello","project":"abc"}])"}).ok());
  REQUIRE(deployment->Reload().ok());

  const auto sql = [&deployment](const std::string& text, SqlOptions how = {}) {
    const auto answer = deployment->RunSql(text, how, {});
    return answer.ok() ? answer->body : std::string(base::Message(answer.status()));
  };
  CHECK(sql("select event_message as m from shop") == R"({"result":[{"m":"hello"}]})");
  CHECK(sql("select count(*) as n from app_logs, edge_logs") == R"({"result":[{"n":0}]})");
  CHECK(sql("select count(*) as n from shop", {.project = "other"}) == R"({"result":[{"n":0}]})");
  CHECK(sql("select event_message as m from logs where source = 'shop'",
            {.language = QueryLanguage::kClickHouse, .project = "abc"}) == R"({"result":[{"m":"hello"}]})");
  CHECK(sql(" \n") == "the SQL is empty");
  CHECK(sql("select 1 as one", {.max_rows = 0}).find("max_rows must be at least 1") != std::string::npos);
  CHECK(sql("select 1 as one", {.max_result_bytes = 5}).find("5 bytes") != std::string::npos);
  const auto cut = deployment->RunSql("select n from unnest([1, 2, 3]) as n order by n", {.max_rows = 2}, {});
  REQUIRE(cut.ok());
  CHECK(cut->body == R"({"result":[{"n":1},{"n":2}]})");
  CHECK(cut->truncated);
  QueryRequest cancelled;
  CancellationSource source;
  cancelled.cancellation = source.token();
  source.Cancel();
  CHECK(absl::IsCancelled(deployment->RunSql("select count(*) as n from edge_logs", {}, cancelled).status()));

  // The name of a log that a source made is for those who write to it.
  CHECK(Call(deployment->service(), "my.logs", token).find(R"([{"log":"app_logs","row_count":0)") != std::string::npos);
  CHECK(Call(deployment->service(), "my.logs", token).find("shop") == std::string::npos);
  CHECK(Call(deployment->service(), "my.logs", token, "select count(*) as n from shop") == "INVALID_ARGUMENT");
  CHECK(Call(deployment->service(), "my.logs", token, "select count(*) as n from app_logs") ==
        R"({"result":[{"n":0}]})");
}

TEST_CASE("a file of its own declares logs, and definitions may be the only ones") {
  const Folder folder;
  folder.Define("own.a", "SELECT text FROM `app.logs`");
  folder.Write("logs.json", kSchema);
  DeploymentOptions options = folder.Options();
  options.endpoint_folder = folder.path + "/endpoints";
  options.schema_file = folder.path + "/logs.json";
  options.built_in = false;
  {
    const auto deployment = Opened(options);
    CHECK(Call(deployment->service(), "own.a") == R"({"result":[]})");
    CHECK(Call(deployment->service(), "logs.all") == "NOT_FOUND");
  }
  folder.Write("endpoints/schema.json", kSchema);
  CHECK(base::Message(Refused(options)) ==
        base::StrCat(options.schema_file, " and ", folder.path,
                     "/endpoints/schema.json both declare logs: leave one of them out"));
}

TEST_CASE("tokens are read again when their file changes, and the log says when they are wrong") {
  const Folder folder;
  const std::string first = folder.MakeToken();
  REQUIRE(setenv(kVariable, kSecret, 1) == 0);
  testing::LogLines lines;
  DeploymentOptions options = folder.Options();
  options.token_file = folder.path + "/tokens.json";
  Principal reader;
  reader.label = "reader";
  options.token_variables = {{kVariable, reader}};
  options.log = lines.log();
  const auto deployment = Opened(std::move(options));
  REQUIRE(deployment->Start().ok());
  CHECK(deployment->service().Authenticate(first).ok());
  CHECK(deployment->service().Authenticate(kSecret)->label == "reader");

  const std::string second = folder.MakeToken();
  CHECK(deployment->service().Authenticate(second).ok());
  folder.Write("tokens.json", "{");
  CHECK_FALSE(deployment->tokens_state().ok());
  CHECK(lines.Await("the file of tokens can't be taken over").find("error: ") == 0);
  CHECK(deployment->service().Authenticate(kSecret).ok());
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
}  // namespace logquery
