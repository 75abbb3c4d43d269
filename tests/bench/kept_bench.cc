// Repeated calls of logs.all without new rows, side by side: computed anew,
// read from the cache of a definition with `caching`, and kept as long as the
// rows are the same; and with one new row of the project, or of another one,
// before each call. The start of the window rolls on with the clock.
//
//     logquery_bench_kept [--data FOLDER] [--rows N] [--repeat N]
//
// FOLDER is one that `logquery load` made; rows are added to it. Without it one
// of N sample rows is made and left out again. All run in turn, and all bodies
// of a turn must be equal. Ratios are what counts.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "logquery/query_service.h"
#include "logquery/store/duckdb_backend.h"
#include "shim/cli/folder/sample/sample.h"
#include "tests/bench/bench_util.h"

namespace logquery {
namespace {

using bench::Fail;
using bench::Median;
using bench::Need;
using bench::TemporaryFolder;

constexpr char kEdge[] = "cloudflare.logs.prod";

struct Options {
  std::string data;
  int64_t rows = 300'000;
  int repeat = 101;
};

enum class Way { kCold, kCached, kKept };

std::unique_ptr<QueryService> Serve(QueryBackend* backend, Way way) {
  QueryServiceOptions options;
  options.backend = backend;
  options.warming_threads = 0;
  if (way == Way::kCold) options.cache_bytes = 0;
  if (way != Way::kKept) options.kept_bytes = 0;
  for (Endpoint& endpoint : options.endpoints) {
    if (way == Way::kCached) endpoint.caching = absl::Hours(1);
  }
  return Need(QueryService::Create(std::move(options)));
}

std::string FirstProject(QueryBackend& backend) {
  PreparedQuery::Parts parts;
  parts.dialect_text =
      "SELECT project FROM \"cloudflare.logs.prod\" GROUP BY "
      "project ORDER BY count(*) DESC, project LIMIT 1";
  parts.schema = {{"project", Type::String()}};
  parts.tables = {kEdge};
  CollectingSink rows;
  Need(backend.Execute(PreparedQuery(std::move(parts)), {}, {}, {}, rows));
  if (rows.rows().empty()) Fail("the folder has no rows of edge_logs");
  return rows.rows()[0][0].string_value();
}

struct Timed {
  double micros = 0;
  std::string body;
};

Timed Call(QueryService& service, const std::string& project) {
  QueryRequest request;
  request.endpoint = "logs.all";
  request.parameters = {{"project", project}, {"project_tier", "ENTERPRISE"}};
  const absl::Time start = absl::Now();
  QueryAnswer answer = Need(service.Run(request));
  return {absl::ToDoubleMicroseconds(absl::Now() - start), std::move(answer.body)};
}

void Append(DuckDbBackend& backend, const std::string& project) {
  const std::string row = absl::StrCat("{\"timestamp\":", absl::ToUnixMicros(absl::Now()), ",\"project\":\"", project,
                                       "\",\"event_message\":\"GET / 200\"}");
  Need(backend.store().Append({.table = kEdge, .rows = {row}}).status());
}

// `before` runs before each turn.
void Compare(const char* title, const std::string& project, std::vector<QueryService*> services, int repeat,
             const std::function<void()>& before) {
  for (QueryService* service : services) Call(*service, project);
  std::vector<std::vector<double>> times(services.size());
  for (int i = 0; i < repeat; ++i) {
    before();
    std::string body;
    for (size_t s = 0; s < services.size(); ++s) {
      Timed timed = Call(*services[s], project);
      times[s].push_back(timed.micros);
      if (s > 0 && timed.body != body) Fail("the answers of a turn differ");
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
  TemporaryFolder temporary;
  const std::string data = options.data.empty() ? temporary / "data" : options.data;
  DuckDbOptions engine;
  engine.folder = data;
  std::unique_ptr<DuckDbBackend> backend = Need(OpenDuckDb(engine));
  if (options.data.empty()) {
    shim::SampleOptions sample;
    sample.folder = temporary / "sample";
    sample.rows = options.rows;
    sample.end = absl::Now();
    Need(shim::WriteSample(sample));
    Need(backend->store().Load({.table = kEdge, .files = {sample.folder + "/" + kEdge + ".ndjson"}}, nullptr).status());
    std::filesystem::remove_all(sample.folder);
  }
  const std::string project = FirstProject(*backend);
  const auto cold = Serve(backend.get(), Way::kCold), kept = Serve(backend.get(), Way::kKept),
             cached = Serve(backend.get(), Way::kCached);
  Compare("logs.all, no new rows", project, {cold.get(), kept.get(), cached.get()}, options.repeat, [] {});
  Compare("logs.all, another's new row", project, {cold.get(), kept.get()}, options.repeat,
          [&] { Append(*backend, "somebody-else"); });
  Compare("logs.all, a new row", project, {cold.get(), kept.get()}, options.repeat, [&] { Append(*backend, project); });
}

Options Parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (i + 1 == argc) Fail("usage: [--data FOLDER] [--rows N] [--repeat N]");
    if (argument == "--data") options.data = argv[++i];
    if (argument == "--rows") options.rows = std::atoll(argv[++i]);
    if (argument == "--repeat") options.repeat = std::max(1, std::atoi(argv[++i]));
  }
  return options;
}

}  // namespace
}  // namespace logquery

int main(int argc, char** argv) { logquery::RunAll(logquery::Parse(argc, argv)); }
