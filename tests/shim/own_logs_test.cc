// Logs of one's own from end to end: commands that take schema.json, and a server whose folder of definitions gets one.
#include <sys/stat.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/strings.h"
#include "shim/cli/serve/deployment_options.h"
#include "tests/shim/command_run.h"
#include "tests/shim/server_fixture.h"

namespace logquery::shim {
namespace {

namespace fs = std::filesystem;

constexpr char kSchema[] = R"({"app.logs": {
  "log": "app_logs", "time": "at", "project": ["tenant"], "id": "request_id", "message": "text",
  "columns": {"request_id": "STRING", "at": "TIMESTAMP", "text": "STRING", "tenant": "STRING"}}})";
constexpr char kUnscoped[] = R"({"audit.logs": {"log": "audit_logs", "time": "at",
  "columns": {"at": "TIMESTAMP", "who": "STRING"}}})";

// Has a folder of definitions `endpoints`, and room for data.
struct Folder : CommandFolder {
  Folder() { fs::create_directory(path + "/endpoints"); }
  void Define(const std::string& name, const std::string& sql, int digit) const {
    Write(base::StrCat("endpoints/", name, ".sql"), sql);
    Write(base::StrCat("endpoints/", name, ".json"),
          base::StrCat(R"({"id":"b0a9a6e8-6a0e-4a63-9f0b-6d4c4a1f8f0)", digit, R"(","name":")", name, R"("})"));
  }
};

TEST_CASE("a custom log is loaded, checked, queried and tested by commands") {
  const Folder folder;
  folder.Write("endpoints/schema.json", kSchema);
  folder.Define("app.texts", "SELECT text, tenant FROM `app.logs` ORDER BY `at`", 1);
  folder.Write("endpoints/app.texts.cases.json",
               R"({"now": "2026-03-05T00:00:00Z",
                   "rows": {"app_logs": [{"at": "2026-03-04T05:06:07Z", "text": "in a case", "tenant": "a"}]},
                   "cases": [{"name": "texts come", "result": [{"text": "in a case", "tenant": "a"}]}]})");
  folder.Write("app_logs.ndjson", R"({"at":"2026-03-04T05:06:07Z","text":"first","tenant":"a"})"
                                  "\n");
  const Outcome checked = folder.Run({"check", "{}/endpoints"});
  INFO(checked.err);
  CHECK(checked.code == kExitOk);
  CHECK(Has(checked.out, "5 endpoints (4 built in), all in order"));

  // Without the declaration nothing knows the log; with it the folder does, from then on.
  const Outcome unknown = folder.Run({"load", "--data", "{}/data", "{}/app_logs.ndjson"});
  CHECK(unknown.code == kExitUsage);
  CHECK(Has(unknown.err, "there is no log app_logs"));
  const Outcome loaded =
      folder.Run({"load", "--data", "{}/data", "--schema", "{}/endpoints/schema.json", "{}/app_logs.ndjson"});
  INFO(loaded.err);
  REQUIRE(loaded.code == kExitOk);
  folder.Write("app_logs.ndjson", R"({"at":"2026-03-04T05:06:08Z","text":"second","tenant":"b"})"
                                  "\n");
  const Outcome again = folder.Run({"load", "--data", "{}/data", "{}/app_logs.ndjson"});
  INFO(again.err);
  REQUIRE(again.code == kExitOk);

  const Outcome ran = folder.Run({"run", "--data", "{}/data", "--endpoints", "{}/endpoints", "app.texts"});
  INFO(ran.err);
  CHECK(ran.out == R"({"result":[{"text":"first","tenant":"a"},{"text":"second","tenant":"b"}]})");
  CHECK(Has(folder.Run({"stats", "--data", "{}/data"}).out, "app_logs"));
  CHECK(folder.Run({"doctor", "--data", "{}/data"}).code == kExitOk);
  const Outcome tested = folder.Run({"test", "{}/endpoints"});
  INFO(tested.err << tested.out);
  CHECK(tested.code == kExitOk);
  CHECK(folder.Run({"diff", "{}/endpoints", "{}/endpoints"}).code == kExitOk);
}

