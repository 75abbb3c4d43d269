// What a call gives.
#ifndef LOGQUERY_QUERY_ANSWER_H_
#define LOGQUERY_QUERY_ANSWER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "logquery/answer_file.h"
#include "logquery/content_coding.h"
#include "logquery/type.h"

namespace logquery {

// Where an answer came from.
enum class CacheUse {
  kNone,    // the endpoint is not cached
  kHit,     // kept from before
  kMiss,    // made for this call
  kShared,  // made for another call of the same that came first
  kBypass,  // made for this call and not kept, as it asked
};

// The times that rows were read from, where retention begins later than the call asked for.
struct CutWindow {
  absl::Time start;
  std::optional<absl::Time> end;  // absent: open
  absl::Time asked_start;
  std::optional<absl::Time> asked_end;
};

struct QueryAnswer {
  Schema schema;
  std::string body;  // {"result":[…]}, or rows in the request's format; empty from Run with a sink
  // The body in the place of `body`, where that is longer than QueryServiceOptions::max_body_memory.
  std::shared_ptr<const AnswerFile> file;
  ContentCoding coding = ContentCoding::kIdentity;  // of the body's bytes
  std::string digest;  // of the body's bytes as they were before they were packed: 32 hex digits
  int64_t rows = 0;
  bool truncated = false;  // max rows cut the result
  // Of a query for the newest rows that has given as many as it may: sent as the parameter `cursor`, the call gives those
  // that come next. Empty: there are none, or the query has no pages.
  std::string next_cursor;
  std::vector<std::string> ignored_parameters;
  std::optional<CutWindow> window;
  std::string revision;  // Endpoint::revision of the definition that was run
  CacheUse cache = CacheUse::kNone;
  uint64_t query_id = 0;  // of the query that made it, as ServiceObserver is told
  // Of what was run (query, values, limits, engine) and of the state of each table that was read: two answers with equal
  // receipts have equal rows. Empty: the backend can't tell its tables' state.
  std::string receipt;
  absl::Duration age;           // since the `now` that the query was bound with
  absl::Duration parse_time;    // of the caller's SQL; near nothing when it was kept, as with plan_time
  absl::Duration plan_time;     // to a prepared query
  absl::Duration execute_time;  // the engine
  absl::Duration redact_time;   // of rows, where that is on
  absl::Duration encode_time;   // rows to bytes
};

}  // namespace logquery

#endif  // LOGQUERY_QUERY_ANSWER_H_
