// Whether an endpoint would run a caller's SQL, and what that SQL reads: found out without running anything.
//
//     auto registry = EndpointRegistry::Create(Endpoint::BuiltIn(), Catalog::DeclaredLogs());
//     auto verdict = CheckSandbox(**registry, *(*registry)->Find("logs.all"), "select id from edge_logs");
//     verdict->allowed;                                                          // true
//     verdict->columns;                                                          // {"edge_logs.id"}
//
// The SQL goes the way that it would go in a call, up to the engine's door: parsed, resolved under the sandbox's rules, planned,
// written in the engine's SQL. What only rows can show (a division by zero) or a call's parameters is not looked at.
// `logquery check --sandbox` and HTTP's `dry_run` show the same verdict. Thread-safe.
#ifndef LOGQUERY_SANDBOX_VERDICT_H_
#define LOGQUERY_SANDBOX_VERDICT_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "logquery/endpoint_registry.h"
#include "logquery/query_backend.h"
#include "logquery/query_explanation.h"
#include "logquery/type.h"

namespace logquery {

struct SandboxVerdict {
  bool allowed = false;

  // Why not: InvalidArgument or Unimplemented, with ErrorDetails that say where. OK when it is allowed.
  absl::Status reason;

  // Of SQL that is allowed, each in the order in which the text first names it.
  std::vector<std::string> tables;      // the endpoint's WITH entries that it reads, as the definition names them
  std::vector<std::string> columns;     // of those: "edge_logs.id", "edge_logs.metadata.request.method"; sorted
  std::vector<std::string> functions;   // that it calls by name, in upper case
  std::vector<std::string> parameters;  // of the endpoint's
  Schema result;                        // the columns that it would return

  // Of a backend that has parts of a query run elsewhere: for each part, what is done to its rows here and why
  // ("UPPER: it does not have that"); empty where nothing is. No parts: the backend runs the query as a whole.
  std::vector<std::string> parts;

  // Of SQL that is allowed, where QueryRequest::explain asks for it.
  std::optional<QueryExplanation> explanation;
};

// The verdict over `sql` as a caller's query of `endpoint`, which is one of the registry's, on such a backend. An endpoint without a sandbox allows
// none. Internal: a mistake of ours.
absl::StatusOr<SandboxVerdict> CheckSandbox(const EndpointRegistry& registry, const RegisteredEndpoint& endpoint,
                                            std::string_view sql, const Capabilities& backend);
// For the embedded engine.
absl::StatusOr<SandboxVerdict> CheckSandbox(const EndpointRegistry& registry, const RegisteredEndpoint& endpoint,
                                            std::string_view sql);

// What a caller's SQL may read: the names of the endpoint's WITH entries that are not private, in their order. None where the
// endpoint takes no SQL.
std::vector<std::string> TablesForCallers(const RegisteredEndpoint& endpoint);

// {"allowed":true,"tables":[…],"columns":[…],"functions":[…],"parameters":[…],"result":[{"name":"n","type":"INT64"}]},
// where there are parts also "parts":[{"then_here":"UPPER: it does not have that"}], and where there is an explanation
// "explain":{"passes":[{"pass":"resolve","query":"…"}],"parts":[…],"here":"…","variables":[…],"engine":"…","engine_plan":"…"}; or
// {"allowed":false,"status":"INVALID_ARGUMENT","message":"…","line":1,"column":8,"snippet":"…","nearest":[…]}.
std::string VerdictJson(const SandboxVerdict& verdict);

}  // namespace logquery

#endif  // LOGQUERY_SANDBOX_VERDICT_H_
