#include "lib/tools/definition_check.h"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "lib/base/strings.h"

namespace logquery::endpoint {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

struct Folder {
  Folder() : path((fs::temp_directory_path() / base::StrCat("logquery-definition-check-", getpid())).string()) {
    fs::remove_all(path);
    fs::create_directory(path);
  }
  ~Folder() {
    chmod(path.c_str(), 0700);
    fs::remove_all(path);
  }
  void Write(const std::string& file, const std::string& text) const {
    std::ofstream(path + "/" + file, std::ios::trunc) << text;
  }
  // `more` begins with a comma.
  void Define(const std::string& name, const std::string& sql, int digits, const std::string& more = "") const {
    std::string id = std::to_string(digits);
    id.insert(0, 12 - id.size(), '0');
    Write(name + ".json",
          base::StrCat(R"({"id":"b0a9a6e8-6a0e-4a63-9f0b-)", id, R"(","name":")", name, "\"", more, "}"));
    Write(name + ".sql", sql);
  }
  absl::StatusOr<DefinitionCheck> Check(const std::vector<Endpoint>& built_in = Endpoint::BuiltIn()) const {
    return CheckDefinitionFolder(path, built_in, Catalog::DeclaredLogs());
  }
  // "e own.json:3:3 max_rows must be …", without the folder.
  Lines Findings() const {
    const auto check = Check();
    INFO(check.status().ToString());
    REQUIRE(check.ok());
    Lines lines;
    for (const Finding& finding : check->findings) {
      const std::string file = fs::path(finding.file).filename().string();
      std::string message = finding.message;
      for (size_t at = message.find(path + "/"); at != message.npos; at = message.find(path + "/")) {
        message.erase(at, path.size() + 1);
      }
      lines.push_back(base::StrCat(std::string(1, "ewn"[static_cast<int>(finding.kind)]), " ", file, ":", finding.line,
                                   ":", finding.column, " ", message));
    }
    const bool has_error = std::any_of(lines.begin(), lines.end(), [](const auto& line) { return line[0] == 'e'; });
    CHECK((check->endpoints == nullptr) == has_error);
    return lines;
  }
  const std::string path;
};

TEST_CASE("every problem of every file is reported with its position and a valid form") {
  const Folder folder;
  folder.Write("a.json", R"({
  "id": "b0a9a6e8-6a0e-4a63-9f0b-000000000001",
  "name": "a",
  "max_rowz": 10,
  "caching": "off",
  "parameters": [
    {"name": "project", "type": "STRNG"},
    {"name": "day", "type": "DATE", "default": "someday"}
  ]
})");
  folder.Write("a.sql", "SELECT 1 AS one\nFORM x");
  folder.Define("b", "SELECT @projct AS p,\n  @other AS o", 2, R"(,"parameters":[{"name":"project","type":"STRING"}])");
  folder.Define("c", "SELECT t.idd FROM `postgres.logs` AS t", 3);
  folder.Define("d", "SELECT 1 AS one", 4, R"(,"private_ctes":["dates"])");
  CHECK(folder.Findings() ==
        Lines{"e a.json:4:3 max_rowz is not a field; known are id, name, aliases, description, language, max_rows, "
              "caching, cache_warming, "
              "query_sandboxing, redact_pii, redact_email, redact_patterns, limits, private_ctes, parameters, labels, "
              "revision; "
              "did you mean max_rows?",
              "e a.json:5:3 caching must be \"disabled\" or a number of seconds, is \"off\"",
              "e a.json:7:25 parameters[0].type must be STRING, INT64 (or INTEGER), FLOAT64 (or FLOAT), BOOL (or "
              "BOOLEAN), DATE, TIMESTAMP, ENUM, PATTERN or "
              "ARRAY<one of these>, is \"STRNG\"; did you mean STRING?",
              "e a.json:8:37 parameters[1].default is wrong: parameter day must be a date such as 2026-01-31; is "
              "\"someday\"",
              "e a.sql:2:1 Syntax error: expected the end of the query but found identifier FORM; did you mean FROM?",
              "w b.json:1:72 the query does not use @project",
              "e b.sql:1:8 parameter @projct is not declared in \"parameters\" of b.json; did you mean project?",
              "e b.sql:2:3 parameter @other is not declared in \"parameters\" of b.json",
              "e c.sql:1:10 t has no column idd; did you mean id?",
              "e d.json:1:57 private_ctes names dates, which the query's WITH does not define"});
}

