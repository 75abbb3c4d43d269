#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>

#include "lib/base/strings.h"
#include "shim/cli/options/commands.h"
#include "tests/shim/command_run.h"

namespace logquery::shim {
namespace {

Outcome Check(std::vector<std::string> arguments, const std::string& input = "") {
  arguments.insert(arguments.begin(), "check");
  return RunCommand(arguments, input);
}

TEST_CASE("check --sandbox says whether an endpoint would run the SQL") {
  const Outcome allowed = Check({"--sandbox", "logs.all"}, "select lower(id) as x from edge_logs where id = @project");
  CHECK(allowed.code == kExitOk);
  CHECK(allowed.out ==
        "allowed\n  reads       edge_logs\n  columns     edge_logs.id\n  functions   LOWER\n  parameters  project\n"
        "  returns     x STRING\n");

  const Outcome refused = Check({"--sandbox", "logs.all", "-"}, "select idd from edge_logs");
  CHECK(refused.code == kExitFailed);
  CHECK(refused.out ==
        "refused: unknown name idd at line 1, column 8; did you mean id?\nselect idd from edge_logs\n       ^\n");
  CHECK(refused.err.empty());
}

TEST_CASE("check --sandbox reads a file, and prints JSON for programs") {
  const std::string file =
      (std::filesystem::temp_directory_path() / base::StrCat("logquery-check-", getpid(), ".sql")).string();
  std::ofstream(file) << "select 1 as one";
  const Outcome allowed = Check({"--sandbox", "logs.all", "--format", "json", file});
  std::filesystem::remove(file);
  CHECK(allowed.code == kExitOk);
  CHECK(allowed.out == R"({"allowed":true,"tables":[],"columns":[],"functions":[],"parameters":[],)"
                       R"("result":[{"name":"one","type":"INT64"}]})"
                       "\n");
  CHECK(Check({"--sandbox", "logs.all", file}).code == kExitFailed);
}

TEST_CASE("check on a wrong command line") {
  CHECK(Check({}).code == kExitUsage);
  const Outcome unknown = Check({"--sandbox", "logs.al"}, "select 1 as one");
  CHECK(unknown.code == kExitUsage);
  CHECK(unknown.err.find("logs.all") != std::string::npos);
  CHECK(Check({"--sandbox", "logs.all", "--builtin"}).code == kExitUsage);
  CHECK(Check({"--format", "xml", "--builtin"}).code == kExitUsage);
  CHECK(Check({"--endpoints", "x", "--builtin"}).code == kExitUsage);
}

TEST_CASE("check prints endpoints as JSON, without fragments if there is no remote engine") {
  const Outcome checked = Check({"--builtin", "--format", "json"});
  CHECK(checked.code == kExitOk);
  CHECK(checked.out.find(R"({"endpoints":[{"name":"functions.invocation-stats","id":")") == 0);
  CHECK(checked.out.find("parts") == std::string::npos);
  CHECK(checked.err.empty());
}

TEST_CASE("check --functions prints the table of functions") {
  const Outcome table = Check({"--functions"});
  CHECK(table.code == kExitOk);
  CHECK(table.out.find("| `ABS(INT64) -> INT64`") != std::string::npos);
}

}  // namespace
}  // namespace logquery::shim
