// Queries beside a spool that is filled: how much slower they are than without, and whether every row arrives once.
//
//     logquery_bench_spool FOLDER [--seconds N] [--rows N] [--clients N]
//
// FOLDER is one that `logquery load` made, or is made. The clients ask logs.all without a pause, first for a tenth of the time
// with an empty spool, then for all of it while --rows rows a second of the edge gateway are put there. As in the server, twice
// as many queries run at one time as there are processors; the others wait, which counts. The measures are the ratio of the
// slowest hundredth, and how far the spool is behind. Exits with 1 if a call failed or a row is lacking or there twice.
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/numbers.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "logquery/query_service.h"
#include "logquery/store/duckdb_backend.h"
#include "logquery/store/spool.h"
#include "shim/cli/folder/sample/sample_rows.h"
#include "tests/bench/bench_util.h"

namespace logquery {
namespace {

using bench::Fail;
using bench::Need;

namespace fs = std::filesystem;

constexpr char kEdge[] = "cloudflare.logs.prod";
constexpr int kProjects = 50;
constexpr int kFilesASecond = 5;
constexpr absl::Duration kWarmUp = absl::Seconds(5);

struct Options {
  std::string folder;
  int64_t seconds = 60;
  int64_t rows = 5'000;
  int64_t clients = 8;
};

Options Parse(int argc, char** argv) {
  Options options;
  const std::pair<std::string_view, int64_t*> numbers[] = {
      {"--seconds", &options.seconds}, {"--rows", &options.rows}, {"--clients", &options.clients}};
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    const auto* const known =
        std::find_if(std::begin(numbers), std::end(numbers), [&](const auto& number) { return number.first == name; });
    if (known == std::end(numbers)) {
      options.folder = name;
    } else if (++i == argc || !absl::SimpleAtoi(argv[i], known->second) || *known->second < 1) {
      Fail(std::string(name) + " wants a number");
    }
  }
  if (options.folder.empty()) Fail("usage: logquery_bench_spool FOLDER [--seconds N] [--rows N] [--clients N]");
  return options;
}

int64_t CountRows(QueryBackend& backend) {
  PreparedQuery::Parts parts;
  parts.dialect_text = std::string("SELECT count(*) FROM \"") + kEdge + "\"";
  parts.schema = {{"n", Type::Int64()}};
  CollectingSink sink;
  const absl::Status status = backend.Execute(PreparedQuery(std::move(parts)), {}, {}, {}, sink);
  Need(status);
  return sink.rows().at(0).at(0).int64_value();
}

// Lets as many callers run at one time as the server has threads for queries, in the order in which they came.
class Turns {
 public:
  void Await() {
    absl::MutexLock lock(&mutex_);
    const int64_t mine = next_++;
    const auto is_mine = [this, mine]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return mine < done_ + at_once_; };
    mutex_.Await(absl::Condition(&is_mine));
  }
  void Done() {
    absl::MutexLock lock(&mutex_);
    ++done_;
  }

 private:
  const int64_t at_once_ = 2 * std::max<int64_t>(1, std::thread::hardware_concurrency());
  absl::Mutex mutex_;
  int64_t next_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t done_ ABSL_GUARDED_BY(mutex_) = 0;
};

// Clients that ask for the newest rows, each time of another project, for as long as it is told.
class Clients {
 public:
  Clients(QueryService& service, const shim::SampleWorld& world, int64_t count) : service_(service), world_(world) {
    times_.resize(static_cast<size_t>(count));
  }

  std::vector<double> Run(absl::Duration time) {
    const absl::Time end = absl::Now() + time;
    std::vector<std::thread> threads;
    for (size_t i = 0; i < times_.size(); ++i) threads.emplace_back([this, i, end] { AskUntil(end, i); });
    for (std::thread& thread : threads) thread.join();
    std::vector<double> all;
    for (std::vector<double>& times : times_) {
      all.insert(all.end(), times.begin(), times.end());
      times.clear();
    }
    std::sort(all.begin(), all.end());
    return all;
  }

 private:
  void AskUntil(absl::Time end, size_t client) {
    shim::SampleRandom random(1, "client", client);
    while (absl::Now() < end) {
      QueryRequest request;
      request.endpoint = "logs.all";
      request.parameters = {{"project", world_.projects()[world_.PickProject(random)].ref}, {"project_tier", "PRO"}};
      const absl::Time start = absl::Now();
      turns_.Await();
      const absl::StatusOr<QueryAnswer> answer = service_.Run(request);
      turns_.Done();
      if (!answer.ok()) Fail(answer.status().ToString());
      times_[client].push_back(absl::ToDoubleMilliseconds(absl::Now() - start));
    }
  }

