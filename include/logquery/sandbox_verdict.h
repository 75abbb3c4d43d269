// Determines, without running anything, whether an endpoint would run a caller's SQL and what that SQL reads.
//
//     auto registry = EndpointRegistry::Create(Endpoint::BuiltIn(), Catalog::DeclaredLogs());
//     auto verdict = CheckSandbox(**registry, *(*registry)->Find("logs.all"), "select id from edge_logs");
//     verdict->allowed;                                                          // true
//     verdict->columns;                                                          // {"edge_logs.id"}
//
// The SQL goes through every step of a call except execution: it is parsed, resolved under the sandbox's rules,
// planned, and written in the engine's SQL. Errors that depend on rows (such as a division by zero) or on a call's
// parameters are not found. `logquery check --sandbox` and HTTP's `dry_run` show the same verdict. Thread-safe.
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

  // Why the SQL is rejected: InvalidArgument or Unimplemented, with its place in ErrorDetails. OK if it is allowed.
  absl::Status reason;

  // The fields below are set if the SQL is allowed, in the order of first appearance in the text.
  std::vector<std::string> tables;      // the endpoint's WITH entries that it reads, as the definition spells them
  std::vector<std::string> columns;     // of these entries: "edge_logs.id", "edge_logs.metadata.request.method"; sorted
  std::vector<std::string> functions;   // the functions that it calls by name, in upper case
  std::vector<std::string> parameters;  // the endpoint's parameters that it uses
  Schema result;                        // the columns that it would return

  // For a backend that runs parts of a query elsewhere: for each part, what the local engine does to its rows and why
  // ("UPPER: it does not have that"); an empty text: nothing. No parts: the backend runs the query as a whole.
  std::vector<std::string> parts;

  // Set if the SQL is allowed and QueryRequest::explain is set.
  std::optional<QueryExplanation> explanation;
};

// Returns the verdict on `sql` as a caller's query of `endpoint`, which belongs to `registry`, on a backend with these
// capabilities. An endpoint without a sandbox allows no SQL. Internal: a defect in logquery.
absl::StatusOr<SandboxVerdict> CheckSandbox(const EndpointRegistry& registry, const RegisteredEndpoint& endpoint,
                                            std::string_view sql, const Capabilities& backend);
// The same for the embedded engine.
absl::StatusOr<SandboxVerdict> CheckSandbox(const EndpointRegistry& registry, const RegisteredEndpoint& endpoint,
                                            std::string_view sql);

// Returns the WITH entries of the endpoint that a caller's SQL may read: those that are not private, in their order.
// Empty if the endpoint accepts no SQL.
std::vector<std::string> TablesForCallers(const RegisteredEndpoint& endpoint);

// Returns the verdict as JSON. For allowed SQL:
//
//     {"allowed":true,"tables":[…],"columns":[…],"functions":[…],"parameters":[…],
//      "result":[{"name":"n","type":"INT64"}],
//      "parts":[{"then_here":"UPPER: it does not have that"}],                     only if there are parts
//      "explain":{"passes":[{"pass":"resolve","query":"…"}],"parts":[…],"here":"…","variables":[…],
//                 "engine":"…","engine_plan":"…"}}                                 only if there is an explanation
//
// For rejected SQL:
//
//     {"allowed":false,"status":"INVALID_ARGUMENT","message":"…","line":1,"column":8,"snippet":"…","nearest":[…]}
std::string VerdictJson(const SandboxVerdict& verdict);

}  // namespace logquery

#endif  // LOGQUERY_SANDBOX_VERDICT_H_
