// How much of the ingest's memory each sender holds, so that one that sends bodies slowly leaves room for the others.
#ifndef LOGQUERY_LIB_STORE_INGEST_SENDER_SHARES_H_
#define LOGQUERY_LIB_STORE_INGEST_SENDER_SHARES_H_

#include <cstdint>
#include <string>

#include "absl/container/flat_hash_map.h"

namespace logquery::store {

// Of requests under way. A sender's only request may be larger than the share; an empty sender has no share. Not thread-safe.
class SenderShares {
 public:
  explicit SenderShares(int64_t share) : share_(share) {}
  int64_t share() const { return share_; }

  // Whether a further request of the sender may take so many bytes.
  bool MayAdd(const std::string& sender, int64_t bytes) const {
    const auto found = senders_.find(sender);
    return found == senders_.end() || bytes <= share_ - found->second.bytes;
  }
  // Whether a request that is under way may.
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
  // The request with all of its bytes.
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