  QueryService& service_;
  const shim::SampleWorld& world_;
  Turns turns_;
  std::vector<std::vector<double>> times_;
};

// Puts rows of now into the spool, a file at a time, until it is stopped.
class Writer {
 public:
  Writer(fs::path folder, const shim::SampleWorld& world, int64_t rows_a_second)
      : folder_(std::move(folder)), world_(world), rows_a_file_(rows_a_second / kFilesASecond) {
    thread_ = std::thread([this] { Work(); });
  }
  // The rows that were written.
  int64_t Stop() {
    stop_ = true;
    thread_.join();
    return rows_;
  }

 private:
  void Work() {
    const absl::Time start = absl::Now();
    for (int64_t file = 0; !stop_; ++file) {
      Write(file);
      absl::SleepFor(start + absl::Seconds(1) * (file + 1) / kFilesASecond - absl::Now());
    }
  }

  void Write(int64_t number) {
    shim::SampleRandom random(7, "spool", static_cast<uint64_t>(absl::ToUnixMicros(absl::Now())));
    std::string text;
    for (int64_t row = 0; row < rows_a_file_; ++row) {
      const shim::SampleTime time(absl::ToUnixMicros(absl::Now()));
      shim::AppendEdgeRow({world_, random, world_.PickProject(random), time, text});
    }
    const fs::path name = folder_ / (std::to_string(number) + ".ndjson");
    std::ofstream(folder_ / ".writing", std::ios::binary) << text;
    fs::rename(folder_ / ".writing", name);
    rows_ += rows_a_file_;
  }

  const fs::path folder_;
  const shim::SampleWorld& world_;
  const int64_t rows_a_file_;
  std::atomic<bool> stop_{false};
  int64_t rows_ = 0;
  std::thread thread_;
};

double At(const std::vector<double>& sorted, double part) {
  if (sorted.empty()) Fail("no call was answered");
  return sorted[static_cast<size_t>(static_cast<double>(sorted.size() - 1) * part)];
}

void Print(const char* name, const std::vector<double>& times) {
  std::printf("| %s | %zu | %.1f | %.1f | %.1f |\n", name, times.size(), At(times, 0.5), At(times, 0.99), times.back());
}

void AwaitEmpty(const Spool& spool) {
  for (SpoolState state = spool.state(); state.waiting_files > 0; state = spool.state()) {
    if (!state.stopped.ok()) Fail(state.stopped.ToString());
    absl::SleepFor(absl::Milliseconds(100));
  }
}

int Bench(const Options& options) {
  const auto backend = Need(OpenDuckDb({.folder = options.folder}));
  QueryServiceOptions service_options;
  service_options.kept_bytes = 0;  // queries are what is measured
  service_options.backend = backend.get();
  for (Endpoint& endpoint : service_options.endpoints) endpoint.caching = endpoint.cache_warming = std::nullopt;
  const auto service = Need(QueryService::Create(std::move(service_options)));
  const shim::SampleWorld world(1, kProjects, absl::Now() - absl::Hours(1), absl::Now());
  Clients clients(*service, world, options.clients);
  const int64_t before = CountRows(*backend);

  clients.Run(kWarmUp);  // the first calls read from the disk
  const std::vector<double> idle = clients.Run(absl::Seconds(options.seconds) / 10);
  const fs::path folder = fs::path(options.folder) / "spool";
  const auto spool = Need(Spool::Open({.folder = folder.string(), .logs = {kEdge}}, &backend->store()));
  Need(spool->Start());
  Writer writer(folder / kEdge, world, options.rows);
  const std::vector<double> busy = clients.Run(absl::Seconds(options.seconds));
  const int64_t written = writer.Stop();
  const SpoolState behind = spool->state();
  // Files that were renamed last may not have been seen yet.
  absl::SleepFor(absl::Seconds(1));
  AwaitEmpty(*spool);
  spool->Stop();

  std::printf("| %ld rows before, %ld clients | calls | median, ms | 99 of 100 below, ms | slowest, ms |\n",
              static_cast<long>(before), static_cast<long>(options.clients));
  std::printf("|---|---|---|---|---|\n");
  Print("without a spool", idle);
  Print("while it is filled", busy);
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const int64_t arrived = CountRows(*backend) - before;
  std::printf(
      "ratio of the slowest hundredth %.2f; %ld rows written, %ld arrived; %ld files waited at the end; at most %ld"
      " MiB\n",
      At(busy, 0.99) / At(idle, 0.99), static_cast<long>(written), static_cast<long>(arrived),
      static_cast<long>(behind.waiting_files), usage.ru_maxrss / 1024);
  return arrived == written ? 0 : 1;
}

}  // namespace
}  // namespace logquery

int main(int argc, char** argv) { return logquery::Bench(logquery::Parse(argc, argv)); }
