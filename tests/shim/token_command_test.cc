#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "shim/cli/options/commands.h"
#include "tests/shim/command_run.h"

namespace logquery::shim {
namespace {

namespace fs = std::filesystem;

// A folder with a file of tokens.
struct Tokens : CommandFolder {
  Outcome Run(const std::string& command, std::vector<std::string> more = {}, const std::string& given = "") const {
    more.insert(more.begin(), {"token", command, "--tokens", path + "/tokens.json"});
    return RunCommand(more, given);
  }
  Outcome Create(std::vector<std::string> more) const {
    more.insert(more.begin(), "--all-projects");
    return Run("create", more);
  }

  const fs::path folder{path};
};

TEST_CASE("a token that is created is listed with its label and endpoints") {
  const Tokens tokens;
  const Outcome made = tokens.Create({"--label", "the dashboard", "--endpoint", "logs.all"});
  CHECK(made.code == kExitOk);
  CHECK(made.out.starts_with("lq_"));
  CHECK(tokens.Run("list").out.find("  the dashboard  logs.all  all projects  created ") != std::string::npos);
}

TEST_CASE("a token for an endpoint that does not exist is refused, with the near names") {
  const Tokens tokens;
  const Outcome mistyped = tokens.Create({"--endpoint", "logs.al"});
  CHECK(mistyped.code == kExitUsage);
  CHECK(mistyped.err ==
        "logquery: there is no endpoint \"logs.al\"; did you mean logs.all or logs.all.otel? Definitions of your own "
        "are read with "
        "--endpoints DIR, as by serve.\n");
  CHECK(mistyped.out.empty());
  const Outcome other = tokens.Create({"--endpoint", "logs.all", "--endpoint", "my.own\x1B[2J"});
  CHECK(other.code == kExitUsage);
  CHECK(other.err.find("usage.api-counts") != std::string::npos);
  CHECK(other.err.find('\x1B') == std::string::npos);
  CHECK_FALSE(fs::exists(tokens.folder / "tokens.json"));
  CHECK(tokens.Create({"--endpoint", "LOGS.ALL"}).code == kExitUsage);  // names are exact
}

TEST_CASE("custom endpoints are known with their folder, by name or id") {
  const Tokens tokens;
  const fs::path own = tokens.folder / "own";
  fs::create_directory(own);
  std::ofstream(own / "mine.json")
      << R"({"id":"3f6e8a70-2b1c-4d5e-8f90-a1b2c3d4e5f6","name":"my.own","parameters":[]})";
  std::ofstream(own / "mine.sql") << "select id from edge_logs";
  CHECK(tokens.Create({"--endpoint", "my.own"}).code == kExitUsage);
  const std::string folder = own.string();
  const Outcome by_name = tokens.Create({"--endpoints", folder, "--endpoint", "my.own", "--endpoint", "logs.all"});
  CAPTURE(by_name.err);
  CHECK(by_name.code == kExitOk);
  CHECK(tokens.Create({"--endpoints", folder, "--endpoint", "3F6E8A70-2B1C-4D5E-8F90-A1B2C3D4E5F6"}).code == kExitOk);
  const Outcome near = tokens.Create({"--endpoints", folder, "--endpoint", "my.on"});
  CHECK(near.err == "logquery: there is no endpoint \"my.on\"; did you mean my.own?\n");
  CHECK(tokens.Create({"--endpoints", folder + "-not", "--endpoint", "my.own"}).code == kExitFailed);
}

TEST_CASE("a token may be limited to writing a custom log of a schema or of a folder of definitions") {
  const Tokens tokens;
  const fs::path own = tokens.folder / "own";
  fs::create_directory(own);
  const std::string schema = (own / "schema.json").string();
  std::ofstream(schema) << R"({"app.logs": {"log": "app_logs", "time": "at", "columns": {"at": "TIMESTAMP"}}})";
  const Outcome unknown = tokens.Create({"--may-ingest", "app_logs"});
  CHECK(unknown.code == kExitUsage);
  CHECK(unknown.err.find("--schema FILE or --endpoints DIR") != std::string::npos);
  const Outcome by_folder = tokens.Create({"--endpoints", own.string(), "--may-ingest", "app_logs"});
  CAPTURE(by_folder.err);
  CHECK(by_folder.code == kExitOk);
  CHECK(tokens.Create({"--schema", schema, "--may-ingest", "app_logs,edge_logs"}).code == kExitOk);
  CHECK(tokens.Create({"--schema", schema, "--may-ingest", "app_log"}).err ==
        "logquery: there is no log \"app_log\"; did you mean app_logs or app.logs?\n");
  CHECK(tokens.Run("list").out.find("may write app_logs,edge_logs") != std::string::npos);
}

TEST_CASE("a token may read metrics alone, or save queries") {
  const Tokens tokens;
  const Outcome scraper = tokens.Run("create", {"--no-endpoints", "--may-read-metrics", "--label", "scraper"});
  CAPTURE(scraper.err);
  CHECK(scraper.code == kExitOk);
  CHECK(tokens.Run("create", {"--project", "abc", "--may-save", "--label", "author"}).code == kExitOk);
  const std::string list = tokens.Run("list").out;
  CAPTURE(list);
  CHECK(list.find("  scraper  no endpoint  all projects  may read metrics  created ") != std::string::npos);
  CHECK(list.find("  author  all endpoints  project abc  may save queries  created ") != std::string::npos);
  // The rights are kept in the file, and by a new token in place of the old one.
  const std::string id = list.substr(0, 12);
  CHECK(tokens.Run("rotate", {id, "--grace-hours", "0"}).code == kExitOk);
  CHECK(tokens.Run("list").out.find("  scraper  no endpoint  all projects  may read metrics  ") != std::string::npos);
  // Without endpoints there is nothing to save a query for, and a token that may do more names its project.
  CHECK(tokens.Run("create", {"--no-endpoints", "--may-save", "--may-read-metrics"}).code == kExitUsage);
  CHECK(tokens.Run("create", {"--may-read-metrics"}).err.find("--project REF or --all-projects") != std::string::npos);
}

TEST_CASE("a label with control characters is refused") {
  const Tokens tokens;
  for (const char* label : {"a\x1B[31mred", "two\nlines", "tab\there", "\x7F", "\u009B2J", "left\u202Eright", "\xFF"}) {
    CAPTURE(label);
    const Outcome refused = tokens.Create({"--label", label});
    CHECK(refused.code == kExitUsage);
    CHECK(refused.err.find("the label \"") != std::string::npos);
    for (const char c : {'\x1B', '\t', '\x7F', '\xFF'}) CHECK(refused.err.find(c) == std::string::npos);
  }
  CHECK_FALSE(fs::exists(tokens.folder / "tokens.json"));
  CHECK(tokens.Create({"--label", "J\u00FCrgen's \u4E2D\u6587 board (2)"}).code == kExitOk);
}

TEST_CASE("a fixed parameter is one of the endpoints that the token may call") {
  const Tokens tokens;
  const Outcome misspelt = tokens.Create({"--endpoint", "usage.api-counts", "--fix", "intervall=daily"});
  CHECK(misspelt.code == kExitUsage);
  CHECK(misspelt.err.find("--fix intervall: no endpoint of the token has this parameter; did you mean interval?") !=
        std::string::npos);
  CHECK(tokens.Create({"--endpoint", "usage.api-counts", "--fix", "window_start=2026-01-01"}).code == kExitUsage);
  CHECK_FALSE(fs::exists(tokens.folder / "tokens.json"));
  CHECK(tokens.Create({"--endpoint", "logs.all", "--endpoint", "usage.api-counts", "--fix", "interval=daily"}).code ==
        kExitOk);
  const Outcome refused = tokens.Create({"--endpoint", "usage.api-counts", "--fix", "interval=weekly"});
  CHECK(refused.code == kExitUsage);
  CHECK(refused.err.find("--fix: parameter interval must be one of ") != std::string::npos);
  // A token of all endpoints also has parameters of those that come later.
  CHECK(tokens.Create({"--fix", "later=1"}).code == kExitOk);
}

TEST_CASE("control characters in an older token file do not reach the terminal") {
  const Tokens tokens;
  REQUIRE(tokens.Create({"--label", "LABEL", "--fix", "interval=FIXED"}).code == kExitOk);
  const fs::path file = tokens.folder / "tokens.json";
  std::stringstream read;
  read << std::ifstream(file).rdbuf();
  std::string text = read.str();
  text.replace(text.find("LABEL"), 5, "a\\u001b[2J\\nb\\u202ec");
  text.replace(text.find("FIXED"), 5, "\\u001b]0;x\\u0007");
  std::ofstream(file) << text;
  const Outcome list = tokens.Run("list");
  CAPTURE(list.out);
  CHECK(list.code == kExitOk);
  CHECK(list.out.find("  a\u241B[2J\u240Ab\uFFFDc  ") != std::string::npos);
  CHECK(list.out.find('\n') == list.out.size() - 1);
  for (const char c : {'\x1B', '\x07'}) CHECK(list.out.find(c) == std::string::npos);
}

constexpr char kGiven[] = "f2b1c9d07a5e4836a1f0c5a7e9d3b4628c0d";

TEST_CASE("a secret that is imported comes from standard input, a file or a variable, with any of the rights") {
  const Tokens tokens;
  const std::string file = (tokens.folder / "secret").string();
  std::ofstream(file) << "07d9e3b4628c0df2b1c9a5e4836a1f0c5a7e\n";
  setenv("LOGQUERY_TEST_SECRET", "a5e4836a1f0c5a7e07d9e3b4628c0df2b1c9", 1);
  const Outcome piped = tokens.Run(
      "import", {"--project", "abc", "--may-ingest", "edge_logs", "--no-endpoints", "--ingest-rows-per-second", "5"},
      std::string(kGiven) + "\n");
  CAPTURE(piped.err);
  CHECK(piped.code == kExitOk);
  CHECK(piped.out.starts_with("imported "));
  CHECK(tokens.Run("import", {"--all-projects", "--secret-file", file, "--endpoint", "logs.all"}).code == kExitOk);
  CHECK(tokens.Run("import", {"--all-projects", "--secret-env", "LOGQUERY_TEST_SECRET", "--redact-pii"}).code ==
        kExitOk);
  const std::string list = tokens.Run("list").out;
  CAPTURE(list);
  CHECK(list.find("  no endpoint  project abc  may write edge_logs  5 rows in a second  ") != std::string::npos);
  CHECK(list.find("  logs.all  all projects  created ") != std::string::npos);
  CHECK(list.find("  all endpoints  all projects  redacted  ") != std::string::npos);
  std::stringstream kept;
  kept << std::ifstream(tokens.folder / "tokens.json").rdbuf();
  for (const char* secret : {kGiven, "07d9e3b4628c0df2b1c9a5e4836a1f0c5a7e", "a5e4836a1f0c5a7e07d9e3b4628c0df2b1c9"}) {
    CHECK(kept.str().find(secret) == std::string::npos);
  }
}

TEST_CASE("importing a secret again is reported, adds nothing, and keeps its rights") {
  const Tokens tokens;
  const Outcome first = tokens.Run("import", {"--all-projects"}, kGiven);
  REQUIRE(first.code == kExitOk);
  const Outcome again = tokens.Run("import", {"--project", "abc"}, kGiven);
  CHECK(again.code == kExitOk);
  CHECK(again.out.empty());
  CHECK(again.err.find("has this token already, as " + first.out.substr(9, 12)) != std::string::npos);
  CHECK(again.err.find("its rights stay as they are") != std::string::npos);
  const std::string list = tokens.Run("list").out;
  CHECK(list.find('\n') == list.size() - 1);
  CHECK(list.find("all projects") != std::string::npos);
}

TEST_CASE("a secret that is weak, published, missing or longer than one line is not imported") {
  const Tokens tokens;
  const auto refused = [&](const std::string& given, std::vector<std::string> more = {}) {
    more.emplace_back("--all-projects");
    const Outcome outcome = tokens.Run("import", more, given);
    CHECK(outcome.code != kExitOk);
    return outcome.err;
  };
  for (const std::string& secret : {std::string("your-super-secret-and-long-logflare-key"),
                                    std::string("your-super-secret-and-long-logflare-key-public"), std::string(),
                                    std::string(kGiven) + "\n" + kGiven}) {
    CAPTURE(secret);
    CHECK(refused(secret).find("openssl rand -hex 32") != std::string::npos);
  }
  CHECK(refused("", {"--secret-env", "LOGQUERY_TEST_NO_SUCH"}).find("LOGQUERY_TEST_NO_SUCH is not set") !=
        std::string::npos);
  CHECK(refused("", {"--secret-file", (tokens.folder / "none").string()}).find("No such file") != std::string::npos);
  CHECK(refused("", {"--secret-file", "a", "--secret-env", "B"}).find("--secret-file") != std::string::npos);
  CHECK(refused(kGiven, {"--no-endpoints"}).find("say --may-ingest too") != std::string::npos);
  CHECK(refused(kGiven, {"--no-endpoints", "--may-ingest", "--endpoint", "logs.all"}).find("--endpoint") !=
        std::string::npos);
  // The secret is no argument.
  CHECK(refused("", {kGiven}).find("imported") == std::string::npos);
  CHECK_FALSE(fs::exists(tokens.folder / "tokens.json"));
}

}  // namespace
}  // namespace logquery::shim
