#include "tests/shim/configured_server.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <thread>

#include "lib/base/read_to_end.h"
#include "lib/base/strings.h"
#include "logquery/store/duckdb_backend.h"
#include "shim/cli/options/command_line.h"
#include "tests/shim/server_fixture.h"
#include "tests/support/child_process.h"

namespace logquery::shim {
namespace {

namespace fs = std::filesystem;
using base::StrCat;

constexpr char kChild[] = "child: serves with a file of settings";

TEST_CASE("child: serves with a file of settings", "[.child]") {
  const std::string folder = testing::ChildArgument();
  std::istringstream in;
  std::ofstream out(folder + "/out", std::ios::app);
  std::ofstream err(folder + "/err", std::ios::app);
  const std::string config = folder + "/config.json";
  const char* const argv[] = {"logquery", "serve", "--config", config.c_str()};
  const int code = RunCommandLine(4, argv, {in, out, err});
  err.flush();
  _exit(code);
}

}  // namespace

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return base::ReadToEnd(file).value_or("");
}

void WriteFile(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::trunc | std::ios::binary) << text;
}

std::string RunForLine(const std::vector<std::string>& arguments) {
  std::istringstream in;
  std::ostringstream out;
  std::vector<const char*> argv = {"logquery"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  RunCommandLine(static_cast<int>(argv.size()), argv.data(), {in, out, out});
  return out.str().substr(0, out.str().find('\n'));
}

ConfiguredServer::ConfiguredServer() {
  std::string name = (fs::temp_directory_path() / "logquery-settings-XXXXXX").string();
  REQUIRE(mkdtemp(name.data()) != nullptr);
  folder = name;
  for (const char* inner : {"data", "endpoints", "spool", "temp"}) fs::create_directory(folder + "/" + inner);
  token = RunForLine({"token", "create", "--tokens", folder + "/tokens.json", "--all-projects"});
}

ConfiguredServer::~ConfiguredServer() {
  End(SIGKILL);
  fs::remove_all(folder);
}

void ConfiguredServer::Append(absl::Time time, int rows) const {
  auto backend = OpenDuckDb({.folder = folder + "/data"});
  REQUIRE(backend.ok());
  std::vector<std::string> texts;
  for (int i = 0; i < rows; ++i) {
    texts.push_back(StrCat(R"({"project":"abc","id":"i)", i, R"(","timestamp":)", absl::ToUnixMicros(time) + i, "}"));
  }
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  REQUIRE((*backend)->store().Append({.table = "edge_logs", .rows = views}).ok());
}

void ConfiguredServer::Define(const std::string& sql, const std::string& settings) const {
  WriteFile(folder + "/endpoints/own.sql", sql);
  WriteFile(folder + "/endpoints/own.json", StrCat(R"({"id":"b0a9a6e8-6a0e-4a63-9f0b-6d4c4a1f8f01","name":"own")",
                                                   settings.empty() ? "" : ",", settings, "}"));
}

void ConfiguredServer::Configure(const std::map<std::string, std::string>& keys) const {
  std::map<std::string, std::string> all = {
      {"data", "\"data\""}, {"tokens", "\"tokens.json\""}, {"listen", "\"127.0.0.1:0\""}, {"supervise", "false"}};
  for (const auto& [key, value] : keys) all[key] = value;
  std::string text = "{ // a test's\n";
  for (const auto& [key, value] : all) {
    if (value != "null") base::StrAppend(&text, text.back() == '\n' ? "" : ",", "\"", key, "\": ", value);
  }
  WriteFile(folder + "/config.json", text + "}");
}

void ConfiguredServer::Start(const std::map<std::string, std::string>& keys) {
  Configure(keys);
  fs::remove(folder + "/out");
  REQUIRE(mkfifo((folder + "/out").c_str(), 0600) == 0);
  process = testing::StartChild(kChild, folder);
  out.open(folder + "/out");
  std::getline(out, listening);
  const std::string digits = listening.substr(std::min(listening.size(), listening.rfind(':') + 1));
  port = digits.empty() ? 0 : std::stoi(digits);
}

int ConfiguredServer::End(int signal) {
  if (process == 0) return 0;
  kill(process, signal);
  return AwaitEnd();
}

int ConfiguredServer::AwaitEnd() {
  const int code = testing::AwaitChild(process);
  process = 0;
  out.close();
  return code;
}

std::string ConfiguredServer::Get(const std::string& path, const std::string& headers) const {
  RawClient client(port);
  client.Send(StrCat("GET ", path, " HTTP/1.1\r\nHost: t\r\nX-API-KEY: ", token, "\r\n", headers, "\r\n"));
  return client.Receive();
}

void ConfiguredServer::AwaitLog(std::string_view text) const {
  while (log().find(text) == std::string::npos) std::this_thread::yield();
}

std::string ConfiguredServer::Children() const {
  return ReadFile(StrCat("/proc/", process, "/task/", process, "/children"));
}

}  // namespace logquery::shim
