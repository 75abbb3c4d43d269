// `logquery translate --from --to`: a saved query in the other language, its notes, and what has no equal.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "shim/cli/options/commands.h"
#include "tests/shim/command_run.h"

namespace logquery::shim {
namespace {

Outcome Rewrite(const std::string& from, const std::string& to, const std::string& sql,
                const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments = {"translate", "--from", from, "--to", to};
  arguments.insert(arguments.end(), more.begin(), more.end());
  arguments.push_back("-");
  return RunCommand(arguments, sql);
}

TEST_CASE("translate rewrites a saved query in the other language, and its result back") {
  const Outcome forth = Rewrite("bigquery", "clickhouse",
                                "select r.method, count(*) as n from edge_logs cross join unnest(metadata) as m "
                                "cross join unnest(m.request) as r where r.path = '/x' group by r.method",
                                {"--layout", "logs"});
  INFO(forth.err);
  CHECK(forth.code == kExitOk);
  CHECK(Has(forth.out, "FROM logs"));
  CHECK(Has(forth.out, "source = 'edge_logs'"));
  CHECK(Has(forth.out, "log_attributes['request.path'] = '/x'"));
  const Outcome back = Rewrite("clickhouse", "bigquery", forth.out);
  INFO(back.err);
  CHECK(back.code == kExitOk);
  CHECK(Has(back.out, "edge_logs"));
}

TEST_CASE("notes of a rewrite stand on standard error with their places") {
  const Outcome noted =
      Rewrite("clickhouse", "bigquery",
              "select event_message from logs where source = 'edge_logs'\nand event_message ilike '%x%'");
  CHECK(noted.code == kExitOk);
  CHECK(noted.out.find("note:") == std::string::npos);
  CHECK(Has(noted.err, "note: line 2, column "));
  CHECK(Has(noted.err, "BigQuery has no ILIKE"));
}

TEST_CASE("translate refuses a query that has no equal, with its place") {
  const Outcome record = Rewrite("bigquery", "clickhouse", "select id,\n metadata from edge_logs");
  CHECK(record.code == kExitFailed);
  CHECK(record.out.empty());
  CHECK(Has(record.err, "line 2, column 2"));
  const Outcome wrong = Rewrite("bigquery", "clickhouse", "select nme from edge_logs");
  CHECK(wrong.code == kExitFailed);
  CHECK(Has(wrong.err, "unknown name nme at line 1, column 8"));
}

TEST_CASE("translate refuses languages, layouts and options that do not go together") {
  CHECK(Has(Rewrite("bigquery", "bigquery", "select 1").err, "--from and --to name the two languages"));
  CHECK(RunCommand({"translate", "--from", "bigquery", "-"}, "select 1").code != kExitOk);
  CHECK(Has(RunCommand({"translate", "--layout", "logs", "-"}, "select 1").err, "--layout goes with --from and --to"));
  CHECK(Has(Rewrite("bigquery", "clickhouse", "select 1", {"--layout", "otel"}).err,
            "--layout can't be otel; it is one of logs"));
  CHECK(Has(Rewrite("bigquery", "clickhouse", "select 1", {"--explain"}).err, "an engine's SQL"));
}

}  // namespace
}  // namespace logquery::shim