TEST_CASE("check reports each problem of the logs and of the definitions that read them") {
  const Folder folder;
  folder.Write("endpoints/schema.json",
               "{\"app.logs\": {\n  \"log\": \"app_logs\", \"tme\": \"at\",\n  \"columns\": {\"at\": "
               "\"TIMESTAMP\", \"text\": \"STRNG\"}}}");
  folder.Define("app.texts", "SELECT nothing FROM `app.logs`", 1);
  const Outcome checked = folder.Run({"check", "{}/endpoints"});
  INFO(checked.err);
  CHECK(checked.code == kExitFailed);
  const std::string schema = folder.path + "/endpoints/schema.json";
  CHECK(Has(checked.err, schema + ":1:2: app.logs.time is missing"));
  CHECK(Has(checked.err,
            schema + ":2:22: app.logs has an unknown key \"tme\"; known: log, project, time, id, message, "
                     "hot, retention, columns; did you mean time?\n    \"log\": \"app_logs\", \"tme\": \"at\","));
  CHECK(Has(checked.err, schema + ":3:34: app.logs.columns.text has an unknown type \"STRNG\""));
  CHECK(Has(checked.err, "app.texts.sql:1:8: "));
  CHECK(Has(checked.err, "logquery: 4 errors"));

  folder.Write("own.json", kSchema);
  CHECK(Has(folder.Run({"check", "--schema", "{}/own.json", "{}/endpoints"}).err, "both declare logs"));
  folder.Write("endpoints/schema.sql", "SELECT 1");
  CHECK(
      Has(folder.Run({"check", "{}/endpoints"}).err, "schema.sql can't be a definition's: schema.json declares logs"));
  fs::remove(folder.path + "/endpoints/schema.sql");
  fs::remove(folder.path + "/endpoints/schema.json");
  CHECK(Has(folder.Run({"check", "{}/endpoints"}).err, "app.texts.sql:1:21: "));
  folder.Define("app.texts", "SELECT text FROM `app.logs`", 1);
  CHECK(folder.Run({"check", "--schema", "{}/own.json", "{}/endpoints"}).code == kExitOk);
}

TEST_CASE("an invalid schema, or one that does not fit the folder, is reported before anything runs") {
  const Folder folder;
  folder.Define("app.texts", "SELECT 1 AS one", 1);
  folder.Write("edge_logs.ndjson", "");
  REQUIRE(folder.Run({"load", "--data", "{}/data", "{}/edge_logs.ndjson"}).code == kExitOk);
  const std::vector<std::string> run = {"run", "--data", "{}/data", "--endpoints", "{}/endpoints", "app.texts"};
  const auto error = [&](const std::string& schema) {
    folder.Write("endpoints/schema.json", schema);
    const Outcome outcome = folder.Run(run);
    CHECK(outcome.code != kExitOk);
    return outcome.err;
  };
  CHECK(Has(error("{"), "schema.json at line 1, column 2: not JSON"));
  CHECK(Has(error(kSchema), "does not have the log app_logs yet, which the schema declares: load rows into it"));
  CHECK(Has(error(std::string((1 << 20) + 1, ' ')), "schema.json is longer than 1048576 bytes"));
  fs::remove(folder.path + "/endpoints/schema.json");
  fs::create_directory(folder.path + "/endpoints/schema.json");
  CHECK(Has(folder.Run(run).err, "can't read"));
  fs::remove(folder.path + "/endpoints/schema.json");
  CHECK(Has(folder.Run({"load", "--data", "{}/data", "--schema", "{}/none.json", "{}/edge_logs.ndjson"}).err,
            "can't read"));
  folder.Write("backend.json", R"({"engine": "duckdb", "folder": "data"})");
  CHECK(folder.Run({"run", "--backend", "{}/backend.json", "--endpoints", "{}/endpoints", "app.texts"}).code ==
        kExitOk);
}

