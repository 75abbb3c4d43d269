// `logquery query --url` against a running server, and errors of what stands in its place.
#include <stdlib.h>

#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/time/time.h"
#include "lib/base/strings.h"
#include "shim/cli/query/remote_server.h"
#include "tests/shim/command_run.h"
#include "tests/shim/configured_server.h"

namespace logquery::shim {
namespace {

using base::StrCat;

constexpr char kOwnLog[] = R"({"app.logs": {"log": "app_logs", "time": "at", "project": ["tenant"],
    "columns": {"at": "TIMESTAMP", "tenant": "STRING", "text": "STRING"}}})";

// A server with five edge logs of the project abc, and a log of its own with a row of abc and one of b.
struct Served {
  explicit Served(const std::string& schema = kOwnLog) {
    server.Append(absl::FromUnixSeconds(1'772'600'767), 5);
    if (!schema.empty()) {
      WriteFile(server.folder + "/endpoints/schema.json", schema);
      WriteFile(server.folder + "/app_logs.ndjson", R"({"at":"2026-03-04T05:06:07Z","text":"mine","tenant":"abc"}
{"at":"2026-03-04T05:06:08Z","text":"from 10.1.2.3","tenant":"b"}
)");
      REQUIRE(RunCommand({"load", "--data", server.folder + "/data", "--schema",
                          server.folder + "/endpoints/schema.json", server.folder + "/app_logs.ndjson"})
                  .code == kExitOk);
    }
    server.Start({{"endpoints", "\"endpoints\""}, {"now", "\"2026-03-04T06:00:00Z\""}});
    url = StrCat("http://127.0.0.1:", server.port);
    WriteFile(token_file(), server.token + "\n");
  }
  std::string token_file() const { return server.folder + "/token"; }

  Outcome Query(const std::vector<std::string>& arguments, const std::string& input = "") const {
    std::vector<std::string> all = {"query", "--url", url, "--token-file", token_file()};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return RunCommand(all, input);
  }
  // The rows as JSON.
  std::string Rows(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"--format", "ndjson"});
    const Outcome outcome = Query(arguments);
    INFO(outcome.err);
    CHECK(outcome.code == kExitOk);
    return outcome.out;
  }

  ConfiguredServer server;
  std::string url;
};

TEST_CASE("query --url runs SQL in both languages on a server, in each format") {
  const Served served;
  const std::string newest = "select id, timestamp from edge_logs order by id limit 1";
  const Outcome table = served.Query({"--project", "abc", newest});
  INFO(table.err);
  CHECK(table.code == kExitOk);
  CHECK(Has(table.out, "i0"));
  CHECK(Has(table.out, "2026-03-04T05:06:07"));
  const std::string count = "select count(*) as n from edge_logs";
  CHECK(served.Rows({"--project", "abc", count}) == "{\"n\":5}\n");
  CHECK(served.Query({"--project", "abc", "--format", "json", count}).out == R"({"result":[{"n":5}]})");
  CHECK(served.Query({"--project", "abc", "--format", "csv", count}).out == "n\r\n5\r\n");
  CHECK(served.Query({"--project", "abc", "--format", "ndjson", "-"}, count).out == "{\"n\":5}\n");
  CHECK(served.Query({"--project", "abc", "--format", "parquet", count}).out.starts_with("PAR1"));
  CHECK(served.Query({"--project", "abc", "--format", "arrow", count}).out.starts_with("\xff\xff\xff\xff"));
  CHECK(served.Rows({"--project", "abc", "--language", "clickhouse", "select count() as n from logs"}) ==
        "{\"n\":6}\n");
  CHECK(served.Rows({"--project", "abc", "--int64-as-string", "select 9007199254740993 as n"}) ==
        "{\"n\":\"9007199254740993\"}\n");
  CHECK(served.Query({"--project", "abc", "--format", "csv", "--csv-safe", "select '=1' as n"}).out == "n\r\n'=1\r\n");
  CHECK(served.Rows({"--project", "b", count}) == "{\"n\":0}\n");
}

