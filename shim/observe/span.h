// A finished span of a trace, in the terms of OpenTelemetry.
#ifndef LOGQUERY_SHIM_OBSERVE_SPAN_H_
#define LOGQUERY_SHIM_OBSERVE_SPAN_H_

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/time/time.h"

namespace logquery::shim {

struct Span {
  // Identifies a span, here or in another trace.
  struct Link {
    std::string trace_id;  // 32 hexadecimal digits
    std::string span_id;   // 16
  };
  using Attribute = std::pair<std::string, std::variant<std::string, int64_t, double>>;

  std::string trace_id;
  std::string span_id;
  std::string parent_id;  // empty: the trace begins with this span
  std::string name;
  bool is_server = false;  // of a request that was received; otherwise of a step in this process
  absl::Time start;
  absl::Time end;
  std::vector<Attribute> attributes;
  std::vector<Link> links;
  bool failed = false;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_OBSERVE_SPAN_H_
