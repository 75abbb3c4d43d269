// The effect that callers' SQL can have on a server: sends each line of tests/testdata/sandbox/hostile.txt to a real one, with 500
// MB for the engine and 5 s for a query, while another client asks for /health. Then each aggregate function does the same over 5
// million rows with as many values, also by groups: what an engine's aggregate gathers may be memory that it does not count.
//
//     logquery_bench_hostile [FILE] [--only TEXT]
//
// --only takes the lines that hold TEXT. Prints each line's status, seconds, memory and slowest /health, and the worst of each.
// Ends with 1 when the server died, took more than kMostMebibytes, answered later than kMostSeconds, or kept /health waiting
// for more than kMostHealthMilliseconds. The server is the program `logquery` beside this one.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "lib/base/strings.h"
#include "lib/rewrite/functions/functions.h"
#include "logquery/clock.h"
#include "nlohmann/json.hpp"
#include "tests/bench/bench_server.h"
#include "tests/bench/bench_util.h"
#include "tests/sandbox/hostile_lines.h"
#include "tests/sandbox/sandbox_logs.h"
#include "tests/support/folders.h"

namespace logquery {
namespace {

using bench::Fail;
using bench::Output;
using bench::Server;
using bench::ServerProgram;

constexpr double kMostMebibytes = 1'012;
constexpr double kMostSeconds = 6.5;
constexpr double kMostHealthMilliseconds = 300;
constexpr int kClientSeconds = 30;  // then a client gives up

absl::Duration Now() { return Clock::Real()->Monotonic(); }

// The status of one request on a connection of its own; 0: there was no answer.
int Ask(int port, const std::string& request) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const timeval most{kClientSeconds, 0};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof(most));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::string answer;
  if (connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0 &&
      send(fd, request.data(), request.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(request.size())) {
    char buffer[16 << 10];
    for (ssize_t count; (count = recv(fd, buffer, sizeof(buffer), 0)) > 0;) {
      answer.append(buffer, static_cast<size_t>(count));
    }
  }
  close(fd);
  return answer.size() > 12 ? std::atoi(answer.c_str() + 9) : 0;
}

// A data folder with a few rows, and the token that reads it.
struct Data {
  bench::TemporaryFolder folder;
  std::string program = ServerProgram();
  std::string token;

  Data() {
    std::ofstream rows(folder / "edge_logs.ndjson");
    for (int i = 0; i < 5; ++i) {
      rows << R"({"id":")" << i << R"(","timestamp":")"
           << absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", absl::Now() - absl::Minutes(5 + i), absl::UTCTimeZone())
           << R"(","event_message":"1000","project":"abc","metadata":{"request":{"method":"GET"}}})"
           << "\n";
    }
    rows.close();
    Output(base::StrCat("'", program, "' load --data '", folder / "data", "' '", folder / "edge_logs.ndjson", "'"));
    token = Output(base::StrCat("'", program, "' token create --tokens '", folder / "tokens.json", "' --all-projects"));
    token = token.substr(0, token.find('\n'));
  }
};

struct Taken {
  int status = 0;  // 0: no answer
  double seconds = 0;
  double mebibytes = 0;
  double health_milliseconds = 0;
  bool restarted = false;

  bool Holds() const {
    return status != 0 && !restarted && seconds <= kMostSeconds && mebibytes <= kMostMebibytes &&
           health_milliseconds <= kMostHealthMilliseconds;
  }
};

std::unique_ptr<Server> StartServer(const Data& data) {
  return std::make_unique<Server>(std::vector<std::string>{"--data", data.folder / "data", "--tokens",
                                                           data.folder / "tokens.json", "--memory-limit", "500",
                                                           "--time-limit", "5"});
}

Taken Send(const Data& data, Server& server, const std::string& sql) {
  std::atomic<bool> over{false};
  Taken taken;
  std::thread health([&] {
    while (!over) {
      const absl::Duration start = Now();
      if (Ask(server.port(), "GET /health HTTP/1.1\r\nHost: bench\r\nConnection: close\r\n\r\n") != 200) continue;
      taken.health_milliseconds = std::max(taken.health_milliseconds, absl::ToDoubleMilliseconds(Now() - start));
      absl::SleepFor(absl::Milliseconds(10));
    }
  });
  const std::string body = nlohmann::json({{"project", "abc"}, {"sql", sql}}).dump();
  const pid_t child = server.Child();
  Server::ForgetPeak(child);
  // The memory of a server that ends itself is known only while it is there.
  std::thread memory([&] {
    while (!over) {
      taken.mebibytes = std::max(taken.mebibytes, Server::PeakMebibytes(child));
      absl::SleepFor(absl::Milliseconds(2));
    }
  });
  const absl::Duration start = Now();
  taken.status =
      Ask(server.port(), base::StrCat("POST /api/endpoints/query/logs.all HTTP/1.1\r\nHost: bench\r\n",
                                      "Content-Type: application/json\r\nX-API-KEY: ", data.token,
                                      "\r\nConnection: close\r\nContent-Length: ", body.size(), "\r\n\r\n", body));
  taken.seconds = absl::ToDoubleSeconds(Now() - start);
  over = true;
  health.join();
  memory.join();
  taken.mebibytes = std::max(taken.mebibytes, Server::PeakMebibytes(child));
  taken.restarted = server.Child() != child;
  return taken;
}