TEST_CASE("query --url asks my.logs for logs of one's own, and each endpoint that is named") {
  const Served served;
  CHECK(served.Rows({"select text from app_logs order by `at`"}) ==
        "{\"text\":\"mine\"}\n{\"text\":\"from 10.1.2.3\"}\n");
  CHECK(served.Rows({"--project", "abc", "select text from app_logs"}) == "{\"text\":\"mine\"}\n");
  CHECK(served.Rows({"--redact-pii", "select text from app_logs where tenant = 'b'"}) ==
        "{\"text\":\"from REDACTED\"}\n");
  CHECK(served.Rows({"--endpoint", "my.logs", "--parameter", "project=b", "select count(*) as n from app_logs"}) ==
        "{\"n\":1}\n");
  CHECK(served.Rows({"--endpoint", "logs.all", "--parameter", "project=abc", "--parameter",
                     "iso_timestamp_end=2026-03-04T05:06:07.000001Z", "select count(*) as n from edge_logs"}) ==
        "{\"n\":2}\n");
  const Outcome ignored = served.Query({"--endpoint", "my.logs", "--parameter", "nothing=1", "select 1 as n"});
  CHECK(ignored.code == kExitOk);
  CHECK(Has(ignored.err, "the endpoint has no parameter nothing; ignored"));
}

TEST_CASE("query --url says when there are more rows, and where they go on") {
  const Served served;
  const Outcome cut = served.Query(
      {"--project", "abc", "--format", "csv", "select n from unnest(generate_array(1, 3000)) as n order by n"});
  CHECK(cut.code == kExitOk);
  CHECK(Has(cut.err, "there are more rows than the endpoint's max rows"));
  const std::string page = "select id, timestamp from edge_logs order by timestamp desc, id limit 3";
  const Outcome first = served.Query({"--project", "abc", "--format", "ndjson", page});
  constexpr std::string_view kCursor = "for the rows after these: cursor=";
  const size_t at = first.err.find(kCursor);
  REQUIRE(at != std::string::npos);
  const size_t begin = at + kCursor.size();
  const std::string cursor = first.err.substr(begin, first.err.find('\n', begin) - begin);
  const Outcome second =
      served.Query({"--project", "abc", "--format", "ndjson", "--parameter", StrCat("cursor=", cursor), page});
  INFO(second.err);
  CHECK(Has(second.out, R"("id":"i1")"));
  CHECK(Has(second.out, R"("id":"i0")"));
  CHECK_FALSE(Has(second.out, R"("id":"i2")"));
}

TEST_CASE("errors of query --url have the status, the message and the place in the SQL") {
  const Served served;
  const Outcome column = served.Query({"--project", "abc", "select idd\nfrom edge_logs"});
  CHECK(column.code == kExitFailed);
  CHECK(column.out.empty());
  INFO(column.err);
  CHECK(Has(column.err, StrCat("logquery: ", served.url, " answered 400 INVALID_ARGUMENT: ")));
  CHECK(Has(column.err, "did you mean id?"));
  CHECK(Has(column.err, "select idd\n       ^"));
  CHECK(Has(column.err, "logs.all was asked; --endpoint my.logs asks the logs of your own"));
  const Outcome json = served.Query({"--project", "abc", "--format", "json", "select idd from edge_logs"});
  CHECK(json.code == kExitFailed);
  CHECK(Has(json.out, R"("column":8)"));
  CHECK(Has(served.Query({"select 1 as n"}).out, "n"));  // my.logs needs no project
  CHECK(Has(served.Query({"--endpoint", "logs.al", "select 1"}).err, "answered 404 NOT_FOUND: "));
  CHECK(Has(served.Query({"--endpoint", "logs.all", "select 1"}).err, "project is missing"));
  WriteFile(served.token_file(), "lq_unknown");
  const Outcome unknown = served.Query({"--project", "abc", "select 1"});
  CHECK(unknown.code == kExitFailed);
  CHECK(Has(unknown.err, "answered 401 UNAUTHENTICATED: "));
  CHECK(Has(RunCommand({"query", "--url", served.url, "select 1"}).err, "answered 401 UNAUTHENTICATED: "));
}

TEST_CASE("a server without logs of one's own gives no hint at them") {
  const Served served("");
  const Outcome wrong = served.Query({"--project", "abc", "select idd from edge_logs"});
  CHECK(wrong.code == kExitFailed);
  CHECK_FALSE(Has(wrong.err, "my.logs"));
}

