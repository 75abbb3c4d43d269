// Uses prometheus-cpp's registry. Its lookup of a series copies the labels, so the series of calls are cached by
// endpoint and code.
#include "shim/observe/metrics.h"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <sstream>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "lib/base/strings.h"

namespace logquery::shim {
namespace {

using prometheus::Counter;
using prometheus::Family;
using prometheus::Gauge;
using prometheus::Histogram;

const Histogram::BucketBoundaries& Buckets() {
  static const Histogram::BucketBoundaries* const buckets = new Histogram::BucketBoundaries{
      0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60};
  return *buckets;
}

std::string StatusName(absl::StatusCode code) { return absl::StatusCodeToString(code); }

const char* CacheName(CacheEvent::Kind kind) {
  switch (kind) {
    case CacheEvent::Kind::kHit:
      return "hit";
    case CacheEvent::Kind::kMiss:
      return "miss";
    case CacheEvent::Kind::kShared:
      return "shared";
    case CacheEvent::Kind::kBypass:
      return "bypass";
    case CacheEvent::Kind::kWarmed:
      return "warmed";
    case CacheEvent::Kind::kWarmingFailed:
      return "warming_failed";
    case CacheEvent::Kind::kCurrent:
      return "current";
  }
  return "unknown";
}

const char* EndName(QueryEvent::End end) {
  switch (end) {
    case QueryEvent::End::kDone:
      return "done";
    case QueryEvent::End::kFailed:
      return "failed";
    case QueryEvent::End::kDeadline:
      return "deadline";
    case QueryEvent::End::kCancelled:
      return "cancelled";
  }
  return "unknown";
}

// A text that may be refused, or that runs out of what it may take: not the server's own troubles.
bool RefusesSql(absl::StatusCode code) {
  return code == absl::StatusCode::kInvalidArgument || code == absl::StatusCode::kPermissionDenied ||
         code == absl::StatusCode::kUnimplemented || code == absl::StatusCode::kResourceExhausted ||
         code == absl::StatusCode::kDeadlineExceeded;
}

// A counter of a family for each of a few small numbers, made when it is first needed.
template <size_t kCount>
class Series {
 public:
  template <typename MakeLabels>
  Counter& At(size_t index, Family<Counter>& family, const MakeLabels& labels) {
    std::atomic<Counter*>& kept = counters_[index];
    Counter* counter = kept.load(std::memory_order_acquire);
    if (counter != nullptr) return *counter;
    counter = &family.Add(labels());  // the same for all that ask at one time
    kept.store(counter, std::memory_order_release);
    return *counter;
  }

 private:
  std::array<std::atomic<Counter*>, kCount> counters_ = {};
};

// The metrics of one endpoint.
struct EndpointSeries {
  std::string label;
  Histogram* seconds = nullptr;
  Counter* rows = nullptr;
  Counter* bytes = nullptr;
  Series<17> calls;                                                   // by absl::StatusCode
  Series<static_cast<size_t>(CacheEvent::Kind::kCurrent) + 1> cache;  // by CacheEvent::Kind, whose last one it names

