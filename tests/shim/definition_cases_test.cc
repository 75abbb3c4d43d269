// `logquery test`: what it says of cases that pass, of each kind that fails, and of files that hold none.
#include "shim/cli/query/definition_cases.h"

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "lib/base/strings.h"
#include "shim/cli/options/commands.h"
#include "shim/cli/query/junit.h"
#include "shim/cli/query/row_diff.h"
#include "shim/cli/query/row_key.h"
#include "tests/shim/command_run.h"
#include "tests/support/folders.h"

namespace logquery::shim {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

Outcome RunOn(std::vector<std::string> arguments, const char* command = "test") {
  arguments.insert(arguments.begin(), command);
  return RunCommand(arguments);
}

// A definition that gives the messages of a project's database logs, and its cases.
struct Folder : CommandFolder {
  Folder() {
    Write("own.json", R"({"id": "b0a9a6e8-6a0e-4a63-9f0b-6d4c4a1f8f01", "name": "own", "parameters": [
                          {"name": "project", "type": "STRING", "required": true}]})");
    Write(
        "own.sql",
        "SELECT t.event_message AS m, CURRENT_TIMESTAMP() AS now FROM `postgres.logs` AS t WHERE t.project = @project "
        "ORDER BY t.id");
  }
  // Cases over two rows of the project "a".
  void Cases(const std::string& cases) const {
    Write("own.cases.json", base::StrCat(R"({"now": "2026-01-15T12:00:00Z", "rows": {"postgres_logs": [
      {"id": "1", "timestamp": "2026-01-15T11:00:00Z", "project": "a", "event_message": "from 10.0.0.1"},
      {"id": "2", "timestamp": "2026-01-15T11:00:00Z", "project": "a", "event_message": "two"}]}, "cases": [)",
                                         cases, "]}"));
  }
};

constexpr char kGood[] = R"({"name": "rows", "parameters": {"project": "a"}, "result": [
  {"m": "from 10.0.0.1", "now": 1768478400000000}, {"m": "two", "now": 1768478400000000}]})";

