#include "shim/cli/serve/backend_option.h"

#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "lib/base/strings.h"
#include "shim/cli/options/command_line.h"

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

struct Outcome {
  int code;
  std::string out;
  std::string err;
};

Outcome Command(const std::vector<std::string>& arguments, const std::string& input = "") {
  std::istringstream in(input);
  std::ostringstream out, err;
  std::vector<const char*> argv = {"logquery"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  const int code = RunCommandLine(static_cast<int>(argv.size()), argv.data(), {in, out, err});
  return {code, out.str(), err.str()};
}

TEST_CASE("a backend file takes the place of --data, for run, check and translate alike") {
  const BackendFolder at;
  std::ofstream(at.path + "/postgres.logs.ndjson")
      << R"({"id":"1","timestamp":1772600767000000,"event_message":"x","project":"abc","metadata":[{"learned":7}]})"
      << "\n";
  const std::string data = at.path + "/data";
  REQUIRE(Command({"load", "--data", data, at.path + "/postgres.logs.ndjson"}).code == kExitOk);

  const std::string count = "sql=select count(*) as n from postgres_logs";
  const std::vector<std::string> call = {"logs.all", "project=abc", "iso_timestamp_start=2026-03-01T00:00:00Z",
                                         "iso_timestamp_end=2026-03-31T00:00:00Z", count};
  std::vector<std::string> by_file = {"run", "--now", "2026-03-05T00:00:00Z", "--backend", at.file};
  std::vector<std::string> by_folder = {"run", "--now", "2026-03-05T00:00:00Z", "--data", data};
  by_file.insert(by_file.end(), call.begin(), call.end());
  by_folder.insert(by_folder.end(), call.begin(), call.end());
  const Outcome ran = Command(by_file);
  INFO(ran.out << ran.err);
  CHECK(ran.code == kExitOk);
  CHECK(ran.out == Command(by_folder).out);
  CHECK(ran.out == R"({"result":[{"n":1}]})");

  // Only the folder knows this field.
  const std::string sql = "select m.learned from postgres_logs t cross join unnest(t.metadata) as m";
  CHECK(Command({"check", "--sandbox", "logs.all"}, sql).code == kExitFailed);
  const Outcome checked = Command({"check", "--sandbox", "logs.all", "--backend", at.file}, sql);
  INFO(checked.out << checked.err);
  CHECK(checked.code == kExitOk);
  CHECK(checked.out.find("learned INT64") != std::string::npos);
  CHECK(Command({"check", "--builtin", "--backend", at.file}).code == kExitOk);
  CHECK(Command({"translate", "--endpoint", "logs.all", "-"}, sql).code == kExitFailed);
  CHECK(Command({"translate", "--endpoint", "logs.all", "--backend", at.file, "-"}, sql).code == kExitOk);
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
  const Outcome both = Command({"run", "--data", "d", "--backend", at.file, "logs.all"});
  CHECK(both.code == kExitUsage);
  CHECK(both.err.find("exclude each other: the file says which folder") != std::string::npos);
  const Outcome none = Command({"run", "logs.all"});
  CHECK(none.code == kExitUsage);
  CHECK(none.err.find("--data DIR names a data folder, --backend FILE an engine") != std::string::npos);
  CHECK(Command({"serve", "--tokens", "t"}).err == none.err);
  CHECK(Command({"run", "--backend", at.file, "--memory-limit", "100", "logs.all"}).code == kExitUsage);
  CHECK(Command({"serve", "--tokens", "t", "--backend", at.file, "--engine-threads", "1"}).code == kExitUsage);
  CHECK(Command({"translate", "--backend", at.file, "--dialect", "duckdb", "-"}).code == kExitUsage);
}

TEST_CASE("translate --dialect needs no engine") {
  const Outcome googlesql = Command({"translate", "--dialect", "googlesql", "--endpoint", "usage.api-counts"});
  CHECK(googlesql.code == kExitOk);
  const Outcome duckdb = Command({"translate", "--dialect", "duckdb", "--endpoint", "usage.api-counts"});
  CHECK(duckdb.out == Command({"translate", "--endpoint", "usage.api-counts"}).out);
  CHECK(duckdb.out != googlesql.out);
  CHECK(Command({"translate", "--dialect", "oracle", "-"}).code == kExitUsage);
}

}  // namespace
}  // namespace logquery::shim