struct Server {
  explicit Server(const Folder& folder) {
    ServeArguments arguments;
    arguments.service.data = folder.path + "/data";
    arguments.service.endpoints = folder.path + "/endpoints";
    arguments.tokens = folder.path + "/tokens.json";
    arguments.query_threads = 2;
    absl::StatusOr<DeploymentOptions> options = ServerOptions(arguments);
    REQUIRE(options.ok());
    auto made = OpenServer(*std::move(options));
    INFO(made.status().ToString());
    REQUIRE(made.ok());
    deployment = *std::move(made);
  }
  // The body, or the error's code and message.
  std::string Call(const std::string& endpoint, const std::string& token, const std::string& sql = "") const {
    QueryRequest request;
    if (!sql.empty()) request.parameters = {{"sql", sql}};
    request.endpoint = endpoint;
    request.token = token;
    const auto answer = deployment->service().Run(request);
    return answer.ok() ? answer->body : answer.status().ToString();
  }
  std::unique_ptr<Deployment> deployment;
};

TEST_CASE("a server accepts new logs without a restart, and keeps the current ones if the new ones are invalid") {
  const Folder folder;
  fs::create_directory(folder.path + "/data");
  folder.Define("one", "SELECT 1 AS one", 1);
  const std::string token = folder.Run({"token", "create", "--tokens", "{}/tokens.json", "--all-projects"}).out;
  const std::string all = token.substr(0, token.find('\n'));
  const Server server(folder);
  REQUIRE(server.Call("one", all) == R"({"result":[{"one":1}]})");

  folder.Write("endpoints/schema.json", kSchema);
  folder.Define("app.texts", "SELECT text FROM `app.logs`", 2);
  REQUIRE(server.deployment->Reload().ok());
  CHECK(server.Call("app.texts", all) == R"({"result":[]})");
  CHECK(fs::is_directory(folder.path + "/data/spool/app_logs"));

  // A definition and its column come together, or not at all.
  const std::string wider = R"({"app.logs": {"log": "app_logs", "time": "at", "project": ["tenant"], "id": "request_id",
    "message": "text", "columns": {"request_id": "STRING", "at": "TIMESTAMP", "text": "STRING", "tenant": "STRING",
    "size": "INT64"}}})";
  folder.Write("endpoints/schema.json", wider.substr(0, wider.size() - 2));
  folder.Define("app.texts", "SELECT text, size FROM `app.logs`", 2);
  CHECK(absl::IsInvalidArgument(server.deployment->Reload()));
  CHECK(server.Call("app.texts", all) == R"({"result":[]})");
  folder.Write("endpoints/schema.json", wider);
  REQUIRE(server.deployment->Reload().ok());
  CHECK(server.deployment->service().registry()->Find("app.texts")->schema().size() == 2);

  std::string other = wider;
  other.replace(other.find("INT64"), 5, "STRING");
  folder.Write("endpoints/schema.json", other);
  const absl::Status refused = server.deployment->Reload();
  CHECK(absl::IsFailedPrecondition(refused));
  CHECK(Has(refused.ToString(), "app.logs.size as STRING, but the folder has it as INT64"));
  CHECK(server.Call("app.texts", all) == R"({"result":[]})");
}

