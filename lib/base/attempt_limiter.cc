// A rate limiter per address group; the table is cleared rather than allowed to grow.
#include "lib/base/attempt_limiter.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstring>

namespace logquery::base {
namespace {

constexpr size_t kMaxAddresses = 10'000;

}  // namespace

std::string AddressGroup(std::string_view address) {
  const std::string text(address.substr(0, address.find('%')));
  in6_addr parsed;
  if (inet_pton(AF_INET6, text.c_str(), &parsed) != 1) return text;
  if (IN6_IS_ADDR_V4MAPPED(&parsed)) return text;
  std::memset(parsed.s6_addr + 8, 0, 8);
  char group[INET6_ADDRSTRLEN];
  return inet_ntop(AF_INET6, &parsed, group, sizeof(group)) != nullptr ? std::string(group) + "/64" : text;
}

absl::Duration AttemptLimiter::Wait(std::string_view address) const {
  const std::string group = AddressGroup(address);
  absl::MutexLock lock(&mutex_);
  const auto found = until_.find(group);
  if (found == until_.end()) return absl::ZeroDuration();
  const absl::Duration backlog = found->second - clock_->Monotonic();
  return std::max(backlog - (kAtOnce - 1) * kOneEvery, absl::ZeroDuration());
}

void AttemptLimiter::AddFailure(std::string_view address) {
  std::string group = AddressGroup(address);
  absl::MutexLock lock(&mutex_);
  const absl::Duration now = clock_->Monotonic();
  if (until_.size() >= kMaxAddresses) Forget(now);
  absl::Duration& until = until_.try_emplace(std::move(group), now).first->second;
  until = std::min(std::max(until, now) + kOneEvery, now + kAtOnce * kOneEvery);
}

void AttemptLimiter::Forget(absl::Duration now) {
  absl::erase_if(until_, [now](const auto& entry) { return entry.second <= now; });
  // All of them are recent: an attack from many addresses. The table starts again rather than grow.
  if (until_.size() >= kMaxAddresses) until_.clear();
}

}  // namespace logquery::base
