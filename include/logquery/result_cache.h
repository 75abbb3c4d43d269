// Where whole answers are kept. QueryService makes the keys, decides what is fresh and runs a query once for all who ask for
// the same; a cache only keeps and forgets, so one of an embedder's own is a map with a bound.
//
//     auto cache = logquery::ResultCache::InMemory(64 << 20);
//     options.cache = cache.get();                                    // QueryServiceOptions
//
// Keys are whole: they spell out everything that an answer depends on, and are compared byte by byte. Thread-safe.
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
  absl::Duration bound_at;  // Clock::Monotonic when the call's `now` was read: what age counts from
};

class ResultCache {
 public:
  virtual ~ResultCache() = default;
  // nullptr: not kept.
  virtual std::shared_ptr<const CachedAnswer> Find(std::string_view key) = 0;
  // Keeps it in place of what the key had; or does not, when it is too large.
  virtual void Put(std::string_view key, std::shared_ptr<const CachedAnswer> answer) = 0;
  virtual void Erase(std::string_view key) = 0;
  // Forgets all answers, and lets go of their memory and files.
  virtual void Clear() = 0;

  // In this process's memory, up to `max_bytes` of keys and bodies, those in files included, which count for a mebibyte at
  // least; the least recently used go first. An answer over a quarter of that is not kept.
  static std::unique_ptr<ResultCache> InMemory(int64_t max_bytes);
};

}  // namespace logquery

#endif  // LOGQUERY_RESULT_CACHE_H_