TEST_CASE("a finding shows the line and the position in it") {
  const Folder folder;
  folder.Define("a", "SELECT 1 AS one", 1, ",\n\"max_rows\": 0");
  const auto check = folder.Check();
  REQUIRE(check.ok());
  REQUIRE(check->findings.size() == 1);
  CHECK(check->findings[0].file == folder.path + "/a.json");
  CHECK(check->findings[0].snippet == "\"max_rows\": 0}\n^");
  CHECK(check->own.empty());
}

TEST_CASE("definitions that are in order are planned together with the built-in ones") {
  const Folder folder;
  folder.Define("a", "SELECT 1 AS one", 1);
  const auto check = folder.Check();
  REQUIRE(check.ok());
  CHECK(check->findings.empty());
  CHECK(check->own == Lines{"a"});
  REQUIRE(check->endpoints != nullptr);
  CHECK(check->endpoints->All().size() == Endpoint::BuiltIn().size() + 1);
  CHECK(folder.Check({})->endpoints->All().size() == 1);
}

TEST_CASE("a valid but suspicious definition is a warning") {
  const Folder folder;
  folder.Define("a", "WITH x AS (SELECT 1 AS one) SELECT one FROM x", 1,
                R"(,"query_sandboxing":true,"private_ctes":["X"],"caching":60,"cache_warming":60,"parameters":[
{"name":"tier","type":"STRING"},
{"name":"floor","computed":{"by":"retention","from":"tier"}}])");
  folder.Define("b", "SELECT @floor AS floor", 2,
                R"(,"query_sandboxing":true,"parameters":[
{"name":"tier","type":"STRING"},
{"name":"floor","computed":{"by":"retention","from":"tier"}}])");
  folder.Write("c.json", R"({"id": "b0a9a6e8-6a0e-4a63-9f0b-000000000003", "name": "see"})");
  folder.Write("c.sql", "SELECT 1 AS one");
  CHECK(
      folder.Findings() ==
      Lines{"w a.json:1:57 callers' SQL can read nothing: private_ctes names every entry of the query's WITH",
            "w a.json:1:115 answers are too old after 60 seconds, before warming makes them anew; choose fewer seconds "
            "than that",
            "w a.json:2:2 the query does not use @tier", "w a.json:3:2 the query does not use @floor",
            "w b.json:1:57 callers' SQL can read nothing: the query has no WITH",
            "w c.json:1:48 the file's name is \"c\", the definition's \"see\"; callers use the definition's"});
}

TEST_CASE("a definition with a built-in's name replaces it, which is reported") {
  const Folder folder;
  folder.Write("logs.all.json", R"({"name": "logs.all"})");
  folder.Write("logs.all.sql", "SELECT 1 AS one");
  folder.Define("usage.api-counts", "SELECT 2 AS two", 2);
  CHECK(folder.Findings() ==
        Lines{"n logs.all.json:1:2 replaces the built-in logs.all, and has its id",
              "n usage.api-counts.json:1:46 replaces the built-in usage.api-counts; calls by the built-in's id "
              "e2f6c1d8-7b35-4c9e-8d21-5a0e4b9d3f03 find nothing"});
  const auto check = folder.Check();
  CHECK(check->endpoints->All().size() == Endpoint::BuiltIn().size());
  CHECK(check->endpoints->Find("4d1a5a4e-5c1b-4d56-8f58-0c2c6b7e9a01")->definition().query == "SELECT 1 AS one");
}

