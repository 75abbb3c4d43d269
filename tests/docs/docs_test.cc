// Runs the commands that the documentation shows: whoever copies them gets what the page says.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "lib/base/strings.h"
#include "nlohmann/json.hpp"
#include "shim/http/listener.h"

namespace logquery {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPages[] = {"README.md",           "docs/getting_started.md", "docs/http.md",
                                       "docs/loading.md",     "docs/command_line.md",    "docs/redaction.md",
                                       "docs/sql_support.md", "docs/definitions.md",     "docs/console.md",
                                       "docs/ingest.md",      "docs/index.md",           "docs/clients.md"};

std::string ReadPage(const fs::path& page) {
  std::ifstream file(fs::path(LOGQUERY_SOURCE_DIR) / page, std::ios::binary);
  REQUIRE(file);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// The ```sh blocks of a page, one after another.
std::string CommandsOf(const std::string& page) {
  constexpr std::string_view kBegin = "\n```sh\n";
  std::string commands;
  for (size_t at = page.find(kBegin); at != std::string::npos; at = page.find(kBegin, at)) {
    at += kBegin.size();
    const size_t end = page.find("\n```", at);
    commands += page.substr(at, end - at) + "\n";
  }
  return commands;
}

std::string FreePort() {
  const auto fd = shim::ListenOn({"127.0.0.1", 0});
  REQUIRE(fd.ok());
  const int port = shim::PortOf(*fd);
  close(*fd);
  return std::to_string(port);
}

void ReplaceAll(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

struct Outcome {
  int status;
  std::string output;
};

Outcome RunCommand(const std::string& command) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  Outcome outcome;
  std::array<char, 4'096> buffer;
  for (size_t count; (count = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    outcome.output.append(buffer.data(), count);
  outcome.status = pclose(pipe);
  return outcome;
}

void RunPage(std::string_view page) {
  std::string commands = CommandsOf(ReadPage(page));
  REQUIRE_FALSE(commands.empty());
  // The second is that of another server, where a page compares two.
  for (const char* address : {"127.0.0.1:4000", "127.0.0.1:4001"}) {
    ReplaceAll(commands, address, "127.0.0.1:" + FreePort());
  }
  std::string name(page);
  std::replace(name.begin(), name.end(), '/', '-');
  const fs::path folder = fs::temp_directory_path() / base::StrCat("logquery-", name, "-", getpid());
  fs::create_directories(folder);
  std::ofstream(folder / ".script") << "set -eu\ncd " << folder
                                    << "\nexport PATH=" << LOGQUERY_BINARY_DIR "/bin:$PATH\n"
                                    << "trap 'kill $(jobs -p) 2>/dev/null || true; wait' EXIT\n"
                                    // An error's status is a failure, too.
                                    << "curl() { command curl --fail-with-body \"$@\"; }\n"
                                    << commands;
  const Outcome outcome = RunCommand(base::StrCat("timeout 300 bash ", (folder / ".script").string()));
  fs::remove_all(folder);
  INFO(commands << "\n--- printed the end of:\n"
                << outcome.output.substr(outcome.output.size() - std::min<size_t>(outcome.output.size(), 4'000)));
  CHECK(outcome.status == 0);
}

TEST_CASE("the commands of the README work") { RunPage("README.md"); }
TEST_CASE("the commands of getting_started.md work") { RunPage("docs/getting_started.md"); }
TEST_CASE("the commands of http.md work") { RunPage("docs/http.md"); }
TEST_CASE("the commands of loading.md work") { RunPage("docs/loading.md"); }
TEST_CASE("the commands of command_line.md work") { RunPage("docs/command_line.md"); }
TEST_CASE("the commands of redaction.md work") { RunPage("docs/redaction.md"); }

TEST_CASE("the commands of sql_support.md work") { RunPage("docs/sql_support.md"); }

TEST_CASE("the commands of definitions.md work") { RunPage("docs/definitions.md"); }

TEST_CASE("the commands of console.md work") { RunPage("docs/console.md"); }

TEST_CASE("the commands of ingest.md work") { RunPage("docs/ingest.md"); }

TEST_CASE("the commands of index.md work") { RunPage("docs/index.md"); }

TEST_CASE("cpp.md has each public header") {
  const std::string page = ReadPage("docs/cpp.md");
  const fs::path headers = fs::path(LOGQUERY_SOURCE_DIR) / "include/logquery";
  int count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(headers)) {
    if (entry.path().extension() != ".h") continue;
    const std::string name = fs::relative(entry.path(), headers).string();
    CAPTURE(name);
    CHECK(page.find("`" + name + "`") != std::string::npos);
    ++count;
  }
  CHECK(count > 40);
}

// "| `metadata.request.path` | STRING |" of each field, records by their fields.
void AppendFields(const nlohmann::ordered_json& columns, const std::string& prefix, std::string& page) {
  for (const auto& [name, type] : columns.items()) {
    if (type.is_object()) {
      AppendFields(type, prefix + name + ".", page);
      continue;
    }
    const bool is_list = type.is_array();
    const std::string text = (is_list ? type[0] : type).get<std::string>();
    page += "| `" + prefix + name + "` | " + (is_list ? "ARRAY\\<" + text + ">" : text) + " |\n";
  }
}

// The tables of docs/logs.md: which log is which table, and the fields of each.
std::string LogTables() {
  const auto logs = nlohmann::ordered_json::parse(ReadPage("lib/model/log_schema.json"));
  std::string names = "| Log | Table | Project |\n|---|---|---|\n", fields;
  for (const auto& [table, log] : logs.items()) {
    const std::string name = log["log"].get<std::string>();
    std::string project;
    for (const auto& part : log["project"]) project += (project.empty() ? "" : ".") + part.get<std::string>();
    names += "| [`" + name + "`](#" + name + ") | `` `" + table + "` `` | `" + project + "` |\n";
    fields += "\n## " + name + "\n\n| Field | Type |\n|---|---|\n";
    AppendFields(log["columns"], "", fields);
  }
  return names + fields;
}

TEST_CASE("logs.md has each field of each log") {
  constexpr std::string_view kMark = "<!-- Generated from lib/model/log_schema.json by build/bin/test_docs. -->\n\n";
  const std::string page = ReadPage("docs/logs.md");
  const size_t at = page.find(kMark);
  REQUIRE(at != std::string::npos);
  const std::string wanted = page.substr(0, at + kMark.size()) + LogTables();
  if (std::getenv("LOGQUERY_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(fs::path(LOGQUERY_SOURCE_DIR) / "docs/logs.md", std::ios::binary) << wanted;
    return;
  }
  INFO("LOGQUERY_UPDATE_GOLDEN=1 build/bin/test_docs writes docs/logs.md anew");
  CHECK(page == wanted);
}

TEST_CASE("the site's list has each page") {
  const std::string list = ReadPage("cmake/docs/mkdocs.yml");
  for (const auto& entry : fs::directory_iterator(fs::path(LOGQUERY_SOURCE_DIR) / "docs")) {
    if (entry.path().extension() != ".md") continue;
    const std::string name = entry.path().filename().string();
    CAPTURE(name);
    CHECK(list.find(": " + name + "\n") != std::string::npos);
  }
}

TEST_CASE("the commands of clients.md work") { RunPage("docs/clients.md"); }

TEST_CASE("no page has commands that are not run") {
  for (const auto& entry : fs::directory_iterator(fs::path(LOGQUERY_SOURCE_DIR) / "docs")) {
    if (entry.path().extension() != ".md") continue;
    const std::string page = "docs/" + entry.path().filename().string();
    CAPTURE(page);
    const bool is_run =
        std::find(std::begin(kPages), std::end(kPages), page) != std::end(kPages) ||
        // tests/postgres has the server that its page needs; BigQuery's has commands of Google's program alone.
        page == "docs/postgres.md" || page == "docs/bigquery.md";
    CHECK((CommandsOf(ReadPage(page)).empty() || is_run));
  }
}

TEST_CASE("links between pages lead somewhere") {
  for (const auto& entry : fs::directory_iterator(fs::path(LOGQUERY_SOURCE_DIR) / "docs")) {
    if (entry.path().extension() != ".md") continue;
    const std::string text = ReadPage(fs::relative(entry.path(), LOGQUERY_SOURCE_DIR));
    for (size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 1)) {
      const std::string link = text.substr(at + 2, text.find_first_of("#)", at + 2) - at - 2);
      CAPTURE(entry.path().string(), link);
      CHECK((link.empty() || link.find("://") != std::string::npos || fs::exists(entry.path().parent_path() / link)));
    }
  }
}

TEST_CASE("the demo's commands work", "[serial]") {
  const fs::path folder = fs::temp_directory_path() / base::StrCat("logquery-demo-", getpid());
  const Outcome outcome =
      RunCommand(base::StrCat(LOGQUERY_SOURCE_DIR "/scripts/demo --check --rows 20000 --port ", FreePort(),
                              " --program " LOGQUERY_BINARY_DIR "/bin/logquery --folder ", folder.string()));
  fs::remove_all(folder);
  INFO(outcome.output);
  CHECK(outcome.status == 0);
  CHECK(outcome.output.find("all commands work") != std::string::npos);
}

}  // namespace
}  // namespace logquery
