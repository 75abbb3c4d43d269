// Dashboards that poll each second while rows come in: with answers kept up to date, and with every call computed anew.
//
//     logquery_bench_dashboards [--data FOLDER] [--rows N] [--rate N] [--seconds N] [--rounds N]
//
// FOLDER is one that `logquery load` made; rows are added to it. Without it one of N sample rows is made. A writer appends
// --rate rows a second, 250 at a time, for all projects of the folder. 50 dashboards, each of one project, call logs.all
// (three of five), functions.invocation-stats (7day) or usage.api-counts (daily) once a second, on a thread each; one that
// is late leaves a second out. Rounds with and without kept answers alternate over the same data. Ratios are what counts.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "logquery/query_service.h"
#include "logquery/store/duckdb_backend.h"
#include "tests/bench/bench_util.h"
#include "tests/bench/sample_folder.h"

namespace logquery {
namespace {

using bench::Fail;
using bench::kEdge;
using bench::kRelay;
using bench::Median;
using bench::Need;

constexpr int kDashboards = 50;
constexpr int64_t kRowsABatch = 250;

struct Options {
  std::string data;
  int64_t rows = 300'000;
  int64_t rate = 5'000;
  int64_t seconds = 15;
  int64_t rounds = 2;
};

// Appends rows at a rate until it is destroyed: four of five to the edge gateway's log, the others to that of functions.
class Writer {
 public:
  Writer(DuckDbBackend& backend, const std::vector<std::string>& projects, int64_t rate)
      : thread_([this, &backend, &projects, rate] { Run(backend, projects, rate); }) {}
  ~Writer() {
    stops_ = true;
    thread_.join();
  }
  int64_t rows() const { return rows_; }

 private:
  void Run(DuckDbBackend& backend, const std::vector<std::string>& projects, int64_t rate) {
    std::mt19937_64 random(1);
    const absl::Duration each = absl::Seconds(static_cast<double>(kRowsABatch) / static_cast<double>(rate));
    absl::Time due = absl::Now();
    for (int64_t batch = 0; !stops_; ++batch, due += each) {
      while (!stops_ && absl::Now() < due) absl::SleepFor(std::min(absl::Milliseconds(20), due - absl::Now()));
      const bool is_edge = batch % 5 != 0;
      const int64_t now = absl::ToUnixMicros(absl::Now());
      std::vector<std::string> rows;
      for (int64_t i = 0; i < kRowsABatch; ++i) {
        const std::string& project = projects[random() % projects.size()];
        const std::string metadata =
            is_edge ? absl::StrCat("{\"request\":[{\"url\":\"https://", project,
                                   ".example.com/rest/v1/a\",\"path\":\"/rest/v1/a\",\"method\":\"GET\"}],"
                                   "\"response\":[{\"status_code\":200}]}")
                    : absl::StrCat("{\"project_ref\":\"", project, "\",\"execution_time_ms\":", 10 + i,
                                   ",\"response\":[{\"status_code\":200}]}");
        rows.push_back(absl::StrCat("{\"timestamp\":", now - i, ",\"project\":\"", project,
                                    "\",\"event_message\":\"GET / 200\",\"metadata\":[", metadata, "]}"));
      }
      Need(backend.store().Append({.table = is_edge ? kEdge : kRelay, .rows = {rows.begin(), rows.end()}}).status());
      rows_ += kRowsABatch;
    }
  }

