// Caches the resolved form of callers' SQL: a bounded number of texts; the least recently used one is evicted first.
#ifndef LOGQUERY_LIB_ENDPOINT_CALL_PLAN_CACHE_H_
#define LOGQUERY_LIB_ENDPOINT_CALL_PLAN_CACHE_H_

#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "lib/base/strings.h"
#include "lib/endpoint/call/query_planner.h"

namespace logquery::endpoint {

// Thread-safe. Its entries borrow from one catalog; it serves all registries over that catalog.
class PlanCache {
 public:
  explicit PlanCache(size_t capacity) : capacity_(capacity) {}

  // Returns nullptr if the text is not cached.
  std::shared_ptr<ResolvedQuery> Find(uint64_t endpoint, std::string_view sql) {
    absl::MutexLock lock(&mutex_);
    auto found = places_.find(KeyOf(endpoint, sql));
    if (found == places_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, found->second);
    return found->second->second;
  }

  // `endpoint`: RegisteredEndpoint::revision.
  void Put(uint64_t endpoint, std::string_view sql, std::shared_ptr<ResolvedQuery> resolved) {
    absl::MutexLock lock(&mutex_);
    std::string key = KeyOf(endpoint, sql);
    if (places_.contains(key)) return;
    entries_.emplace_front(key, std::move(resolved));
    places_[std::move(key)] = entries_.begin();
    if (entries_.size() <= capacity_) return;
    places_.erase(entries_.back().first);
    entries_.pop_back();
  }

 private:
  using Entries = std::list<std::pair<std::string, std::shared_ptr<ResolvedQuery>>>;

  // The number ends at the first space, so keys are unambiguous.
  static std::string KeyOf(uint64_t endpoint, std::string_view sql) { return base::StrCat(endpoint, " ", sql); }

  const size_t capacity_;
  absl::Mutex mutex_;
  Entries entries_ ABSL_GUARDED_BY(mutex_);
  base::StringMap<Entries::iterator> places_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_CALL_PLAN_CACHE_H_
