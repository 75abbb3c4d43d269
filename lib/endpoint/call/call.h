// The request of a call, after its principal is known: limits, texts and options, independent of the moment of the call.
#ifndef LOGQUERY_LIB_ENDPOINT_CALL_CALL_H_
#define LOGQUERY_LIB_ENDPOINT_CALL_CALL_H_

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "lib/endpoint/call/call_gate.h"
#include "lib/endpoint/call/cursor.h"
#include "logquery/authenticator.h"
#include "logquery/call_tags.h"
#include "logquery/call_trace.h"
#include "logquery/endpoint.h"
#include "logquery/endpoint_registry.h"
#include "logquery/parameter_binder.h"
#include "logquery/query_service.h"
#include "logquery/redactor.h"

namespace logquery::endpoint {

// The request of a call, without values that depend on the time, so that it can be run again later.
struct CallSpec {
  std::string endpoint_id;
  std::string token_id;  // of the first caller, if several share one run
  std::string client;    // the token's label
  std::string call_id;   // QueryRequest::call_id
  CallTags tags;
  std::shared_ptr<CallTrace> trace;  // nullptr: nobody receives the steps
  ParameterTexts texts;              // includes the parameters that the token fixes
  std::string sql;                   // the caller's SQL; empty: none
  std::optional<Cursor> cursor;      // where the previous page ended
  std::optional<std::string> project_scope;
  bool redact = false;
  bool redact_mandated = false;  // by the endpoint or the token: the query reads only redacted text
  bool no_store = false;         // neither read nor write the cache
  // The tightest limits of the service, the endpoint and the principal.
  int64_t max_rows = 0;
  int64_t max_result_bytes = 0;
  absl::Duration time_limit;
  RowFormat format = RowFormat::kJson;
  bool int64_as_string = false;
  bool csv_safe = false;
  ContentCoding coding = ContentCoding::kIdentity;
};

// Limits and capabilities that apply to every call of a service.
struct ServiceBounds {
  absl::Duration time_limit = absl::InfiniteDuration();
  int64_t max_result_bytes = std::numeric_limits<int64_t>::max();
  bool backend_redacts = false;  // Capabilities::redacts
  bool writes_parquet = false;   // QueryServiceOptions::parquet
};

// Returns the endpoint with this name or id, if `principal` may call it. NotFound otherwise, the same whether or not
// there is such an endpoint; the message names the nearest ones that `principal` may call.
absl::StatusOr<const RegisteredEndpoint*> FindEndpoint(const EndpointRegistry& registry, std::string_view name,
                                                       const Principal& principal);

// `principal` may call the endpoint. PermissionDenied: the token fixes a parameter to another value, or redaction is
// mandated and excludes the call's cursor or SQL. InvalidArgument: the SQL or the cursor is not accepted.
absl::StatusOr<CallSpec> MakeCallSpec(const QueryRequest& request, const Principal& principal,
                                      const Endpoint& definition, const ServiceBounds& bounds);

// Returns those of the endpoint and the token that have limits, which the call counts against.
std::vector<CallGate::Subject> SubjectsOf(const Principal& principal, const Endpoint& definition);

// Returns the error for a caller who gets redacted rows: its message may quote values, and its snippet is SQL.
absl::Status RedactError(const absl::Status& status, const Redactor& redactor);

// Returns a key with everything that the answer's bytes depend on beside the plan, the values that are bound, and the rows.
std::string AnswerKey(const CallSpec& spec, uint64_t revision);
// Appends a part to a key, so that no two lists of parts look the same.
void AddKeyPart(std::string_view part, std::string& key);

// Returns a key with everything that the answer's bytes depend on, except the time and the content coding: parameters
// that are computed from now are left out. `revision` is that of the registered endpoint.
std::string CacheKey(const CallSpec& spec, const Endpoint& definition, const BoundParameters& bound, uint64_t revision);

// Returns the key of the same answer in another coding, made from the answer that was bound at `bound_at`.
std::string PackedCacheKey(const std::string& key, ContentCoding coding, absl::Duration bound_at);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_CALL_CALL_H_