  absl::Mutex mutex;
  base::StringMap<base::StringMap<Counter*>> labelled ABSL_GUARDED_BY(mutex);  // by key and value
};

struct Reader {
  std::string name;
  std::string help;
  bool counter;
  std::function<double()> read;
};

}  // namespace

struct Metrics::State {
  prometheus::Registry registry;
  Family<Counter>& calls =
      prometheus::BuildCounter()
          .Name("logquery_calls_total")
          .Help("Calls by endpoint and outcome; calls without a valid token or endpoint have an empty endpoint")
          .Register(registry);
  Family<Counter>& labelled = prometheus::BuildCounter()
                                  .Name("logquery_labelled_calls_total")
                                  .Help("Calls by the labels of their endpoint's definition")
                                  .Register(registry);
  Family<Histogram>& call_seconds = prometheus::BuildHistogram()
                                        .Name("logquery_call_seconds")
                                        .Help("Time of a call, without the wait for a thread")
                                        .Register(registry);
  Family<Histogram>& queue_seconds = prometheus::BuildHistogram()
                                         .Name("logquery_queue_seconds")
                                         .Help("Time that a call waited for a thread")
                                         .Register(registry);
  Family<Counter>& cache = prometheus::BuildCounter()
                               .Name("logquery_cache_total")
                               .Help("Cache outcomes: hit, miss, shared, bypass, warmed, warming_failed, current")
                               .Register(registry);
  Family<Counter>& rows =
      prometheus::BuildCounter().Name("logquery_rows_total").Help("Rows in answers").Register(registry);
  Family<Counter>& bytes = prometheus::BuildCounter()
                               .Name("logquery_answer_bytes_total")
                               .Help("Bytes of answers as sent")
                               .Register(registry);
  Family<Counter>& refused = prometheus::BuildCounter()
                                 .Name("logquery_sql_refused_total")
                                 .Help("Calls whose own SQL was refused, by status")
                                 .Register(registry);
  Family<Counter>& queries = prometheus::BuildCounter()
                                 .Name("logquery_queries_total")
                                 .Help("Queries in the engine by end: done, failed, deadline, cancelled")
                                 .Register(registry);
  Family<Histogram>& query_seconds = prometheus::BuildHistogram()
                                         .Name("logquery_query_seconds")
                                         .Help("Time of a query in the engine")
                                         .Register(registry);
  Counter& engine_failures =
      prometheus::BuildCounter()
          .Name("logquery_engine_failures_total")
          .Help("Queries that ran again with bare scans, because a remote engine failed to compute a part of them")
          .Register(registry)
          .Add({});
  Family<Counter>& requests = prometheus::BuildCounter()
                                  .Name("logquery_http_requests_total")
                                  .Help("Requests to the public listener by HTTP status")
                                  .Register(registry);
  Family<Counter>& reloads = prometheus::BuildCounter()
                                 .Name("logquery_definitions_reloads_total")
                                 .Help("How often definitions were loaded again, by result: done, failed")
                                 .Register(registry);
  Family<Gauge>& outdated = prometheus::BuildGauge()
                                .Name("logquery_definitions_outdated")
                                .Help("1 while the newest definitions have errors, and older ones serve")
                                .Register(registry);
  Family<Gauge>& revision = prometheus::BuildGauge()
                                .Name("logquery_definitions_info")
                                .Help("1 for the revision of the definitions that serve")
                                .Register(registry);
  Family<Gauge>& build =
      prometheus::BuildGauge().Name("logquery_build_info").Help("1 for the program's version").Register(registry);
  Family<Gauge>& started = prometheus::BuildGauge()
                               .Name("logquery_start_time_seconds")
                               .Help("When the server started, in seconds since 1970")
                               .Register(registry);
  Histogram& all_queued = queue_seconds.Add({}, Buckets());
  Histogram& all_query_seconds = query_seconds.Add({}, Buckets());
  Gauge& is_outdated = outdated.Add({});

  Series<600> by_code;  // requests

  absl::Mutex mutex;
  base::StringMap<std::unique_ptr<EndpointSeries>> endpoints ABSL_GUARDED_BY(mutex);
  Gauge* current ABSL_GUARDED_BY(mutex) = nullptr;
  std::vector<Reader> readers ABSL_GUARDED_BY(mutex);

  void CountLabels(EndpointSeries& series, const Labels& labels) {
    for (const auto& [key, value] : labels) LabelCounter(series, key, value).Increment();
  }

  Counter& LabelCounter(EndpointSeries& series, const std::string& key, const std::string& value) {
    {
      absl::ReaderMutexLock lock(&series.mutex);
      if (const auto values = series.labelled.find(key); values != series.labelled.end()) {
        if (const auto found = values->second.find(value); found != values->second.end()) return *found->second;
      }
    }
    absl::MutexLock lock(&series.mutex);
    base::StringMap<Counter*>& values = series.labelled[key];
    const bool has_room = values.size() < kMaxLabelValues || values.contains(value);
    const std::string shown = has_room ? value : "(other)";
    Counter*& counter = values[shown];
    if (counter == nullptr) counter = &labelled.Add({{"endpoint", series.label}, {"key", key}, {"value", shown}});
    return *counter;
  }

  EndpointSeries& For(std::string_view endpoint) {
    {
      absl::ReaderMutexLock lock(&mutex);
      if (const auto found = endpoints.find(endpoint); found != endpoints.end()) return *found->second;
    }
    absl::MutexLock lock(&mutex);
    // The empty name is of calls without an endpoint, and beyond the limit, as is that of all others.
    if (!endpoint.empty() && endpoints.find(endpoint) == endpoints.end()) {
      if (labels_ < kMaxEndpointLabels) {
        ++labels_;
      } else {
        endpoint = "(other)";
      }
    }
    std::unique_ptr<EndpointSeries>& series = endpoints[std::string(endpoint)];
    if (series == nullptr) series = Make(std::string(endpoint));
    return *series;
  }

 private:
  std::unique_ptr<EndpointSeries> Make(const std::string& label) {
    auto made = std::make_unique<EndpointSeries>();
    made->label = label;
    made->seconds = &call_seconds.Add({{"endpoint", label}}, Buckets());
    made->rows = &rows.Add({{"endpoint", label}});
    made->bytes = &bytes.Add({{"endpoint", label}});
    return made;
  }

