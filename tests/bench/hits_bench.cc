// The cost of a hit of the cache beside the bare HTTP library that sends the same bytes.
//
//     logquery_bench_hits [--rounds N] [--seconds N] [--clients N]
//
// Both servers take turns, over connections that stay open: the program `logquery` with a token, limits and its log, and
// cpp-httplib with one handler. Prints answers a second, and each server's processor time for one answer, which other programs
// change little; the ratio is the bare server's share of what a hit takes.
#include <httplib.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "lib/base/strings.h"
#include "tests/bench/bench_client.h"
#include "tests/bench/bench_server.h"
#include "tests/bench/bench_util.h"

namespace logquery::bench {
namespace {

struct Cost {
  double answers_a_second;
  double processor_micros;  // the server's, for one answer
};

// The processor time of a process so far, with all of its threads.
double ProcessorMicros(pid_t process) {
  std::ifstream stat(base::StrCat("/proc/", process, "/stat"));
  std::string text;
  std::getline(stat, text);
  text.erase(0, text.rfind(')') + 2);
  // The fields from the third on; utime and stime are the 14th and 15th.
  size_t at = 0;
  for (int field = 3; field < 14; ++field) at = text.find(' ', at) + 1;
  char* end = nullptr;
  const double user = std::strtod(text.c_str() + at, &end), system = std::strtod(end, nullptr);
  return (user + system) * 1e6 / static_cast<double>(sysconf(_SC_CLK_TCK));
}

Cost Measure(int port, pid_t process, const std::string& token, const std::string& path, int clients, double seconds) {
  std::atomic<int64_t> answers{0};
  const double before = ProcessorMicros(process);
  const auto begin = std::chrono::steady_clock::now();
  const auto end =
      begin + std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds));
  std::vector<std::thread> threads;
  for (int i = 0; i < clients; ++i) {
    threads.emplace_back([&] {
      Client client(port, token);
      int64_t mine = 0;
      for (; std::chrono::steady_clock::now() < end; ++mine) client.Get(path);
      answers += mine;
    });
  }
  for (std::thread& thread : threads) thread.join();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  const auto count = static_cast<double>(answers);
  return {count / took.count(), (ProcessorMicros(process) - before) / count};
}

// The library alone, in a process of its own.
class BareServer {
 public:
  explicit BareServer(const std::string& body) {
    int ends[2];
    if (pipe(ends) != 0) Fail("no pipe");
    process_ = fork();
    if (process_ < 0) Fail("no process");
    if (process_ == 0) {
      httplib::Server server;
      server.set_keep_alive_max_count(1'000'000'000);
      server.set_tcp_nodelay(true);
      server.Get("/", [&](const httplib::Request&, httplib::Response& response) {
        response.set_content(body, "application/json");
      });
      const int port = server.bind_to_any_port("127.0.0.1");
      if (write(ends[1], &port, sizeof(port)) == sizeof(port)) server.listen_after_bind();
      _exit(0);
    }
    if (read(ends[0], &port_, sizeof(port_)) != sizeof(port_)) Fail("the bare server did not begin to listen");
    close(ends[0]);
    close(ends[1]);
  }
  ~BareServer() {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  BareServer(const BareServer&) = delete;
  int port() const { return port_; }
  pid_t process() const { return process_; }

 private:
  pid_t process_ = 0;
  int port_ = 0;
};

void WriteDefinition(const std::filesystem::path& folder, const std::string& name, int rows) {
  std::ofstream(folder / (name + ".json")) << R"({"id": "6f0b8d2e-8c1f-4f5b-9d3e-00000000)" << rows + 1'000
                                           << R"(", "name": ")" << name << R"(", "caching": 3600, "max_rows": 10000})";
  std::ofstream(folder / (name + ".sql"))
      << "select n, repeat('x', 40) as text, n * 1.5 as share from unnest(generate_array(1, " << rows << ")) as n";
}

int Run(int rounds, double seconds, int clients) {
  const TemporaryFolder work;
  for (const char* const name : {"data", "endpoints"}) std::filesystem::create_directories(work / name);
  const struct {
    const char* name;
    int rows;
  } kSizes[] = {{"hits.small", 80}, {"hits.large", 2'600}};
  for (const auto& size : kSizes) WriteDefinition(work / "endpoints", size.name, size.rows);
  const std::string tokens = work / "tokens.json";
  std::string token = Output(base::StrCat(ServerProgram(), " token create --tokens ", tokens, " --all-projects"));
  token.resize(token.find('\n'));
  for (const auto& size : kSizes) {
    const std::string path = base::StrCat("/api/endpoints/query/", size.name);
    Server server({"--data", work / "data", "--endpoints", work / "endpoints", "--tokens", tokens});
    httplib::Client first("127.0.0.1", server.port());
    const httplib::Result result = first.Get(path, {{"X-API-KEY", token}});
    if (!result || result->status != 200) Fail(base::StrCat("no answer: ", result ? result->body : ""));
    const BareServer bare(result->body);
    std::vector<double> hits, bares, hit_costs, bare_costs, rates, costs;
    for (int round = 0; round < rounds; ++round) {
      Cost ours{}, theirs{};
      for (const bool is_ours : {round % 2 == 0, round % 2 != 0}) {
        (is_ours ? ours : theirs) = is_ours ? Measure(server.port(), server.Child(), token, path, clients, seconds)
                                            : Measure(bare.port(), bare.process(), token, "/", clients, seconds);
      }
      hits.push_back(ours.answers_a_second);
      bares.push_back(theirs.answers_a_second);
      hit_costs.push_back(ours.processor_micros);
      bare_costs.push_back(theirs.processor_micros);
      rates.push_back(hits.back() / bares.back());
      costs.push_back(bare_costs.back() / hit_costs.back());
    }
    std::printf(
        "%4zu KB: %6.0f hits/s, bare %6.0f/s: %.2f; server's processor time %5.1f µs a hit, bare %5.1f µs: %.2f\n",
        result->body.size() / 1'000, Median(hits), Median(bares), Median(rates), Median(hit_costs), Median(bare_costs),
        Median(costs));
  }
  return 0;
}

}  // namespace
}  // namespace logquery::bench

int main(int argc, char** argv) {
  int rounds = 7, clients = 4;
  double seconds = 1;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    if (option == "--rounds") rounds = std::atoi(argv[i + 1]);
    if (option == "--seconds") seconds = std::atof(argv[i + 1]);
    if (option == "--clients") clients = std::atoi(argv[i + 1]);
  }
  if (rounds < 1 || clients < 1 || seconds <= 0) {
    std::fprintf(stderr, "logquery_bench_hits [--rounds N] [--seconds N] [--clients N]\n");
    return 2;
  }
  return logquery::bench::Run(rounds, seconds, clients);
}
