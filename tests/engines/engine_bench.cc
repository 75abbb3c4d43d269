// The first run of each call is not counted: plans, connections and the engine's caches are warm.
#include "tests/engines/engine_bench.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "lib/engines/duckdb/backend/source/fragment_backend.h"
#include "logquery/query_service.h"
#include "tests/engines/engine_program.h"
#include "tests/engines/process_costs.h"

namespace logquery::testing {
namespace {

constexpr size_t kRounds = 31;
// Calls that take long run for three rounds.
constexpr size_t kLeastRounds = 3;
constexpr absl::Duration kMostTime = absl::Seconds(20);
constexpr double kMostTimes = 1.2;
constexpr double kMostMillis = 5;

// Keeps what it is asked.
class Recorder : public FragmentSource {
 public:
  struct Asked {
    QueryFragment fragment;
    Bindings bindings;
  };

  explicit Recorder(std::shared_ptr<FragmentSource> source) : source_(std::move(source)) {}
  std::string engine() const override { return source_->engine(); }
  const emit::SqlDialect& dialect() const override { return source_->dialect(); }
  absl::StatusOr<Catalog> ReadCatalog() override { return source_->ReadCatalog(); }
  absl::Status Run(const QueryFragment& fragment, const Bindings& bindings, const CancellationToken& cancellation,
                   BatchSink& sink) override {
    {
      absl::MutexLock lock(&mutex_);
      asked_.push_back({fragment, bindings});
    }
    return source_->Run(fragment, bindings, cancellation, sink);
  }
  absl::Status Probe(const CancellationToken& cancellation) override { return source_->Probe(cancellation); }
  std::vector<Asked> Take() {
    absl::MutexLock lock(&mutex_);
    return std::exchange(asked_, {});
  }

 private:
  const std::shared_ptr<FragmentSource> source_;
  absl::Mutex mutex_;
  std::vector<Asked> asked_ ABSL_GUARDED_BY(mutex_);
};

class Nobody : public BatchSink {
 public:
  absl::Status Append(const Batch& batch) override {
    rows_ += batch.rows();
    return absl::OkStatus();
  }
  int64_t rows() const { return rows_; }

