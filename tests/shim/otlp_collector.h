// A collector of traces for tests: takes OTLP/HTTP JSON, and can refuse or hang.
#ifndef LOGQUERY_TESTS_SHIM_OTLP_COLLECTOR_H_
#define LOGQUERY_TESTS_SHIM_OTLP_COLLECTOR_H_

#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace logquery::shim {

// A span as it arrived.
using SpanJson = nlohmann::ordered_json;

class OtlpCollector {
 public:
  // On a port of the system's choice. It accepts spans.
  OtlpCollector();
  ~OtlpCollector();
  OtlpCollector(const OtlpCollector&) = delete;
  OtlpCollector& operator=(const OtlpCollector&) = delete;

  std::string url() const;

  // From now on requests get this answer; spans count only with 200.
  void Answer(int status, std::string body = "{}");
  // From now on requests get no answer, until Answer is called.
  void Hang();

  // The spans of all requests so far that were answered with 200.
  std::vector<SpanJson> spans() const;
  // Waits for that many; fails the test when they do not come within 30 seconds.
  std::vector<SpanJson> AwaitSpans(size_t count) const;
  // How many requests have arrived whole, whatever their answer.
  int requests() const;
  void AwaitRequests(int count) const;
  // The last request, with its headers.
  std::string last_request() const;

 private:
  void Serve();
  void Take(int connection);

  int socket_ = -1;
  int port_ = 0;
  mutable absl::Mutex mutex_;
  int status_ ABSL_GUARDED_BY(mutex_) = 200;
  std::string body_ ABSL_GUARDED_BY(mutex_) = "{}";
  bool hangs_ ABSL_GUARDED_BY(mutex_) = false;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  int requests_ ABSL_GUARDED_BY(mutex_) = 0;
  std::string last_request_ ABSL_GUARDED_BY(mutex_);
  std::vector<SpanJson> spans_ ABSL_GUARDED_BY(mutex_);
  std::thread thread_;
};

// The value of a span's attribute as text; empty: it has none of this name.
std::string AttributeOf(const SpanJson& span, std::string_view key);

// The spans of this name.
std::vector<SpanJson> SpansNamed(const std::vector<SpanJson>& spans, std::string_view name);

}  // namespace logquery::shim

#endif  // LOGQUERY_TESTS_SHIM_OTLP_COLLECTOR_H_