TEST_CASE("cases pass, fail with the difference, and are rewritten on request") {
  const Folder folder;
  folder.Cases(base::StrCat(std::string_view(kGood), R"(,
    {"name": "hidden, later", "parameters": {"project": "a"}, "headers": {"lf-endpoint-redact-pii": "true"},
     "now": "2026-01-15T12:00:01Z",
     "result": [{"m": "from REDACTED", "now": 1768478401000000}, {"m": "two", "now": 1768478401000000}]},
    {"name": "missing", "error": {"status": "INVALID_ARGUMENT", "message": "project is missing"}})"));
  const Outcome passed = RunOn({folder.path});
  INFO(passed.err);
  CHECK(passed.code == kExitOk);
  CHECK(passed.out == "own\n  ok    rows\n  ok    hidden, later\n  ok    missing\n3 cases, 0 failed\n");

  folder.Cases(base::StrCat(std::string_view(kGood), R"(,
    {"name": "another row", "parameters": {"project": "a"},
     "result": [{"m": "from 10.0.0.1", "now": 1768478400000000}, {"m": "three", "now": 1768478400000000}]},
    {"name": "no error", "parameters": {"project": "a"}, "error": {"status": "INTERNAL"}},
    {"name": "an error", "parameters": {}, "result": []},
    {"name": "another error", "error": {"status": "NOT_FOUND", "message": "nothing"}},
    {"name": "not written yet", "parameters": {"project": "b"}})"));
  const std::string missing = "INVALID_ARGUMENT: parameter project is missing or empty; it needs a value\n";
  const Outcome failed = RunOn({folder.path});
  CHECK(failed.code == kExitFindings);
  CHECK(failed.out == base::StrCat("own\n  ok    rows\n  FAIL  another row\n        expected 2 rows, got 2:\n"
                                   "          {\"m\":\"from 10.0.0.1\",\"now\":1768478400000000}\n"
                                   "        - {\"m\":\"three\",\"now\":1768478400000000}\n"
                                   "        + {\"m\":\"two\",\"now\":1768478400000000}\n"
                                   "  FAIL  no error\n        expected the error INTERNAL; got 2 rows\n"
                                   "  FAIL  an error\n        expected rows; got the error\n        + ",
                                   missing,
                                   "  FAIL  another error\n        expected the error\n"
                                   "        - NOT_FOUND: nothing\n        + ",
                                   missing,
                                   "  FAIL  not written yet\n"
                                   "        has neither result nor error; --update writes what it gives\n"
                                   "6 cases, 5 failed\n"));

  const std::string junit = folder.path + "/outcome.xml";
  const Outcome updated = RunOn({folder.path, "--update", "--junit", junit});
  CHECK(updated.code == kExitOk);
  CHECK(updated.out.find("6 cases, 0 failed") != std::string::npos);
  CHECK(folder.Read("outcome.xml").find("<testsuite name=\"own\" tests=\"6\" failures=\"0\">") != std::string::npos);
  CHECK(RunOn({folder.path}).out.find("6 cases, 0 failed") != std::string::npos);
  const auto again = ReadCases("own", folder.Read("own.cases.json"));
  REQUIRE(again.ok());
  CHECK(again->cases[3].error->status == "INVALID_ARGUMENT");
  CHECK(again->cases[5].rows == Lines{});
}

TEST_CASE("rows in another order, with members in another order, and with a value of another type") {
  const Folder folder;
  folder.Cases(R"({"name": "members in any order", "parameters": {"project": "a"}, "result": [
    {"now": 1768478400000000, "m": "from 10.0.0.1"}, {"now": 1768478400000000, "m": "two"}]},
    {"name": "rows in their order", "parameters": {"project": "a"}, "result": [
    {"m": "two", "now": 1768478400000000}, {"m": "from 10.0.0.1", "now": 1768478400000000}]},
    {"name": "a text is no number", "parameters": {"project": "a"}, "result": [
    {"m": "from 10.0.0.1", "now": "1768478400000000"}, {"m": "two", "now": 1768478400000000}]})");
  const Outcome outcome = RunOn({folder.path});
  CHECK(outcome.code == kExitFindings);
  CHECK(outcome.out ==
        "own\n  ok    members in any order\n  FAIL  rows in their order\n        expected 2 rows, got 2:\n"
        "        - {\"m\":\"two\",\"now\":1768478400000000}\n"
        "          {\"m\":\"from 10.0.0.1\",\"now\":1768478400000000}\n"
        "        + {\"m\":\"two\",\"now\":1768478400000000}\n"
        "  FAIL  a text is no number\n        expected 2 rows, got 2:\n"
        "        - {\"m\":\"from 10.0.0.1\",\"now\":\"1768478400000000\"}\n"
        "        + {\"m\":\"from 10.0.0.1\",\"now\":1768478400000000}\n"
        "          {\"m\":\"two\",\"now\":1768478400000000}\n3 cases, 2 failed\n");
}

TEST_CASE("a number is equal to itself in another form, and to no text") {
  CHECK(RowKey(R"({"a":10,"b":[1.0,{"c":-0.0}]})") == RowKey(R"({"b":[1,{"c":0}],"a":10.0})"));
  CHECK(RowKey(R"({"a":1e3})") == RowKey(R"({"a":1000})"));
  CHECK(RowKey(R"({"a":9007199254740993})") != RowKey(R"({"a":9007199254740992.0})"));
  CHECK(RowKey(R"({"a":10})") != RowKey(R"({"a":"10"})"));
  CHECK(RowKey(R"({"a":10.5})") != RowKey(R"({"a":10})"));
  CHECK(RowKey(R"({"a":1e300})") == RowKey(R"({"a":1.0e300})"));
  CHECK(RowKey("no json") == "no json");

  const Folder folder;
  folder.Cases(R"({"name": "as a float", "parameters": {"project": "a"}, "result": [
    {"m": "from 10.0.0.1", "now": 1768478400000000.0}, {"m": "two", "now": 1.7684784e15}]},
    {"name": "another number", "parameters": {"project": "a"}, "result": [
    {"m": "from 10.0.0.1", "now": 1768478400000000.5}, {"m": "two", "now": 1768478400000000}]})");
  const Outcome outcome = RunOn({folder.path});
  CHECK(outcome.out.find("  ok    as a float\n  FAIL  another number\n") != std::string::npos);
}

