// Keeps the entries to recompute, and threads that recompute them when they are due.
#include "lib/endpoint/call/cache_warmer.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "lib/base/start_thread.h"

namespace logquery::endpoint {
namespace {

// How often the threads look for what is due.
constexpr absl::Duration kLookEvery = absl::Seconds(1);
constexpr int kSteps = 64;
constexpr size_t kMaxEntries = 4'096;
constexpr size_t kMaxBytes = 32 << 20;

// The key has the call's SQL and parameters in it; the call itself has them twice more.
size_t BytesOf(const std::string& key) { return 1'024 + 3 * key.size(); }

}  // namespace

CacheWarmer::CacheWarmer(SingleFlight* flights, ResultCache* cache, const Clock* clock, int threads)
    : flights_(flights), cache_(cache), clock_(clock), wanted_threads_(static_cast<size_t>(std::max(threads, 0))) {
  absl::MutexLock lock(&mutex_);
  StartThreads();
}

void CacheWarmer::StartThreads() {
  while (threads_.size() < wanted_threads_) {
    absl::StatusOr<std::thread> thread = base::StartThread([this] { Loop(); });
    if (!thread.ok()) return;
    threads_.push_back(*std::move(thread));
  }
}

CacheWarmer::~CacheWarmer() {
  std::vector<std::thread> threads;
  {
    absl::MutexLock lock(&mutex_);
    stopping_ = true;
    threads.swap(threads_);
  }
  stop_.Cancel();
  for (std::thread& thread : threads) thread.join();
}

// Up to a tenth of the period early, by the key.
absl::Duration CacheWarmer::NextDue(const std::string& key, const Entry& entry) const {
  const auto step = static_cast<double>(std::hash<std::string>()(key) % kSteps) / kSteps;
  return clock_->Monotonic() + entry.period * (1 - step / 10);
}

void CacheWarmer::Touch(const std::string& key, ContentCoding coding, absl::Duration period, absl::Duration ttl,
                        Refresh refresh) {
  absl::MutexLock lock(&mutex_);
  StartThreads();
  const auto [place, is_new] = entries_.try_emplace(key);
  Entry& entry = place->second;
  if (is_new) {
    entry.period = period;
    entry.ttl = ttl;
    entry.refresh = std::move(refresh);
    entry.due = NextDue(key, entry);
    bytes_ += BytesOf(key);
  }
  entry.asked = true;
  entry.codings.insert(coding);
  entry.last_asked = clock_->Monotonic();
  if (is_new) MakeRoom();
}

bool CacheWarmer::TouchAgain(const std::string& key, ContentCoding coding) {
  absl::MutexLock lock(&mutex_);
  const auto found = entries_.find(key);
  if (found == entries_.end()) return false;
  StartThreads();
  found->second.asked = true;
  found->second.codings.insert(coding);
  found->second.last_asked = clock_->Monotonic();
  return true;
}

void CacheWarmer::MakeRoom() {
  while (entries_.size() > kMaxEntries || (bytes_ > kMaxBytes && entries_.size() > 1)) {
    const auto oldest = std::min_element(entries_.begin(), entries_.end(), [](const auto& a, const auto& b) {
      return a.second.last_asked < b.second.last_asked;
    });
    bytes_ -= BytesOf(oldest->first);
    entries_.erase(oldest);
  }
}

bool CacheWarmer::TakeDue(std::string& key, SingleFlight::Compute& compute) {
  const absl::Duration now = clock_->Monotonic();
  absl::MutexLock lock(&mutex_);
  for (auto place = entries_.begin(); place != entries_.end();) {
    Entry& entry = place->second;
    if (entry.running || now < entry.due) {
      ++place;
      continue;
    }
    if (now - entry.last_asked >= entry.ttl || cache_->Find(place->first) == nullptr) {
      bytes_ -= BytesOf(place->first);
      entries_.erase(place++);
      continue;
    }
    if (!entry.asked) {
      entry.due = NextDue(place->first, entry);
      ++place;
      continue;
    }
    entry.running = true;
    entry.asked = false;
    key = place->first;
    compute = [refresh = entry.refresh, asked = std::exchange(entry.codings, {})](const CancellationToken& token) {
      return refresh(token, asked);
    };
    return true;
  }
  return false;
}

int CacheWarmer::RunDue() {
  int made = 0;
  std::string key;
  SingleFlight::Compute compute;
  while (!stop_.token().IsCancelled() && TakeDue(key, compute)) {
    const absl::Status status = flights_->Refresh(key, stop_.token(), compute);
    made += status.ok() ? 1 : 0;
    absl::MutexLock lock(&mutex_);
    const auto found = entries_.find(key);
    if (found == entries_.end()) continue;
    found->second.running = false;
    // After an error somebody still waits for it.
    if (!status.ok()) found->second.asked = true;
    found->second.due = NextDue(key, found->second);
  }
  return made;
}

void CacheWarmer::Loop() {
  while (true) {
    RunDue();
    absl::MutexLock lock(&mutex_);
    if (mutex_.AwaitWithTimeout(absl::Condition(&stopping_), kLookEvery)) return;
  }
}

}  // namespace logquery::endpoint
