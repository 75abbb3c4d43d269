// Start here: the whole of logquery behind one call.
//
//     auto backend = logquery::OpenDuckDb({.folder = "data"});                         // duckdb/duckdb_backend.h
//     auto service = logquery::QueryService::Create({.backend = backend->get()});
//     auto answer = (*service)->Run({.endpoint = "logs.all", .parameters = {{"project", "abc"}}});
//     answer->body;                                                                    // {"result":[…]}
//
// The way of one request, each step one call that returns a Status:
//
//     Authenticator::Authenticate      token → principal                               authenticator.h
//     EndpointRegistry::Find           name or id → definition, parsed when loaded     endpoint_registry.h, call_target.h
//     ParameterBinder::Bind            texts → typed values, computed ones included    parameter_binder.h
//     ResultCache::Find                values → the answer of before, where it is cached   result_cache.h
//     QueryPlanner::Plan               SQL → PreparedQuery, cached by steering values  lib/endpoint/query_planner.h
//     QueryBackend::Execute            PreparedQuery + bindings → batches of columns   query_backend.h
//     RowEncoder::Append               batches → bytes, redacted on the way            row_encoder.h
//
// Thread-safe. What the options point to is borrowed and must outlive the service.
#ifndef LOGQUERY_QUERY_SERVICE_H_
#define LOGQUERY_QUERY_SERVICE_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "logquery/authenticator.h"
#include "logquery/call_tags.h"
#include "logquery/call_target.h"
#include "logquery/cancellation.h"
#include "logquery/clock.h"
#include "logquery/content_coding.h"
#include "logquery/endpoint.h"
#include "logquery/endpoint_registry.h"
#include "logquery/endpoint_source.h"
#include "logquery/execution_guard.h"
#include "logquery/parameter_binder.h"
#include "logquery/query_answer.h"
#include "logquery/query_backend.h"
#include "logquery/result_cache.h"
#include "logquery/retention_policy.h"
#include "logquery/row_encoder.h"
#include "logquery/sandbox_verdict.h"
#include "logquery/type.h"

namespace logquery {

class ServiceObserver;  // service_observer.h

struct QueryServiceOptions {
  QueryBackend* backend = nullptr;  // required
  std::vector<Endpoint> endpoints = Endpoint::BuiltIn();
  // Of definitions that may change. They stand beside `endpoints`, and in place of those that have the same name. nullptr: there
  // are none.
  EndpointSource* source = nullptr;
  Authenticator* authenticator = nullptr;  // nullptr: every call may do everything
  const Clock* clock = Clock::Real();
  std::optional<RetentionPolicy> retention;       // absent: RetentionPolicy::Default
  std::string default_tier = {};                  // of calls that name no tier; empty: the retention policy's fallback
  absl::Duration time_limit = absl::Seconds(30);  // of one query
  int64_t max_result_bytes = 16 << 20;
  // Where a longer body than max_body_memory goes, so that many that are sent slowly need little memory: into a file without
  // a name in this folder. Empty: bodies are in memory, however long.
  std::string body_folder = {};
  int64_t max_body_memory = 4 << 20;
  ResultCache* cache = nullptr;  // for endpoints with `caching`; nullptr: one in memory, of cache_bytes
  int64_t cache_bytes = 256 << 20;
  int warming_threads = 2;          // for endpoints with `cache_warming`; 0: nothing is made before it is asked for
  ExecutionGuard* guard = nullptr;  // asked before each run in the backend; nullptr: all may run
  ServiceObserver* observer = nullptr;
  absl::Duration slow_query = absl::InfiniteDuration();  // from when on a query is slow, for the observer
};

struct QueryRequest {
  std::string endpoint;       // name or id
  ParameterTexts parameters;  // `sql` among them, where the endpoint is a sandbox; `cursor`, for the page after another
  std::string token;
  bool redact_pii = false;  // asked for by the caller; never switches an endpoint's own setting off
  RowFormat format = RowFormat::kJson;
  bool int64_as_string = false;
  bool csv_safe = false;                            // as EncodeOptions has it
  ContentCoding coding = ContentCoding::kIdentity;  // of the answer's body, unless that is shorter than 1 KiB
  bool no_store = false;  // neither from the cache nor into it, where the principal may ask for that
  CancellationToken cancellation;
  // What the caller sends for the labels that the endpoint takes from callers; others are ignored. Any texts.
  Labels labels = {};
  // W3C Trace Context: handed to engines elsewhere as it is; empty: the call is of no trace.
  std::string traceparent = {};
  // For the observer: what the caller's own log knows the call by, and how long it waited before Run.
  std::string call_id = {};
  absl::Duration queued = absl::ZeroDuration();
  // Check: the verdict has an explanation. The parameters have to be those of a call then, as they decide what runs.
  bool explain = false;
};

class QueryService {
 public:
  // InvalidArgument: a definition is wrong (see EndpointRegistry::Create); no file can be made in body_folder; the retention
  // policy has no default_tier. Or what the backend's ReadCatalog returned.
  static absl::StatusOr<std::unique_ptr<QueryService>> Create(QueryServiceOptions options);
  virtual ~QueryService() = default;

