// Files that a deployment reads again while it runs: definitions, declared logs, and tokens.
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>

#include "lib/base/strings.h"
#include "logquery/cancellation.h"
#include "logquery/serving/deployment.h"
#include "tests/serving/deployment_fixture.h"
#include "tests/support/log_lines.h"

namespace logquery::deployment_tests {
namespace {

constexpr char kVariable[] = "LOGQUERY_DEPLOYMENT_TEST_TOKEN";
constexpr char kSecret[] = "f2b1c9d07a5e4836a1f0c5a7e9d3b4628c0d";
constexpr char kSchema[] = R"({"app.logs": {"log": "app_logs", "time": "at", "project": ["tenant"],
  "columns": {"at": "TIMESTAMP", "text": "STRING", "tenant": "STRING"}}})";

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
  DeploymentOptions options = folder.ReceivingOptions();
  options.schema_file = folder.path + "/logs.json";
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

absl::StatusOr<std::string> Listed(Deployment& deployment, const Principal& principal = {}) {
  return deployment.ListProjects(principal, {}, nullptr);
}

TEST_CASE("the projects that have rows are listed, in any log that has projects") {
  const Folder folder;
  const std::string token = folder.MakeToken();
  const auto deployment = Opened(folder.ReceivingOptions());
  const auto principal = deployment->service().Authenticate(token);
  REQUIRE(principal.ok());
  const auto append = [&](const char* log, const std::string& events) {
    const auto admission = deployment->receiver()->Admit(*principal, log, 100);
    REQUIRE(admission.ok());
    REQUIRE(deployment->receiver()->Append(**admission, {.text = events}).ok());
  };
  const int64_t now = absl::ToUnixMicros(absl::Now());
  const auto event = [](int64_t micros, const std::string& rest) {
    return base::StrCat(R"([{"event_message":"m","timestamp":)", micros, ",", rest, "}]");
  };
  // Of a log with the project in a column, of one with it in its metadata, and without a project.
  append("edge_logs", event(now - 2'000'000, R"("project":"first")"));
  append("edge_logs", event(now - 1'000'000, R"("project":"second")"));
  append("function_logs", event(now, R"("metadata":{"project_ref":"third"})"));
  append("function_logs", event(now, R"("metadata":{"host":"nobody's"})"));

  const auto list = Listed(*deployment);
  REQUIRE(list.ok());
  CHECK(*list == base::StrCat(R"({"result":[{"project":"third","newest":)", now, R"(},{"project":"second","newest":)",
                              now - 1'000'000, R"(},{"project":"first","newest":)", now - 2'000'000, "}]}"));
  // It is kept for a minute.
  append("edge_logs", event(now, R"("project":"fourth")"));
  CHECK(*Listed(*deployment) == *list);
}

TEST_CASE("the projects of old rows are listed where there are no new ones, and none where there are no rows") {
  const Folder folder;
  const std::string token = folder.MakeToken();
  DeploymentOptions options = folder.ReceivingOptions();
  CHECK(*Listed(*Opened(options)) == R"({"result":[]})");
  const auto deployment = Opened(std::move(options));
  const auto principal = deployment->service().Authenticate(token);
  REQUIRE(principal.ok());
  const auto admission = deployment->receiver()->Admit(*principal, "edge_logs", 100);
  REQUIRE(admission.ok());
  REQUIRE(deployment->receiver()
              ->Append(**admission,
                       {.text = R"([{"event_message":"m","timestamp":"2024-01-01T00:00:00Z","project":"old"}])"})
              .ok());
  CHECK(*Listed(*deployment) == R"({"result":[{"project":"old","newest":1704067200000000}]})");
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

}  // namespace
}  // namespace logquery::deployment_tests
