// The first run of each call is not counted: plans, connections and the engine's caches are warm.
#include "tests/engines/engine_bench.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "lib/backend/duckdb/source/fragment_backend.h"
#include "lib/base/strings.h"
#include "logquery/query_service.h"
#include "tests/engines/engine_program.h"

namespace logquery::testing {
namespace {

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

// One call; whether it is within what it may take.
bool Compare(QueryService& service, Recorder& recorder, const QueryRequest& call, int rounds) {
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
  for (int round = 0; round < rounds; ++round) {
    through.push_back(Millis(run_call));
    alone.push_back(Millis(run_fragments));
    if (through.back() < 0 || alone.back() < 0) return false;
  }
  const double over = Median(through) - (kMostTimes * Median(alone) + kMostMillis);
  std::printf("| %s %s | %.1f | %.1f | %.2f | %s |\n", call.endpoint.c_str(), call.parameters[1].second.c_str(),
              Median(through), Median(alone), Median(through) / Median(alone),
              over > 0 ? base::StrCat("over by ", static_cast<int64_t>(over + 1), " ms").c_str() : "within");
  std::fflush(stdout);
  return over <= 0;
}

}  // namespace

int RunEngineBench(const std::shared_ptr<FragmentSource>& source, const Clock& clock, const std::string& project,
                   int rounds) {
  const auto recorder = std::make_shared<Recorder>(source);
  auto backend = duckdb::OpenOverFragments(recorder, {});
  if (!backend.ok()) return Fail(backend.status());
  QueryServiceOptions options;
  options.backend = backend->get();
  options.clock = &clock;
  options.cache_bytes = 0;  // each call is to run
  options.warming_threads = 0;
  auto service = QueryService::Create(options);
  if (!service.ok()) return Fail(service.status());
  std::printf("| Call over %s | logquery, ms | its fragments alone, ms | ratio | 1.2 times and 5 ms |\n|---|---|---|---|---|\n",
              source->engine().c_str());
  bool within = true;
  for (const QueryRequest& call : Calls(project)) within = Compare(**service, *recorder, call, rounds) && within;
  return within ? 0 : 1;
}

}  // namespace logquery::testing
