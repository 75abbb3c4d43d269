// The source of the fuzz's choices: a seed, or what was chosen before, so that a query can be made smaller.
//
//     Choices choices(7);
//     int which = choices.Below(3);
//     Choices again(choices.made());        // chooses the same
//
// Whoever chooses has 0 stand for the simplest outcome: a list of choices that is cut short or has more zeros makes a
// smaller query of the same grammar, and that is all that shrinking does.
#ifndef LOGQUERY_TESTS_FUZZ_DIFFERENTIAL_CHOICES_H_
#define LOGQUERY_TESTS_FUZZ_DIFFERENTIAL_CHOICES_H_

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace logquery::fuzz {

class Choices {
 public:
  explicit Choices(uint64_t seed) : random_(seed) {}
  // Chooses as `made` says, then always 0.
  explicit Choices(std::vector<uint32_t> made) : replayed_(std::move(made)), replays_(true) {}

  // From 0 to bound - 1.
  int Below(int bound);
  // False is the simplest.
  bool Chance(int percent) { return Below(100) >= 100 - percent; }
  template <typename T>
  const T& Of(const std::vector<T>& list) {
    return list[static_cast<size_t>(Below(static_cast<int>(list.size())))];
  }

  const std::vector<uint32_t>& made() const { return made_; }

 private:
  std::mt19937_64 random_;
  std::vector<uint32_t> replayed_;
  bool replays_ = false;
  std::vector<uint32_t> made_;
};

// The smallest list of choices found, within `tries`, for which `fails` still holds, as it does for `made`.
std::vector<uint32_t> Shrink(std::vector<uint32_t> made, int tries,
                             const std::function<bool(const std::vector<uint32_t>&)>& fails);

}  // namespace logquery::fuzz

#endif  // LOGQUERY_TESTS_FUZZ_DIFFERENTIAL_CHOICES_H_