  std::atomic<bool> stops_{false};
  std::atomic<int64_t> rows_{0};
  std::thread thread_;
};

struct Kind {
  const char* title;
  const char* endpoint;
  ParameterTexts parameters;
  std::vector<double> kept;  // milliseconds
  std::vector<double> cold;
};

QueryRequest RequestOf(const Kind& kind, const std::string& project) {
  QueryRequest request;
  request.endpoint = kind.endpoint;
  request.parameters = kind.parameters;
  request.parameters.emplace_back("project", project);
  return request;
}

// The kind of the dashboard with this number.
size_t KindOf(int dashboard) { return dashboard % 5 < 3 ? 0 : static_cast<size_t>(dashboard % 5 - 2); }

void Poll(QueryService& service, const std::vector<std::string>& projects, absl::Duration time,
          std::vector<Kind>& kinds, std::vector<double> Kind::*times) {
  std::mutex mutex;
  std::vector<std::thread> threads;
  const absl::Time start = absl::Now();
  for (int i = 0; i < kDashboards; ++i) {
    threads.emplace_back([&, i] {
      Kind& kind = kinds[KindOf(i)];
      const QueryRequest request = RequestOf(kind, projects[static_cast<size_t>(i) % projects.size()]);
      absl::Time due = start + absl::Seconds(1) * i / kDashboards;
      while (due < start + time) {
        absl::SleepFor(due - absl::Now());
        const absl::Time begin = absl::Now();
        Need(service.Run(request).status());
        const double took = absl::ToDoubleMilliseconds(absl::Now() - begin);
        while (due < absl::Now()) due += absl::Seconds(1);
        // The first two seconds fill what is kept.
        if (begin < start + absl::Seconds(2)) continue;
        const std::lock_guard<std::mutex> lock(mutex);
        (kind.*times).push_back(took);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

std::unique_ptr<QueryService> Serve(QueryBackend* backend, bool keeps) {
  QueryServiceOptions options;
  options.backend = backend;
  options.warming_threads = 0;
  options.groups_kept_above = absl::Milliseconds(2);
  options.default_tier = "ENTERPRISE";
  options.cache_bytes = keeps ? options.cache_bytes : 0;
  if (!keeps) options.kept_bytes = 0;
  for (Endpoint& endpoint : options.endpoints) {
    endpoint.caching.reset();
    endpoint.cache_warming.reset();
  }
  return Need(QueryService::Create(std::move(options)));
}

void Print(const char* title, const std::vector<double>& cold, const std::vector<double>& kept) {
  if (cold.empty() || kept.empty()) Fail(absl::StrCat(title, ": no call ended; give it more seconds"));
  std::printf("%-32s computed anew %8.1f ms (%4zu calls)  kept %8.1f ms (%4zu calls)  %5.3f\n", title, Median(cold),
              cold.size(), Median(kept), kept.size(), Median(kept) / Median(cold));
}

void Run(const Options& options) {
  bench::SampleFolder folder(options.data, options.rows);
  DuckDbBackend& backend = folder.backend();
  const std::vector<std::string> projects = folder.Projects(50);
  std::vector<Kind> kinds = {
      {"logs.all", "logs.all", {}, {}, {}},
      {"functions.invocation-stats 7day", "functions.invocation-stats", {{"interval", "7day"}}, {}, {}},
      {"usage.api-counts daily", "usage.api-counts", {{"interval", "daily"}}, {}, {}}};
  const auto cold = Serve(&backend, false), kept = Serve(&backend, true);
  const absl::Time start = absl::Now();
  const Writer writer(backend, projects, options.rate);
  for (int64_t round = 0; round < options.rounds; ++round) {
    Poll(*cold, projects, absl::Seconds(options.seconds), kinds, &Kind::cold);
    Poll(*kept, projects, absl::Seconds(options.seconds), kinds, &Kind::kept);
  }
  const double rate = static_cast<double>(writer.rows()) / absl::ToDoubleSeconds(absl::Now() - start);
  std::vector<double> all_cold, all_kept;
  for (const Kind& kind : kinds) {
    Print(kind.title, kind.cold, kind.kept);
    all_cold.insert(all_cold.end(), kind.cold.begin(), kind.cold.end());
    all_kept.insert(all_kept.end(), kind.kept.begin(), kind.kept.end());
  }
  Print("all", all_cold, all_kept);
  std::printf("%.0f rows/s came in\n", rate);
}

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
    if (name == "--data" && i + 1 < argc) {
      options.data = argv[++i];
    } else if (known == std::end(numbers) || ++i == argc) {
      Fail("usage: logquery_bench_dashboards [--data FOLDER] [--rows N] [--rate N] [--seconds N] [--rounds N]");
    } else {
      *known->second = std::max<int64_t>(1, std::atoll(argv[i]));
    }
  }
  return options;
}

}  // namespace
}  // namespace logquery

int main(int argc, char** argv) { logquery::Run(logquery::Parse(argc, argv)); }
