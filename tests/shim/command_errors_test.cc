// What the program says to command lines as newcomers write them.
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "lib/base/strings.h"
#include "shim/cli/options/command_line.h"
#include "shim/cli/options/commands.h"
#include "tests/support/folders.h"

namespace logquery::shim {
namespace {

namespace fs = std::filesystem;

struct Outcome {
  int code;
  std::string out;
  std::string err;
};

Outcome Run(const std::vector<std::string>& arguments) {
  std::istringstream in;
  std::ostringstream out, err;
  std::vector<const char*> argv = {"logquery"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  const int code = RunCommandLine(static_cast<int>(argv.size()), argv.data(), {in, out, err});
  return {code, out.str(), err.str()};
}

struct Folder {
  Folder() : path((fs::temp_directory_path() / base::StrCat("logquery-command-errors-", getpid())).string()) {
    fs::remove_all(path);
    fs::create_directory(path);
  }
  ~Folder() { fs::remove_all(path); }
  const std::string path;
};

TEST_CASE("the command help and the option --help print help") {
  const Outcome all = Run({"help"});
  CHECK(all.code == kExitOk);
  CHECK(all.out == Run({"--help"}).out);
  CHECK(Run({"help", "load"}).out == Run({"load", "--help"}).out);
  CHECK(Run({"help", "load"}).out.find("--timestamp-unit") != std::string::npos);
  CHECK(Run({"help", "token", "create"}).out == Run({"token", "create", "--help"}).out);
  // A usage line is what a shell takes.
  CHECK(Run({"load", "--help"}).out.find("Usage: logquery load --data DIR [OPTION]… FILE…\n") != std::string::npos);
  CHECK(Run({"token", "create", "--help"}).out.find("Usage: logquery token create --tokens FILE [OPTION]…\n") !=
        std::string::npos);
  const Outcome unknown = Run({"help", "laod"});
  CHECK(unknown.code == kExitUsage);
  CHECK(unknown.err.find("there is no command laod; did you mean load?") != std::string::npos);
}

TEST_CASE("help lists each command that the page describes") {
  const std::string all = Run({"help"}).out;
  std::ifstream page(testing::SourcePath("docs/command_line.md"));
  int commands = 0;
  for (std::string line; std::getline(page, line);) {
    if (line.substr(0, 3) != "## ") continue;
    const std::string name = line.substr(3);
    if (name.find(' ') != std::string::npos || Run({"help", name}).code != kExitOk) continue;
    CAPTURE(name);
    CHECK(all.find("\n  " + name + " ") != std::string::npos);
    ++commands;
  }
  CHECK(commands > 18);
}

TEST_CASE("an unknown option is reported with a similar one, before missing arguments") {
  const Outcome misspelt = Run({"load", "--dat", "data", "sample"});
  CHECK(misspelt.code == kExitUsage);
  CHECK(misspelt.err ==
        "logquery: load: there is no option --dat; did you mean --data?\n`logquery load --help` says what it takes.\n");
  CHECK(Run({"load", "--source=x", "--nothing-like-it=5", "a"}).err.find("there is no option --nothing-like-it\n") !=
        std::string::npos);
  CHECK(Run({"load", "sample"}).err.find("--data is required") != std::string::npos);
}

TEST_CASE(
    "an unknown option in a command's place, and a value that an option does not have, are told with what is near") {
  CHECK(Run({"--verison"}).err ==
        "logquery: there is no option --verison; did you mean --version?\n`logquery --help` lists the commands and "
        "options.\n");
  CHECK(Run({"-x"}).err.starts_with("logquery: there is no option -x"));
  const Outcome early = Run({"--timestamp-unit=s", "load"});
  CHECK(early.code == kExitUsage);
  CHECK(early.err.starts_with(
      "logquery: the option --timestamp-unit stands behind a command, as in `logquery load --timestamp-unit`\n"));
  CHECK(Run({"version"}).err.starts_with("logquery: there is no command version; did you mean --version?"));
  CHECK(Run({"--version"}).code == kExitOk);
  CHECK(Run({"run", "--data", "d", "--format", "tabel", "logs.all"}).err ==
        "logquery: run: --format can't be tabel; it is one of json, ndjson, csv, json-rows, arrow, parquet, table; "
        "did you mean table?\n`logquery run --help` says what it takes.\n");
}

TEST_CASE("a missing file and a file that belongs to no log are reported") {
  const Folder folder;
  const Outcome missing = Run({"load", "--data", folder.path + "/data", folder.path + "/nothing.ndjson"});
  CHECK(missing.code == kExitFailed);
  CHECK(missing.err == base::StrCat("logquery: there is no such file: ", folder.path, "/nothing.ndjson\n"));

  fs::create_directory(folder.path + "/logs");
  std::ofstream(folder.path + "/logs/postgres_logs.ndjson") << "";
  std::ofstream(folder.path + "/logs/postgrs_logs.ndjson") << "";
  std::ofstream(folder.path + "/logs/README.txt") << "";
  const Outcome loaded = Run({"load", "--data", folder.path + "/a/b/data", folder.path + "/logs"});
  INFO(loaded.err);
  CHECK(loaded.code == kExitOk);  // its parents are made
  CHECK(loaded.err == base::StrCat("  skipped, as it is of no log: ", folder.path, "/logs/postgrs_logs.ndjson\n"));
}

TEST_CASE("stats has names whole when a program reads it") {
  const Folder folder;
  std::ofstream(folder.path + "/function_edge_logs.ndjson") << "";
  REQUIRE(Run({"load", "--data", folder.path + "/data", folder.path + "/function_edge_logs.ndjson"}).code == kExitOk);
  CHECK(Run({"stats", "--data", folder.path + "/data"}).out.find("function_edge_logs") != std::string::npos);
}

TEST_CASE("run reports an unknown parameter with a similar name") {
  const Folder folder;
  std::ofstream(folder.path + "/postgres_logs.ndjson") << "";
  REQUIRE(Run({"load", "--data", folder.path + "/data", folder.path + "/postgres_logs.ndjson"}).code == kExitOk);
  const Outcome ran = Run({"run", "--data", folder.path + "/data", "logs.all", "project=a", "project_teir=PRO"});
  CHECK(ran.code == kExitOk);
  CHECK(ran.err == "logquery: the endpoint has no parameter project_teir; ignored; did you mean project_tier?\n");
  const Outcome missing = Run({"run", "--data", folder.path + "/data", "logs.all", "projct=a"});
  CHECK(missing.code == kExitFailed);
  CHECK(missing.out.find("did you mean project?") != std::string::npos);
}

TEST_CASE("run tells an error for people where the answer would be a table or CSV") {
  const Folder folder;
  std::ofstream(folder.path + "/edge_logs.ndjson") << "";
  REQUIRE(Run({"load", "--data", folder.path + "/data", folder.path + "/edge_logs.ndjson"}).code == kExitOk);
  for (const char* format : {"table", "csv"}) {
    CAPTURE(format);
    const Outcome failed = Run({"run", "--data", folder.path + "/data", "--format", format, "logs.all", "project=a",
                                "sql=select id,\n nme from edge_logs"});
    CHECK(failed.code == kExitFailed);
    CHECK(failed.out.empty());
    CHECK(failed.err == "logquery: unknown name nme at line 2, column 2\n nme from edge_logs\n ^\n");
  }
}

TEST_CASE("a folder in place of a file is an error that names it") {
  const Folder folder;
  const std::vector<std::vector<std::string>> commands = {
      {"translate", folder.path},
      {"check", "--sandbox", "logs.all", folder.path},
      {"schema", "--dialect", "postgres", "--schema", folder.path},
      {"schema", "--infer", folder.path},
      {"config", "check", folder.path},
      {"run", "--data", folder.path, "--backend", folder.path, "logs.all"},
  };
  for (const std::vector<std::string>& command : commands) {
    const Outcome outcome = Run(command);
    CAPTURE(base::Join(command, " "), outcome.err);
    CHECK(outcome.code != kExitOk);
    CHECK(outcome.err.find(folder.path) != std::string::npos);
    CHECK(outcome.out.empty());
  }
}

}  // namespace
}  // namespace logquery::shim