  int labels_ ABSL_GUARDED_BY(mutex) = 0;
};

Metrics::Metrics(const std::string& version, ServiceObserver* next) : state_(std::make_unique<State>()), next_(next) {
  state_->build.Add({{"version", version}}).Set(1);
  state_->started.Add({}).Set(absl::ToDoubleSeconds(absl::Now() - absl::UnixEpoch()));
}

Metrics::~Metrics() = default;

void Metrics::OnCall(const CallEvent& event) noexcept {
  if (next_ != nullptr) next_->OnCall(event);
  EndpointSeries& series = state_->For(event.origin.endpoint);
  series.calls
      .At(static_cast<size_t>(event.code), state_->calls,
          [&] {
            return prometheus::Labels{{"endpoint", series.label}, {"status", StatusName(event.code)}};
          })
      .Increment();
  if (!event.labels.empty()) state_->CountLabels(series, event.labels);
  series.seconds->Observe(absl::ToDoubleSeconds(event.total));
  state_->all_queued.Observe(absl::ToDoubleSeconds(event.times.queued));
  if (event.callers_sql && RefusesSql(event.code)) {
    state_->refused.Add({{"reason", StatusName(event.code)}}).Increment();
  }
  if (event.code != absl::StatusCode::kOk) return;
  series.rows->Increment(static_cast<double>(event.rows));
  series.bytes->Increment(static_cast<double>(event.bytes));
}

void Metrics::OnQueryStart(const QueryEvent& event) noexcept {
  if (next_ != nullptr) next_->OnQueryStart(event);
}

void Metrics::OnQueryEnd(const QueryEvent& event) noexcept {
  if (next_ != nullptr) next_->OnQueryEnd(event);
  state_->queries.Add({{"end", EndName(event.end)}}).Increment();
  state_->all_query_seconds.Observe(absl::ToDoubleSeconds(event.times.execute));
}

void Metrics::OnEngineFailure(const EngineFailureEvent& event) noexcept {
  if (next_ != nullptr) next_->OnEngineFailure(event);
  state_->engine_failures.Increment();
}

void Metrics::OnCache(const CacheEvent& event) noexcept {
  if (next_ != nullptr) next_->OnCache(event);
  EndpointSeries& series = state_->For(event.origin.endpoint);
  series.cache
      .At(static_cast<size_t>(event.kind), state_->cache,
          [&] {
            return prometheus::Labels{{"endpoint", series.label}, {"use", CacheName(event.kind)}};
          })
      .Increment();
}

void Metrics::OnDefinitions(const DefinitionsEvent& event) noexcept {
  if (next_ != nullptr) next_->OnDefinitions(event);
  state_->reloads.Add({{"result", event.status.ok() ? "done" : "failed"}}).Increment();
  state_->is_outdated.Set(event.status.ok() ? 0 : 1);
  if (event.revision.empty()) return;
  absl::MutexLock lock(&state_->mutex);
  if (state_->current != nullptr) state_->revision.Remove(state_->current);
  state_->current = &state_->revision.Add({{"revision", event.revision.substr(0, 16)}});
  state_->current->Set(1);
}

void Metrics::OnRequest(int status) noexcept {
  if (status < 100 || status >= 600) return;  // no status of HTTP
  state_->by_code
      .At(static_cast<size_t>(status), state_->requests,
          [status] {
            return prometheus::Labels{{"code", std::to_string(status)}};
          })
      .Increment();
}

void Metrics::AddGauge(const std::string& name, const std::string& help, std::function<double()> read) {
  absl::MutexLock lock(&state_->mutex);
  state_->readers.push_back({name, help, false, std::move(read)});
}

void Metrics::AddCounter(const std::string& name, const std::string& help, std::function<double()> read) {
  absl::MutexLock lock(&state_->mutex);
  state_->readers.push_back({name, help, true, std::move(read)});
}

void Metrics::DropReaders() {
  absl::MutexLock lock(&state_->mutex);
  state_->readers.clear();
}

std::string Metrics::Text() const {
  std::vector<prometheus::MetricFamily> families = state_->registry.Collect();
  absl::MutexLock lock(&state_->mutex);
  for (const Reader& reader : state_->readers) {
    prometheus::MetricFamily family;
    family.name = reader.name;
    family.help = reader.help;
    family.type = reader.counter ? prometheus::MetricType::Counter : prometheus::MetricType::Gauge;
    prometheus::ClientMetric metric;
    (reader.counter ? metric.counter.value : metric.gauge.value) = reader.read();
    family.metric.push_back(std::move(metric));
    families.push_back(std::move(family));
  }
  // A family without a series would be a header without a line.
  std::erase_if(families, [](const prometheus::MetricFamily& family) { return family.metric.empty(); });
  std::ostringstream out;
  prometheus::TextSerializer().Serialize(out, families);
  return out.str();
}

}  // namespace logquery::shim
