// Keeps the order of the options, so that each logquery server can prefer another replica of a cluster.
#include "lib/backend/http/hosts.h"

#include <algorithm>

namespace logquery::http {
namespace {

constexpr absl::Duration kFirstWait = absl::Seconds(1);
constexpr int kMostDoublings = 6;

}  // namespace

std::vector<Hosts::Candidate> Hosts::Candidates(absl::Time now) const {
  std::vector<Candidate> up;
  std::vector<Candidate> waited;
  std::vector<Candidate> all;
  absl::MutexLock lock(&mutex_);
  for (size_t i = 0; i < states_.size(); ++i) {
    const Candidate candidate{i, states_[i].failures > 0};
    all.push_back(candidate);
    if (!candidate.probe) {
      up.push_back(candidate);
    } else if (now >= states_[i].wait_until) {
      waited.push_back(candidate);
    }
  }
  up.insert(up.end(), waited.begin(), waited.end());
  return up.empty() ? all : up;
}

void Hosts::MarkDown(size_t index, absl::Time now) {
  absl::MutexLock lock(&mutex_);
  State& state = states_[index];
  state.wait_until = now + std::min(absl::Minutes(1), kFirstWait * (1 << std::min(state.failures, kMostDoublings)));
  ++state.failures;
}

void Hosts::MarkUp(size_t index) {
  absl::MutexLock lock(&mutex_);
  states_[index] = State();
}

}  // namespace logquery::http
