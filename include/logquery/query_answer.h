// The answer to one call: its rows as a body, and how the service obtained them.
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
#include "logquery/shared_text.h"
#include "logquery/type.h"

namespace logquery {

// The part that the result cache had in an answer.
enum class CacheUse {
  kNone,     // the endpoint is not cached
  kCurrent,  // kept from an earlier call: the rows are still the same, so it is the exact answer
  kHit,      // read from the cache
  kMiss,     // computed for this call
  kShared,   // computed for an identical call that came first
  kBypass,   // computed for this call and not cached, at the caller's request
};

// The time range that was read, set when retention cuts off part of the range that the call asked for.
struct CutWindow {
  absl::Time start;
  std::optional<absl::Time> end;  // absent: no upper bound
  absl::Time asked_start;
  std::optional<absl::Time> asked_end;
};

struct QueryAnswer {
  Schema schema;
  // {"result":[…]}, or rows in the request's format; empty after Run with a sink. The cache's own bytes, if the answer is from
  // there.
  SharedText body;
  // Holds the body instead of `body` if it is longer than QueryServiceOptions::max_body_memory and was written to disk.
  std::shared_ptr<const AnswerFile> file;
  ContentCoding coding = ContentCoding::kIdentity;  // how the body is compressed
  std::string digest;                               // of the uncompressed body: 32 hex digits
  int64_t rows = 0;
  bool truncated = false;  // max_rows cut the result short
  // Set by a query for the newest rows that returned as many rows as it may. A call that sends it as the parameter
  // `cursor` gets the next page. Empty: there are no more rows, or the query does not support paging.
  std::string next_cursor;
  std::vector<std::string> ignored_parameters;
  std::optional<CutWindow> window;
  std::string revision;  // Endpoint::revision of the definition that ran
  CacheUse cache = CacheUse::kNone;
  uint64_t query_id = 0;  // of the query that computed the answer; ServiceObserver's events carry the same number
  // Identifies what ran (query, values, limits, engine) and the state of each table that it read: two answers with
  // equal receipts have equal rows. Empty: the backend can't identify the state of its tables.
  std::string receipt;
  absl::Duration age;           // time since the query's `now` was read
  absl::Duration parse_time;    // of the caller's SQL; close to zero if it was cached, as is plan_time
  absl::Duration plan_time;     // from SQL to a prepared query
  absl::Duration execute_time;  // in the engine
  absl::Duration redact_time;   // redacting rows; zero if redaction is off
  absl::Duration encode_time;   // encoding rows to bytes
};

}  // namespace logquery

#endif  // LOGQUERY_QUERY_ANSWER_H_
