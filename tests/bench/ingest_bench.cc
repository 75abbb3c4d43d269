// Logs in over HTTP against `load` of the same file, in one run: rows a second of both, and their ratio.
//
//     logquery_bench_ingest FILE [--clients N] [--rows N] [--rounds N]
//
// FILE has rows of edge_logs as NDJSON (`logquery sample` writes one). The clients send it over sockets to a server in this
// process, --rows of them a request, each waiting for its answer. Fails when a request fails, or when the rows of the two folders
// are not as many.

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "lib/base/strings.h"
#include "logquery/query_service.h"
#include "logquery/serving/query_queue.h"
#include "logquery/store/duckdb_backend.h"
#include "shim/http/calls/routes.h"
#include "shim/http/transport/transport.h"
#include "shim/observe/request_log.h"
#include "tests/bench/bench_client.h"
#include "tests/bench/bench_util.h"

namespace logquery {
namespace {

using bench::Client;
using bench::Fail;
using bench::Need;

struct Options {
  std::string file;
  int64_t clients = 8;
  int64_t rows = 1'000;
  int64_t rounds = 3;
};

Options Parse(int argc, char** argv) {
  Options options;
  const std::pair<std::string_view, int64_t*> numbers[] = {
      {"--clients", &options.clients}, {"--rows", &options.rows}, {"--rounds", &options.rounds}};
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    const auto* const known =
        std::find_if(std::begin(numbers), std::end(numbers), [&](const auto& number) { return number.first == name; });
    if (known == std::end(numbers)) {
      options.file = name;
    } else if (++i == argc || !absl::SimpleAtoi(argv[i], known->second) || *known->second < 1) {
      Fail(std::string(name) + " wants a number");
    }
  }
  if (options.file.empty()) Fail("usage: logquery_bench_ingest FILE [--clients N] [--rows N] [--rounds N]");
  return options;
}

// Anybody may write.
class Writers : public Authenticator {
 public:
  absl::StatusOr<Principal> Authenticate(std::string_view) override {
    Principal principal;
    principal.ingest = IngestRights();
    return principal;
  }
};

std::vector<std::string> Bodies(const Options& options) {
  std::ifstream file(options.file, std::ios::binary);
  std::vector<std::string> bodies;
  int64_t rows = 0;
  for (std::string line; std::getline(file, line);) {
    if (rows++ % options.rows == 0) bodies.emplace_back("[");
    base::StrAppend(&bodies.back(), bodies.back().size() > 1 ? "," : "", line);
  }
  for (std::string& body : bodies) body += "]";
  if (bodies.empty()) Fail(options.file + " has no rows");
  return bodies;
}

int64_t CountRows(QueryBackend& backend) {
  PreparedQuery::Parts parts;
  parts.dialect_text = "SELECT count(*) FROM \"cloudflare.logs.prod\"";
  parts.schema = {{"n", Type::Int64()}};
  CollectingSink sink;
  Need(backend.Execute(PreparedQuery(std::move(parts)), {}, {}, {}, sink));
  return sink.rows().at(0).at(0).int64_value();
}

struct Outcome {
  int64_t rows = 0;
  double seconds = 0;
  double processor_seconds = 0;
};

double ProcessorSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

Outcome LoadFile(const Options& options) {
  const bench::TemporaryFolder folder;
  const auto backend = Need(OpenDuckDb({.folder = folder / "data"}));
  const double processor = ProcessorSeconds();
  const absl::Duration begin = Clock::Real()->Monotonic();
  const LoadReport report = Need(backend->store().Load({.table = "edge_logs", .files = {options.file}}, nullptr));
  return {report.rows, absl::ToDoubleSeconds(Clock::Real()->Monotonic() - begin), ProcessorSeconds() - processor};
}

Outcome Post(const Options& options, const std::vector<std::string>& bodies) {
  const bench::TemporaryFolder folder;
  const auto backend = Need(OpenDuckDb({.folder = folder / "data"}));
  const auto receiver =
      Need(LogReceiver::Create(backend.get(), {.max_bytes = int64_t{1} << 30, .max_requests = int64_t{1} << 20}));
  Writers writers;
  QueryServiceOptions service_options;
  service_options.backend = backend.get();
  service_options.authenticator = &writers;
  service_options.warming_threads = 0;
  const auto service = Need(QueryService::Create(service_options));
  const auto queue = Need(QueryQueue::Create({service.get(), 2, 2}));
  shim::RequestLog log([](std::string_view) {}, true, Clock::Real());
  HttpServerOptions routes_options;
  routes_options.service = service.get();
  routes_options.queue = queue.get();
  routes_options.observer = &log;
  routes_options.receiver = receiver.get();
  shim::Routes routes(routes_options);
  const auto server = Need(shim::Transport::Bind({}, &routes));
  std::thread serving([&] { server->Serve(); });
  std::atomic<size_t> next{0};
  const double processor = ProcessorSeconds();
  const absl::Duration begin = Clock::Real()->Monotonic();
  std::vector<std::thread> clients;
  for (int64_t i = 0; i < options.clients; ++i) {
    clients.emplace_back([&] {
      Client client(server->port(), "b");
      for (size_t body = next++; body < bodies.size(); body = next++) client.PostLogs(bodies[body]);
    });
  }
  for (std::thread& client : clients) client.join();
  const double seconds = absl::ToDoubleSeconds(Clock::Real()->Monotonic() - begin);
  const double processor_seconds = ProcessorSeconds() - processor;
  server->Stop(absl::ZeroDuration());
  serving.join();
  receiver->Stop();
  queue->Stop();
  return {CountRows(*backend), seconds, processor_seconds};
}

int Run(const Options& options) {
  const std::vector<std::string> bodies = Bodies(options);
  std::vector<double> ratios;
  for (int64_t round = 0; round < options.rounds; ++round) {
    const Outcome loaded = LoadFile(options);
    const Outcome posted = Post(options, bodies);
    if (loaded.rows != posted.rows) Fail(base::StrCat("loaded ", loaded.rows, " rows, posted ", posted.rows));
    const double load = static_cast<double>(loaded.rows) / loaded.seconds;
    const double post = static_cast<double>(posted.rows) / posted.seconds;
    ratios.push_back(post / load);
    // The clients' own work is in HTTP's seconds of processors.
    std::printf("%lld rows: load %.0f rows/s, HTTP %.0f rows/s, ratio %.2f; processors %.2f s, %.2f s, ratio %.2f\n",
                static_cast<long long>(loaded.rows), load, post, post / load, loaded.processor_seconds,
                posted.processor_seconds, loaded.processor_seconds / posted.processor_seconds);
    std::fflush(stdout);
  }
  std::printf("median ratio %.2f (aim 0.6, at least 0.3)\n", bench::Median(ratios));
  return bench::Median(ratios) >= 0.3 ? 0 : 1;
}

}  // namespace
}  // namespace logquery

int main(int argc, char** argv) { return logquery::Run(logquery::Parse(argc, argv)); }
