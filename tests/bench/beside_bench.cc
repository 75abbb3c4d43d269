// Queries beside logs that come in over HTTP: their times, and the server's memory.
//
//     logquery_bench_beside [--rows N] [--rate N] [--seconds N] [--rounds N]      p99 of queries, idle and beside, in turn
//     logquery_bench_beside --memory [--rows N] [--rate N] [--seconds N]          memory over so many seconds
//
// A server in a process of its own, as `logquery serve --ingest` starts it, begins with --rows sample rows. Four clients send
// --rate rows of edge_logs a second, 250 a request. Two others ask what dashboards ask, one query after the other. Rounds without
// and with logs alternate, because the machine and the data change while the bench runs. Fails if p99 beside is more than 3 times
// the idle one, or if the memory of the last fifth is more than a tenth and 64 MiB above that of the second fifth; a rate that is
// not reached is told. The engine keeps what it has written and read of the growing data in memory, up to its limit. For the
// memory that limit is low, and as many rows come first as fill it, as fast as they can; what grows after that is no cache.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "lib/base/strings.h"
#include "logquery/clock.h"
#include "nlohmann/json.hpp"
#include "tests/bench/bench_client.h"
#include "tests/bench/bench_server.h"
#include "tests/bench/bench_util.h"

namespace logquery {
namespace {

using bench::Client;
using bench::Fail;
using bench::Output;
using bench::Server;
using bench::ServerProgram;

constexpr int64_t kRowsARequest = 250;
constexpr double kMostTimes = 3;
constexpr double kMostGrowth = 1.1;
constexpr double kMostMoreMebibytes = 64;
constexpr char kMemoryLimit[] = "512";        // MB
constexpr int64_t kRowsToFillIt = 2'400'000;  // of some 260 bytes
constexpr int64_t kFastestRate = 1'000'000;

struct Options {
  bool memory = false;
  int64_t rows = 300'000;
  int64_t rate = 5'000;
  int64_t seconds = 0;  // 0: 20 of each round, or 600 for the memory
  int64_t rounds = 3;
};

Options Parse(int argc, char** argv) {
  Options options;
  const std::pair<std::string_view, int64_t*> numbers[] = {{"--rows", &options.rows},
                                                           {"--rate", &options.rate},
                                                           {"--seconds", &options.seconds},
                                                           {"--rounds", &options.rounds}};
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    const auto* const known =
        std::find_if(std::begin(numbers), std::end(numbers), [&](const auto& number) { return number.first == name; });
    if (name == "--memory") {
      options.memory = true;
    } else if (known == std::end(numbers) || ++i == argc || !absl::SimpleAtoi(argv[i], known->second) ||
               *known->second < 1) {
      Fail("usage: logquery_bench_beside [--memory] [--rows N] [--rate N] [--seconds N] [--rounds N]");
    }
  }
  if (options.seconds == 0) options.seconds = options.memory ? 600 : 20;
  return options;
}

// A data folder with sample rows, tokens, and bodies of requests.
struct Data {
  bench::TemporaryFolder folder;
  std::string token;
  std::string project;
  std::vector<std::string> bodies;

  explicit Data(int64_t rows) {
    const std::string program = base::StrCat("'", ServerProgram(), "'");
    const std::string sample = folder / "sample";
    Output(base::StrCat(program, " sample --rows ", rows, " --days 7 --projects 20 ", sample));
    Output(base::StrCat(program, " load --data ", folder / "data", " ", sample, " 2>&1"));
    token = Output(
        base::StrCat(program, " token create --tokens ", folder / "tokens.json", " --all-projects --may-ingest"));
    token = token.substr(0, token.find('\n'));
    std::ifstream manifest(sample + "/manifest.json");
    project = nlohmann::json::parse(manifest)["projects"][0]["ref"];
    ReadBodies(sample + "/cloudflare.logs.prod.ndjson");
    Output(base::StrCat("rm -r ", sample));
  }

