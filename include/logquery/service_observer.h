// What happens in a service, as it happens: for metrics, logs and traces.
//
//     class Counts : public logquery::ServiceObserver {
//       void OnCall(const logquery::CallEvent& call) noexcept override { ++calls[call.code]; }     // thread-safe, quick
//     };
//     options.observer = &counts;                                                                // QueryServiceOptions
//
// Methods are called from many threads at once, from those that serve calls: what they do, callers wait for. They may not call
// the service, and may not throw (noexcept). What an event's views and references are of lives until the method returns.
//
// No event holds a parameter's value, a row's value, an error's text or a caller's SQL, but for the labels that a definition makes of
// parameters.
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

// Who called what. What is not known is empty: the endpoint of a call whose token was refused, say.
struct CallOrigin {
  std::string_view endpoint;     // the definition's name
  std::string_view endpoint_id;  // and its id
  std::string_view client;       // the principal's label
  std::string_view token_id;
  std::string_view project;  // the one that the token is limited to
  std::string_view call_id;  // QueryRequest::call_id
};

// Where a call's time went. All zero for what an answer of before did not need.
struct CallTimes {
  absl::Duration queued;  // QueryRequest::queued
  absl::Duration parse;   // of the caller's SQL
  absl::Duration plan;
  absl::Duration execute;  // the engine
  absl::Duration redact;
  absl::Duration encode;
};

// The end of a call: it was answered, it failed, or it was rejected.
struct CallEvent {
  CallOrigin origin;
  absl::StatusCode code = absl::StatusCode::kOk;
  bool admitted = false;  // false: rejected for its token, endpoint, parameters or limits; nothing was looked up or run
  bool dry_run = false;
  bool callers_sql = false;  // the call sent a query of its own
  CacheUse cache = CacheUse::kNone;
  uint64_t query_id = 0;  // the query that made the answer, maybe for another call; 0: none did
  CallTimes times;
  absl::Duration total;  // in the service; `times.queued` came before
  int64_t rows = 0;
  int64_t bytes = 0;  // of the body as it is sent
  bool truncated = false;
  bool redacted = false;
  Labels labels = {};  // of the call, as its definition has them
};

// A run in the engine. At its start, what is known only at its end is zero.
struct QueryEvent {
  enum class End { kDone, kFailed, kDeadline, kCancelled };
  CallOrigin origin;            // of the call that had it run; its call_id is empty where that has been answered before
  uint64_t query_id = 0;        // other queries of this process have others
  std::string_view variant;     // which of the query's plans: the same for calls that its parameters steer alike
  std::string_view definition;  // the definition's SQL; empty: the query is a caller's
  bool warming = false;         // made before anybody asks for it
  End end = End::kDone;
  absl::StatusCode code = absl::StatusCode::kOk;
  bool slow = false;  // took as long as QueryServiceOptions::slow_query, or longer
  CallTimes times;
  int64_t rows = 0;
  int64_t bytes = 0;  // of the body before it was packed; 0 where rows went to a sink
};

// What a cache that an endpoint has did for a call, or by itself.
struct CacheEvent {
  enum class Kind { kHit, kMiss, kShared, kBypass, kWarmed, kWarmingFailed };
  CallOrigin origin;
  Kind kind = Kind::kMiss;
  absl::Duration age;  // of the answer that was given
};

// Endpoints were planned anew, or could not be and stayed as they were. Names are definitions' names.
struct DefinitionsEvent {
  enum class Cause {
    kAsked,    // QueryService::Reload
    kChanged,  // the EndpointSource has another set
    kTables,   // the backend's tables are others
  };
  Cause cause = Cause::kChanged;
  absl::Status status;   // why they stayed as they were; its text is about definitions and tables
  std::string revision;  // EndpointSet::revision of the set that serves now; empty: there is no source
  int64_t endpoints = 0;
  std::vector<std::string> added;
  std::vector<std::string> changed;  // by their definition
  std::vector<std::string> removed;
};

class ServiceObserver {
 public:
  virtual ~ServiceObserver() = default;
  // Once for each call of Run and Check, and for each that Authenticate or Find rejects.
  virtual void OnCall(const CallEvent&) noexcept {}
  // Each run in the engine: not for an answer out of the cache.
  virtual void OnQueryStart(const QueryEvent&) noexcept {}
  virtual void OnQueryEnd(const QueryEvent&) noexcept {}
  virtual void OnCache(const CacheEvent&) noexcept {}
  virtual void OnDefinitions(const DefinitionsEvent&) noexcept {}
};

// The origin of a call of `target`, whose strings it borrows.
CallOrigin OriginOf(const CallTarget& target, std::string_view call_id);

}  // namespace logquery

#endif  // LOGQUERY_SERVICE_OBSERVER_H_
