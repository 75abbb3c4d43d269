// The server's metrics for Prometheus. Calls, queries, caches, rows, bytes, rejected SQL and definitions are counted as
// events happen; the state of queries, memory and crashes is read on request.
//
//     Metrics metrics("0.1.0", &log);                       // a ServiceObserver that forwards all events to `log`
//     metrics.AddGauge("logquery_queries_waiting", "Queries that wait for a thread", [&] { return pool.use().waiting; });
//     metrics.Text();                                       // the text format, version 0.0.4
//
// Labels are names of definitions, statuses and codes, and values of the labels that definitions give their calls; never other
// values that a caller sent. Endpoints beyond kMaxEndpointLabels share one label, and so do a label's values beyond
// kMaxLabelValues.
#ifndef LOGQUERY_SHIM_OBSERVE_METRICS_H_
#define LOGQUERY_SHIM_OBSERVE_METRICS_H_

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "logquery/service_observer.h"

namespace logquery::shim {

inline constexpr int kMaxEndpointLabels = 500;
inline constexpr int kMaxLabelValues = 50;  // of each label of each endpoint

// Thread-safe.
class Metrics : public ServiceObserver {
 public:
  // `next`, which may be nullptr, receives all events too; it is borrowed.
  Metrics(const std::string& version, ServiceObserver* next);
  ~Metrics() override;

  void OnCall(const CallEvent& event) noexcept override;
  void OnQueryStart(const QueryEvent& event) noexcept override;
  void OnQueryEnd(const QueryEvent& event) noexcept override;
  void OnEngineFailure(const EngineFailureEvent& event) noexcept override;
  void OnCache(const CacheEvent& event) noexcept override;
  void OnDefinitions(const DefinitionsEvent& event) noexcept override;

  // Counts an HTTP request answered with this status.
  void OnRequest(int status) noexcept;

  // Adds a metric that `read` returns whenever Text is called. A gauge may decrease; a counter's name ends in _total.
  // Must be called before the first Text.
  void AddGauge(const std::string& name, const std::string& help, std::function<double()> read);
  void AddCounter(const std::string& name, const std::string& help, std::function<double()> read);
  // Removes all added metrics, because the objects that `read` uses are about to be destroyed.
  void DropReaders();

  // Returns all metrics in the text format.
  std::string Text() const;

 private:
  struct State;
  const std::unique_ptr<State> state_;
  ServiceObserver* const next_;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_OBSERVE_METRICS_H_