 private:
  // Events of now: without a time of their own.
  void ReadBodies(const std::string& path) {
    std::ifstream file(path);
    int64_t rows = 0;
    for (std::string line; std::getline(file, line) && rows < 20'000; ++rows) {
      nlohmann::json event = nlohmann::json::parse(line);
      event.erase("timestamp");
      event.erase("id");
      if (rows % kRowsARequest == 0) bodies.emplace_back("[");
      base::StrAppend(&bodies.back(), bodies.back().size() > 1 ? "," : "", event.dump());
    }
    for (std::string& body : bodies) body += "]";
    if (bodies.size() > 1) bodies.pop_back();  // it has fewer rows
    if (bodies.empty()) Fail(base::StrCat("there are no rows in ", path));
  }
};

double Seconds(absl::Duration time) { return absl::ToDoubleSeconds(time); }
absl::Duration Now() { return Clock::Real()->Monotonic(); }

std::vector<std::string> QueriesOf(const std::string& project) {
  const std::string logs = base::StrCat("/api/endpoints/query/logs.all?project=", project, "&project_tier=ENTERPRISE");
  const std::string joins = "+cross+join+unnest(metadata)+as+m+cross+join+unnest(m.response)+as+r";
  return {
      logs,
      base::StrCat(logs,
                   "&sql=select+timestamp_trunc(t.timestamp,+minute)+as+timestamp,+count(t.timestamp)+as+count+from+"
                   "edge_logs+as+t+"
                   "where+t.timestamp+%3E+timestamp_sub(current_timestamp(),+interval+1+hour)+group+by+timestamp"),
      base::StrCat(logs, "&sql=select+id,+timestamp,+event_message,+r.status_code+from+edge_logs", joins,
                   "+where+r.status_code+%3E%3D+500+order+by+timestamp+desc+limit+100"),
      base::StrCat(logs, "&sql=select+count(*)+as+count+from+postgres_logs"),
      base::StrCat("/api/endpoints/query/usage.api-counts?project=", project, "&interval=hourly"),
  };
}

// Sends rows at the rate until it is destroyed.
class Senders {
 public:
  Senders(const Data& data, int port, int64_t rate) {
    constexpr int kSenders = 4;
    const absl::Duration each =
        absl::Seconds(static_cast<double>(kRowsARequest * kSenders) / static_cast<double>(rate));
    for (int i = 0; i < kSenders; ++i) {
      threads_.emplace_back([this, &data, port, each, i] {
        Client client(port, data.token);
        absl::Duration due = Now() + each * i / kSenders;
        for (size_t body = static_cast<size_t>(i); !stops_; ++body, due += each) {
          while (!stops_ && Now() < due) absl::SleepFor(std::min(absl::Milliseconds(20), due - Now()));
          waits_ += client.PostLogs(data.bodies[body % data.bodies.size()]);
          sent_ += kRowsARequest;
        }
      });
    }
  }
  ~Senders() {
    stops_ = true;
    for (std::thread& thread : threads_) thread.join();
  }
  int64_t sent() const { return sent_; }
  // Answers with 429.
  int64_t waits() const { return waits_; }

