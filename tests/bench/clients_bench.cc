// Throughput of logs.all over HTTP by the number of clients: it has to grow up to the number of processors, and to stay there.
//
//     logquery_bench_clients --data DATA [--seconds N] [--threads N] [--rounds N]
//
// DATA is a folder that `logquery load` made. Each client has a connection of its own, on which it asks for the newest 100 rows
// of one of the busiest projects after the other. No answer is cached or kept, so each call is a query. --threads is the number
// of queries that run at one time, as of `logquery serve --query-threads`; 0, the default, is the server's own. Clients and
// server share the machine's processors. Rounds over all numbers of clients alternate, and medians are printed, because machines
// are noisy. Fails if 64 clients get fewer than 90 % of the most answers per second.
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <memory>
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
#include "logquery/query_service.h"
#include "logquery/serving/query_queue.h"
#include "logquery/store/duckdb_backend.h"
#include "shim/http/calls/routes.h"
#include "shim/http/transport/transport.h"
#include "shim/observe/request_log.h"
#include "tests/bench/bench_client.h"
#include "tests/bench/bench_util.h"

namespace logquery::shim {
namespace {

using bench::Client;
using bench::Fail;
using bench::Median;
using bench::Need;

constexpr int kClients[] = {1, 2, 4, 8, 16, 32, 64};
constexpr double kLeastShareOfBest = 0.9;
constexpr int kProjects = 8;

struct Options {
  std::string data;
  int64_t seconds = 3;
  int64_t threads = 0;
  int64_t rounds = 3;
};

Options Parse(int argc, char** argv) {
  Options options;
  const std::pair<std::string_view, int64_t*> numbers[] = {
      {"--seconds", &options.seconds}, {"--threads", &options.threads}, {"--rounds", &options.rounds}};
  bool is_right = true;
  for (int i = 1; i < argc; i += 2) {
    const std::string_view name = argv[i];
    const auto* const number =
        std::find_if(std::begin(numbers), std::end(numbers), [&](const auto& known) { return known.first == name; });
    if (i + 1 == argc) {
      is_right = false;
    } else if (name == "--data") {
      options.data = argv[i + 1];
    } else {
      is_right = is_right && number != std::end(numbers) && absl::SimpleAtoi(argv[i + 1], number->second);
    }
  }
  if (!is_right || options.data.empty() || options.seconds < 1 || options.threads < 0 || options.rounds < 1) {
    Fail("usage: logquery_bench_clients --data DATA [--seconds N] [--threads N, 0: the server's own] [--rounds N]");
  }
  if (options.threads == 0) options.threads = std::max(4U, 2 * std::thread::hardware_concurrency());
  return options;
}

// The processor time of this process: of clients, server and engine.
absl::Duration ProcessorTime() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return absl::DurationFromTimeval(usage.ru_utime) + absl::DurationFromTimeval(usage.ru_stime);
}

std::vector<std::vector<Value>> RowsOf(QueryBackend& backend, const std::string& sql, const Schema& schema) {
  PreparedQuery::Parts parts;
  parts.endpoint_id = "clients";
  parts.dialect_text = sql;
  parts.schema = schema;
  CollectingSink sink;
  Need(backend.Execute(PreparedQuery(std::move(parts)), {}, {}, {}, sink));
  return sink.rows();
}

absl::Time NewestTime(QueryBackend& backend) {
  const auto rows =
      RowsOf(backend, R"(SELECT max(timestamp) AS t FROM "cloudflare.logs.prod")", Schema({{"t", Type::Timestamp()}}));
  if (rows.empty() || rows[0][0].is_null()) Fail("the folder has no rows of edge_logs");
  return absl::FromUnixMicros(rows[0][0].int64_value());
}

std::vector<std::string> PathsOf(QueryBackend& backend) {
  const auto rows = RowsOf(backend,
                           base::StrCat(R"(SELECT project FROM "cloudflare.logs.prod" WHERE project IS NOT NULL)",
                                        " GROUP BY project ORDER BY count(*) DESC, project LIMIT ", kProjects),
                           Schema({{"project", Type::String()}}));
  std::vector<std::string> paths;
  for (const std::vector<Value>& row : rows) {
    paths.push_back(base::StrCat("/api/endpoints/query/logs.all?project_tier=FREE&project=", row[0].string_value()));
  }
  return paths;
}

struct Measured {
  double per_second = 0;
  double processor_ms = 0;  // of an answer
};

Measured Measure(int port, int clients, const std::vector<std::string>& paths, absl::Duration time) {
  std::atomic<bool> is_over{false};
  std::atomic<int64_t> answers{0};
  std::vector<std::thread> threads;
  const absl::Duration processor = ProcessorTime();
  const absl::Time begin = absl::Now();
  for (int i = 0; i < clients; ++i) {
    threads.emplace_back([&, i] {
      Client client(port, "");
      for (size_t next = static_cast<size_t>(i); !is_over; ++next) {
        client.Get(paths[next % paths.size()]);
        ++answers;
      }
    });
  }
  absl::SleepFor(time);
  is_over = true;
  for (std::thread& thread : threads) thread.join();
  const double seconds = absl::ToDoubleSeconds(absl::Now() - begin);
  const auto count = static_cast<double>(answers);
  return {count / seconds, absl::ToDoubleMilliseconds(ProcessorTime() - processor) / count};
}

// Returns whether the most clients get as many answers as they should.
bool Report(const std::vector<std::vector<Measured>>& rounds) {
  std::vector<Measured> medians;
  for (size_t i = 0; i < std::size(kClients); ++i) {
    std::vector<double> rates, times;
    for (const std::vector<Measured>& round : rounds) {
      rates.push_back(round[i].per_second);
      times.push_back(round[i].processor_ms);
    }
    medians.push_back({Median(rates), Median(times)});
  }
  double best = 0;
  for (const Measured& median : medians) best = std::max(best, median.per_second);
  std::printf("| clients | answers/s | times one client | of the best | processor time of an answer, ms |\n");
  std::printf("|---|---|---|---|---|\n");
  for (size_t i = 0; i < medians.size(); ++i) {
    std::printf("| %d | %.1f | %.2f | %.2f | %.1f |\n", kClients[i], medians[i].per_second,
                medians[i].per_second / medians[0].per_second, medians[i].per_second / best, medians[i].processor_ms);
  }
  return medians.back().per_second >= kLeastShareOfBest * best;
}

int Main(int argc, char** argv) {
  const Options options = Parse(argc, argv);
  const auto backend = Need(OpenDuckDb({.folder = options.data, .read_only = true}));
  const FixedClock clock(NewestTime(*backend) + absl::Seconds(1));
  QueryServiceOptions service_options;
  service_options.backend = backend.get();
  service_options.clock = &clock;
  service_options.cache_bytes = 0;
  service_options.kept_bytes = 0;
  const auto service = Need(QueryService::Create(std::move(service_options)));
  const auto queue = Need(QueryQueue::Create({service.get(), static_cast<int>(options.threads)}));
  RequestLog log([](std::string_view) {}, true, Clock::Real());
  Routes routes({service.get(), queue.get(), &log});
  const auto server = Need(Transport::Bind({}, &routes));
  std::thread serving([&] { server->Serve(); });
  const std::vector<std::string> paths = PathsOf(*backend);
  const absl::Duration time = absl::Seconds(options.seconds);
  Measure(server->port(), 1, paths, time);  // warms
  std::vector<std::vector<Measured>> rounds(static_cast<size_t>(options.rounds));
  for (std::vector<Measured>& round : rounds) {
    for (const int clients : kClients) round.push_back(Measure(server->port(), clients, paths, time));
  }
  server->Stop(absl::Seconds(10));
  serving.join();
  queue->Stop();
  if (Report(rounds)) return 0;
  std::fprintf(stderr, "64 clients get fewer than %.0f %% of the best\n", 100 * kLeastShareOfBest);
  return 1;
}

}  // namespace
}  // namespace logquery::shim

int main(int argc, char** argv) { return logquery::shim::Main(argc, argv); }
