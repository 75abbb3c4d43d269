// Repeated calls, side by side: computed anew, and kept as long as the rows are
// the same or brought up to date; logs.all also read from the cache of a
// definition with `caching`. Without new rows, and with new rows of the project
// or of another one before each call. The start of the window rolls on with the
// clock.
//
//     logquery_bench_kept [--data FOLDER] [--rows N] [--repeat N] [--only TEXT]
//
// FOLDER is one that `logquery load` made; rows are added to it. Without it one
// of N sample rows is made and left out again. All run in turn, and all bodies
// of a turn must be equal. Ratios are what counts.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "logquery/clock.h"
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

struct Options {
  std::string data;
  int64_t rows = 300'000;
  int repeat = 101;
  std::string only;  // runs comparisons whose titles contain this
};

// Gives all calls of a turn one start of the window. Its monotonic time passes: only queries that take a while have their
// groups kept.
class TurnClock : public Clock {
 public:
  absl::Time Now() const override { return now_; }
  absl::Duration Monotonic() const override { return Clock::Real()->Monotonic(); }
  void BeginTurn() { now_ = absl::Now(); }

 private:
  absl::Time now_ = absl::Now();
};

enum class Way { kCold, kCached, kKept };

std::unique_ptr<QueryService> Serve(QueryBackend* backend, const Clock* clock, Way way) {
  QueryServiceOptions options;
  options.backend = backend;
  options.clock = clock;
  options.warming_threads = 0;
  options.groups_kept_above = absl::Milliseconds(2);
  if (way == Way::kCold) options.cache_bytes = 0;
  if (way != Way::kKept) options.kept_bytes = 0;
  for (Endpoint& endpoint : options.endpoints) {
    endpoint.caching.reset();
    endpoint.cache_warming.reset();
    if (way == Way::kCached) endpoint.caching = absl::Hours(1);
  }
  return Need(QueryService::Create(std::move(options)));
}

struct Timed {
  double micros = 0;
  std::string body;
};

struct Ask {
  const char* endpoint = "logs.all";
  std::vector<std::pair<std::string, std::string>> parameters;
};

Timed Call(QueryService& service, const Ask& ask) {
  QueryRequest request;
  request.endpoint = ask.endpoint;
  for (const auto& [name, value] : ask.parameters) request.parameters.emplace_back(name, value);
  const absl::Time start = absl::Now();
  QueryAnswer answer = Need(service.Run(request));
  return {absl::ToDoubleMicroseconds(absl::Now() - start), std::move(answer.body)};
}

// Rows as the sample has them.
void Append(DuckDbBackend& backend, const char* table, const std::string& project, int count) {
  const int64_t now = absl::ToUnixMicros(absl::Now());
  std::vector<std::string> rows;
  for (int i = 0; i < count; ++i) {
    std::string metadata = table == std::string_view(kEdge)
                               ? absl::StrCat("{\"request\":[{\"url\":\"https://", project,
                                              ".example.com/rest/v1/a\",\"path\":\"/rest/v1/a\"}]}")
                               : absl::StrCat("{\"project_ref\":\"", project, "\",\"execution_time_ms\":", 10 + i,
                                              ",\"response\":[{\"status_code\":200}]}");
    rows.push_back(absl::StrCat("{\"timestamp\":", now - i, ",\"project\":\"", project,
                                "\",\"event_message\":\"GET / 200\",\"metadata\":[", metadata, "]}"));
  }
  Need(backend.store().Append({.table = table, .rows = {rows.begin(), rows.end()}}).status());
}

// `before` runs before each turn.
void Compare(const Options& options, const char* title, const Ask& ask, TurnClock& clock,
             std::vector<QueryService*> services, const std::function<void()>& before) {
  if (!absl::StrContains(title, options.only)) return;
  // Groups are kept from the second call on.
  for (int i = 0; i < 3; ++i) {
    for (QueryService* service : services) Call(*service, ask);
  }
  std::vector<std::vector<double>> times(services.size());
  for (int i = 0; i < options.repeat; ++i) {
    before();
    clock.BeginTurn();
    std::string body;
    for (size_t s = 0; s < services.size(); ++s) {
      Timed timed = Call(*services[s], ask);
      times[s].push_back(timed.micros);
      if (s > 0 && timed.body != body)
        Fail(absl::StrCat(title, ": the answers of turn ", i, " differ:\n", body, "\n", timed.body));
      body = std::move(timed.body);
    }
  }
  const double cold = Median(times[0]), kept = Median(times[1]);
  std::printf("%-32s cold %9.1f us  kept %9.1f us (%5.3f of cold)", title, cold, kept, kept / cold);
  if (services.size() > 2) {
    const double cached = Median(times[2]);
    std::printf("  cached %9.1f us (kept is %4.2f of it)", cached, kept / cached);
  }
  std::printf("\n");
}

void RunAll(const Options& options) {
  bench::SampleFolder folder(options.data, options.rows);
  DuckDbBackend& backend = folder.backend();
  const std::string project = folder.Projects(1).front();
  TurnClock clock;
  const auto cold = Serve(&backend, &clock, Way::kCold), kept = Serve(&backend, &clock, Way::kKept),
             cached = Serve(&backend, &clock, Way::kCached);
  const std::vector<QueryService*> two = {cold.get(), kept.get()};
  const Ask logs{"logs.all", {{"project", project}, {"project_tier", "ENTERPRISE"}}};
  const Ask counts{"usage.api-counts", {{"project", project}, {"project_tier", "ENTERPRISE"}, {"interval", "daily"}}};
  const Ask stats{"functions.invocation-stats", {{"project", project}, {"interval", "7day"}}};
  Compare(options, "logs.all, no new rows", logs, clock, {cold.get(), kept.get(), cached.get()}, [] {});
  Compare(options, "logs.all, another's new row", logs, clock, two,
          [&] { Append(backend, kEdge, "somebody-else", 1); });
  Compare(options, "logs.all, 100 new rows", logs, clock, two, [&] { Append(backend, kEdge, project, 100); });
  Compare(options, "api-counts daily, no new rows", counts, clock, two, [] {});
  Compare(options, "api-counts daily, 100 new rows", counts, clock, two, [&] { Append(backend, kEdge, project, 100); });
  Compare(options, "invocations 7day, no new rows", stats, clock, two, [] {});
  Compare(options, "invocations 7day, 100 new rows", stats, clock, two, [&] { Append(backend, kRelay, project, 100); });
}

Options Parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (i + 1 == argc) Fail("usage: [--data FOLDER] [--rows N] [--repeat N] [--only TEXT]");
    if (argument == "--data") options.data = argv[++i];
    if (argument == "--rows") options.rows = std::atoll(argv[++i]);
    if (argument == "--only") options.only = argv[++i];
    if (argument == "--repeat") options.repeat = std::max(1, std::atoi(argv[++i]));
  }
  return options;
}

}  // namespace
}  // namespace logquery

int main(int argc, char** argv) { logquery::RunAll(logquery::Parse(argc, argv)); }
