// Callers' SQL, resolved once: bounded by number, the least recently asked for goes first.
#ifndef LOGQUERY_LIB_ENDPOINT_PLAN_CACHE_H_
#define LOGQUERY_LIB_ENDPOINT_PLAN_CACHE_H_

#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "lib/base/strings.h"
#include "lib/endpoint/query_planner.h"

namespace logquery::endpoint {

// Thread-safe. Belongs to one registry: what it holds borrows from that registry's catalog.
class PlanCache {
 public:
  explicit PlanCache(size_t capacity) : capacity_(capacity) {}

  // nullptr: not there.
  std::shared_ptr<ResolvedQuery> Find(std::string_view endpoint, std::string_view sql) {
    absl::MutexLock lock(&mutex_);
    auto found = places_.find(KeyOf(endpoint, sql));
    if (found == places_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, found->second);
    return found->second->second;
  }

  void Put(std::string_view endpoint, std::string_view sql, std::shared_ptr<ResolvedQuery> resolved) {
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

  // The endpoint's id has a fixed length, so the two parts can't be taken for one another.
  static std::string KeyOf(std::string_view endpoint, std::string_view sql) { return base::StrCat(endpoint, " ", sql); }

  const size_t capacity_;
  absl::Mutex mutex_;
  Entries entries_ ABSL_GUARDED_BY(mutex_);
  base::StringMap<Entries::iterator> places_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_PLAN_CACHE_H_
