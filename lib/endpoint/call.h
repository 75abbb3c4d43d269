// One call on its way: what is asked, once it is known who asks; and the same with the values of this moment.
#ifndef LOGQUERY_LIB_ENDPOINT_CALL_H_
#define LOGQUERY_LIB_ENDPOINT_CALL_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "lib/endpoint/call_gate.h"
#include "lib/endpoint/cursor.h"
#include "logquery/authenticator.h"
#include "logquery/call_tags.h"
#include "logquery/endpoint.h"
#include "logquery/endpoint_registry.h"
#include "logquery/parameter_binder.h"
#include "logquery/query_service.h"
#include "logquery/redactor.h"

namespace logquery::endpoint {

// What is asked, without a moment: it can be run again later.
struct CallSpec {
  std::string endpoint_id;
  std::string token_id;  // of who asks first, where several share one run
  std::string client;    // and its label
  std::string call_id;   // QueryRequest::call_id
  CallTags tags;
  ParameterTexts texts;          // with what the token fixes
  std::string sql;               // the caller's; empty: none
  std::optional<Cursor> cursor;  // where the page before ended
  std::optional<std::string> project_scope;
  bool redact = false;
  bool redact_mandated = false;  // not for the caller to decide: the caller's SQL sees redacted text only
  bool no_store = false;         // neither from the cache nor into it
  // The tightest of the service's, the endpoint's and the principal's.
  int64_t max_rows = 0;
  int64_t max_result_bytes = 0;
  absl::Duration time_limit;
  RowFormat format = RowFormat::kJson;
  bool int64_as_string = false;
  bool csv_safe = false;
  ContentCoding coding = ContentCoding::kIdentity;
};

// What holds for every call of a service.
struct ServiceBounds {
  absl::Duration time_limit = absl::InfiniteDuration();
  int64_t max_result_bytes = std::numeric_limits<int64_t>::max();
  bool backend_redacts = false;  // Capabilities::redacts
};

// The endpoint of that name or id. NotFound, with the nearest names.
absl::StatusOr<const RegisteredEndpoint*> FindEndpoint(const EndpointRegistry& registry, std::string_view name);

// `principal` may call the endpoint. PermissionDenied: not so. InvalidArgument: SQL where none is taken.
absl::StatusOr<CallSpec> MakeCallSpec(const QueryRequest& request, const Principal& principal,
                                      const Endpoint& definition, const ServiceBounds& bounds);

// Whose limits the call counts against.
std::vector<CallGate::Subject> SubjectsOf(const Principal& principal, const Endpoint& definition);

// The error for a caller who gets redacted rows: its message may quote the value that it is about, its snippet is SQL.
absl::Status RedactError(const absl::Status& status, const Redactor& redactor);

// All that the answer's bytes depend on but the moment and their coding: `bound` without what is computed from now.
// `revision` is that of the definitions and the schema.
std::string CacheKey(const CallSpec& spec, const Endpoint& definition, const BoundParameters& bound, uint64_t revision);

// The same for that answer in another coding, made of the one that was bound at `bound_at`.
std::string PackedCacheKey(const std::string& key, ContentCoding coding, absl::Duration bound_at);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_CALL_H_
