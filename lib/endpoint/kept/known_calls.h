// Remembers which calls got a kept answer, by their keys' hashes: the next such call is likely to get it too, so it is worth a look
// before the call waits for a thread. A wrong guess costs only that look. Thread-safe.
#ifndef LOGQUERY_LIB_ENDPOINT_KEPT_KNOWN_CALLS_H_
#define LOGQUERY_LIB_ENDPOINT_KEPT_KNOWN_CALLS_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace logquery::endpoint {

class KnownCalls {
 public:
  void Add(std::string_view key) { At(key).store(HashOf(key), std::memory_order_relaxed); }
  void Remove(std::string_view key) { At(key).store(0, std::memory_order_relaxed); }
  bool Has(std::string_view key) const { return At(key).load(std::memory_order_relaxed) == HashOf(key); }

 private:
  static constexpr size_t kPlaces = 4'096;

  static uint64_t HashOf(std::string_view key) { return std::hash<std::string_view>()(key) | 1; }
  const std::atomic<uint64_t>& At(std::string_view key) const { return hashes_[HashOf(key) / 2 % kPlaces]; }
  std::atomic<uint64_t>& At(std::string_view key) { return hashes_[HashOf(key) / 2 % kPlaces]; }

  std::array<std::atomic<uint64_t>, kPlaces> hashes_ = {};
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_KEPT_KNOWN_CALLS_H_
