// The program as it is when it is built without any engine: what needs none works, everything else says why it does not.
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "lib/base/strings.h"
#include "tests/support/folders.h"

namespace logquery::shim {
namespace {

namespace fs = std::filesystem;

struct Outcome {
  int code;
  std::string text;
};

// Both streams of `logquery ARGUMENTS`.
Outcome NoEngine(const std::string& arguments) {
  const std::string command = base::StrCat(testing::BuildPath("bin/logquery_no_engine"), " ", arguments, " 2>&1");
  FILE* const pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  Outcome outcome;
  std::array<char, 4'096> buffer;
  for (size_t count; (count = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    outcome.text.append(buffer.data(), count);
  }
  const int status = pclose(pipe);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

struct Folder {
  Folder() : path((fs::temp_directory_path() / base::StrCat("logquery-no-engine-", getpid())).string()) {
    fs::remove_all(path);
    fs::create_directories(path + "/data");
  }
  ~Folder() { fs::remove_all(path); }
  const std::string path;
};

TEST_CASE("without an engine, queries are translated and checked, samples written and tokens made") {
  const Folder folder;
  CHECK(NoEngine("translate --endpoint usage.api-counts").code == 0);
  CHECK(NoEngine("translate --dialect googlesql --endpoint usage.api-counts").code == 0);
  CHECK(NoEngine("check --builtin").text.find("3 endpoints, all in order") != std::string::npos);
  CHECK(NoEngine("check --functions").code == 0);
  CHECK(NoEngine(base::StrCat("sample --rows 100 ", folder.path, "/sample")).code == 0);
  CHECK(NoEngine(base::StrCat("token create --all-projects --tokens ", folder.path, "/tokens.json")).code == 0);
}

TEST_CASE("without an engine, commands that need one say that the program has none") {
  const Folder folder;
  const std::string data = folder.path + "/data";
  const std::string file = folder.path + "/backend.json";
  std::ofstream(file) << R"({"engine": "duckdb", "folder": "data"})";
  constexpr std::string_view kNone = "this logquery is built without the engine duckdb";
  const std::string rows = folder.path + "/postgres.logs.ndjson";
  std::ofstream(rows) << "{}\n";
  for (const std::string& arguments :
       {base::StrCat("run --data ", data, " logs.all"), base::StrCat("run --backend ", file, " logs.all"),
        base::StrCat("serve --data ", data, " --tokens t"),
        base::StrCat("serve --no-supervise --backend ", file, " --tokens t"),
        base::StrCat("translate --backend ", file, " --endpoint logs.all"),
        base::StrCat("check --builtin --backend ", file), base::StrCat("load --data ", data, " ", rows),
        base::StrCat("stats --data ", data), base::StrCat("doctor --data ", data),
        base::StrCat("backup --data ", data, " ", folder.path, "/backup"), base::StrCat("cluster --data ", data),
        base::StrCat("export --data ", data, " --out ", folder.path, "/export"),
        base::StrCat("erase --project a --data ", data),
        base::StrCat("restore ", data, " --data ", folder.path, "/again")}) {
    CAPTURE(arguments);
    const Outcome outcome = NoEngine(arguments);
    CHECK(outcome.code == 1);
    CAPTURE(outcome.text);
    CHECK(outcome.text.find(kNone) != std::string::npos);
  }
  CHECK(NoEngine(base::StrCat("run --backend ", file, " logs.all")).text.find(" at line 1, column 2: ") !=
        std::string::npos);
  CHECK_FALSE(fs::exists(folder.path + "/backup"));
  CHECK_FALSE(fs::exists(folder.path + "/again"));
}

}  // namespace
}  // namespace logquery::shim
