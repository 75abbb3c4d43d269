#include "tests/shim/supervised_server.h"

#include <sys/stat.h>

#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <thread>

#include "absl/strings/str_replace.h"
#include "lib/base/read_to_end.h"
#include "lib/base/strings.h"
#include "logquery/store/duckdb_backend.h"
#include "shim/cli/options/commands.h"
#include "tests/shim/server_fixture.h"
#include "tests/support/child_process.h"

namespace logquery::shim {
namespace {

constexpr char kChild[] = "child: serves under a supervisor";

// Runs as the supervisor and, started by that, as each of its servers.
TEST_CASE("child: serves under a supervisor", "[.child]") {
  const std::filesystem::path folder = testing::ChildArgument();
  std::istringstream in;
  std::ofstream out(folder / "out", std::ios::app);
  std::ofstream err(folder / "err", std::ios::app);
  ServeArguments arguments;
  arguments.service.data = folder / "data";
  arguments.service.now = "2026-03-04T05:45:00Z";  // a moment after the newest row
  arguments.tokens = folder / "tokens.json";
  arguments.listen = arguments.admin = "127.0.0.1:0";
  arguments.query_threads = 4;
  arguments.supervise = true;
  _exit(RunServe(arguments, {in, out, err}));
}

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path);
  return base::ReadToEnd(file).value_or("");
}

void LoadRows(const std::filesystem::path& folder) {
  auto backend = OpenDuckDb({.folder = (folder / "data").string()});
  REQUIRE(backend.ok());
  const std::string path = folder / "edge_logs.ndjson";
  std::ofstream file(path);
  for (int i = 0; i < kServedRows; ++i) {
    file << base::StrCat(R"({"id":"i)", i, R"(","timestamp":)", 1'772'600'000'000'000 + i * 1'000'000LL,
                         R"(,"project":"abc","event_message":"GET 200"})", "\n");
  }
  file.close();
  REQUIRE((*backend)->store().Load({.table = "edge_logs", .files = {path}}, nullptr).ok());
}

std::string CreateToken(const std::filesystem::path& folder) {
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  TokenArguments arguments;
  arguments.tokens = folder / "tokens.json";
  arguments.all_projects = true;
  REQUIRE(RunTokenCreate(arguments, {in, out, err}) == kExitOk);
  std::string token = out.str();
  token.erase(token.find('\n'));
  return token;
}

}  // namespace

SupervisedServer::SupervisedServer() {
  std::string name = (std::filesystem::temp_directory_path() / "logquery-supervised-XXXXXX").string();
  REQUIRE(mkdtemp(name.data()) != nullptr);
  folder_ = name;
  LoadRows(folder_);
  for (std::string& token : tokens_) token = CreateToken(folder_);
  // Its two lines come when it answers; reading waits for them.
  REQUIRE(mkfifo((folder_ / "out").c_str(), 0600) == 0);
  supervisor_ = testing::StartChild(kChild, folder_);
  out_.open(folder_ / "out");
  for (int* port : {&port_, &admin_port_}) {
    std::string line;
    REQUIRE(std::getline(out_, line));
    *port = std::stoi(line.substr(line.rfind(':') + 1));
  }
}

SupervisedServer::~SupervisedServer() {
  if (supervisor_ != 0) End(SIGKILL);
  std::filesystem::remove_all(folder_);
}

pid_t SupervisedServer::server() const {
  pid_t server = 0;
  while (server == 0) {
    std::ifstream children(base::StrCat("/proc/", supervisor_, "/task/", supervisor_, "/children"));
    REQUIRE(children);
    children >> server;
  }
  return server;
}

void SupervisedServer::KillServer(int signal) {
  const pid_t killed = server();
  REQUIRE(kill(killed, signal) == 0);
  while (kill(killed, 0) == 0) std::this_thread::yield();  // the supervisor takes its exit status
}

int SupervisedServer::End(int signal) {
  REQUIRE(kill(supervisor_, signal) == 0);
  const int code = testing::AwaitChild(supervisor_);
  supervisor_ = 0;
  return code;
}

std::string SupervisedServer::Get(std::string_view path, int token) const {
  RawClient client(port_);
  client.Send(base::StrCat("GET ", path, " HTTP/1.1\r\nHost: t\r\nX-API-KEY: ", tokens_[token], "\r\n\r\n"));
  return client.Receive();
}

void SupervisedServer::AwaitQuery() const {
  // The queue counts a query before the supervisor's board has it, and a crash in between is no query's.
  const auto runs = [this] {
    const std::string ready = BodyOf(shim::Get(admin_port_, "/ready"));
    const size_t crashes = ready.find("\"crashes\":");
    return crashes != std::string::npos && ready.find("\"running\":1", crashes) != std::string::npos;
  };
  while (!runs()) std::this_thread::yield();
}

std::string SupervisedServer::log() const { return ReadFile(folder_ / "err"); }

void SupervisedServer::AwaitLog(std::string_view text) const {
  while (log().find(text) == std::string::npos) std::this_thread::yield();
}

std::string QueryPath(std::string_view sql) {
  return base::StrCat("/api/endpoints/query/logs.all?project=abc&sql=",
                      absl::StrReplaceAll(std::string(sql), {{" ", "+"}}));
}

}  // namespace logquery::shim