TEST_CASE("a token of one project reads its own rows of a log, and none of a log without projects") {
  const Folder folder;
  folder.Write("schema.json", base::StrCat(std::string(kSchema).substr(0, std::string(kSchema).size() - 1), ",",
                                           std::string(kUnscoped).substr(1)));
  folder.Write("app_logs.ndjson", R"({"at":"2026-03-04T05:06:07Z","text":"mine","tenant":"a"}
{"at":"2026-03-04T05:06:08Z","text":"other","tenant":"b"}
)");
  folder.Write("audit_logs.ndjson", R"({"at":"2026-03-04T05:06:07Z","who":"root"}
)");
  REQUIRE(folder
              .Run({"load", "--data", "{}/data", "--schema", "{}/schema.json", "{}/app_logs.ndjson",
                    "{}/audit_logs.ndjson"})
              .code == kExitOk);
  folder.Define("texts", "SELECT text FROM `app.logs`", 1);
  folder.Define("audit", "SELECT who FROM `audit.logs`", 2);
  const auto token = [&folder](const std::vector<std::string>& of) {
    std::vector<std::string> arguments = {"token", "create", "--tokens", "{}/tokens.json"};
    arguments.insert(arguments.end(), of.begin(), of.end());
    const std::string out = folder.Run(arguments).out;
    return out.substr(0, out.find('\n'));
  };
  const std::string scoped = token({"--project", "a"}), all = token({"--all-projects"});
  const Server server(folder);
  CHECK(server.Call("texts", scoped) == R"({"result":[{"text":"mine"}]})");
  const std::string refused = server.Call("audit", scoped);
  INFO(refused);
  CHECK(Has(refused, "PERMISSION_DENIED"));
  CHECK(Has(refused, "this call is for one project, and audit.logs does not say whose its rows are"));
  CHECK(server.Call("audit", all) == R"({"result":[{"who":"root"}]})");
}

TEST_CASE("own logs bring the endpoint my.logs, where a token's own SQL reads each of them") {
  const Folder folder;
  // The project in a record, a name that SQL has to quote, and a log of all projects.
  constexpr char kLogs[] = R"({
    "app.logs": {"log": "app_logs", "time": "at", "project": ["tenant"], "columns": {"at": "TIMESTAMP", "tenant": "STRING",
      "text": "STRING"}},
    "web-logs": {"log": "web_logs", "time": "time", "project": ["who", "tenant"], "columns": {"time": "TIMESTAMP", "who": {"tenant": "STRING"}}},
    "audit.logs": {"log": "audit_logs", "time": "at", "columns": {"at": "TIMESTAMP", "who": "STRING"}}})";
  folder.Write("endpoints/schema.json", kLogs);
  folder.Write("app_logs.ndjson", R"({"at":"2026-03-04T05:06:07Z","text":"mine","tenant":"a"}
{"at":"2026-03-04T05:06:08Z","text":"other","tenant":"b"}
)");
  folder.Write("web_logs.ndjson", R"({"time":"2026-03-04T05:06:09Z","who":{"tenant":"a"}}
{"time":"2026-03-04T05:06:10Z","who":{"tenant":"b"}}
)");
  folder.Write("audit_logs.ndjson", R"({"at":"2026-03-04T05:06:07Z","who":"root"})"
                                    "\n");
  REQUIRE(folder
              .Run({"load", "--data", "{}/data", "--schema", "{}/endpoints/schema.json", "{}/app_logs.ndjson",
                    "{}/web_logs.ndjson", "{}/audit_logs.ndjson"})
              .code == kExitOk);
  const auto run = [&folder](std::vector<std::string> parameters) {
    std::vector<std::string> arguments = {"run", "--data", "{}/data", "--endpoints", "{}/endpoints", "my.logs"};
    arguments.insert(arguments.end(), parameters.begin(), parameters.end());
    return folder.Run(arguments).out;
  };
  const std::string both = "sql=select count(*) as n, (select count(*) from web_logs) as m from app_logs";
  CHECK(run({both}) == R"({"result":[{"n":2,"m":2}]})");
  CHECK(run({both, "project=a"}) == R"({"result":[{"n":1,"m":1}]})");
  CHECK(run({both, "iso_timestamp_start=2026-03-04T05:06:08Z"}) == R"({"result":[{"n":0,"m":2}]})");
  CHECK(run({both, "iso_timestamp_end=2026-03-04T05:06:08Z"}) == R"({"result":[{"n":2,"m":0}]})");
  CHECK(run({"sql=select who from audit_logs"}) == R"({"result":[{"who":"root"}]})");
  CHECK(run({}) == R"({"result":[{"log":"app_logs","row_count":2,"oldest":1772600767000000,"newest":1772600768000000},)"
                   R"({"log":"web_logs","row_count":2,"oldest":1772600769000000,"newest":1772600770000000}]})");
  CHECK(Has(run({"sql=select * from edge_logs"}), "there are app_logs, web_logs, audit_logs"));
  // The folder keeps the declarations, and so has the endpoint without the file.
  CHECK(folder.Run({"run", "--data", "{}/data", "my.logs"}).out == run({}));
  CHECK(folder.Run({"run", "--data", "{}/data", "my.logs", both}).out == R"({"result":[{"n":2,"m":2}]})");

  const auto token = [&folder](const std::vector<std::string>& of) {
    std::vector<std::string> arguments = {"token", "create", "--tokens", "{}/tokens.json"};
    arguments.insert(arguments.end(), of.begin(), of.end());
    const std::string out = folder.Run(arguments).out;
    return out.substr(0, out.find('\n'));
  };
  const std::string scoped = token({"--project", "a"}), others = token({"--all-projects", "--endpoint", "logs.all"});
  const std::string named = token({"--all-projects", "--endpoint", "my.logs", "--endpoints", "{}/endpoints"});
  const Server server(folder);
  CHECK(server.Call("my.logs", scoped, both.substr(4)) == R"({"result":[{"n":1,"m":1}]})");
  CHECK(Has(server.Call("my.logs", scoped), R"("log":"app_logs","row_count":1)"));
  CHECK(Has(server.Call("my.logs", scoped, "select who from audit_logs"), "PERMISSION_DENIED"));
  CHECK(Has(server.Call("my.logs", others), "NOT_FOUND"));
  CHECK(Has(server.Call("my.logs", named), R"("log":"app_logs","row_count":2)"));

  // A further log is there with the declaration, and a definition of the same name takes the endpoint's place.
  std::string more = kLogs;
  more.insert(more.rfind('}'), R"(, "late.logs": {"log": "late_logs", "time": "at", "columns": {"at": "TIMESTAMP"}})");
  folder.Write("endpoints/schema.json", more);
  REQUIRE(server.deployment->Reload().ok());
  const std::string all = token({"--all-projects"});
  CHECK(server.Call("my.logs", all, "select count(*) as n from late_logs") == R"({"result":[{"n":0}]})");
  folder.Define("my.logs", "SELECT 1 AS mine", 1);
  REQUIRE(server.deployment->Reload().ok());
  CHECK(server.Call("my.logs", all) == R"({"result":[{"mine":1}]})");
}

