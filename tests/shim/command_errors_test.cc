// Errors of the program for command lines as newcomers write them.
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "lib/base/strings.h"
#include "shim/cli/options/commands.h"
#include "tests/shim/command_run.h"
#include "tests/support/folders.h"

namespace logquery::shim {
namespace {

namespace fs = std::filesystem;

TEST_CASE("the command help and the option --help print help") {
  const Outcome all = RunCommand({"help"});
  CHECK(all.code == kExitOk);
  CHECK(all.out == RunCommand({"--help"}).out);
  CHECK(RunCommand({"help", "load"}).out == RunCommand({"load", "--help"}).out);
  CHECK(RunCommand({"help", "load"}).out.find("--timestamp-unit") != std::string::npos);
  CHECK(RunCommand({"help", "token", "create"}).out == RunCommand({"token", "create", "--help"}).out);
  // A usage line is what a shell takes.
  CHECK(RunCommand({"load", "--help"}).out.find("Usage: logquery load --data DIR [OPTION]… FILE…\n") !=
        std::string::npos);
  CHECK(RunCommand({"token", "create", "--help"}).out.find("Usage: logquery token create --tokens FILE [OPTION]…\n") !=
        std::string::npos);
  const Outcome unknown = RunCommand({"help", "laod"});
  CHECK(unknown.code == kExitUsage);
  CHECK(unknown.err.find("there is no command laod; did you mean load?") != std::string::npos);
  CHECK(RunCommand({"hlep"}).err.starts_with("logquery: there is no command hlep; did you mean help?"));
}

TEST_CASE("help lists each command that the page describes") {
  const std::string all = RunCommand({"help"}).out;
  std::ifstream page(testing::SourcePath("docs/command_line.md"));
  int commands = 0;
  for (std::string line; std::getline(page, line);) {
    if (line.substr(0, 3) != "## ") continue;
    const std::string name = line.substr(3);
    if (name.find(' ') != std::string::npos || RunCommand({"help", name}).code != kExitOk) continue;
    CAPTURE(name);
    CHECK(all.find("\n  " + name + " ") != std::string::npos);
    ++commands;
  }
  CHECK(commands > 18);
}

TEST_CASE("an unknown option is reported with a similar one, before missing arguments") {
  const Outcome misspelt = RunCommand({"load", "--dat", "data", "sample"});
  CHECK(misspelt.code == kExitUsage);
  CHECK(misspelt.err ==
        "logquery: load: there is no option --dat; did you mean --data?\n`logquery load --help` says what it takes.\n");
  CHECK(RunCommand({"load", "--source=x", "--nothing-like-it=5", "a"})
            .err.find("there is no option --nothing-like-it\n") != std::string::npos);
  CHECK(RunCommand({"load", "sample"}).err.find("--data is required") != std::string::npos);
}

TEST_CASE(
    "an unknown option in a command's place, and a value that an option does not have, are told with what is near") {
  CHECK(RunCommand({"--verison"}).err ==
        "logquery: there is no option --verison; did you mean --version?\n`logquery --help` lists the commands and "
        "options.\n");
  CHECK(RunCommand({"-x"}).err.starts_with("logquery: there is no option -x"));
  const Outcome early = RunCommand({"--timestamp-unit=s", "load"});
  CHECK(early.code == kExitUsage);
  CHECK(early.err.starts_with(
      "logquery: the option --timestamp-unit stands behind a command, as in `logquery load --timestamp-unit`\n"));
  CHECK(RunCommand({"version"}).err.starts_with("logquery: there is no command version; did you mean --version?"));
  CHECK(RunCommand({"--version"}).code == kExitOk);
  CHECK(RunCommand({"run", "--data", "d", "--format", "tabel", "logs.all"}).err ==
        "logquery: run: --format can't be tabel; it is one of json, ndjson, csv, json-rows, arrow, parquet, table; "
        "did you mean table?\n`logquery run --help` says what it takes.\n");
}

TEST_CASE("a missing file and a file that belongs to no log are reported") {
  const CommandFolder folder;
  const Outcome missing = RunCommand({"load", "--data", folder.path + "/data", folder.path + "/nothing.ndjson"});
  CHECK(missing.code == kExitFailed);
  CHECK(missing.err == base::StrCat("logquery: there is no such file: ", folder.path, "/nothing.ndjson\n"));

  fs::create_directory(folder.path + "/logs");
  std::ofstream(folder.path + "/logs/postgres_logs.ndjson") << "";
  std::ofstream(folder.path + "/logs/postgrs_logs.ndjson") << "";
  std::ofstream(folder.path + "/logs/README.txt") << "";
  const Outcome loaded = RunCommand({"load", "--data", folder.path + "/a/b/data", folder.path + "/logs"});
  INFO(loaded.err);
  CHECK(loaded.code == kExitOk);  // its parents are made
  CHECK(loaded.err == base::StrCat("  skipped, as it is of no log: ", folder.path, "/logs/postgrs_logs.ndjson\n",
                                   "  gave no row: ", folder.path, "/logs/postgres_logs.ndjson: it has no rows\n"));
}

TEST_CASE("stats has names whole when a program reads it") {
  const CommandFolder folder;
  std::ofstream(folder.path + "/function_edge_logs.ndjson") << "";
  REQUIRE(RunCommand({"load", "--data", folder.path + "/data", folder.path + "/function_edge_logs.ndjson"}).code ==
          kExitOk);
  CHECK(RunCommand({"stats", "--data", folder.path + "/data"}).out.find("function_edge_logs") != std::string::npos);
}

TEST_CASE("stats lists logs that have rows first") {
  const CommandFolder folder;
  folder.Write("postgrest_logs.ndjson", "{\"timestamp\":\"2026-03-04T05:06:07Z\"}\n");
  REQUIRE(folder.Run({"load", "--data", "{}/data", "{}/postgrest_logs.ndjson"}).code == kExitOk);
  const std::string out = folder.Run({"stats", "--data", "{}/data"}).out;
  INFO(out);
  CHECK(out.find("postgrest_logs") < out.find("edge_logs"));
}

TEST_CASE("run reports an unknown parameter with a similar name") {
  const CommandFolder folder;
  std::ofstream(folder.path + "/postgres_logs.ndjson") << "";
  REQUIRE(RunCommand({"load", "--data", folder.path + "/data", folder.path + "/postgres_logs.ndjson"}).code == kExitOk);
  const Outcome ran = RunCommand({"run", "--data", folder.path + "/data", "logs.all", "project=a", "project_teir=PRO"});
  CHECK(ran.code == kExitOk);
  CHECK(ran.err == "logquery: the endpoint has no parameter project_teir; ignored; did you mean project_tier?\n");
  const Outcome missing = RunCommand({"run", "--data", folder.path + "/data", "logs.all", "projct=a"});
  CHECK(missing.code == kExitFailed);
  CHECK(missing.out.find("did you mean project?") != std::string::npos);
}

TEST_CASE("errors of run are JSON only where JSON was asked for") {
  const CommandFolder folder;
  std::ofstream(folder.path + "/edge_logs.ndjson") << "";
  REQUIRE(RunCommand({"load", "--data", folder.path + "/data", folder.path + "/edge_logs.ndjson"}).code == kExitOk);
  struct Case {
    const char* format;  // empty: no --format
    bool on_terminal;
    bool is_json;
  };
  const Case cases[] = {{"", false, true},    {"", true, false},        {"json", false, true},
                        {"json", true, true}, {"ndjson", false, false}, {"csv", false, false},
                        {"csv", true, false}, {"table", false, false},  {"table", true, false}};
  for (const auto& [format, on_terminal, is_json] : cases) {
    CAPTURE(format, on_terminal);
    std::vector<std::string> arguments = {"run",      "--data",    folder.path + "/data",
                                          "logs.all", "project=a", "sql=select id,\n nme from edge_logs"};
    if (*format != '\0') arguments.insert(arguments.end(), {"--format", format});
    const Outcome failed = RunCommand(arguments, "", on_terminal);
    CHECK(failed.code == kExitFailed);
    if (is_json) {
      CHECK(failed.out.find(R"({"error":{"code":400)") == 0);
      CHECK(failed.err.empty());
    } else {
      CHECK(failed.out.empty());
      CHECK(failed.err == "logquery: unknown name nme at line 2, column 2\n nme from edge_logs\n ^\n");
    }
  }
}

TEST_CASE("SQL without quotes is reported as one argument too many, with the form that is right") {
  const Outcome parts = RunCommand({"query", "--data", "data", "select", "1"});
  CHECK(parts.code == kExitUsage);
  CHECK(parts.err ==
        "logquery: query: the SQL has to be one argument, and 1 is another one: put the whole SELECT in quotes, as in "
        "`logquery query --data data 'select count(*) as n from edge_logs'`\n`logquery query --help` says what it "
        "takes.\n");
  CHECK(RunCommand({"query", "select", "*", "from", "logs", "--data", "data"}).err.find("and * is another one") !=
        std::string::npos);
  // A misspelt option is still one.
  CHECK(RunCommand({"query", "--dta", "data", "select 1", "2"}).err.find("did you mean --data?") != std::string::npos);
  const CommandFolder folder;
  std::ofstream(folder.path + "/edge_logs.ndjson") << "";
  REQUIRE(RunCommand({"load", "--data", folder.path + "/data", folder.path + "/edge_logs.ndjson"}).code == kExitOk);
  const Outcome run = RunCommand({"run", "--data", folder.path + "/data", "logs.all", "project=a", "sql=select", "1"});
  CHECK(run.code == kExitUsage);
  CHECK(Has(run.err + run.out, "parameters are KEY=VALUE, not 1; SQL is one argument, in quotes: sql='select …'"));
}

TEST_CASE("a folder in place of a file is an error that names it") {
  const CommandFolder folder;
  const std::vector<std::vector<std::string>> commands = {
      {"translate", folder.path},
      {"check", "--sandbox", "logs.all", folder.path},
      {"schema", "--dialect", "postgres", "--schema", folder.path},
      {"schema", "--infer", folder.path},
      {"config", "check", folder.path},
      {"run", "--data", folder.path, "--backend", folder.path, "logs.all"},
  };
  for (const std::vector<std::string>& command : commands) {
    const Outcome outcome = RunCommand(command);
    CAPTURE(base::Join(command, " "), outcome.err);
    CHECK(outcome.code != kExitOk);
    CHECK(outcome.err.find(folder.path) != std::string::npos);
    CHECK(outcome.out.empty());
  }
}

}  // namespace
}  // namespace logquery::shim
