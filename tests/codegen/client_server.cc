#include "tests/codegen/client_server.h"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <cstdlib>
#include <sstream>

#include "lib/base/strings.h"
#include "logquery/store/duckdb_backend.h"
#include "shim/cli/options/commands.h"
#include "tests/support/child_process.h"

namespace logquery::codegen_tests {
namespace {

namespace fs = std::filesystem;

constexpr char kChild[] = "child: serves generated clients";
constexpr int64_t kNowMicros = 1'772'603'100'000'000;

TEST_CASE("child: serves generated clients", "[.child]") {
  const fs::path folder = testing::ChildArgument();
  std::istringstream in;
  std::ofstream out(folder / "out", std::ios::app);
  std::ofstream err(folder / "err", std::ios::app);
  shim::ServeArguments arguments;
  arguments.service.data = folder / "data";
  arguments.service.endpoints = kDefinitions;
  arguments.service.now = kNow;
  arguments.tokens = folder / "tokens.json";
  arguments.listen = "127.0.0.1:0";
  _exit(shim::RunServe(arguments, {in, out, err}));
}

void LoadRows(const fs::path& folder) {
  const fs::path requests = folder / "edge_logs.ndjson", calls = folder / "function_edge_logs.ndjson";
  std::ofstream file(requests);
  for (int i = 0; i < kRequests; ++i) {
    file << base::StrCat(R"({"id":"request-)", 1000 + i, R"(","timestamp":)", kNowMicros - (i + 1) * 1'000'000LL,
                         R"(,"project":"abc","event_message":"GET 200","metadata":{"request":{"method":"GET",)",
                         R"("path":"/rest/v1/a","url":"https://abc.example/rest/v1/a"}}})", "\n");
  }
  file.close();
  std::ofstream(calls) << base::StrCat(R"({"id":"call","timestamp":)", kNowMicros - 60'000'000,
                                       R"(,"event_message":"POST","metadata":{"project_ref":"abc","function_id":"f",)",
                                       R"("execution_time_ms":12,"response":{"status_code":500}}})", "\n");
  const auto backend = OpenDuckDb({.folder = (folder / "data").string()});
  REQUIRE(backend.ok());
  REQUIRE((*backend)->store().Load({.table = "edge_logs", .files = {requests}}, nullptr).ok());
  REQUIRE((*backend)->store().Load({.table = "function_edge_logs", .files = {calls}}, nullptr).ok());
}

std::string CreateToken(const fs::path& folder) {
  std::istringstream in;
  std::ostringstream out, err;
  shim::TokenArguments arguments;
  arguments.tokens = folder / "tokens.json";
  arguments.all_projects = true;
  REQUIRE(shim::RunTokenCreate(arguments, {in, out, err}) == shim::kExitOk);
  std::string token = out.str();
  return token.substr(0, token.find('\n'));
}

}  // namespace

ClientServer::ClientServer() {
  std::string name = (fs::temp_directory_path() / "logquery-client-XXXXXX").string();
  REQUIRE(mkdtemp(name.data()) != nullptr);
  folder_ = name;
  LoadRows(folder_);
  token_ = CreateToken(folder_);
  // The server's line comes when it answers; reading waits for it.
  REQUIRE(mkfifo((folder_ / "out").c_str(), 0600) == 0);
  server_ = testing::StartChild(kChild, folder_);
  out_.open(folder_ / "out");
  std::string line;
  REQUIRE(std::getline(out_, line));
  port_ = std::stoi(line.substr(line.rfind(':') + 1));
}

ClientServer::~ClientServer() {
  kill(server_, SIGTERM);
  testing::AwaitChild(server_);
  fs::remove_all(folder_);
}

}  // namespace logquery::codegen_tests
