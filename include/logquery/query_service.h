// Start here: QueryService is the whole of logquery behind one call.
//
//     auto backend = logquery::OpenDuckDb({.folder = "data"});                         // store/duckdb_backend.h
//     auto service = logquery::QueryService::Create({.backend = backend->get()});
//     auto answer = (*service)->Run({.endpoint = "logs.all", .parameters = {{"project", "abc"}}});
//     answer->body;                                                                    // {"result":[…]}
//
// A request passes through these steps; each is one call that returns a Status:
//
//     Authenticator::Authenticate      token → principal                               authenticator.h
//     EndpointRegistry::Find           name or id → definition, parsed when loaded     endpoint_registry.h
//     ParameterBinder::Bind            texts → typed values, including computed ones   parameter_binder.h
//     ResultCache::Find                values → a cached answer, if there is one       result_cache.h
//     QueryPlanner::Plan               SQL → PreparedQuery, cached if possible         internal
//     QueryBackend::Execute            PreparedQuery + bindings → batches of columns   query_backend.h
//     RowEncoder::Append               batches → bytes, redacted on the way            row_encoder.h
//
// Thread-safe. The service borrows everything that its options point to; those objects must outlive it.
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
#include "logquery/call_trace.h"
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

class ParquetWriter;    // parquet_writer.h
class ServiceObserver;  // service_observer.h

struct QueryServiceOptions {
  QueryBackend* backend = nullptr;  // required
  std::vector<Endpoint> endpoints = Endpoint::BuiltIn();
  // Supplies definitions that may change while the service runs. They are served in addition to `endpoints`; on equal
  // names, the source's definition replaces the fixed one. nullptr: only `endpoints` are served.
  EndpointSource* source = nullptr;
  Authenticator* authenticator = nullptr;  // nullptr: every call is allowed everything
  const Clock* clock = Clock::Real();
  std::optional<RetentionPolicy> retention = {};  // absent: RetentionPolicy::Default
  std::string default_tier = {};  // for calls that name no tier; empty: the retention policy's fallback applies
  absl::Duration time_limit = absl::Seconds(30);  // per query
  int64_t max_result_bytes = 16 << 20;
  // A body longer than max_body_memory is written to an unnamed file in this folder, so that many slow downloads need
  // little memory. Empty: every body stays in memory, whatever its length.
  std::string body_folder = {};
  int64_t max_body_memory = 4 << 20;
  ParquetWriter* parquet = nullptr;  // parquet_writer.h; nullptr: calls for RowFormat::kParquet are InvalidArgument
  ResultCache* cache = nullptr;      // for endpoints with `caching`; nullptr: an in-memory cache of cache_bytes
  int64_t cache_bytes = 256 << 20;
  // How much of it keeps answers together with the state of the rows that they were computed from. As long as the state
  // is the same, the answer is exact and returned to every equal call, also of endpoints without `caching`. Only backends
  // with QueryBackend::ReadState take part. 0: every call that the cache does not answer runs.
  int64_t kept_bytes = 64 << 20;
  // Groups by time are kept, to compute only those that change, of queries that run longer than this: to bring groups up to
  // date takes some small queries, too.
  absl::Duration groups_kept_above = absl::Milliseconds(2);
  int warming_threads = 2;          // for endpoints with `cache_warming`; 0: answers are not computed ahead of calls
  ExecutionGuard* guard = nullptr;  // consulted before each run in the backend; nullptr: every query may run
  ServiceObserver* observer = nullptr;
  // Queries that take at least this long are marked as slow in the observer's events.
  absl::Duration slow_query = absl::InfiniteDuration();
};

struct QueryRequest {
  std::string endpoint;  // its name or id
  // Includes `sql` if the endpoint is a sandbox, and `cursor` to read the page after a previous one.
  ParameterTexts parameters = {};
  std::string token = {};
  // Asks for redaction. False does not switch off redaction that the endpoint or the token mandates.
  bool redact_pii = false;
  RowFormat format = RowFormat::kJson;
  bool int64_as_string = false;
  bool csv_safe = false;                            // see EncodeOptions
  ContentCoding coding = ContentCoding::kIdentity;  // of the body; a body shorter than 1 KiB is sent uncompressed
  bool no_store = false;  // neither reads nor writes the cache; ignored unless the principal may bypass it
  CancellationToken cancellation = {};
  // The caller's values for the labels that the endpoint takes from callers; other labels are ignored. Any text.
  Labels labels = {};
  // LabelsOf for this call, if the caller has computed it already (call_labels.h); nullptr: the service does.
  std::shared_ptr<const Labels> call_labels = nullptr;
  // W3C Trace Context; empty: the call belongs to no trace. Remote engines receive it, or the header of the step that
  // queries them if there is a `trace`.
  std::string traceparent = {};
  std::shared_ptr<CallTrace> trace = nullptr;  // receives the call's steps; nullptr: nobody does
  // For the observer: the id under which the caller's own log lists the call, and how long the call waited before Run.
  std::string call_id = {};
  absl::Duration queued = absl::ZeroDuration();
  // Check only: adds an explanation to the verdict. The explanation depends on the parameters, so all of them must be
  // valid.
  bool explain = false;
};

