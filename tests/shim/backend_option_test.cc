#include "shim/cli/serve/backend_option.h"

#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "lib/base/strings.h"
#include "tests/shim/command_run.h"

namespace logquery::shim {
namespace {

namespace fs = std::filesystem;

// A folder with a data folder "data" of a few rows, and a backend file "backend.json".
struct BackendFolder {
  explicit BackendFolder(const std::string& text = R"({"engine": "duckdb", "folder": "data"})")
      : path((fs::temp_directory_path() / base::StrCat("logquery-backend-option-", getpid())).string()),
        file(path + "/backend.json") {
    fs::remove_all(path);
    fs::create_directory(path);
    Write(text);
  }
  ~BackendFolder() { fs::remove_all(path); }

  void Write(const std::string& text) const { std::ofstream(file, std::ios::trunc) << text; }
  absl::Status Read() const {
    ServiceArguments arguments;
    arguments.backend = file;
    return ReadBackend(arguments);
  }
  std::string Error() const {
    const absl::Status status = Read();
    return std::string(base::Message(status));
  }

  const std::string path;
  const std::string file;
};

TEST_CASE("a backend file takes the place of --data, for run, check and translate alike") {
  const BackendFolder at;
  std::ofstream(at.path + "/postgres.logs.ndjson")
      << R"({"id":"1","timestamp":1772600767000000,"event_message":"x","project":"abc","metadata":[{"learned":7}]})"
      << "\n";
  const std::string data = at.path + "/data";
  REQUIRE(RunCommand({"load", "--data", data, at.path + "/postgres.logs.ndjson"}).code == kExitOk);

  const std::string count = "sql=select count(*) as n from postgres_logs";
  const std::vector<std::string> call = {"logs.all", "project=abc", "iso_timestamp_start=2026-03-01T00:00:00Z",
                                         "iso_timestamp_end=2026-03-31T00:00:00Z", count};
  std::vector<std::string> by_file = {"run", "--now", "2026-03-05T00:00:00Z", "--backend", at.file};
  std::vector<std::string> by_folder = {"run", "--now", "2026-03-05T00:00:00Z", "--data", data};
  by_file.insert(by_file.end(), call.begin(), call.end());
  by_folder.insert(by_folder.end(), call.begin(), call.end());
  const Outcome ran = RunCommand(by_file);
  INFO(ran.out << ran.err);
  CHECK(ran.code == kExitOk);
  CHECK(ran.out == RunCommand(by_folder).out);
  CHECK(ran.out == R"({"result":[{"n":1}]})");

  // Only the folder knows this field.
  const std::string sql = "select m.learned from postgres_logs t cross join unnest(t.metadata) as m";
  CHECK(RunCommand({"check", "--sandbox", "logs.all"}, sql).code == kExitFailed);
  const Outcome checked = RunCommand({"check", "--sandbox", "logs.all", "--backend", at.file}, sql);
  INFO(checked.out << checked.err);
  CHECK(checked.code == kExitOk);
  CHECK(checked.out.find("learned INT64") != std::string::npos);
  CHECK(RunCommand({"check", "--builtin", "--backend", at.file}).code == kExitOk);
  CHECK(RunCommand({"translate", "--endpoint", "logs.all", "-"}, sql).code == kExitFailed);
  CHECK(RunCommand({"translate", "--endpoint", "logs.all", "--backend", at.file, "-"}, sql).code == kExitOk);
}

TEST_CASE("the option --backend of a file that can't be read names the option") {
  const BackendFolder at;
  fs::remove(at.file);
  fs::create_directory(at.file);
  CHECK(at.Error() == base::StrCat("--backend ", at.file, ": it is not a file"));
}

TEST_CASE("the options beside --data describe the engine, and a file is read once") {
  ServiceArguments arguments;
  arguments.data = "folder";
  arguments.memory_limit_mb = 100;
  arguments.engine_threads = 3;
  REQUIRE(ReadBackend(arguments).ok());
  CHECK(arguments.engine->engine == "duckdb");
  CHECK(arguments.engine->folder == "folder");
  CHECK(arguments.engine->memory_limit_bytes == 100'000'000);
  CHECK(arguments.engine->threads == 3);

  const BackendFolder at;
  arguments = {};
  arguments.backend = at.file;
  REQUIRE(ReadBackend(arguments).ok());
  CHECK(arguments.data == at.path + "/data");
  fs::remove(at.file);
  CHECK(ReadBackend(arguments).ok());
  CHECK(arguments.engine->folder == at.path + "/data");
}

TEST_CASE("the option --backend and those that it takes the place of exclude each other") {
  const BackendFolder at;
  const Outcome both = RunCommand({"run", "--data", "d", "--backend", at.file, "logs.all"});
  CHECK(both.code == kExitUsage);
  CHECK(both.err.find("exclude each other: the file says which folder") != std::string::npos);
  const Outcome none = RunCommand({"run", "logs.all"});
  CHECK(none.code == kExitUsage);
  CHECK(none.err.find("--data DIR names a data folder, --backend FILE an engine") != std::string::npos);
  CHECK(RunCommand({"serve", "--tokens", "t"}).err == none.err);
  CHECK(RunCommand({"run", "--backend", at.file, "--memory-limit", "100", "logs.all"}).code == kExitUsage);
  CHECK(RunCommand({"serve", "--tokens", "t", "--backend", at.file, "--engine-threads", "1"}).code == kExitUsage);
  CHECK(RunCommand({"translate", "--backend", at.file, "--dialect", "duckdb", "-"}).code == kExitUsage);
}

TEST_CASE("translate --dialect needs no engine") {
  const Outcome googlesql = RunCommand({"translate", "--dialect", "googlesql", "--endpoint", "usage.api-counts"});
  CHECK(googlesql.code == kExitOk);
  const Outcome duckdb = RunCommand({"translate", "--dialect", "duckdb", "--endpoint", "usage.api-counts"});
  CHECK(duckdb.out == RunCommand({"translate", "--endpoint", "usage.api-counts"}).out);
  CHECK(duckdb.out != googlesql.out);
  CHECK(RunCommand({"translate", "--dialect", "oracle", "-"}).code == kExitUsage);
}

}  // namespace
}  // namespace logquery::shim
