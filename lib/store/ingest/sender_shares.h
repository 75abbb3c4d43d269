// Limits each sender's share of the ingest's memory, so that a slow sender leaves room for the others.
#ifndef LOGQUERY_LIB_STORE_INGEST_SENDER_SHARES_H_
#define LOGQUERY_LIB_STORE_INGEST_SENDER_SHARES_H_

#include <cstdint>
#include <string>

#include "absl/container/flat_hash_map.h"

namespace logquery::store {

// Counts requests in progress. A sender's only request may exceed the share; an empty sender has no limit. Not
// thread-safe.
class SenderShares {
 public:
  explicit SenderShares(int64_t share) : share_(share) {}
  int64_t share() const { return share_; }

  // Returns whether a new request of the sender may take these bytes.
  bool MayAdd(const std::string& sender, int64_t bytes) const {
    const auto found = senders_.find(sender);
    return found == senders_.end() || bytes <= share_ - found->second.bytes;
  }
  // Returns whether a request in progress may grow by these bytes.
  bool MayGrow(const std::string& sender, int64_t bytes) const {
    const auto found = senders_.find(sender);
    return found == senders_.end() || found->second.requests == 1 || bytes <= share_ - found->second.bytes;
  }

  void Add(const std::string& sender, int64_t bytes) {
    if (sender.empty()) return;
    Held& held = senders_[sender];
    held.bytes += bytes;
    ++held.requests;
  }
  void Grow(const std::string& sender, int64_t bytes) {
    if (!sender.empty()) senders_[sender].bytes += bytes;
  }
  // Removes a request with all of its bytes.
  void Remove(const std::string& sender, int64_t bytes) {
    const auto found = senders_.find(sender);
    if (found == senders_.end()) return;
    found->second.bytes -= bytes;
    if (--found->second.requests == 0) senders_.erase(found);
  }

 private:
  struct Held {
    int64_t bytes = 0;
    int64_t requests = 0;
  };
  const int64_t share_;
  absl::flat_hash_map<std::string, Held> senders_;
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_INGEST_SENDER_SHARES_H_