  // The principal of a token. Unauthenticated.
  virtual absl::StatusOr<Principal> Authenticate(std::string_view token) = 0;
  // The endpoint of that name or id, for this principal. NotFound, with the nearest names. PermissionDenied: the principal may
  // not call it.
  virtual absl::StatusOr<CallTarget> Find(Principal principal, std::string_view endpoint) = 0;

  // Runs one call of a target that Find gave; the request's `endpoint` and `token` are not looked at. Otherwise as below.
  virtual absl::StatusOr<QueryAnswer> Run(const CallTarget& target, const QueryRequest& request) = 0;
  virtual absl::StatusOr<SandboxVerdict> Check(const CallTarget& target, const QueryRequest& request) = 0;

  // All of it: authenticates, finds, runs one call and returns its rows in the request's format. Where the endpoint is cached, identical calls at one time
  // run one query, and an answer is given again until it is older than the definition's `caching`.
  //   Unauthenticated    the token
  //   PermissionDenied   the principal may not call this endpoint, or fixed a parameter to another value
  //   NotFound           no such endpoint
  //   InvalidArgument    a parameter or the SQL, with ErrorDetails; or an error that only rows showed
  //   Unavailable        the body's file can't be written, as when the disk is full
  //   Unimplemented      SQL that is understood but can't be run faithfully on this backend
  //   ResourceExhausted  the endpoint's or the principal's limits; ErrorDetails say when to come again
  //   DeadlineExceeded, ResourceExhausted, Cancelled, Unavailable, Internal   as QueryBackend::Execute says
  virtual absl::StatusOr<QueryAnswer> Run(const QueryRequest& request) = 0;

  // The same, with the rows handed to `sink` as they come, redacted where that is asked for. Not cached, not bound by
  // max_result_bytes. `sink` learns the columns from the batches.
  virtual absl::StatusOr<QueryAnswer> Run(const QueryRequest& request, BatchSink& sink) = 0;

  // Plans the call without running it: what the backend would get.
  virtual absl::StatusOr<std::shared_ptr<const PreparedQuery>> Prepare(const QueryRequest& request) = 0;

  // Whether the call's `sql` would run, and what it reads; nothing runs, and no other parameter is looked at. What refuses
  // the SQL itself is in the verdict, everything else an error as from Run. InvalidArgument: the call has no `sql`. With
  // `explain` also: PermissionDenied, the principal is limited to a project or has fixed parameters; and an error of a
  // parameter, or of the engine's where it plans the query.
  virtual absl::StatusOr<SandboxVerdict> Check(const QueryRequest& request) = 0;

  // The registry as it is now.
  virtual std::shared_ptr<const EndpointRegistry> registry() const = 0;
  // Reads the catalog and the source's definitions again and plans all endpoints anew; the old ones serve until that is done,
  // and go on if it fails. Calls do it themselves where QueryBackend::CatalogVersion is another one, and a source that has
  // changed has the endpoints planned anew whose definitions are others.
  virtual absl::Status Reload() = 0;
  // Forgets all cached answers: calls from now on read the tables again. For rows that were removed and may be shown to nobody
  // any more, not even for as long as the endpoint's `caching` says.
  virtual void ForgetAnswers() = 0;
};

}  // namespace logquery

#endif  // LOGQUERY_QUERY_SERVICE_H_
