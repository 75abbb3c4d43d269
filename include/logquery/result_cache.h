// Stores whole answers. QueryService creates the keys, decides whether an answer is fresh, and runs one query for
// identical concurrent calls. A cache only stores and evicts, so your own can be a bounded map.
//
//     auto cache = logquery::ResultCache::InMemory(64 << 20);
//     options.cache = cache.get();                                    // QueryServiceOptions
//
// A key contains everything that its answer depends on; keys are compared bytewise. Thread-safe.
#ifndef LOGQUERY_RESULT_CACHE_H_
#define LOGQUERY_RESULT_CACHE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/time/time.h"
#include "logquery/query_answer.h"

namespace logquery {

struct CachedAnswer {
  QueryAnswer answer;
  absl::Duration bound_at;  // Clock::Monotonic when the call's `now` was read; ages count from here
};

class ResultCache {
 public:
  virtual ~ResultCache() = default;
  // Returns the answer for this key; nullptr if there is none.
  virtual std::shared_ptr<const CachedAnswer> Find(std::string_view key) = 0;
  // Replaces the answer for this key. An implementation may decline to store an answer that is too large.
  virtual void Put(std::string_view key, std::shared_ptr<const CachedAnswer> answer) = 0;
  virtual void Erase(std::string_view key) = 0;
  // Forgets all answers, and lets go of their memory and files.
  virtual void Clear() = 0;

  // Returns a cache in this process's memory that holds up to `max_bytes` of keys and bodies and evicts the least
  // recently used answers. A body in a file counts too, as at least 1 MiB. Answers larger than a quarter of `max_bytes`
  // are not stored.
  static std::unique_ptr<ResultCache> InMemory(int64_t max_bytes);
};

}  // namespace logquery

#endif  // LOGQUERY_RESULT_CACHE_H_
