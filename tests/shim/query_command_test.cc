// The command query: SQL over all logs of a data folder, by this process and by a server that has the folder open.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/strings.h"
#include "shim/cli/folder/local_client.h"
#include "shim/cli/options/commands.h"
#include "shim/cli/query/sql_call.h"
#include "tests/shim/command_run.h"
#include "tests/shim/supervised_server.h"

namespace logquery::shim {
namespace {

namespace fs = std::filesystem;

constexpr char kSchema[] = R"({
  "app.logs": {"log": "app_logs", "time": "at", "project": ["tenant"], "columns": {"at": "TIMESTAMP", "tenant": "STRING",
    "text": "STRING"}},
  "audit.logs": {"log": "audit_logs", "time": "at", "columns": {"at": "TIMESTAMP", "who": "STRING"}}})";

// A data folder with an edge log, two own logs and a field that rows have taught.
struct Folder : CommandFolder {
  Folder() {
    Write("schema.json", kSchema);
    Write(
        "edge_logs.ndjson",
        R"({"id":"e1","timestamp":"2026-03-04T05:06:07Z","project":"a","event_message":"GET /","metadata":{"request":{"method":"GET"}},"region":"eu"}
{"id":"e2","timestamp":"2026-03-04T05:06:08Z","project":"b","event_message":"from 10.1.2.3"}
)");
    Write("app_logs.ndjson", R"({"at":"2026-03-04T05:06:07Z","text":"mine","tenant":"a"}
{"at":"2026-03-04T05:06:08Z","text":"other","tenant":"b"}
)");
    Write("audit_logs.ndjson", R"({"at":"2026-03-04T05:06:07Z","who":"root"})"
                               "\n");
    const Outcome loaded =
        RunCommand({"load", "--data", path + "/data", "--schema", path + "/schema.json", path + "/edge_logs.ndjson",
                    path + "/app_logs.ndjson", path + "/audit_logs.ndjson"});
    INFO(loaded.err);
    REQUIRE(loaded.code == kExitOk);
    fs::remove(path + "/schema.json");  // the folder keeps the declarations
  }
  Outcome Query(std::vector<std::string> arguments, const std::string& input = "") const {
    std::vector<std::string> all = {"query", "--data", path + "/data"};
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
};

TEST_CASE("query reads each log of a folder by its name, and joins them") {
  const Folder folder;
  const Outcome table = folder.Query({"select text, `at` from app_logs order by `at`"});
  INFO(table.err);
  CHECK(table.code == kExitOk);
  CHECK(Has(table.out, "mine"));
  CHECK(Has(table.out, "2026-03-04T05:06:07"));
  CHECK(folder.Rows({"select a.text, e.id from app_logs as a join edge_logs as e on e.timestamp = a.`at` and "
                     "e.project = a.tenant order by e.id"}) ==
        "{\"text\":\"mine\",\"id\":\"e1\"}\n{\"text\":\"other\",\"id\":\"e2\"}\n");
  CHECK(folder.Rows({"select who from audit_logs"}) == "{\"who\":\"root\"}\n");
  CHECK(folder.Rows({"select region from edge_logs where region is not null"}) == "{\"region\":\"eu\"}\n");
  CHECK(folder.Rows({"with x as (select 1 as n) select n from x"}) == "{\"n\":1}\n");
  CHECK(folder.Query({"--format", "json", "select count(*) as n from edge_logs"}).out == R"({"result":[{"n":2}]})");
  CHECK(folder.Query({"--format", "csv", "select who from audit_logs"}).out == "who\r\nroot\r\n");
  CHECK(folder.Rows({"--redact-pii", "select event_message as m from edge_logs where id = 'e2'"}) ==
        "{\"m\":\"from REDACTED\"}\n");
  CHECK(folder.Rows({"--now", "2026-03-04T06:00:00Z", "select extract(hour from current_timestamp()) as h"}) ==
        "{\"h\":6}\n");
}

constexpr char kTypesSql[] =
    "select date '2026-03-04' as d, time '05:06:07' as t, datetime '2026-03-04 05:06:07' as dt, numeric '1.5' as n, "
    "b'a' as y, interval 3 hour as i, 'x' as s, json '\"j\"' as j";
// The values of kTypesSql in a table.
constexpr char kTypesRow[] = "2026-03-04  05:06:07  2026-03-04T05:06:07  1.5  YQ==  0-0 0 3:0:0  x  \"j\"";

TEST_CASE("query prints dates, decimals and bytes in a table as text, without quotes") {
  const Folder folder;
  const Outcome table = folder.Query({kTypesSql});
  INFO(table.err << table.out);
  CHECK(Has(table.out, kTypesRow));
}

TEST_CASE("query prints rows in each format of HTTP, and no bytes on a terminal") {
  const Folder folder;
  const auto printed = [&folder](const std::string& format) {
    const Outcome outcome = folder.Query({"--format", format, "select who from audit_logs"});
    INFO(outcome.err);
    CHECK(outcome.code == kExitOk);
    return outcome.out;
  };
  CHECK(printed("json-rows") == R"({"schema":[{"name":"who","type":"STRING"}],"rows":[["root"]]})");
  CHECK(printed("parquet").starts_with("PAR1"));
  CHECK(printed("parquet").ends_with("PAR1"));
  CHECK(printed("arrow").starts_with("\xff\xff\xff\xff"));
  const Outcome error = folder.Query({"--format", "parquet", "select whom from audit_logs"});
  CHECK(error.code == kExitFailed);
  CHECK(error.out.empty());
  CHECK(Has(error.err, "unknown name whom"));
  CHECK(Has(folder.Query({"--format", "json-rows", "select whom from audit_logs"}).out, R"({"error":)"));
  CHECK(folder.Query({"--format", "orc", "select who from audit_logs"}).code == kExitUsage);
  const Outcome terminal =
      RunCommand({"query", "--data", folder.path + "/data", "--format", "arrow", "select 1 as n"}, "", true);
  CHECK(terminal.code == kExitUsage);
  CHECK(terminal.out.empty());
  CHECK(
      Has(terminal.err, "--format arrow writes bytes that a terminal can't show; send them to a file: logquery query"));
}

TEST_CASE("query takes the SELECT from a file and from standard input") {
  const Folder folder;
  folder.Write("who.sql", "select who\nfrom audit_logs\n");
  CHECK(folder.Rows({"--file", folder.path + "/who.sql"}) == "{\"who\":\"root\"}\n");
  CHECK(folder.Query({"--format", "ndjson", "-"}, "select 1 as n").out == "{\"n\":1}\n");
  CHECK(folder.Query({"--format", "ndjson", "--file", "-"}, "select 1 as n").out == "{\"n\":1}\n");
  const Outcome neither = folder.Query({});
  CHECK(neither.code == kExitUsage);
  CHECK(Has(neither.err, "there is no SQL: give the SELECT as one argument"));
  CHECK(folder.Query({"--file", folder.path + "/who.sql", "select 1"}).code == kExitUsage);
  CHECK(folder.Query({"--file", folder.path + "/absent.sql"}).code == kExitFailed);
  CHECK(Has(folder.Query({"-"}, " \n").err, "the SQL is empty"));
}

TEST_CASE("query with a project reads its rows alone, and no log that has no project") {
  const Folder folder;
  CHECK(folder.Rows({"--project", "a", "select text from app_logs"}) == "{\"text\":\"mine\"}\n");
  CHECK(folder.Rows({"--project", "b", "select count(*) as n from edge_logs"}) == "{\"n\":1}\n");
  CHECK(folder.Rows({"--project", "' or true", "select count(*) as n from edge_logs"}) == "{\"n\":0}\n");
  const Outcome refused = folder.Query({"--project", "a", "select who from audit_logs"});
  CHECK(refused.code == kExitFailed);
  CHECK(Has(refused.err, "this call is for one project, and audit.logs does not say whose its rows are"));
}

TEST_CASE("query in ClickHouse's SQL has the rows of all logs in one table") {
  const Folder folder;
  const std::string by_source = "select source, count() as n from logs group by source order by source";
  CHECK(folder.Rows({"--language", "clickhouse", by_source}) ==
        "{\"source\":\"app_logs\",\"n\":2}\n{\"source\":\"audit_logs\",\"n\":1}\n{\"source\":\"edge_logs\",\"n\":2}\n");
  CHECK(folder.Rows({"--language", "clickhouse", "--project", "a", by_source}) ==
        "{\"source\":\"app_logs\",\"n\":1}\n{\"source\":\"edge_logs\",\"n\":1}\n");
  CHECK(folder.Query({"--language", "clickhous", by_source}).code == kExitUsage);
}

TEST_CASE("query cuts the rows at its limit and says so") {
  const Folder folder;
  const std::string many = "select n from unnest(generate_array(1, 3000)) as n order by n";
  const Outcome cut = folder.Query({"--format", "csv", many});
  CHECK(std::count(cut.out.begin(), cut.out.end(), '\n') == 1'001);
  CHECK(cut.err == "logquery: there are more rows than these 1000; --limit N prints up to N\n");
  const Outcome all = folder.Query({"--format", "csv", "--limit", "3000", many});
  CHECK(std::count(all.out.begin(), all.out.end(), '\n') == 3'001);
  CHECK(all.err.empty());
  CHECK(folder.Query({"--limit", "0", many}).code == kExitUsage);
  CHECK(folder.Query({"--limit", "1000001", many}).code == kExitUsage);
}

TEST_CASE("query's errors have the line with a caret, and name the logs that there are") {
  const Folder folder;
  const Outcome unknown = folder.Query({"select *\nfrom app_log"});
  CHECK(unknown.code == kExitFailed);
  CHECK(unknown.out.empty());
  INFO(unknown.err);
  CHECK(Has(unknown.err, "line 2, column 6"));
  CHECK(Has(unknown.err, "there are edge_logs, "));
  CHECK(Has(unknown.err, "app_logs, audit_logs"));
  CHECK(Has(unknown.err, "from app_log\n     ^"));
  const Outcome column = folder.Query({"--format", "json", "select txt from app_logs"});
  CHECK(column.code == kExitFailed);
  CHECK(Has(column.out, R"("column":8)"));
  CHECK(Has(column.out, "text"));
  for (const char* sql : {"delete from app_logs where true", "create table x as select 1", "select 1; select 2",
                          "select * from `app.logs`", "select * from duckdb_tables()"}) {
    INFO(sql);
    const Outcome refused = folder.Query({sql});
    CHECK(refused.code == kExitFailed);
    CHECK(refused.out.empty());
  }
  CHECK(folder.Rows({"select count(*) as n from app_logs"}) == "{\"n\":2}\n");
  const Outcome late = folder.Query(
      {"--time-limit", "0.1",
       "select count(*) as n from unnest(generate_array(1, 100000)) a, unnest(generate_array(1, 100000)) b where "
       "mod(a * b, 7) = 9"});
  CHECK(late.code == kExitFailed);
  CHECK(Has(late.err, "the query took longer than it may, 100ms"));
  CHECK(RunCommand({"query", "select 1"}).code == kExitUsage);
  CHECK(Has(RunCommand({"query", "--data", folder.path + "/absent", "select 1"}).err, "absent"));
}

TEST_CASE("query is answered by the server that has the folder open") {
  const SupervisedServer server;
  const std::string data = (server.folder() / "data").string();
  REQUIRE(HasServer(data));
  const auto query = [&data](std::vector<std::string> arguments) {
    std::vector<std::string> all = {"query", "--data", data};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return RunCommand(all);
  };
  const std::string count = "select count(*) as n, max(timestamp) as newest from edge_logs";
  const Outcome counted = query({"--format", "csv", count});
  INFO(counted.err);
  CHECK(counted.code == kExitOk);
  CHECK(Has(counted.out, base::StrCat("n,newest\r\n", kServedRows, ",")));
  const Outcome table = query({count});
  CHECK(Has(table.out, base::StrCat(kServedRows)));
  CHECK(Has(table.out, "T"));  // a time as in a table of this process
  CHECK(Has(query({kTypesSql}).out, kTypesRow));
  CHECK(query({"--format", "parquet", count}).out.starts_with("PAR1"));
  CHECK(query({"--format", "parquet", count}).out.ends_with("PAR1"));
  CHECK(query({"--format", "arrow", count}).out.starts_with("\xff\xff\xff\xff"));
  CHECK(query({"--format", "json-rows", "select 1 as n"}).out ==
        R"({"schema":[{"name":"n","type":"INT64"}],"rows":[[1]]})");
  CHECK(query({"--project", "nobody", "--format", "ndjson", "select count(*) as n from edge_logs"}).out ==
        "{\"n\":0}\n");
  CHECK(query({"--language", "clickhouse", "--format", "ndjson", "select count() as n from logs"}).out ==
        base::StrCat("{\"n\":", kServedRows, "}\n"));
  const Outcome cut = query({"--format", "csv", "--limit", "7", "select id from edge_logs"});
  CHECK(std::count(cut.out.begin(), cut.out.end(), '\n') == 8);
  CHECK(Has(cut.err, "there are more rows than these 7"));
  const Outcome wrong = query({"select idd from edge_logs"});
  CHECK(wrong.code == kExitFailed);
  CHECK(Has(wrong.err, "select idd from edge_logs\n       ^"));
  CHECK(query({"--now", "2026-03-04T06:00:00Z", "select 1"}).code == kExitUsage);

  // The route is the owner's, and takes nothing but calls.
  CHECK(Has(server.Get("/query"), "404"));
  HttpRequest request;
  request.method = "POST";
  request.path = "/query";
  request.headers = {{"Content-Type", "application/json"}};
  for (const char* body : {"{}", "[]", R"({"sql":1})", R"({"sql":"select 1","limit":0})",
                           R"({"sql":"select 1","language":"perl"})", R"({"sql":"select 1","extra":1})"}) {
    INFO(body);
    request.body = body;
    const auto refused = AskServer(data, request);
    REQUIRE(refused.ok());
    CHECK(refused->status == 400);
  }
}

TEST_CASE("a call of query and its reply are the same after the socket") {
  SqlArguments call;
  call.sql = "select '\"\n'";
  call.project = "a";
  call.language = "clickhouse";
  call.format = "csv";
  call.limit = 5;
  call.csv_safe = call.redact_pii = call.int64_as_string = true;
  const auto read = ParseSqlCall(SqlCallText(call));
  REQUIRE(read.ok());
  CHECK(SqlCallText(*read) == SqlCallText(call));
  SqlReply reply;
  reply.body = "a\r\n1\r\n";
  reply.truncated = true;
  reply.schema = {{"a", Type::Timestamp()}, {"b", Type::Array(Type::String())}};
  const auto back = ParseSqlReply(SqlReplyText(reply));
  REQUIRE(back.ok());
  CHECK(back->body == reply.body);
  CHECK(back->truncated);
  CHECK_FALSE(back->failed);
  CHECK(back->schema[0].type == Type::Timestamp());
  CHECK(back->schema[1].name == "b");
  CHECK_FALSE(ParseSqlReply("{}").ok());
  reply.body = std::string("PAR1\0\xff\x80\n", 8);
  reply.is_binary = true;
  CHECK(ParseSqlReply(SqlReplyText(reply))->body == reply.body);
  CHECK_FALSE(ParseSqlReply(R"({"body":"*","is_binary":true,"columns":[]})").ok());
}

}  // namespace
}  // namespace logquery::shim
