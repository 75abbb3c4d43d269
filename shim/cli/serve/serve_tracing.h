// The traces of a server, by its settings.
#ifndef LOGQUERY_SHIM_CLI_SERVE_SERVE_TRACING_H_
#define LOGQUERY_SHIM_CLI_SERVE_SERVE_TRACING_H_

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lib/base/variables.h"
#include "shim/cli/options/commands.h"
#include "shim/observe/metrics.h"
#include "shim/observe/span_exporter.h"
#include "shim/observe/tracer.h"

namespace logquery::shim {

// OK: an URL that spans can be sent to. InvalidArgument: `url` is none, or contains a user or password, which would be seen
// by every user of the machine.
absl::Status CheckTraceUrl(const std::string& url);

// Returns the header that the variable, or the file that NAME_FILE names, contains: "Authorization: Bearer …".
// InvalidArgument: it is not set, or no header. NotFound: the file can't be read.
absl::StatusOr<std::pair<std::string, std::string>> TraceHeaderFrom(const std::string& name,
                                                                    const base::Variables& variable);

class ServeTracing {
 public:
  // nullptr: no collector is named. Statuses: those of TraceHeaderFrom.
  static absl::StatusOr<std::unique_ptr<ServeTracing>> Open(
      const ServeArguments& arguments, std::function<void(std::string_view level, std::string_view line)> log);

  const Tracer& tracer() const { return tracer_; }
  // Adds what becomes of spans; the metrics must drop their readers before this object is destroyed.
  void AddTo(Metrics& metrics) const;
  // Sends what waits. Further spans are dropped.
  void Stop() { exporter_.Stop(); }

 private:
  ServeTracing(SpanExporterOptions options, double share);

  SpanExporter exporter_;
  const Tracer tracer_;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_SERVE_SERVE_TRACING_H_