 private:
  std::atomic<bool> stops_{false};
  std::atomic<int64_t> sent_{0};
  std::atomic<int64_t> waits_{0};
  std::vector<std::thread> threads_;
};

// Milliseconds of each query of two clients within the time.
std::vector<double> Ask(const Data& data, int port, int64_t seconds) {
  const std::vector<std::string> queries = QueriesOf(data.project);
  std::vector<double> times[2];
  std::vector<std::thread> threads;
  const absl::Duration end = Now() + absl::Seconds(seconds);
  for (size_t i = 0; i < std::size(times); ++i) {
    threads.emplace_back([&, i] {
      Client client(port, data.token);
      for (size_t query = i; Now() < end; ++query) {
        const absl::Duration begin = Now();
        client.Get(queries[query % queries.size()]);
        times[i].push_back(Seconds(Now() - begin) * 1'000);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  times[0].insert(times[0].end(), times[1].begin(), times[1].end());
  return times[0];
}

double At(std::vector<double> times, double part) {
  std::sort(times.begin(), times.end());
  return times.at(static_cast<size_t>(part * static_cast<double>(times.size() - 1)));
}

void PrintTimes(const char* what, const std::vector<double>& times, const std::string& more) {
  std::printf("%-8s %7zu queries  p50 %7.2f ms  p99 %8.2f ms  worst %8.2f ms%s\n", what, times.size(), At(times, 0.5),
              At(times, 0.99), At(times, 1), more.c_str());
  std::fflush(stdout);
}

std::vector<std::string> Words(const Data& data) {
  return {"--data",   data.folder / "data", "--tokens",  data.folder / "tokens.json",
          "--ingest", "--default-tier",     "ENTERPRISE"};
}

int MeasureTimes(const Options& options) {
  const Data data(options.rows);
  const Server server(Words(data));
  std::vector<double> idle, beside;
  for (int64_t round = 0; round < options.rounds; ++round) {
    const std::vector<double> without = Ask(data, server.port(), options.seconds);
    PrintTimes("idle", without, "");
    idle.insert(idle.end(), without.begin(), without.end());
    const Senders senders(data, server.port(), options.rate);
    const absl::Duration begin = Now();
    const std::vector<double> with = Ask(data, server.port(), options.seconds);
    const double rate = static_cast<double>(senders.sent()) / Seconds(Now() - begin);
    PrintTimes("beside", with, base::StrCat("  ", static_cast<int64_t>(rate), " rows/s, ", senders.waits(), " waits"));
    beside.insert(beside.end(), with.begin(), with.end());
  }
  const double ratio = At(beside, 0.99) / At(idle, 0.99);
  std::printf("p99 %.2f ms idle, %.2f ms beside %lld rows/s: %.2f times (at most %.0f)\n", At(idle, 0.99),
              At(beside, 0.99), static_cast<long long>(options.rate), ratio, kMostTimes);
  return ratio <= kMostTimes ? 0 : 1;
}

int MeasureMemory(const Options& options) {
  const Data data(options.rows);
  std::vector<std::string> words = Words(data);
  words.insert(words.end(), {"--memory-limit", kMemoryLimit});
  const Server server(words);
  {
    const Senders fill(data, server.port(), kFastestRate);
    while (fill.sent() < kRowsToFillIt) absl::SleepFor(absl::Milliseconds(100));
  }
  const Senders senders(data, server.port(), options.rate);
  std::vector<double> fifths[5];
  const absl::Duration begin = Now();
  std::thread asks([&] { Ask(data, server.port(), options.seconds); });
  while (Seconds(Now() - begin) < static_cast<double>(options.seconds)) {
    const double part = Seconds(Now() - begin) / static_cast<double>(options.seconds);
    fifths[std::min<size_t>(4, static_cast<size_t>(part * 5))].push_back(Server::ResidentMebibytes(server.Child()));
    absl::SleepFor(absl::Milliseconds(500));
  }
  asks.join();
  for (const std::vector<double>& fifth : fifths) {
    std::printf("median %.0f MiB, most %.0f MiB\n", bench::Median(fifth), At(fifth, 1));
  }
  const double before = bench::Median(fifths[1]);
  const double after = bench::Median(fifths[4]);
  std::printf("%.0f MiB in the second fifth of %lld s, %.0f MiB in the last; %lld rows came, peak %.0f MiB\n", before,
              static_cast<long long>(options.seconds), after, static_cast<long long>(senders.sent()),
              Server::PeakMebibytes(server.Child()));
  return after <= before * kMostGrowth + kMostMoreMebibytes ? 0 : 1;
}

}  // namespace
}  // namespace logquery

int main(int argc, char** argv) {
  const logquery::Options options = logquery::Parse(argc, argv);
  return options.memory ? logquery::MeasureMemory(options) : logquery::MeasureTimes(options);
}
