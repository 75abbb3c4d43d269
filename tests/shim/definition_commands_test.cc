// The commands for who writes definitions: new, check of a folder, diff.
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lib/base/strings.h"
#include "shim/cli/options/commands.h"
#include "tests/shim/command_run.h"

namespace logquery::shim {
namespace {

namespace fs = std::filesystem;

struct Folder : CommandFolder {
  void Define(const std::string& stem, const std::string& sql, const std::string& more = "") const {
    Write(stem + ".json", base::StrCat(R"({"id":"b0a9a6e8-6a0e-4a63-9f0b-6d4c4a1f8f01","name":")",
                                       fs::path(stem).filename().string(), "\"", more, "}"));
    Write(stem + ".sql", sql);
  }
};

TEST_CASE("new writes a definition that passes check and runs") {
  const Folder folder;
  const Outcome written = folder.Run({"new", "requests.by-status", "--dir", "{}/mine"});
  INFO(written.err);
  REQUIRE(written.code == kExitOk);
  CHECK(written.out == base::StrCat(folder.path, "/mine/requests.by-status.json\n", folder.path,
                                    "/mine/requests.by-status.sql\n", folder.path,
                                    "/mine/requests.by-status.cases.json\n"));
  const Outcome checked = folder.Run({"check", "{}/mine"});
  CHECK(checked.code == kExitOk);
  CHECK(checked.err.empty());
  CHECK(checked.out.find("project STRING (required); period STRING (default 1day, one of 1day, 7days); "
                         "statuses ARRAY<INT64>;") != std::string::npos);
  CHECK(checked.out.find("columns: status_code INT64; requests INT64; newest TIMESTAMP;") != std::string::npos);
  CHECK(checked.out.find("5 endpoints (4 built in), all in order\n") != std::string::npos);
  const Outcome tested = folder.Run({"test", "{}/mine"});
  INFO(tested.out << tested.err);
  CHECK(tested.code == kExitOk);
  CHECK(tested.out.find("3 cases, 0 failed\n") != std::string::npos);

  folder.Write(
      "cloudflare.logs.prod.ndjson",
      R"({"id":"a","timestamp":"2026-01-15T11:00:00Z","project":"one","metadata":{"response":{"status_code":500}}})"
      "\n"
      R"({"id":"b","timestamp":"2026-01-15T11:00:00Z","project":"one","metadata":{"response":{"status_code":200}}})"
      "\n");
  REQUIRE(folder.Run({"load", "--data", "{}/data", "{}/cloudflare.logs.prod.ndjson"}).code == kExitOk);
  const auto run = [&folder](const std::string& statuses) {
    return folder.Run({"run", "--data", "{}/data", "--endpoints", "{}/mine", "--now", "2026-01-15T12:00:00Z",
                       "--format", "csv", "requests.by-status", "project=one", "statuses=" + statuses});
  };
  CHECK(run("").out == "status_code,requests,newest\r\n200,1,1768474800000000\r\n500,1,1768474800000000\r\n");
  CHECK(run("500,404").out == "status_code,requests,newest\r\n500,1,1768474800000000\r\n");
  CHECK(run("[200]").out == "status_code,requests,newest\r\n200,1,1768474800000000\r\n");
}

TEST_CASE("each kind of new passes check and test, and its rows are loaded and answered") {
  struct Kind {
    const char* name;
    const char* rows;  // the file of the sample
    bool has_schema;
    std::vector<std::string> parameters;
    const char* answer;
  };
  const Kind kinds[] = {
      {"endpoint", nullptr, false, {}, nullptr},
      {"sandbox",
       "edge_logs.ndjson",
       false,
       {"project=one", "sql=select path from requests order by path"},
       "path\r\n/cart\r\n/pay\r\n"},
      {"own-log", "app_logs.ndjson", true, {}, "path,failed,newest\r\n/pay,2,1768476000000000\r\n"},
      {"nginx",
       "nginx_access.ndjson",
       true,
       {"project=shop.example"},
       "path,requests,failed,longest_seconds,bytes\r\n/cart,1,0,0.012,512\r\n/pay,1,1,2.001,157\r\n"},
      {"cloudflare",
       "cloudflare_http.ndjson",
       true,
       {},
       "host,path,requests,failed,cached,bytes\r\nshop.example,/cart,1,0,1,512\r\nshop.example,/pay,1,1,0,157\r\n"},
  };
  CHECK(NewKinds().size() == std::size(kinds));
  for (const Kind& kind : kinds) {
    CAPTURE(kind.name);
    const Folder folder;
    const Outcome written = folder.Run({"new", "web.paths", "--kind", kind.name, "--dir", "{}/mine"});
    INFO(written.err);
    REQUIRE(written.code == kExitOk);
    CHECK(fs::exists(folder.path + "/mine/schema.json") == kind.has_schema);
    const Outcome checked = folder.Run({"check", "{}/mine"});
    INFO(checked.err);
    CHECK(checked.code == kExitOk);
    CHECK(checked.err.empty());
    const Outcome tested = folder.Run({"test", "{}/mine"});
    INFO(tested.out << tested.err);
    CHECK(tested.code == kExitOk);
    CHECK(tested.out.find(", 0 failed\n") != std::string::npos);
    std::ifstream sql(folder.path + "/mine/web.paths.sql");
    const std::string text(std::istreambuf_iterator<char>(sql), {});
    CHECK(text.find("-- web.paths: ") == 0);
    CHECK(text.find('@' + std::string("NAME@")) == std::string::npos);
    if (kind.rows == nullptr) continue;
    std::vector<std::string> load = {"load", "--data", "{}/data", base::StrCat("{}/mine/", kind.rows)};
    if (kind.has_schema) load.insert(load.end() - 1, {"--schema", "{}/mine/schema.json"});
    const Outcome loaded = folder.Run(load);
    INFO(loaded.err);
    REQUIRE(loaded.code == kExitOk);
    std::vector<std::string> run = {
        "run",      "--data", "{}/data",  "--endpoints", "{}/mine", "--now", "2026-01-15T12:00:00Z",
        "--format", "csv",    "web.paths"};
    run.insert(run.end(), kind.parameters.begin(), kind.parameters.end());
    const Outcome ran = folder.Run(run);
    INFO(ran.err);
    CHECK(ran.out == kind.answer);
    const std::string log = std::string(kind.rows).substr(0, std::string_view(kind.rows).find('.'));
    CHECK(folder.Run({"query", "--data", "{}/data", "select count(*) as n from " + log}).code == kExitOk);

    // A second definition of the folder leaves what is there as it is.
    const Outcome again = folder.Run({"new", "other", "--kind", kind.name, "--dir", "{}/mine"});
    CHECK(again.code == kExitFailed);
    CHECK(again.err.find("is there already; it stays") != std::string::npos);
    CHECK_FALSE(fs::exists(folder.path + "/mine/other.json"));
  }
  CHECK(Folder().Run({"new", "own", "--kind", "apache", "--dir", "{}"}).code == kExitUsage);
}

// The words of a command, as a shell splits it; no word has escapes outside of quotes but \'.
std::vector<std::string> WordsOf(const std::string& command) {
  std::vector<std::string> words = {""};
  bool quoted = false;
  for (size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (c == '\'') {
      quoted = !quoted;
    } else if (c == '\\' && !quoted) {
      words.back() += command[++i];
    } else if (c == ' ' && !quoted) {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

TEST_CASE("new prints the commands that come next, which run as they are") {
  for (const std::string& kind : NewKinds()) {
    CAPTURE(kind);
    const Folder folder;
    const Outcome written = folder.Run({"new", "web.paths", "--kind", kind, "--dir", "{}/it's mine", "--json"});
    REQUIRE(written.code == kExitOk);
    CHECK(written.err.empty());
    const auto next = nlohmann::json::parse(written.out).at("next").get<std::vector<std::string>>();
    CHECK(next.size() == (kind == "endpoint" ? 2U : kind == "sandbox" ? 4U : 5U));
    for (const std::string& command : next) {
      std::vector<std::string> words = WordsOf(command);
      CAPTURE(command);
      REQUIRE(words[0] == "logquery");
      words.erase(words.begin());
      std::replace(words.begin(), words.end(), std::string("data"), std::string("{}/data"));
      const Outcome ran = folder.Run(words);
      INFO(ran.out << ran.err);
      CHECK(ran.code == kExitOk);
      CHECK_FALSE(ran.out.empty());
    }
  }
  const Folder folder;
  const Outcome printed = folder.Run({"new", "web.paths", "--kind", "own-log", "--dir", "{}/mine"});
  CHECK(printed.err.starts_with(base::StrCat("next:\n  logquery check ", folder.path, "/mine\n  logquery test ")));
  CHECK(printed.err.find("\n  logquery load --data data --schema ") != std::string::npos);
  CHECK(printed.err.ends_with("`logquery schema --infer FILE` prints what schema.json has to be\n"));
  CHECK(folder.Run({"new", "quiet", "--dir", "{}/mine", "--quiet"}).err.empty());
}

TEST_CASE("new rejects invalid names and does not overwrite files") {
  const Folder folder;
  for (const std::string name : {"", "a/b", "../a", ".a", "-a", "a b", "\x1b[2J"}) {
    CAPTURE(name);
    const Outcome refused = folder.Run({"new", "--dir", "{}", "--", name});
    CHECK(refused.code == kExitUsage);
  }
  folder.Write("own.sql", "SELECT 1");
  const Outcome there = folder.Run({"new", "own", "--dir", "{}"});
  CHECK(there.code == kExitFailed);
  CHECK(there.err == base::StrCat("logquery: ", folder.path, "/own.sql is there already; it stays\n"));
  CHECK_FALSE(fs::exists(folder.path + "/own.json"));
}

TEST_CASE("check prints each finding with its place, its line and a caret") {
  const Folder folder;
  folder.Define("own", "SELECT\n  idd AS x",
                ",\n\"max_row\": 5, \"parameters\": [{\"name\": \"a\", \"type\": \"STRING\"}]");
  folder.Define("other", "SELECT 1 AS one", R"(,"id":"x")");
  const Outcome refused = folder.Run({"check", "{}"});
  CHECK(refused.code == kExitFailed);
  CHECK(refused.out.empty());
  CHECK(refused.err.find(base::StrCat(folder.path, "/own.json:2:1: max_row is not a field; known are ")) !=
        std::string::npos);
  CHECK(refused.err.find("did you mean max_rows?\n  \"max_row\": 5, ") != std::string::npos);
  CHECK(refused.err.find(base::StrCat(folder.path, "/other.json:1:1: the JSON has the key \"id\" twice\n")) !=
        std::string::npos);
  CHECK(refused.err.find("logquery: 2 errors\n") != std::string::npos);
  // For programs, the same as a list.
  const Outcome listed = folder.Run({"check", "{}", "--format", "json"});
  CHECK(listed.code == kExitFailed);
  CHECK(listed.err.empty());
  const auto findings = nlohmann::json::parse(listed.out)["findings"];
  REQUIRE(findings.size() == 2);
  CHECK(findings[1]["file"] == folder.path + "/own.json");
  CHECK(findings[1]["line"] == 2);
  CHECK(findings[1]["column"] == 1);
  CHECK(findings[1]["kind"] == "error");
  CHECK(findings[1]["message"].get<std::string>().find("max_row is not a field") == 0);
  CHECK(findings[1].contains("snippet"));

  fs::remove(folder.path + "/other.json");
  fs::remove(folder.path + "/other.sql");
  folder.Define("own", "SELECT 1 AS one", ",\n\"parameters\": [{\"name\": \"a\", \"type\": \"STRING\"}]");
  const Outcome warned = folder.Run({"check", "{}", "--no-builtin"});
  CHECK(warned.code == kExitOk);
  CHECK(warned.err == base::StrCat(folder.path,
                                   "/own.json:2:17: warning: the query does not use @a\n  \"parameters\": [{\"name\": "
                                   "\"a\", \"type\": \"STRING\"}]}\n                  ^\n"));
  CHECK(warned.out.find("1 endpoint, all in order, 1 warning\n") != std::string::npos);
}

TEST_CASE("check describes the values of each parameter") {
  const Folder folder;
  folder.Define("own", "SELECT @hours AS h, @kind AS k",
                R"(,"parameters": [{"name": "hours", "type": "INT64", "default": 24, "minimum": 1, "maximum": 168},
                                   {"name": "kind", "type": "ENUM", "allowed": ["a", "b"], "required": true}])");
  const Outcome checked = folder.Run({"check", "{}"});
  INFO(checked.err);
  CHECK(checked.out.find("hours INT64 (default 24, from 1, to 168); kind STRING (required, one of a, b);") !=
        std::string::npos);
  const Outcome translated = folder.Run({"translate", "--endpoints", "{}", "--endpoint", "own"});
  INFO(translated.err);
  CHECK(translated.code == kExitOk);
  CHECK(translated.out.find(": hours INT64\n") != std::string::npos);
}

TEST_CASE("check reports the errors of a folder") {
  const Folder folder;
  const Outcome absent = folder.Run({"check", "{}/nothing"});
  CHECK(absent.code == kExitFailed);
  CHECK(absent.err ==
        base::StrCat("logquery: can't read the folder ", folder.path, "/nothing: there is no such folder\n"));
  CHECK(folder.Run({"check", "{}"}).err ==
        base::StrCat("logquery: there is no definition (NAME.json) in ", folder.path, "\n"));
  CHECK(folder.Run({"check", "{}", "--no-builtin", "--builtin"}).code == kExitUsage);
}

TEST_CASE("a folder's definition replaces the built-in one of its name, and may stand alone") {
  const Folder folder;
  folder.Write("mine/logs.all.json", R"({"name":"logs.all"})");
  folder.Write("mine/logs.all.sql", "SELECT 'mine' AS whose");
  folder.Write("postgres.logs.ndjson", "");
  REQUIRE(folder.Run({"load", "--data", "{}/data", "{}/postgres.logs.ndjson"}).code == kExitOk);
  const Outcome checked = folder.Run({"check", "{}/mine"});
  CHECK(checked.code == kExitOk);
  CHECK(checked.err.find("note: replaces the built-in logs.all, and has its id") != std::string::npos);
  const auto run = [&folder](std::vector<std::string> more) {
    std::vector<std::string> arguments = {"run", "--data", "{}/data", "--endpoints", "{}/mine"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return folder.Run(arguments);
  };
  CHECK(run({"logs.all"}).out == R"({"result":[{"whose":"mine"}]})");
  CHECK(run({"4d1a5a4e-5c1b-4d56-8f58-0c2c6b7e9a01"}).out == R"({"result":[{"whose":"mine"}]})");
  CHECK(run({"usage.api-counts", "project=a", "interval=daily"}).code == kExitOk);
  const Outcome alone = run({"--no-builtin", "usage.api-counts", "project=a", "interval=daily"});
  CHECK(alone.code == kExitFailed);
  CHECK(alone.out.find("there is no endpoint") != std::string::npos);
  CHECK(run({"--default-tier", "PRP", "logs.all"}).err.find("did you mean PRO?") != std::string::npos);
}

TEST_CASE("diff lists what callers notice, and fails if calls may break") {
  const Folder folder;
  folder.Define("old/own", "SELECT 1 AS a, 2 AS b");
  folder.Define("new/own", "SELECT 1 AS a", R"(,"max_rows":5000)");
  const Outcome changed = folder.Run({"diff", "{}/old", "{}/new"});
  CHECK(changed.code == kExitFindings);
  CHECK(changed.out ==
        "! own: column b is gone\n  own: max_rows is 5000, no longer 1000\n"
        "  own: its query has another text: rows may differ\n");
  CHECK(folder.Run({"diff", "{}/new", "{}/old"}).out.find("  own: column b is new") == 0);
  const Outcome same = folder.Run({"diff", "{}/old", "{}/old"});
  CHECK(same.code == kExitOk);
  CHECK(same.out == "callers notice no difference\n");
  CHECK(folder.Run({"diff", "--format", "json", "{}/old", "{}/old"}).out == "{\"changes\":[]}\n");
  folder.Write("new/own.sql", "SELECT FROM");
  const Outcome broken = folder.Run({"diff", "{}/old", "{}/new"});
  CHECK(broken.code == kExitFailed);
  CHECK(broken.err.find("lists all that is wrong") != std::string::npos);
}

}  // namespace
}  // namespace logquery::shim
