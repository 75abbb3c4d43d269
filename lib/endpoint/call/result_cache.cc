// An LRU cache in memory, limited by the bytes of its entries.
#include "logquery/result_cache.h"

#include <algorithm>
#include <list>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"

namespace logquery {
namespace {

// The memory of an entry beside its key and body, rounded up.
constexpr int64_t kOverhead = 1'024;
// The least size counted for a file, as a process may have few of them open.
constexpr int64_t kLeastOfFile = 1 << 20;

int64_t BytesOf(std::string_view key, const QueryAnswer& answer) {
  const int64_t file = answer.file == nullptr ? 0 : std::max(answer.file->size(), kLeastOfFile);
  return static_cast<int64_t>(key.size() + answer.body.text().capacity()) + file + kOverhead;
}

class LruCache : public ResultCache {
 public:
  explicit LruCache(int64_t max_bytes) : max_bytes_(max_bytes) {}

  std::shared_ptr<const CachedAnswer> Find(std::string_view key) override {
    absl::MutexLock lock(&mutex_);
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, found->second);
    return entries_.front().answer;
  }

  void Put(std::string_view key, std::shared_ptr<const CachedAnswer> answer) override {
    const int64_t bytes = BytesOf(key, answer->answer);
    absl::MutexLock lock(&mutex_);
    Remove(key);
    if (bytes > max_bytes_ / 4) return;
    entries_.push_front({std::string(key), std::move(answer), bytes});
    by_key_.emplace(entries_.front().key, entries_.begin());
    bytes_ += bytes;
    while (bytes_ > max_bytes_) Remove(entries_.back().key);
  }

  void Erase(std::string_view key) override {
    absl::MutexLock lock(&mutex_);
    Remove(key);
  }

  void Clear() override {
    std::list<Entry> entries;  // ends after the lock: closing many files takes time
    absl::MutexLock lock(&mutex_);
    by_key_.clear();
    entries.swap(entries_);
    bytes_ = 0;
  }

 private:
  struct Entry {
    std::string key;
    std::shared_ptr<const CachedAnswer> answer;
    int64_t bytes = 0;
  };

  void Remove(std::string_view key) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) return;
    const std::list<Entry>::iterator entry = found->second;
    bytes_ -= entry->bytes;
    by_key_.erase(found);
    entries_.erase(entry);
  }

  const int64_t max_bytes_;
  absl::Mutex mutex_;
  int64_t bytes_ ABSL_GUARDED_BY(mutex_) = 0;
  std::list<Entry> entries_ ABSL_GUARDED_BY(mutex_);  // the one used last first
  // Views of the entries' own keys.
  absl::flat_hash_map<std::string_view, std::list<Entry>::iterator> by_key_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace

std::unique_ptr<ResultCache> ResultCache::InMemory(int64_t max_bytes) { return std::make_unique<LruCache>(max_bytes); }

}  // namespace logquery