void Print(const Taken& taken, std::string_view what) {
  std::printf("| %d | %.2f | %.0f | %.0f | %s |%s\n", taken.status, taken.seconds, taken.mebibytes,
              taken.health_milliseconds, std::string(what.substr(0, 90)).c_str(),
              taken.restarted ? " <- the server was started again"
              : taken.Holds() ? ""
                              : " <- beyond what is allowed");
  std::fflush(stdout);
}

// A value for each row of AggregateLines. Behind the first argument, texts are separators and integers numbers of values.
std::string ArgumentOf(const rewrite::TypePattern& pattern, bool is_first) {
  constexpr std::string_view kText = "concat(cast(a as string), '-', cast(b as string), '-', e.id)",
                             kNumber = "(a * 1000 + b)";
  if (pattern.kind == rewrite::TypePattern::Kind::kArray) return base::StrCat("[", kText, "]");
  if (pattern.kind != rewrite::TypePattern::Kind::kExact || pattern.exact.is(TypeKind::kString)) {
    return is_first ? std::string(kText) : "','";
  }
  if (pattern.exact.is(TypeKind::kInt64)) return is_first ? std::string(kNumber) : "3";
  if (pattern.exact.is(TypeKind::kBool)) return base::StrCat("mod", kNumber.substr(0, kNumber.size() - 1), ", 2) = 0");
  if (pattern.exact.is(TypeKind::kInterval)) return "make_interval(second => a)";
  if (pattern.exact.is(TypeKind::kBytes)) return base::StrCat("cast(", is_first ? kText : "','", " as bytes)");
  return base::StrCat("cast(", kNumber, " as ", pattern.exact.ToString(), ")");
}

std::vector<std::string> AggregateLines() {
  constexpr std::string_view kRows =
      " as x from edge_logs as e, unnest(generate_array(1, 1000)) as a, unnest(generate_array(1, 1000)) as b";
  std::vector<std::string> lines;
  for (const std::string& name : rewrite::FunctionNames()) {
    const rewrite::Function& function = *rewrite::FindFunction(name);
    if (function.kind != rewrite::FunctionKind::kAggregate) continue;
    for (const rewrite::Overload& overload : function.overloads) {
      std::vector<std::string> arguments;
      for (const rewrite::ParameterPattern& parameter : overload.parameters) {
        arguments.push_back(ArgumentOf(parameter.type, arguments.empty()));
      }
      const std::string call = base::StrCat(name, "(", arguments.empty() ? "*" : base::Join(arguments, ", "), ")");
      lines.push_back(base::StrCat("select ", call, kRows));
      lines.push_back(base::StrCat("select a, ", call, kRows, " group by a order by a limit 3"));
    }
  }
  return lines;
}

int Main(const std::string& file, const std::string& only) {
  const Data data;
  auto server = StartServer(data);
  Taken worst;
  worst.status = 200;
  int sent = 0, beyond = 0, deaths = 0;
  std::printf("| status | seconds | MiB | /health ms | |\n|---|---|---|---|---|\n");
  std::vector<std::string> lines = testing::SandboxLines(file);
  for (std::string& line : AggregateLines()) lines.push_back(std::move(line));
  for (const std::string& line : lines) {
    if (line.find(only) == std::string::npos) continue;
    const Taken taken = Send(data, *server, testing::WrittenOut(line));
    Print(taken, line);
    ++sent;
    if (!taken.Holds()) ++beyond;
    worst.seconds = std::max(worst.seconds, taken.seconds);
    worst.mebibytes = std::max(worst.mebibytes, taken.mebibytes);
    worst.health_milliseconds = std::max(worst.health_milliseconds, taken.health_milliseconds);
    if (taken.status == 0 || taken.restarted) ++deaths;
    if (taken.status == 0 && !taken.restarted) {
      // A query that still runs would be counted with the next one.
      server = nullptr;
      server = StartServer(data);
    }
  }
  if (sent == 0) Fail(base::StrCat(file, " holds no such SQL"));
  std::printf(
      "%d queries, %d beyond what is allowed, %d deaths; peak %.0f MiB, slowest answer %.2f s, slowest /health %.0f "
      "ms\n",
      sent, beyond, deaths, worst.mebibytes, worst.seconds, worst.health_milliseconds);
  return beyond == 0 ? 0 : 1;
}

}  // namespace
}  // namespace logquery

int main(int argc, char** argv) {
  std::string file = logquery::testing::SourcePath("tests/testdata/sandbox/hostile.txt"), only;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--only" && i + 1 < argc) {
      only = argv[++i];
    } else {
      file = argument;
    }
  }
  return logquery::Main(file, only);
}