TEST_CASE("records of own logs read by a path as by UNNEST, where they are absent, redacted or learned, too") {
  const Folder folder;
  folder.Write("endpoints/schema.json", R"({"app.logs": {"log": "app_logs", "time": "at", "project": ["who", "tenant"],
    "hot": {"values": ["http.path"]},
    "columns": {"at": "TIMESTAMP", "n": "INT64", "who": {"tenant": "STRING"},
                "http": {"path": "STRING", "user": {"name": "STRING", "ip": "STRING"}}}}})");
  folder.Write(
      "app_logs.ndjson",
      R"({"at":"2026-03-04T05:06:01Z","n":1,"who":{"tenant":"a"},"http":{"path":"/a","user":{"name":"ann","ip":"10.1.2.3"}},"geo":{"city":"Rome"}}
{"at":"2026-03-04T05:06:02Z","n":2,"who":{"tenant":"a"},"http":{"path":"/b"}}
{"at":"2026-03-04T05:06:03Z","n":3,"who":{"tenant":"b"}}
{"at":"2026-03-04T05:06:04Z","n":4,"who":{"tenant":"a"},"http":{"user":{"name":"bob"}},"geo":{"city":"Oslo","zip":{"code":7}}}
)");
  REQUIRE(
      folder.Run({"load", "--data", "{}/data", "--schema", "{}/endpoints/schema.json", "{}/app_logs.ndjson"}).code ==
      kExitOk);
  const auto rows = [&folder](const std::string& sql, const std::vector<std::string>& options = {}) {
    std::vector<std::string> arguments = {"query", "--data", "{}/data", "--format", "ndjson"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.push_back(sql);
    const Outcome outcome = folder.Run(arguments);
    INFO(outcome.err << outcome.out);
    CHECK(outcome.code == kExitOk);
    return outcome.out;
  };
  CHECK(
      rows(
          "select n, http.path as p, http.user.name as u, geo.city as c, geo.zip.code as z from app_logs order by n") ==
      R"({"n":1,"p":"/a","u":"ann","c":"Rome","z":null}
{"n":2,"p":"/b","u":null,"c":null,"z":null}
{"n":3,"p":null,"u":null,"c":null,"z":null}
{"n":4,"p":null,"u":"bob","c":"Oslo","z":7}
)");
  const std::pair<const char*, const char*> both[] = {
      {"select n, http.path as x from app_logs order by n",
       "select n, h.path as x from app_logs left join unnest(http) as h order by n"},
      {"select n, http.user.ip as x from app_logs order by n",
       "select n, u.ip as x from app_logs left join unnest(http) as h left join unnest(h.user) as u order by n"},
      {"select n from app_logs where http.path = '/b' or geo.city = 'Oslo' order by n",
       "select n from app_logs left join unnest(http) as h left join unnest(geo) as g where h.path = '/b' or g.city = "
       "'Oslo' order by n"},
      {"select count(*) as n, http.path as x from app_logs group by http.path order by x",
       "select count(*) as n, h.path as x from app_logs left join unnest(http) as h group by h.path order by x"},
      {"select a.n, b.http.user.name as x from app_logs a left join app_logs b on a.n = b.n + 1 order by a.n",
       "select a.n, u.name as x from app_logs a left join app_logs b on a.n = b.n + 1 left join unnest(b.http) as h "
       "left join unnest(h.user) as u order by a.n"},
      {"select n, coalesce(http.path, 'none') as x from app_logs where http.user.name is null order by n",
       "select n, coalesce(h.path, 'none') as x from app_logs left join unnest(http) as h left join unnest(h.user) as "
       "u where u.name is null order by n"},
      {"select (select max(b.http.path) from app_logs as b where b.n <= a.n) as x from app_logs as a order by a.n",
       "select (select max(h.path) from app_logs as b left join unnest(b.http) as h where b.n <= a.n) as x from "
       "app_logs as a order by a.n"},
      {"select n, first_value(http.path ignore nulls) over (order by n) as x from app_logs order by n",
       "select n, first_value(h.path ignore nulls) over (order by n) as x from app_logs left join unnest(http) as h "
       "order by n"},
  };
  for (const auto& [path, unnest] : both) {
    INFO(path);
    CHECK(rows(path) == rows(unnest));
    CHECK(rows(path, {"--project", "a"}) == rows(unnest, {"--project", "a"}));
    CHECK(rows(path, {"--redact-pii"}) == rows(unnest, {"--redact-pii"}));
  }
  CHECK(rows("select http.user.ip as x from app_logs where n = 1", {"--redact-pii"}) == "{\"x\":\"REDACTED\"}\n");

  // A sandbox that redacts: callers' SQL sees redacted text alone, also in its conditions.
  folder.Write("endpoints/seen.json", R"({"id":"b0a9a6e8-6a0e-4a63-9f0b-6d4c4a1f8f09","name":"seen",
    "query_sandboxing":true,"redact_pii":true})");
  folder.Write("endpoints/seen.sql", "WITH app AS (SELECT * FROM `app.logs`) SELECT 1 AS one");
  const auto seen = [&folder](const std::string& sql) {
    return folder
        .Run({"run", "--data", "{}/data", "--endpoints", "{}/endpoints", "--format", "ndjson", "seen", "sql=" + sql})
        .out;
  };
  CHECK(seen("select http.user.ip as x from app where n = 1") == "{\"x\":\"REDACTED\"}\n");
  CHECK(seen("select n from app where http.user.ip = '10.1.2.3'").empty());
  CHECK(seen("select n from app where http.user.ip = 'REDACTED'") == "{\"n\":1}\n");
  CHECK(seen("select length(http.user.ip) as x from app where n = 1") == "{\"x\":8}\n");
}

}  // namespace
}  // namespace logquery::shim