 private:
  int64_t rows_ = 0;
};

double Millis(const std::function<absl::Status()>& run) {
  const absl::Time start = absl::Now();
  const absl::Status status = run();
  const double millis = absl::ToDoubleMilliseconds(absl::Now() - start);
  return status.ok() ? millis : (Fail(status), -1);
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

std::vector<QueryRequest> Calls(const std::string& project) {
  std::vector<QueryRequest> calls;
  const auto add = [&](const char* endpoint, const char* name, const char* value) {
    QueryRequest& call = calls.emplace_back();
    call.endpoint = endpoint;
    call.parameters = {{"project", project}, {name, value}};
  };
  add("logs.all", "project_tier", "ENTERPRISE");
  for (const char* interval : {"5min", "15min", "1hr", "1day", "7day"}) {
    add("functions.invocation-stats", "interval", interval);
  }
  for (const char* interval : {"minutely", "hourly", "daily"}) add("usage.api-counts", "interval", interval);
  return calls;
}

// The costs of one call, without its first run: plans, connections and caches are warm.
struct Costs {
  int64_t rows = 0;
  ProcessCosts engine;
  ProcessCosts here;
  double through = 0;
  double alone = 0;

  void PerRound(size_t rounds) {
    for (ProcessCosts* const each : {&engine, &here}) {
      each->cpu_millis /= static_cast<double>(rounds);
      each->bytes_read /= static_cast<int64_t>(rounds);
    }
  }
};

bool IsAnotherRound(absl::Time start, size_t rounds) {
  return rounds < kLeastRounds || (rounds < kRounds && absl::Now() - start < kMostTime);
}

void Print(const QueryRequest& call, const Costs& costs, const char* verdict) {
  std::printf("| %s %s | %lld | %.2f | %.0f | %.0f | %.1f | %.1f | %s |\n", call.endpoint.c_str(),
              call.parameters[1].second.c_str(), static_cast<long long>(costs.rows),
              static_cast<double>(costs.engine.bytes_read) / 1e6, costs.engine.cpu_millis, costs.here.cpu_millis,
              costs.through, costs.alone, verdict);
  std::fflush(stdout);
}

void PrintHead(const std::string& engine) {
  std::printf(
      "| Call over %s | rows travelled | MB read | CPU of the engine, ms | CPU here, ms | logquery, ms | its fragments "
      "alone, ms | 1.2 times and 5 ms |\n|---|---|---|---|---|---|---|---|\n",
      engine.c_str());
}

std::unique_ptr<QueryService> MakeService(QueryBackend& backend, const Clock& clock) {
  QueryServiceOptions options;
  options.backend = &backend;
  options.clock = &clock;
  options.cache_bytes = 0;  // each call is to run
  options.time_limit = kEngineTimeLimit;
  options.warming_threads = 0;
  auto service = QueryService::Create(options);
  if (!service.ok()) return Fail(service.status()), nullptr;
  return *std::move(service);
}

// False: a run failed.
bool Compare(QueryService& service, Recorder& recorder, const QueryRequest& call, Costs& costs) {
  const char* const process = std::getenv(kEngineProcess);
  const pid_t engine = process == nullptr ? 0 : std::atoi(process);
  const auto run_call = [&] { return service.Run(call).status(); };
  recorder.Take();
  if (Millis(run_call) < 0) return false;
  const std::vector<Recorder::Asked> asked = recorder.Take();
  int64_t rows = 0;
  const auto run_fragments = [&] {
    for (const Recorder::Asked& each : asked) {
      Nobody nobody;
      if (absl::Status status = recorder.Run(each.fragment, each.bindings, {}, nobody); !status.ok()) return status;
      rows += nobody.rows();
    }
    return absl::OkStatus();
  };
  std::vector<double> through, alone;
  const auto time_call = [&] {
    const ProcessCosts engine_before = CostsOf(engine);
    const ProcessCosts here_before = CostsOf(0);
    through.push_back(Millis(run_call));
    // In this order: to look at all processes takes milliseconds of this one's.
    const ProcessCosts here_spent = CostsOf(0) - here_before;
    const ProcessCosts engine_spent = CostsOf(engine) - engine_before;
    costs.engine.cpu_millis += engine_spent.cpu_millis;
    costs.engine.bytes_read += engine_spent.bytes_read;
    costs.here.cpu_millis += here_spent.cpu_millis;
  };
  const auto time_fragments = [&] {
    CostsOf(engine);  // what comes after it finds the processor's caches as the call does
    rows = 0;
    alone.push_back(Millis(run_fragments));
  };
  const absl::Time start = absl::Now();
  while (IsAnotherRound(start, through.size())) {
    const bool call_first = through.size() % 2 == 0;
    if (call_first) time_call();
    time_fragments();
    if (!call_first) time_call();
    if (through.back() < 0 || alone.back() < 0) return false;
  }
  costs.PerRound(through.size());
  costs.rows = rows;
  costs.through = Median(through);
  costs.alone = Median(alone);
  return true;
}

}  // namespace

int RunEngineBench(const std::shared_ptr<FragmentSource>& source, const Clock& clock, const std::string& project) {
  const auto recorder = std::make_shared<Recorder>(source);
  auto backend = duckdb::OpenOverFragments(recorder, {});
  if (!backend.ok()) return Fail(backend.status());
  const auto service = MakeService(**backend, clock);
  if (service == nullptr) return 1;
  PrintHead(source->engine());
  bool all_within = true;
  for (const QueryRequest& call : Calls(project)) {
    Costs costs;
    if (!Compare(*service, *recorder, call, costs)) return 1;
    const bool within = costs.through <= kMostTimes * costs.alone + kMostMillis;
    Print(call, costs, within ? "within" : "over");
    all_within = all_within && within;
  }
  return all_within ? 0 : 1;
}

int RunBackendBench(QueryBackend& backend, const Clock& clock, const std::string& project) {
  const auto service = MakeService(backend, clock);
  if (service == nullptr) return 1;
  PrintHead(backend.capabilities().engine);
  for (const QueryRequest& call : Calls(project)) {
    const auto run_call = [&] { return service->Run(call).status(); };
    if (Millis(run_call) < 0) return 1;
    Costs costs;
    std::vector<double> times;
    const absl::Time start = absl::Now();
    while (IsAnotherRound(start, times.size())) {
      const ProcessCosts before = CostsOf(0);
      times.push_back(Millis(run_call));
      costs.here.cpu_millis += (CostsOf(0) - before).cpu_millis;
      costs.engine.bytes_read += (CostsOf(0) - before).bytes_read;
    }
    costs.PerRound(times.size());
    costs.through = Median(times);
    Print(call, costs, "-");
  }
  return 0;
}

}  // namespace logquery::testing
