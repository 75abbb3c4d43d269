// Receives the events of a service as they happen, for metrics, logs and traces.
//
//     class Counts : public logquery::ServiceObserver {
//       void OnCall(const logquery::CallEvent& call) noexcept override { ++calls[call.code]; }  // thread-safe, quick
//     };
//     options.observer = &counts;                                                             // QueryServiceOptions
//
// Methods are called from many threads at once, on the threads that serve calls: a slow method delays callers. A method
// must not call the service and must not throw (noexcept). An event's views and references are valid until the method
// returns.
//
// No event holds a parameter's value, a row's value, an error's text or a caller's SQL, but for the labels that a
// definition makes of parameters, and the text of EngineFailureEvent.
#ifndef LOGQUERY_SERVICE_OBSERVER_H_
#define LOGQUERY_SERVICE_OBSERVER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "logquery/call_tags.h"
#include "logquery/call_target.h"
#include "logquery/query_answer.h"

namespace logquery {

// Identifies a call: its endpoint and its caller. Fields that are not known are empty, such as the endpoint of a call
// whose token was rejected.
struct CallOrigin {
  std::string_view endpoint;     // the definition's name
  std::string_view endpoint_id;  // and its id
  std::string_view client;       // the principal's label
  std::string_view token_id;
  std::string_view project;  // the project that the token is limited to
  std::string_view call_id;  // QueryRequest::call_id
};

// The time that each step of a call took. Steps that a cached answer skipped are zero.
struct CallTimes {
  absl::Duration queued;  // QueryRequest::queued
  absl::Duration parse;   // of the caller's SQL
  absl::Duration plan;
  absl::Duration execute;  // in the engine
  absl::Duration redact;
  absl::Duration encode;
};

// The end of a call: it was answered, it failed, or it was rejected.
struct CallEvent {
  CallOrigin origin;
  absl::StatusCode code = absl::StatusCode::kOk;
  // False: the call was rejected because of its token, endpoint, parameters or limits. Nothing was looked up or run.
  bool admitted = false;
  bool dry_run = false;
  bool callers_sql = false;  // the call sent its own SQL
  CacheUse cache = CacheUse::kNone;
  uint64_t query_id = 0;  // the query that computed the answer, possibly for another call; 0: no query ran
  CallTimes times;
  absl::Duration total;  // inside the service; excludes `times.queued`
  int64_t rows = 0;
  int64_t bytes = 0;  // of the body as sent
  bool truncated = false;
  bool redacted = false;
  Labels labels = {};  // of the call, as its definition has them
};

// A run in the engine. In the start event, fields that are known only at the end are zero.
struct QueryEvent {
  enum class End { kDone, kFailed, kDeadline, kCancelled };
  // The call that caused the run. Its call_id is empty if that call has already been answered.
  CallOrigin origin;
  uint64_t query_id = 0;        // unique within this process
  std::string_view variant;     // which of the query's plans ran; depends on the parameters that change the plan
  std::string_view definition;  // the definition's SQL; empty: the caller sent the query
  bool warming = false;         // cache warming: computed ahead of calls
  End end = End::kDone;
  absl::StatusCode code = absl::StatusCode::kOk;
  bool slow = false;  // took QueryServiceOptions::slow_query or longer
  CallTimes times;
  int64_t rows = 0;
  int64_t bytes = 0;  // of the uncompressed body; 0 if the rows went to a sink
};

// A remote engine failed to compute a part of a query that it was expected to compute. The query then runs once more as
// a query of its own, with bare scans in the engine and the rest here.
struct EngineFailureEvent {
  CallOrigin origin;
  uint64_t query_id = 0;  // of the run that failed
  // The engine's message, for operators: it may quote rows. Redacted if the call's rows are.
  absl::Status status;
};

// A use of an endpoint's cache, by a call or by warming, or an answer that was kept because its rows are the same.
struct CacheEvent {
  enum class Kind { kHit, kMiss, kShared, kBypass, kWarmed, kWarmingFailed, kCurrent };
  CallOrigin origin;
  Kind kind = Kind::kMiss;
  absl::Duration age;  // of the answer that was returned
};

// Endpoints were planned anew, or planning failed and the old plans stay. Names are those of definitions.
struct DefinitionsEvent {
  enum class Cause {
    kAsked,    // QueryService::Reload was called
    kChanged,  // the EndpointSource has a different set
    kTables,   // the backend's tables changed
  };
  Cause cause = Cause::kChanged;
  absl::Status status;   // why planning failed; the text is about definitions and tables
  std::string revision;  // EndpointSet::revision of the set in use; empty: there is no source
  int64_t endpoints = 0;
  std::vector<std::string> added;
  std::vector<std::string> changed;  // the definition differs
  std::vector<std::string> removed;
};

class ServiceObserver {
 public:
  virtual ~ServiceObserver() = default;
  // Called once for each call of Run and Check, and for each call that Authenticate or Find rejects.
  virtual void OnCall(const CallEvent&) noexcept {}
  // Called for each run in the engine; cached answers cause none.
  virtual void OnQueryStart(const QueryEvent&) noexcept {}
  virtual void OnQueryEnd(const QueryEvent&) noexcept {}
  virtual void OnEngineFailure(const EngineFailureEvent&) noexcept {}
  virtual void OnCache(const CacheEvent&) noexcept {}
  virtual void OnDefinitions(const DefinitionsEvent&) noexcept {}
};

// Returns the origin of a call of `target`. Its views borrow the target's strings.
CallOrigin OriginOf(const CallTarget& target, std::string_view call_id);

}  // namespace logquery

#endif  // LOGQUERY_SERVICE_OBSERVER_H_
