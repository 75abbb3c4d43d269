// An endpoint: a named, parameterised query with its settings (specification, section 2.1).
//
// Definitions are two files, NAME.json with the settings and NAME.sql with the query in the BigQuery dialect:
//
//     {"id": "b0a9a6e8-…", "name": "logs.all", "max_rows": 1000, "caching": "disabled", "query_sandboxing": true,
//      "redact_pii": false, "redact_email": true, "redact_patterns": ["\\bcus_[A-Za-z0-9]+"], "private_ctes": ["retention"],
//      "parameters": [{"name": "project", "type": "STRING", "required": true},
//                     {"name": "retention_start", "type": "TIMESTAMP",
//                      "computed": {"by": "retention", "from": "project_tier"}}]}
//
// A plain value: copy it, compare it, keep it. The registry checks it as a whole.
#ifndef LOGQUERY_ENDPOINT_H_
#define LOGQUERY_ENDPOINT_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "logquery/call_limits.h"
#include "logquery/redactor.h"
#include "logquery/type.h"

namespace logquery {

// A parameter's value worked out by the service, from the call's now and another parameter's text.
struct ComputedParameter {
  enum class By {
    kRetention,    // TIMESTAMP: RetentionPolicy::Start of the text
    kBuckets,      // ARRAY<TIMESTAMP>: IntervalBucketer::Generate
    kWindowStart,  // TIMESTAMP: now minus a window
  };
  struct Buckets {
    int count = 0;
    std::string label;  // "day_hour"

    bool operator==(const Buckets&) const = default;
  };
  By by = By::kRetention;
  std::string from;                               // the parameter whose text decides
  std::string start;                              // kRetention: the TIMESTAMP parameter that asks for a lower bound;
  std::string end;                                // and for an upper one. Empty: callers can't ask for one
  std::map<std::string, Buckets> buckets;         // kBuckets: text → what to generate
  std::map<std::string, absl::Duration> windows;  // kWindowStart: text → the window
  std::string otherwise;                          // the key that stands for any other text; empty: that is a 400

  bool operator==(const ComputedParameter&) const = default;
};

struct Parameter {
  std::string name;
  // STRING, INT64, FLOAT64, BOOL, DATE, TIMESTAMP, an ARRAY of one of these, or what a computed parameter gives.
  Type type = Type::String();
  bool required = false;                      // absent or empty: InvalidArgument
  std::optional<std::string> default_text;    // stands in when absent or empty; without it: NULL
  std::vector<std::string> allowed;           // when not empty: any other text is an InvalidArgument that lists these;
                                              // of an ARRAY, any other element
  bool is_pattern = false;                    // STRING: an RE2 pattern, checked when bound
  int64_t max_length = 65'536;                // characters
  std::optional<ComputedParameter> computed;  // never taken from the caller
  std::string description;
  std::vector<std::string> examples;  // texts that a caller may send

  bool operator==(const Parameter&) const = default;
};

// A label of calls: for the server's log, for metrics, and for the records of engines elsewhere.
struct EndpointLabel {
  enum class From {
    kHeader,     // what the caller sends for the key in the header LF-ENDPOINT-LABELS
    kParameter,  // the text of the parameter `value`; without one, what the caller sends
    kFixed,      // `value`
  };
  std::string key;
  From from = From::kHeader;
  std::string value;

  bool operator==(const EndpointLabel&) const = default;
};

struct Endpoint {
  std::string id;    // UUID
  std::string name;  // unique, case-sensitive
  std::string description;
  std::string query;  // GoogleSQL
  int64_t max_rows = 1000;
  CallLimits limits;
  std::optional<absl::Duration> caching;        // absent: disabled
  std::optional<absl::Duration> cache_warming;  // absent: none
  bool query_sandboxing = false;                // a caller may send `sql` over the query's CTEs
  bool redact_pii = false;                // mandated: on for every call, and a caller's SQL sees redacted text only
  RedactionKinds redaction;               // what is redacted besides IP addresses, whoever switches redaction on
  std::vector<std::string> private_ctes;  // not for a caller's SQL
  std::vector<Parameter> parameters;
  std::vector<EndpointLabel> labels;  // of its calls; others that callers send are ignored
  // Names this state of the definition to callers. FromJson: the field "revision", else 16 hex digits of a digest of the
  // settings and the query. May be empty.
  std::string revision;

  // The parameter of exactly that name; nullptr when there is none.
  const Parameter* FindParameter(std::string_view parameter) const;

  // From the two files' texts; `source` names them in errors. InvalidArgument: not JSON (with line and column), an
  // unknown or missing field, a value of a wrong type or out of range; every message names the field. The id may be
  // absent where the name is a built-in definition's: it then has that one's.
  static absl::StatusOr<Endpoint> FromJson(std::string_view source, std::string_view json, std::string_view sql);

  // The three that come with logquery: logs.all, functions.invocation-stats, usage.api-counts.
  static std::vector<Endpoint> BuiltIn();

  bool operator==(const Endpoint&) const = default;
};

}  // namespace logquery

#endif  // LOGQUERY_ENDPOINT_H_
