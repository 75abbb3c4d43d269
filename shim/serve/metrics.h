// What the server counts, for Prometheus: calls, queries, caches, rows, bytes, refused SQL and definitions as they happen, and the state
// of queries, memory and crashes when it is asked.
//
//     Metrics metrics("0.1.0", &log);                       // a ServiceObserver that passes all on to `log`
//     metrics.AddGauge("logquery_queries_waiting", "Queries that wait for a thread", [&] { return pool.use().waiting; });
//     metrics.Text();                                       // the text format, version 0.0.4
//
// Labels hold names of definitions, statuses and codes, and values of labels that definitions have for their calls; never anything else
// that a caller sent. Names of endpoints beyond kMaxEndpointLabels share one, and so do the values of a label beyond kMaxLabelValues.
#ifndef LOGQUERY_SHIM_SERVE_METRICS_H_
#define LOGQUERY_SHIM_SERVE_METRICS_H_

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "logquery/service_observer.h"

namespace logquery::shim {

inline constexpr int kMaxEndpointLabels = 500;
inline constexpr int kMaxLabelValues = 50;  // of each label of each endpoint
inline constexpr std::string_view kMetricsContentType = "text/plain; version=0.0.4; charset=utf-8";

// Thread-safe.
class Metrics : public ServiceObserver {
 public:
  // `next`, which may be nullptr, is told of everything too; it is borrowed.
  Metrics(const std::string& version, ServiceObserver* next);
  ~Metrics() override;

  void OnCall(const CallEvent& event) noexcept override;
  void OnQueryStart(const QueryEvent& event) noexcept override;
  void OnQueryEnd(const QueryEvent& event) noexcept override;
  void OnCache(const CacheEvent& event) noexcept override;
  void OnDefinitions(const DefinitionsEvent& event) noexcept override;

  // A request over HTTP was answered with that status.
  void OnRequest(int status) noexcept;

  // A value that `read` gives whenever Text is called. A gauge may fall; a counter's name ends in _total. Before the first Text.
  void AddGauge(const std::string& name, const std::string& help, std::function<double()> read);
  void AddCounter(const std::string& name, const std::string& help, std::function<double()> read);
  // What `read` uses goes away: nothing that was added is shown any more.
  void DropReaders();

  // All of it in the text format.
  std::string Text() const;

 private:
  struct State;
  const std::unique_ptr<State> state_;
  ServiceObserver* const next_;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_SERVE_METRICS_H_
