// `logquery verify`: both forms of saved queries over a data folder, and what is said of their rows.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "shim/cli/options/commands.h"
#include "tests/shim/command_run.h"

namespace logquery::shim {
namespace {

// Requests of two projects, and a sign-in without metadata.
struct VerifiedFolder : CommandFolder {
  VerifiedFolder() {
    std::string rows;
    for (int i = 0; i < 6; ++i) {
      rows += R"({"id":"e)" + std::to_string(i) + R"(","timestamp":"2026-03-04T05:00:0)" + std::to_string(i) +
              R"(Z","project":")" + (i < 4 ? "abc" : "xyz") +
              R"(","event_message":"m","metadata":{"request":{"method":")" + (i % 2 == 0 ? "GET" : "POST") +
              R"(","path":"/a"},"response":{"status_code":200}}})" + "\n";
    }
    Write("edge_logs.ndjson", rows);
    Write("auth_logs.ndjson",
          R"({"id":"a1","timestamp":"2026-03-04T05:00:00Z","project":"abc","metadata":{"path":"/token"}})"
          "\n"
          R"({"id":"a2","timestamp":"2026-03-04T05:00:01Z","project":"abc","metadata":null})"
          "\n");
    const Outcome loaded = Run({"load", "--data", "{}/data", "{}/edge_logs.ndjson", "{}/auth_logs.ndjson"});
    INFO(loaded.err);
    REQUIRE(loaded.code == kExitOk);
    Write("saved/methods.sql",
          "select r.method, count(*) as n from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) "
          "as r group by r.method order by r.method");
    Write("saved/below/first.sql", "select id, timestamp from edge_logs order by timestamp limit 1");
    Write("saved/notes.txt", "no query");
  }

  Outcome Verify(const std::string& from, const std::vector<std::string>& more, const std::string& input = "") const {
    std::vector<std::string> arguments = {"verify", "--data", "{}/data",     "--now",           "2026-03-04T05:06:07Z",
                                          "--from", from,     "project=abc", "project_tier=PRO"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Run(arguments, input);
  }
};

TEST_CASE("verify runs both forms of a folder's queries and says that their rows are equal") {
  const VerifiedFolder folder;
  const Outcome all = folder.Verify("bigquery", {"{}/saved"});
  INFO(all.err);
  CHECK(all.code == kExitOk);
  CHECK(all.out == "equal          " + folder.path + "/saved/below/first.sql: 1 row\n" + "equal          " +
                       folder.path + "/saved/methods.sql: 2 rows\n2 queries: 2 equal\n");
}

TEST_CASE("verify takes queries in ClickHouse SQL, from standard input too") {
  const VerifiedFolder folder;
  const Outcome one =
      folder.Verify("clickhouse", {"-"}, "select source, count() from logs group by source order by source");
  INFO(one.err);
  CHECK(one.code == kExitOk);
  CHECK(one.out == "equal          -: 2 rows\n1 query: 1 equal\n");
}

TEST_CASE("verify names the queries that are not rewritten, with the reason and its place") {
  const VerifiedFolder folder;
  folder.Write("saved/hash.sql", "select id,\n  to_hex(md5(id)) as h from edge_logs");
  const Outcome all = folder.Verify("bigquery", {"{}/saved"});
  CHECK(all.code == kExitFindings);
  CHECK(Has(all.out, "not rewritten  " + folder.path + "/saved/hash.sql: can't be rewritten as ClickHouse SQL: "));
  CHECK(Has(all.out, " at line 2, column 3"));
  CHECK(Has(all.out, "3 queries: 2 equal, 1 not rewritten\n"));
}

TEST_CASE("verify tells the first difference, with row and column") {
  const VerifiedFolder folder;
  // The option says what is not so: one row has no metadata.
  folder.Write("paths.sql",
               "select m.path, count(*) as n from auth_logs cross join unnest(metadata) as m group by m.path");
  CHECK(Has(folder.Verify("bigquery", {"{}/paths.sql"}).out, "not rewritten"));
  const Outcome differs = folder.Verify("bigquery", {"{}/paths.sql", "--rows-have-metadata"});
  INFO(differs.out);
  CHECK(differs.code == kExitFindings);
  CHECK(Has(differs.out,
            "differs        " + folder.path + "/paths.sql: 1 row in BigQuery SQL, 2 in ClickHouse SQL; row "));
  CHECK(Has(differs.out, "(path: null, n: 1) is not in the answer in BigQuery SQL"));
  CHECK(Has(differs.out, "1 query: 1 differs\n"));
}

TEST_CASE("verify tells a query that fails over the rows from one that differs") {
  const VerifiedFolder folder;
  const Outcome fails = folder.Verify("bigquery", {"-"}, "select 1 / (count(*) - 4) as x from edge_logs");
  INFO(fails.out);
  CHECK(fails.code == kExitFindings);
  CHECK(Has(fails.out, "fails          -: "));
  CHECK(Has(fails.out, "division by zero"));
}

TEST_CASE("verify prints JSON for programs") {
  const VerifiedFolder folder;
  const Outcome all = folder.Verify("bigquery", {"--json", "{}/saved/methods.sql"});
  CHECK(all.code == kExitOk);
  CHECK(all.out == R"({"queries":[{"file":")" + folder.path +
                       R"(/saved/methods.sql","outcome":"equal","rows":2}],"equal":1,"differs":0,"not_rewritten":0,)"
                       R"("fails":0})"
                       "\n");
}

TEST_CASE("verify says what is wrong with its command line") {
  const VerifiedFolder folder;
  CHECK(Has(folder.Verify("sql", {"{}/saved"}).err, "--from can't be sql; it is one of bigquery, clickhouse"));
  const Outcome nothing = folder.Verify("bigquery", {});
  CHECK(nothing.code == kExitUsage);
  CHECK(Has(nothing.err, "say what to verify: files with a query each, or folders of *.sql"));
  const Outcome absent = folder.Verify("bigquery", {"{}/absent.sql"});
  CHECK(absent.code == kExitFailed);
  CHECK(Has(absent.err, "can't read the file " + folder.path + "/absent.sql"));
  folder.Write("empty/notes.txt", "");
  CHECK(Has(folder.Verify("bigquery", {"{}/empty"}).err, "has no file *.sql"));
  // A KEY that is no parameter is a file.
  CHECK(Has(folder.Verify("bigquery", {"projct=abc"}).err, "can't read the file projct=abc"));
}

}  // namespace
}  // namespace logquery::shim