TEST_CASE("query --url takes its token from a file or a variable, and reads a file again that has another one") {
  Served served;
  REQUIRE(setenv("LOGQUERY_TEST_TOKEN", served.server.token.c_str(), 1) == 0);
  CHECK(RunCommand({"query", "--url", served.url + "/", "--token-env", "LOGQUERY_TEST_TOKEN", "--format", "ndjson",
                    "--project", "abc", "select 1 as n"})
            .out == "{\"n\":1}\n");
  unsetenv("LOGQUERY_TEST_TOKEN");
  CHECK(Has(RunCommand({"query", "--url", served.url, "--token-env", "LOGQUERY_TEST_TOKEN", "select 1"}).err,
            "LOGQUERY_TEST_TOKEN"));
  WriteFile(served.token_file(), "lq_old");
  const auto server = RemoteServer::Create({.url = served.url, .token_file = served.token_file()}, absl::Seconds(60));
  REQUIRE(server.ok());
  HttpRequest request;
  request.method = "GET";
  request.path = "/api/endpoints";
  const auto status = [&] {
    const auto response = (*server)->Ask(request, CancellationToken());
    INFO(response.status().ToString());
    return response.ok() ? response->status : 0;
  };
  CHECK(status() == 401);
  WriteFile(served.token_file(), served.server.token);
  CHECK(status() == 200);
  served.server.End(SIGTERM);
  const auto gone = (*server)->Ask(request, CancellationToken());
  CHECK(absl::IsUnavailable(gone.status()));
  CHECK(Has(std::string(gone.status().message()), StrCat(served.url, ": ")));
  const Outcome outcome = served.Query({"select 1"});
  CHECK(outcome.code == kExitFailed);
  CHECK(Has(outcome.err, StrCat("logquery: ", served.url, ": ")));
}

TEST_CASE("the command line of query --url is checked before anything is sent") {
  const auto error = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "query");
    arguments.push_back("select 1");
    const Outcome outcome = RunCommand(arguments);
    CHECK(outcome.code == kExitUsage);
    return outcome.err;
  };
  CHECK(Has(error({"--url", "logs.example"}), "--url must be the URL of a server, such as https://logs.example"));
  CHECK(Has(error({"--url", "https://user:secret@logs.example"}), "without user"));
  CHECK(Has(error({"--url", "http://127.0.0.1:1", "--data", "data"}), "--data"));
  CHECK(Has(error({"--url", "http://127.0.0.1:1", "--limit", "5"}), "--limit"));
  CHECK(Has(error({"--data", "data", "--endpoint", "my.logs"}), "--url"));
  CHECK(Has(error({"--url", "http://127.0.0.1:1", "--parameter", "x"}), "--parameter x is not NAME=VALUE"));
  CHECK(Has(error({"--url", "http://127.0.0.1:1", "--parameter", "sql=x"}), "parameter sql is given twice"));
  const Outcome absent =
      RunCommand({"query", "--url", "http://127.0.0.1:1", "--token-file", "/absent/token", "select 1"});
  CHECK(absent.code == kExitFailed);
  CHECK(Has(absent.err, "/absent/token"));
}

TEST_CASE("an answer that is not logquery's is shown for what it is") {
  const auto server = RemoteServer::Create({.url = "https://logs.example/a/"}, absl::Seconds(1));
  REQUIRE(server.ok());
  CHECK((*server)->url() == "https://logs.example/a");
  ServerResponse response;
  response.status = 502;
  response.body = "<html>\nBad gateway";
  CHECK(ErrorOfResponse(**server, response, true) ==
        "https://logs.example/a answered 502, and not as logquery does; is it the address of a logquery server? It "
        "begins with \"<html>\\nBad gateway\"");
  response.body = R"({"error":"no"})";
  CHECK(Has(ErrorOfResponse(**server, response, true), "and not as logquery does"));
  response.status = 301;
  response.headers = {{"location", "https://logs.example/b"}};
  CHECK(ErrorOfResponse(**server, response, true) ==
        "https://logs.example/a answered 301 and points to \"https://logs.example/b\"; give the address that it means");
  response.status = 429;
  response.headers = {{"retry-after", "7"}};
  response.body =
      R"({"error":{"status":"RESOURCE_EXHAUSTED","message":"too many calls","details":{"snippet":"x\n^"}}})";
  CHECK(ErrorOfResponse(**server, response, false) ==
        "https://logs.example/a answered 429 RESOURCE_EXHAUSTED: too many calls; try again in 7 s");
  CHECK(Has(ErrorOfResponse(**server, response, true), "too many calls\nx\n^"));
}

}  // namespace
}  // namespace logquery::shim
