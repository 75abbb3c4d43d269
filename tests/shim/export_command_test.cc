// `logquery export` from its command line: what each option does, and what bad values of them say.
#include <stdlib.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "lib/base/strings.h"
#include "shim/cli/options/commands.h"
#include "tests/shim/command_run.h"

namespace logquery::shim {
namespace {

namespace fs = std::filesystem;

// A data folder of two logs on two days each.
struct Folder : CommandFolder {
  Folder() {
    for (const char* const log : {"edge_logs", "postgres_logs"}) {
      std::string rows;
      for (const char* const day : {"14", "15", "15"}) {
        base::StrAppend(&rows, R"({"timestamp":"2026-01-)", day, R"(T08:00:00Z","event_message":"x","project":"p"})",
                        "\n");
      }
      Write(base::StrCat(log, ".ndjson"), rows);
    }
    REQUIRE(Run({"load", "--data", "{}/data", "{}/edge_logs.ndjson", "{}/postgres_logs.ndjson"}).code == kExitOk);
  }
};

TEST_CASE("export writes and reports a folder's logs and days, each once") {
  const Folder folder;
  const Outcome exported = folder.Run({"export", "--data", "{}/data", "--out", "{}/out"});
  INFO(exported.err);
  CHECK(exported.code == kExitOk);
  CHECK(Has(exported.err, "edge_logs/2026-01-14.parquet: 1 row\nedge_logs/2026-01-15.parquet: 2 rows\n"));
  CHECK(Has(exported.out, "6 rows, "));
  CHECK(Has(exported.out, base::StrCat(" in 4 files exported to ", folder.path, "/out; 0 were there already\n")));
  CHECK(fs::exists(folder.path + "/out/postgres_logs/2026-01-15.parquet"));
  CHECK(Has(folder.Run({"export", "--data", "{}/data", "--out", "{}/out"}).out,
            base::StrCat("0 rows, 0 B in 0 files exported to ", folder.path, "/out; 4 were there already\n")));
}

TEST_CASE("each option of export has an effect") {
  const Folder folder;
  const Outcome some =
      folder.Run({"export", "--data", "{}/data", "--out", "{}/some", "--logs", "edge_logs,postgres.logs", "--from",
                  "2026-01-15", "--to", "2026-01-15", "--database", "mine", "--memory-limit-mb", "64"});
  INFO(some.err);
  CHECK(some.code == kExitOk);
  CHECK(Has(some.out, "4 rows, "));
  CHECK_FALSE(Has(some.err, "2026-01-14"));
  CHECK(Has(folder.Read("some/load_clickhouse.sql"), "INSERT INTO `mine`.`edge_logs` "));
  CHECK(Has(folder.Read("some/load_postgres.sql"), "\"mine\".\"postgres_logs\""));
  const Outcome one = folder.Run({"export", "--data", "{}/data", "--out", "{}/one", "--logs", "edge_logs"});
  CHECK(Has(one.out, "3 rows, "));
  CHECK_FALSE(fs::exists(folder.path + "/one/postgres_logs"));
}

TEST_CASE("export reports invalid options") {
  const Folder folder;
  const auto fails = [&](std::vector<std::string> more, int code, std::string_view message) {
    std::vector<std::string> arguments = {"export", "--data", "{}/data", "--out", "{}/out"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = folder.Run(arguments);
    INFO(outcome.err);
    CHECK(outcome.code == code);
    CHECK(Has(outcome.err, message));
    CHECK_FALSE(fs::exists(folder.path + "/out/manifest.json"));
  };
  fails({"--logs", "edge_log"}, kExitUsage, "there is no log edge_log; did you mean edge_logs");
  fails({"--from", "2026-1-15"}, kExitUsage, "--from wants a day such as 2026-01-15, is 2026-1-15");
  fails({"--to", "2026-02-30"}, kExitUsage, "--to wants a day such as 2026-01-15, is 2026-02-30");
  fails({"--from", "2026-01-15", "--to", "2026-01-14"}, kExitUsage, "the first day is after the last");
  fails({"--memory-limit-mb", "1"}, kExitUsage, "--memory-limit-mb");
  CHECK(folder.Run({"export", "--data", "{}/data"}).code == kExitUsage);
  CHECK(Has(folder.Run({"export", "--data", "{}/none", "--out", "{}/out"}).err, "there is no folder "));
}

}  // namespace
}  // namespace logquery::shim