TEST_CASE("a misspelt parameter fails its case, and a misspelt field of a row all of them") {
  const Folder folder;
  folder.Cases(R"({"name": "misspelt", "parameters": {"projct": "a"}, "result": []},
                  {"name": "nothing like it", "parameters": {"zzz": "a"}, "result": []})");
  const Outcome failed = RunOn({folder.path, "--update"});
  CHECK(failed.code == kExitFindings);
  CHECK(failed.out ==
        "own\n  FAIL  misspelt\n        there is no parameter \"projct\"; did you mean project?\n"
        "  FAIL  nothing like it\n        there is no parameter \"zzz\"\n2 cases, 2 failed\n");

  const auto rows = [&folder](const std::string& row) {
    folder.Write("own.cases.json",
                 base::StrCat(R"({"now": "2026-01-15T12:00:00Z", "rows": {"postgres_logs": [)", row,
                              R"(]}, "cases": [{"name": "a", "parameters": {"project": "b"}, "result": []}]})"));
    return RunOn({folder.path});
  };
  const char kTime[] = R"("timestamp": "2026-01-15T11:00:00Z", "project": "a")";
  const Outcome top = rows(base::StrCat("{", kTime, R"(, "event_mesage": "x"})"));
  CHECK(top.code == kExitUsage);
  CHECK(top.err ==
        base::StrCat("logquery: ", folder.path,
                     "/own.cases.json: rows: row 1 of postgres_logs: there is no field \"event_mesage\"; did "
                     "you mean event_message? To have rows bring a new field, declare it in schema.json\n"));
  const Outcome inner =
      rows(base::StrCat("{", kTime, "},{", kTime, R"(, "metadata": [{"parsed": {"eror_severity": "x"}}]})"));
  CHECK(inner.err.find("row 2 of postgres_logs: there is no field \"metadata.parsed.eror_severity\"; did you mean "
                       "error_severity?") != std::string::npos);
  const Outcome time = rows(R"({"timestamp": "eleven", "project": "a"})");
  CHECK(time.err.find("/own.cases.json: rows: row 1 of postgres.logs: timestamp is eleven, which is no TIMESTAMP") !=
        std::string::npos);
  // A new field is learned where it is like none, where the row has that one too, or where a query reads it.
  CHECK(rows(base::StrCat("{", kTime, R"(, "something_new": 1})")).code == kExitOk);
  CHECK(rows(base::StrCat("{", kTime, R"(, "event_messages": "x", "event_message": "y"})")).code == kExitOk);
  folder.Write("own.sql", "SELECT t.event_mesage AS m FROM `postgres.logs` AS t WHERE t.project = @project");
  CHECK(rows(base::StrCat("{", kTime, R"(, "event_mesage": "x"})")).code == kExitOk);
}

TEST_CASE("the examples' definitions are in order, and their cases pass") {
  for (const std::string& folder :
       {testing::SourcePath("examples/endpoints"), testing::SourcePath("examples/supabase/endpoints")}) {
    const Outcome cases = RunOn({folder});
    INFO(cases.out << cases.err);
    CHECK(cases.code == kExitOk);
    CHECK(cases.out.find(", 0 failed\n") != std::string::npos);
    const Outcome check = RunOn({folder}, "check");
    INFO(check.out << check.err);
    CHECK(check.code == kExitOk);
    CHECK(check.out.find("all in order\n") != std::string::npos);
    CHECK(check.err.find("warning: ") == std::string::npos);
  }
}

