#include "tests/ingest/ingest_server.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <cstdlib>
#include <sstream>

#include "absl/strings/str_replace.h"
#include "lib/base/strings.h"
#include "shim/cli/options/commands.h"
#include "tests/support/child_process.h"

namespace logquery::ingest_tests {
namespace {

constexpr char kChild[] = "child: serves what comes in";
constexpr char kNow[] = "2026-03-04T18:00:00Z";

TEST_CASE("child: serves what comes in", "[.child]") {
  std::istringstream argument(testing::ChildArgument());
  shim::ServeArguments arguments;
  std::string path;
  argument >> arguments.ingest_memory_mb >> arguments.max_connections >> path;
  const std::filesystem::path folder = path;
  std::istringstream in;
  std::ofstream out(folder / "out", std::ios::app);
  std::ofstream err(folder / "err", std::ios::app);
  arguments.service.data = folder / "data";
  arguments.service.default_tier = "ENTERPRISE";
  arguments.tokens = folder / "tokens.json";
  arguments.listen = "127.0.0.1:0";
  arguments.ingest = arguments.ingest_memory_mb > 0;
  // A test has definitions of its own there, over rows of one day.
  if (std::filesystem::exists(folder / "endpoints")) {
    arguments.service.endpoints = folder / "endpoints";
    arguments.service.now = kNow;
  }
  _exit(shim::RunServe(arguments, {in, out, err}));
}

std::string Escaped(const std::string& sql) {
  return absl::StrReplaceAll(sql, {{" ", "+"}, {"%", "%25"}, {"+", "%2B"}, {"&", "%26"}, {"#", "%23"}});
}

}  // namespace

std::string Response::Header(std::string_view name) const {
  std::istringstream lines(head);
  for (std::string line; std::getline(lines, line);) {
    const size_t colon = line.find(':');
    if (colon == std::string::npos || !base::EqualsIgnoreCase(line.substr(0, colon), name)) continue;
    const size_t begin = line.find_first_not_of(' ', colon + 1);
    return line.substr(begin, line.find_last_not_of('\r') + 1 - begin);
  }
  return {};
}

IngestServer::IngestServer(int memory_mb, int max_connections,
                           const std::function<void(const std::filesystem::path& data)>& prepare)
    : memory_mb_(memory_mb), max_connections_(max_connections) {
  std::string name = (std::filesystem::temp_directory_path() / "logquery-ingest-XXXXXX").string();
  REQUIRE(mkdtemp(name.data()) != nullptr);
  folder_ = name;
  std::filesystem::create_directory(data());
  if (prepare) prepare(data());
  Principal writer;
  writer.ingest = IngestRights();
  writer_ = Token(writer);
  REQUIRE(mkfifo((folder_ / "out").c_str(), 0600) == 0);
  Start();
}

IngestServer::~IngestServer() {
  if (server_ != 0) End(SIGKILL);
  std::filesystem::remove_all(folder_);
}

void IngestServer::Start() {
  server_ = testing::StartChild(kChild, base::StrCat(memory_mb_, " ", max_connections_, " ", folder_.string()));
  out_.close();
  out_.clear();
  out_.open(folder_ / "out");
  std::string line;
  REQUIRE(std::getline(out_, line));  // it comes when the server answers
  port_ = std::stoi(line.substr(line.rfind(':') + 1));
}

int IngestServer::End(int signal) {
  // The last one ends after all tests, when Catch's macros may not be used any more; a signal that is not sent shows in the code.
  kill(server_, signal);
  const int code = testing::AwaitChild(server_);
  server_ = 0;
  return code;
}

std::string IngestServer::Token(const Principal& principal) const {
  const auto token = TokenFile::Create(folder_ / "tokens.json", principal, std::nullopt, Clock::Real());
  REQUIRE(token.ok());
  return *token;
}

// Uses none of Catch's macros, which only the test's own thread may use.
Response IngestServer::Send(const std::string& request) const {
  const OpenConnection connection(port_);
  connection.Send(request);
  return connection.Receive();
}

Response IngestServer::Post(const std::string& path, const std::string& body, const std::string& headers,
                            const std::string& token) const {
  return Send(base::StrCat("POST ", path, " HTTP/1.1\r\nHost: t\r\nX-API-KEY: ", token.empty() ? writer_ : token,
                           "\r\nContent-Length: ", body.size(), "\r\n", headers, "Connection: close\r\n\r\n", body));
}

Response IngestServer::Get(const std::string& path, const std::string& token) const {
  return Send(base::StrCat("GET ", path, " HTTP/1.1\r\nHost: t\r\nX-API-KEY: ", token.empty() ? writer_ : token,
                           "\r\nConnection: close\r\n\r\n"));
}

std::string IngestServer::Query(const std::string& sql) const {
  const Response response = Get(base::StrCat("/api/endpoints/query/logs.all?project=abc&sql=", Escaped(sql)));
  constexpr std::string_view kBefore = "{\"result\":";
  if (response.status != 200 || !response.body.starts_with(kBefore)) return response.body;
  return response.body.substr(kBefore.size(), response.body.size() - kBefore.size() - 1);
}

double IngestServer::Metric(const std::string& name) const {
  const std::string text = base::StrCat("\n", Get("/metrics").body);
  const size_t at = text.find(base::StrCat("\n", name, " "));
  return at == std::string::npos ? -1 : std::strtod(text.c_str() + at + name.size() + 2, nullptr);
}

OpenConnection::OpenConnection(int port) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  const timeval limit{60, 0};
  setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  // A server that was killed refuses; what is sent then fails too.
  [[maybe_unused]] const int refused = connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof(address));
}

OpenConnection::~OpenConnection() { close(fd_); }

bool OpenConnection::Send(std::string_view text) const {
  while (!text.empty()) {
    const ssize_t sent = send(fd_, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    text.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}

Response OpenConnection::Receive() const {
  std::string text;
  std::array<char, 65'536> buffer;
  Response response;
  while (true) {
    const size_t blank = text.find("\r\n\r\n");
    if (blank != std::string::npos) {
      response.head = text.substr(0, blank + 2);
      const std::string length = response.Header("Content-Length");
      if (!length.empty() && text.size() - blank - 4 >= std::stoul(length)) {
        response.status = std::stoi(text.substr(9, 3));
        response.body = text.substr(blank + 4, std::stoul(length));
        return response;
      }
    }
    const ssize_t got = recv(fd_, buffer.data(), buffer.size(), 0);
    if (got <= 0) return {};
    text.append(buffer.data(), static_cast<size_t>(got));
  }
}

}  // namespace logquery::ingest_tests
