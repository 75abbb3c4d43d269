// Definitions in a folder that change while a deployment serves them.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/base/strings.h"
#include "lib/serving/deployment/definition_report.h"
#include "lib/serving/deployment/service_log.h"
#include "logquery/serving/deployment.h"
#include "tests/support/log_lines.h"

namespace logquery::serving {
namespace {

namespace fs = std::filesystem;

// A data folder without rows, and a folder with the definition own.a.
struct Folders {
  Folders() : path((fs::temp_directory_path() / base::StrCat("logquery-definitions-", getpid())).string()) {
    fs::remove_all(path);
    fs::create_directories(path + "/endpoints");
    Define("own.a", "SELECT 1 AS a", 1);
  }
  ~Folders() { fs::remove_all(path); }
  void Define(const std::string& name, const std::string& sql, int digit) const {
    std::ofstream(base::StrCat(path, "/endpoints/", name, ".sql"), std::ios::trunc) << sql;
    std::ofstream(base::StrCat(path, "/endpoints/", name, ".json"), std::ios::trunc)
        << R"({"id":"b0a9a6e8-6a0e-4a63-9f0b-6d4c4a1f8f0)" << digit << R"(","name":")" << name << R"("})";
  }
  absl::StatusOr<std::unique_ptr<Deployment>> Open(
      std::function<void(std::string_view, std::string_view)> log = nullptr) const {
    DeploymentOptions options;
    options.backend.folder = path + "/data";
    options.create_folder = true;
    options.endpoint_folder = path + "/endpoints";
    options.log = std::move(log);
    return Deployment::Open(std::move(options));
  }
  const std::string path;
};

TEST_CASE("a server applies changed definitions in its folder, and keeps the current ones if they are invalid") {
  const Folders folders;
  testing::LogLines lines;
  const absl::StatusOr<std::unique_ptr<Deployment>> deployment = folders.Open(lines.log());
  INFO(deployment.status().ToString());
  REQUIRE(deployment.ok());
  const auto body = [&deployment](const std::string& endpoint) {
    QueryRequest request;
    request.endpoint = endpoint;
    const auto answer = (*deployment)->service().Run(request);
    return answer.ok() ? answer->body : std::string(absl::StatusCodeToString(answer.status().code()));
  };
  CHECK(body("own.a") == R"({"result":[{"a":1}]})");

  folders.Define("own.b", "SELECT 2 AS b", 2);
  CHECK(lines.Await("definitions: ") == "info: definitions: added own.b; 6 endpoints");
  CHECK(body("own.b") == R"({"result":[{"b":2}]})");

  folders.Define("own.b", "SELECT FROM", 2);
  CHECK(lines.Await("stay as they were").find("error: the definitions can't be taken over") == 0);
  CHECK(body("own.b") == R"({"result":[{"b":2}]})");
  // Whoever asks for a reload is told, in its status.
  const auto refusals = [&lines] {
    const std::vector<std::string> all = lines.lines();
    return std::count_if(all.begin(), all.end(),
                         [](const std::string& line) { return line.find("stay as they were") != line.npos; });
  };
  const auto before = refusals();
  CHECK(absl::IsInvalidArgument((*deployment)->Reload()));
  CHECK(refusals() == before);

  folders.Define("own.b", "SELECT 3 AS c", 2);
  REQUIRE((*deployment)->Reload().ok());
  CHECK(body("own.b") == R"({"result":[{"c":3}]})");
  CHECK(lines.Await("changed own.b") == "info: definitions: changed own.b; 6 endpoints");
}

TEST_CASE("a server reports outdated definitions until they are current again, also by undoing the change") {
  const Folders folders;
  testing::LogLines lines;
  const absl::StatusOr<std::unique_ptr<Deployment>> deployment = folders.Open(lines.log());
  REQUIRE(deployment.ok());
  CHECK((*deployment)->definitions_state().ok());
  folders.Define("own.a", "SELECT FROM", 1);
  CHECK(lines.Await("stay as they were").find("error: ") == 0);
  CHECK(base::Message((*deployment)->definitions_state()).find("endpoint own.a: ") == 0);
  folders.Define("own.a", "SELECT 1 AS a", 1);
  CHECK(lines.Await("in order again") == "info: definitions: in order again, and as they were; 5 endpoints");
  CHECK((*deployment)->definitions_state().ok());
}

TEST_CASE("a server does not start with invalid definitions, and reports every error with its file") {
  const Folders folders;
  folders.Define("own.b", "SELECT FROM", 2);
  folders.Define("own.c", "SELECT 1 AS a FROM nowhere", 3);
  folders.Define("own.d", "SELECT 1 AS a", 4);
  std::ofstream(folders.path + "/endpoints/own.d.json") << "{\n  'id': 1}";
  const absl::StatusOr<std::unique_ptr<Deployment>> deployment = folders.Open();
  CHECK(absl::IsInvalidArgument(deployment.status()));
  const std::string message(base::Message(deployment.status()));
  INFO(message);
  const std::string folder = folders.path + "/endpoints";
  CHECK(message.find(base::StrCat("the definitions in ", folder, " have 3 errors\n")) == 0);
  for (const char* part :
       {"/own.b.sql:1:8: ", "/own.c.sql:1:20: ",
        "/own.d.json:2:3: not JSON: a member's name must be in double quotes\n    'id': 1}\n    ^"}) {
    CAPTURE(part);
    CHECK(message.find(part) != std::string::npos);
  }
}

TEST_CASE("a running server logs each error of changed definitions") {
  const Folders folders;
  testing::LogLines lines;
  const absl::StatusOr<std::unique_ptr<Deployment>> deployment = folders.Open(lines.log());
  REQUIRE(deployment.ok());
  folders.Define("own.a", "SELECT FROM", 1);
  folders.Define("own.b", "SELECT oops", 2);
  const std::string folder = folders.path + "/endpoints";
  CHECK(lines.Await("/own.a.sql:1:8: ").find(base::StrCat("error: ", folder)) == 0);
  CHECK(lines.Await("/own.b.sql:1:8: ") == base::StrCat("error: ", folder, "/own.b.sql:1:8: unknown name oops"));
}

TEST_CASE("a report of very many errors is cut, and says how many there are") {
  testing::LogLines lines;
  std::atomic<int> found{0};
  DefinitionReport report(
      [&found] {
        ++found;
        return std::vector<std::string>(kMaxReported + 5, "a.json:1:1: wrong");
      },
      [writer = lines.writer()](std::string_view, std::string_view line) { writer(line); });
  report.Ask();
  CHECK(lines.Await("more errors") == "the definitions have 5 more errors; `logquery check` lists all of them");
  CHECK(lines.lines().size() == kMaxReported + 1);
  CHECK(found == 1);
}

TEST_CASE("if the folder of definitions vanishes or is replaced by a file, the current ones stay") {
  const Folders folders;
  testing::LogLines lines;
  const absl::StatusOr<std::unique_ptr<Deployment>> deployment = folders.Open(lines.log());
  REQUIRE(deployment.ok());
  const std::string folder = folders.path + "/endpoints";
  const auto serves = [&deployment] {
    QueryRequest request;
    request.endpoint = "own.a";
    return (*deployment)->service().Run(request).ok();
  };
  fs::rename(folder, folders.path + "/away");
  CHECK(lines.Await("there is no such folder").find("error: the definitions can't be taken over; the endpoints stay") ==
        0);
  CHECK(serves());
  CHECK(absl::IsNotFound((*deployment)->definitions_state()));
  std::ofstream(folder) << "no folder";
  CHECK_FALSE(lines.Await("is a file; definitions are in a folder").empty());
  CHECK(serves());
  fs::remove(folder);
  fs::create_directory_symlink(folder, folder);
  CHECK_FALSE(lines.Await("symbolic link").empty());
  CHECK(serves());
  fs::remove(folder);
  fs::rename(folders.path + "/away", folder);
  CHECK(lines.Await("in order again") == "info: definitions: in order again, and as they were; 5 endpoints");
  CHECK((*deployment)->definitions_state().ok());
}

TEST_CASE("the log reports what became of changed definitions") {
  std::vector<std::string> lines;
  ServiceLog log(
      [&lines](std::string_view level, std::string_view line) { lines.push_back(base::StrCat(level, ": ", line)); });
  DefinitionsEvent event;
  event.endpoints = 4;
  log.OnDefinitions(event);
  CHECK(lines.empty());  // nothing is different
  event.added = {"a", "b"};
  event.removed = {"c"};
  log.OnDefinitions(event);
  event.status = absl::InvalidArgumentError("endpoint a: wrong");
  log.OnDefinitions(event);
  event.cause = DefinitionsEvent::Cause::kTables;
  log.OnDefinitions(event);
  event.cause = DefinitionsEvent::Cause::kAsked;
  log.OnDefinitions(event);
  CHECK(lines == std::vector<std::string>{
                     "info: definitions: added a, b; removed c; 4 endpoints",
                     "error: the definitions can't be taken over; the endpoints stay as they were: endpoint a: wrong",
                     "error: the endpoints can't be planned for the tables as they are now; the endpoints stay as they "
                     "were: endpoint a: wrong"});
}

TEST_CASE("the log has the message of a failed engine") {
  std::vector<std::string> lines;
  ServiceLog log(
      [&lines](std::string_view level, std::string_view line) { lines.push_back(base::StrCat(level, ": ", line)); });
  EngineFailureEvent event;
  event.origin.endpoint = "logs.all";
  event.query_id = 7;
  event.status = absl::InternalError("PostgreSQL: division by zero (SQLSTATE 22012)");
  log.OnEngineFailure(event);
  CHECK(lines ==
        std::vector<std::string>{"warning: query 7 of logs.all runs again with bare scans in the engine, which "
                                 "failed: PostgreSQL: division by zero (SQLSTATE 22012)"});
}

}  // namespace
}  // namespace logquery::serving
