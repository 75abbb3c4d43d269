// An endpoint: a named, parameterised query with its settings.
//
// Definitions are two files, NAME.json with the settings and NAME.sql with the query in the BigQuery dialect:
//
//     {"id": "b0a9a6e8-…", "name": "logs.all", "max_rows": 1000, "caching": "disabled", "query_sandboxing": true,
//      "redact_pii": false, "redact_email": true, "redact_patterns": ["\\bcus_[A-Za-z0-9]+"],
//      "private_ctes": ["retention"],
//      "parameters": [{"name": "project", "type": "STRING", "required": true},
//                     {"name": "retention_start", "type": "TIMESTAMP",
//                      "computed": {"by": "retention", "from": "project_tier"}}]}
//
// A plain value that can be copied and compared. The registry validates it.
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

// A parameter value that the service computes from the call's now and another parameter's text.
struct ComputedParameter {
  enum class By {
    kRetention,    // TIMESTAMP: RetentionPolicy::Start of the text, or now minus one of `windows`
    kBuckets,      // ARRAY<TIMESTAMP>: IntervalBucketer::Generate
    kWindowStart,  // TIMESTAMP: now minus a window
  };
  struct Buckets {
    int count = 0;
    std::string label;  // "day_hour"

    bool operator==(const Buckets&) const = default;
  };
  By by = By::kRetention;
  std::string from;                               // the parameter whose text selects the value
  std::string start;                              // kRetention: the TIMESTAMP parameter for a lower bound, and
  std::string end;                                // the one for an upper bound. Empty: callers can't set a bound
  std::map<std::string, Buckets> buckets;         // kBuckets: text → what to generate
  std::map<std::string, absl::Duration> windows;  // kWindowStart: text → the window; kRetention: tiers of its own
  std::string otherwise;                          // the key to use for any other text; empty: other texts are rejected

  bool operator==(const ComputedParameter&) const = default;
};

struct Parameter {
  std::string name;
  // STRING, INT64, FLOAT64, BOOL, DATE, TIMESTAMP, an ARRAY of one of these, or the type that a computed parameter
  // yields.
  Type type = Type::String();
  bool required = false;                    // if absent or empty: InvalidArgument
  std::optional<std::string> default_text;  // used if absent or empty; nullopt: NULL is used
  std::vector<std::string> allowed;         // if not empty: any other text is InvalidArgument, and the message
                                            // lists these; for an ARRAY, this applies to each element
  // INT64 and FLOAT64, also as elements of an ARRAY: the text of the least and of the greatest number that a caller may
  // send; any other number is InvalidArgument. nullopt: any.
  std::optional<std::string> minimum;
  std::optional<std::string> maximum;
  bool is_pattern = false;                    // STRING: an RE2 pattern, validated when it is bound
  int64_t max_length = 65'536;                // characters
  std::optional<ComputedParameter> computed;  // callers can't set it
  std::string description;
  std::vector<std::string> examples;  // sample texts that a caller may send

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

// The language of a definition's query and of its callers' SQL.
enum class QueryLanguage {
  kBigQuery,
  kClickHouse,
};

struct Endpoint {
  std::string id;                    // UUID
  std::string name;                  // unique, case-sensitive
  std::vector<std::string> aliases;  // further names that calls find it by, unless another endpoint has them
  std::string description;
  std::string query;
  QueryLanguage language = QueryLanguage::kBigQuery;
  int64_t max_rows = 1000;
  CallLimits limits;
  std::optional<absl::Duration> caching;        // absent: answers are not cached
  std::optional<absl::Duration> cache_warming;  // absent: answers are not computed ahead of calls
  bool query_sandboxing = false;                // callers may send `sql` that reads the query's CTEs
  bool redact_pii = false;   // mandates redaction: every call is redacted, and callers' SQL sees only redacted text
  RedactionKinds redaction;  // what to redact besides IP addresses whenever redaction is on
  std::vector<std::string> private_ctes;  // callers' SQL can't read these
  std::vector<Parameter> parameters;
  std::vector<EndpointLabel> labels;  // of its calls; other labels that callers send are ignored
  // Identifies this state of the definition to callers. FromJson sets it to the field "revision", or else to 16 hex
  // digits of a digest of the settings and the query. May be empty.
  std::string revision;

  // Returns the parameter with exactly this name; nullptr if there is none. Owned by the endpoint.
  const Parameter* FindParameter(std::string_view parameter) const;

  // Parses the texts of the two files; `source` names them in errors. InvalidArgument: not JSON (with line and column),
  // an unknown or missing field, a value of a wrong type or out of range. Every message names the field. The id may be
  // absent if the name is that of a built-in definition, whose id it then gets.
  static absl::StatusOr<Endpoint> FromJson(std::string_view source, std::string_view json, std::string_view sql);

  // Returns the endpoints that come with logquery: logs.all, logs.all.otel, functions.invocation-stats,
  // usage.api-counts.
  static std::vector<Endpoint> BuiltIn();

  bool operator==(const Endpoint&) const = default;
};

}  // namespace logquery

#endif  // LOGQUERY_ENDPOINT_H_
