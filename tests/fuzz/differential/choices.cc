#include "tests/fuzz/differential/choices.h"

#include <algorithm>

namespace logquery::fuzz {

int Choices::Below(int bound) {
  uint32_t choice = 0;
  if (!replays_) {
    choice = static_cast<uint32_t>(random_() % static_cast<uint64_t>(bound));
  } else if (made_.size() < replayed_.size()) {
    choice = replayed_[made_.size()] % static_cast<uint32_t>(bound);
  }
  made_.push_back(choice);
  return static_cast<int>(choice);
}

std::vector<uint32_t> Shrink(std::vector<uint32_t> made, int tries,
                             const std::function<bool(const std::vector<uint32_t>&)>& fails) {
  const auto try_this = [&](std::vector<uint32_t> smaller) {
    if (tries <= 0) return false;
    --tries;
    if (!fails(smaller)) return false;
    made = std::move(smaller);
    return true;
  };
  for (bool smaller = true; smaller && tries > 0;) {
    smaller = false;
    // Spans are left out, the longest first; what comes after them then chooses something else.
    for (size_t length = std::max<size_t>(made.size() / 2, 1); length > 0; length /= 2) {
      for (size_t at = 0; at + length <= made.size() && tries > 0;) {
        std::vector<uint32_t> candidate = made;
        candidate.erase(candidate.begin() + at, candidate.begin() + at + length);
        if (try_this(std::move(candidate))) {
          smaller = true;
        } else {
          at += length;
        }
      }
    }
    for (size_t at = 0; at < made.size() && tries > 0; ++at) {
      if (made[at] == 0) continue;
      std::vector<uint32_t> candidate = made;
      candidate[at] = 0;
      smaller = try_this(std::move(candidate)) || smaller;
    }
  }
  return made;
}

}  // namespace logquery::fuzz