TEST_CASE("files without cases are errors") {
  const Folder folder;
  const auto error = [&folder](const std::string& text) {
    folder.Write("own.cases.json", text);
    const Outcome outcome = RunOn({folder.path});
    CHECK(outcome.code == kExitUsage);
    return outcome.err.substr(outcome.err.find("json: ") + 6);
  };
  CHECK(error("{}") == "now is missing\n");
  CHECK(error(R"({"now": "x", "case": []})").find("cases must be a list of cases") == 0);
  CHECK(error(R"({"now": "x", "cases": [{"name": "a", "resul": []}]})").find("did you mean result?") !=
        std::string::npos);
  CHECK(error(R"({"now": "x", "cases": [{"name": "a"}, {"name": "a"}]})") ==
        "cases[1].name is that of another case: a\n");
  CHECK(error(R"({"now": "x", "cases": [{"name": "a", "result": [], "error": {"status": "x"}}]})") ==
        "cases[0].error stands beside result; a case has one of them\n");
  CHECK(error(R"({"now": "x", "cases": [{"name": "a", "headers": {"X": "y"}}]})") ==
        "cases[0].headers has X; cases know LF-ENDPOINT-REDACT-PII\n");
  CHECK(error(R"({"now": "yesterday", "cases": [{"name": "a"}]})").find("--now: ") == 0);
  CHECK(error(R"({"now": "x", "rows": {"postgre_logs": []}, "cases": [{"name": "a"}]})") ==
        "rows: there is no log postgre_logs; did you mean postgres_logs or postgrest_logs?\n");
  CHECK(error(R"({"now": "x", "rows": {"edge_logs": [{"id": "a"}]}, "cases": [{"name": "a"}]})").find("timestamp") !=
        std::string::npos);
  fs::remove(folder.path + "/own.cases.json");
  CHECK(RunOn({folder.path}).err ==
        base::StrCat("logquery: there are no cases (NAME.cases.json) in ", folder.path, "\n"));
  folder.Cases(kGood);
  CHECK(RunOn({folder.path, "onw"}).err == "logquery: there are no cases of a definition onw; did you mean own?\n");
  folder.Write("other.cases.json", "{}");
  CHECK(RunOn({folder.path}).err.find("/other.cases.json has no definition beside it\n") != std::string::npos);
}

TEST_CASE("a difference shows rows in the context of their neighbours") {
  CHECK(DiffRows({"a", "b"}, {"a", "b"}).empty());
  CHECK(DiffRows({"a", "b", "c", "d", "e"}, {"a", "b", "c", "x", "e"}) == Lines{"  …", "  c", "- d", "+ x", "  e"});
  CHECK(DiffRows({}, {"a"}) == Lines{"+ a"});
  CHECK(DiffRows({"a", "b", "c"}, {"b", "c", "d"}) == Lines{"- a", "  b", "  c", "+ d"});
  const Lines many(3'000, "x"), more(3'001, "x");
  CHECK(DiffRows(many, more) == Lines{"  …", "  x", "+ x"});
}

TEST_CASE("characters that XML forbids are escaped or left out") {
  const std::string xml = JUnitXml({{"s<&>", "a\"b", "", absl::Milliseconds(1)},
                                    {"s<&>", "b", "line\n\x1b[2J", absl::ZeroDuration()},
                                    {"t", "c", "", absl::ZeroDuration()}});
  CHECK(xml ==
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
        "  <testsuite name=\"s&lt;&amp;&gt;\" tests=\"2\" failures=\"1\">\n"
        "    <testcase classname=\"s&lt;&amp;&gt;\" name=\"a&quot;b\" time=\"0.001000\"/>\n"
        "    <testcase classname=\"s&lt;&amp;&gt;\" name=\"b\" time=\"0.000000\">\n"
        "      <failure message=\"line&#10; [2J\"/>\n    </testcase>\n  </testsuite>\n"
        "  <testsuite name=\"t\" tests=\"1\" failures=\"0\">\n"
        "    <testcase classname=\"t\" name=\"c\" time=\"0.000000\"/>\n  </testsuite>\n</testsuites>\n");
}

}  // namespace
}  // namespace logquery::shim