TEST_CASE("names and ids are taken once") {
  const Folder folder;
  folder.Define("a", "SELECT 1 AS one", 1);
  folder.Define("b", "SELECT 1 AS one", 1);
  folder.Write("c.json", R"({"id": "b0a9a6e8-6a0e-4a63-9f0b-000000000003", "name": "a"})");
  folder.Write("c.sql", "SELECT 1 AS one");
  folder.Write("d.json", R"({"id": "4D1A5A4E-5c1b-4d56-8f58-0c2c6b7e9a01", "name": "d"})");
  folder.Write("d.sql", "SELECT 1 AS one");
  folder.Write("e.json", R"({"id": "b0a9a6e8-6a0e-4a63-9f0b-000000000005",
"name": "b0a9a6e8-6a0e-4a63-9f0b-000000000001"})");
  folder.Write("e.sql", "SELECT 1 AS one");
  CHECK(folder.Findings() ==
        Lines{"e b.json:1:2 id b0a9a6e8-6a0e-4a63-9f0b-000000000001 is taken: a.json has it too",
              "e c.json:1:48 name \"a\" is taken: a.json has it too",
              "w c.json:1:48 the file's name is \"c\", the definition's \"a\"; callers use the definition's",
              "e d.json:1:2 id 4D1A5A4E-5c1b-4d56-8f58-0c2c6b7e9a01 is taken: the built-in logs.all has it too",
              "e e.json:2:1 name has the form of an id; choose another"});
}

TEST_CASE("incomplete definitions, invalid files and unreadable folders are reported") {
  const Folder folder;
  CHECK(absl::IsNotFound(folder.Check().status()));
  folder.Define("a", "SELECT 1 AS one", 1);
  folder.Write("b.sql", "SELECT 1 AS one");
  folder.Write("c.json", "{}");
  folder.Write("d.json", R"({"id": "b0a9a6e8-6a0e-)");
  folder.Write("d.sql", "");
  folder.Write("e.json", "{\"name\": 1,\n \"name\": 2}");
  folder.Write("e.sql", "SELECT '");
  const Lines findings = folder.Findings();
  REQUIRE(findings.size() == 6);
  CHECK(findings[0] == "e b.sql:1:1 b.sql has no b.json beside it");
  CHECK(findings[1] == "e c.json:1:1 c.json has no c.sql beside it");
  CHECK(findings[2] == "e d.json:1:8 not JSON: the closing quote of this text is missing");
  CHECK(findings[3] == "e d.sql:1:1 query is empty: there is no SQL");
  CHECK(findings[4] == "e e.json:1:1 the JSON has the key \"name\" twice");
  CHECK(findings[5] == "e e.sql:1:8 Syntax error: a string is not closed");

  if (geteuid() == 0) return;  // whom no mode keeps out
  REQUIRE(chmod(folder.path.c_str(), 0) == 0);
  CHECK(absl::IsPermissionDenied(folder.Check().status()));
}

void CheckMany(int count, int wrong) {
  const Folder folder;
  for (int i = 1; i <= count; ++i) {
    folder.Define(base::StrCat("n", i), i == wrong ? "SELECT oops" : "SELECT 1 AS one", i);
  }
  CHECK(folder.Findings() == Lines{base::StrCat("e n", wrong, ".sql:1:8 unknown name oops")});
}

TEST_CASE("five hundred definitions are checked, one of them wrong") { CheckMany(500, 77); }

// Most of its time goes into making the files.
TEST_CASE("ten thousand definitions are checked, one of them wrong", "[nightly]") { CheckMany(10'000, 7'777); }

TEST_CASE("definitions that read each other are checked together, and a cycle is reported once") {
  const Folder folder;
  folder.Define("inner", "select id from `cloudflare.logs.prod`", 1);
  folder.Define("outer", "select id from `inner`", 2);
  CHECK(folder.Findings().empty());
  folder.Define("a", "select id\nfrom `b`", 3);
  folder.Define("b", "select id from `c`", 4);
  folder.Define("c", "select id from\n  `a`", 5);
  CHECK(folder.Findings() == Lines{"e c.sql:2:3 the endpoint reads its own rows: a → b → c → a"});
  folder.Define("c", "select nothing from `inner`", 5);
  CHECK(folder.Findings().size() == 1);  // told where it is, and not for those that read it
  CHECK(folder.Findings()[0].starts_with("e c.sql:1:8 "));
  folder.Define("c", "select id from `inner`", 5, R"(,"max_rows":0)");
  CHECK(folder.Findings().size() == 1);
  CHECK(folder.Findings()[0].starts_with("e c.json:"));
}

}  // namespace
}  // namespace logquery::endpoint
