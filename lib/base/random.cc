// Asks the kernel for many numbers at a time.
#include "lib/base/random.h"

#include <sys/random.h>

#include <cstddef>

#include "absl/strings/str_cat.h"

namespace logquery::base {
namespace {

// Random numbers of one thread, of which each is given once.
class RandomNumbers {
 public:
  uint64_t Next() {
    if (left_ == 0) {
      // Without entropy numbers repeat: they are for finding lines in a log.
      [[maybe_unused]] const ssize_t got = getrandom(numbers_, sizeof(numbers_), 0);
      left_ = kCount;
    }
    return numbers_[--left_];
  }

 private:
  static constexpr size_t kCount = 32;
  uint64_t numbers_[kCount] = {};
  size_t left_ = 0;
};

}  // namespace

uint64_t RandomNumber() {
  thread_local RandomNumbers numbers;
  const uint64_t random = numbers.Next();
  return random == 0 ? 1 : random;
}

std::string RandomDigits() { return HexDigits(RandomNumber()); }

std::string HexDigits(uint64_t number) { return absl::StrCat(absl::Hex(number, absl::kZeroPad16)); }

// 2^64 is no uint64_t.
bool IsInShare(uint64_t number, double share) {
  return share >= 1 || static_cast<double>(number) < share * 18446744073709551616.0;
}

}  // namespace logquery::base