class QueryService {
 public:
  // Returns the service, ready to serve. InvalidArgument: there is no backend; a definition is wrong (see
  // EndpointRegistry::Create); no file can be created in body_folder; the retention policy does not know default_tier.
  // Errors of the backend's ReadCatalog and of the source's Read are passed on.
  static absl::StatusOr<std::unique_ptr<QueryService>> Create(QueryServiceOptions options);
  virtual ~QueryService() = default;

  // Returns the principal that the token belongs to. Statuses: those of Authenticator::Authenticate.
  virtual absl::StatusOr<Principal> Authenticate(std::string_view token) = 0;
  // Returns the endpoint with this name or id, ready to be called by this principal. NotFound: there is no such
  // endpoint, or the principal may not call it; the message names the nearest ones that it may call.
  virtual absl::StatusOr<CallTarget> Find(Principal principal, std::string_view endpoint) = 0;

  // Returns the answer exactly as Run would, if it is in memory in the request's coding: that of an endpoint with `caching`, or a
  // kept one whose rows are still the same, if an equal call (endpoint, parameters, principal, format) got it from Run. Returns
  // nullopt for every other call, also for one that is invalid or limited; nothing has happened then, and Run returns the answer
  // or the error. Takes some microseconds and waits for nothing, so it may be called on the thread of an event loop, as QueryQueue
  // does.
  virtual std::optional<QueryAnswer> FindCached(const CallTarget& target, const QueryRequest& request) = 0;

  // Run and Check for a target that Find returned; they ignore the request's `endpoint` and `token`. Otherwise as
  // below. InvalidArgument, in addition: `target` did not come from Find.
  virtual absl::StatusOr<QueryAnswer> Run(const CallTarget& target, const QueryRequest& request) = 0;
  virtual absl::StatusOr<SandboxVerdict> Check(const CallTarget& target, const QueryRequest& request) = 0;

  // Authenticates, finds the endpoint, runs the call and returns its rows in the request's format. If the endpoint is
  // cached, identical concurrent calls share one query, and its answer is reused until it is older than the
  // definition's `caching`.
  //   Unauthenticated    the token is not valid
  //   PermissionDenied   the principal's token fixes a parameter to another value, or the backend can't redact the call
  //   NotFound           there is no such endpoint, or the principal may not call it
  //   InvalidArgument    a parameter or the SQL is wrong (see ErrorDetails), or evaluating a row raised an error
  //   Unavailable        the body's file can't be written, for example because the disk is full
  //   Unimplemented      this backend can't run the SQL with its exact meaning
  //   ResourceExhausted  a limit of the endpoint or the principal is reached; ErrorDetails::retry_after is set
  //   DeadlineExceeded, ResourceExhausted, Cancelled, Unavailable, Internal   see QueryBackend::Execute
  virtual absl::StatusOr<QueryAnswer> Run(const QueryRequest& request) = 0;

  // As above, but passes the rows to `sink` as they arrive, redacted where redaction applies. The answer has no body.
  // It is not cached, and max_result_bytes does not apply. BatchSink::Begin receives the columns' names.
  // row_reader.h reads the same rows when the caller asks for them.
  virtual absl::StatusOr<QueryAnswer> Run(const QueryRequest& request, BatchSink& sink) = 0;

  // Plans the call without running it, and returns a query whose rows are those of the answer. Statuses: those of Run.
  virtual absl::StatusOr<std::shared_ptr<const PreparedQuery>> Prepare(const QueryRequest& request) = 0;

  // Reports whether the call's `sql` would run and what it reads. Runs nothing and does not validate the other
  // parameters. An error in the SQL itself goes into the verdict; any other error is returned as from Run.
  // InvalidArgument: the call has no `sql`. With `explain`, also: PermissionDenied if the principal's token is limited
  // to a project or to some endpoints, fixes parameters or mandates redaction; errors of parameters; errors of the
  // engine while it plans the query.
  virtual absl::StatusOr<SandboxVerdict> Check(const QueryRequest& request) = 0;

  // Returns the current registry.
  virtual std::shared_ptr<const EndpointRegistry> registry() const = 0;
  // Reads the catalog and the source's definitions again and plans all endpoints anew. Calls use the old plans until
  // the new ones are complete, and keep using them if Reload fails. When QueryBackend::CatalogVersion has changed, the
  // next call plans all endpoints anew. When the source changes, only endpoints with changed definitions are planned
  // anew.
  virtual absl::Status Reload() = 0;
  // Forgets all cached answers: calls from now on read the tables again. For rows that were removed and may be shown to nobody
  // any more, not even for as long as the endpoint's `caching` says.
  virtual void ForgetAnswers() = 0;
};

}  // namespace logquery

#endif  // LOGQUERY_QUERY_SERVICE_H_
