// Random choices that are the same on every machine: integers alone, no library's distribution, no floating point.
//
//     SampleRandom random(seed, "edge_logs", chunk);
//     if (random.OneIn(50)) …
//
// Not thread-safe: each chunk of a sample has its own.
#ifndef LOGQUERY_SHIM_CLI_FOLDER_SAMPLE_SAMPLE_RANDOM_H_
#define LOGQUERY_SHIM_CLI_FOLDER_SAMPLE_SAMPLE_RANDOM_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace logquery::shim {

// xoshiro256** (Blackman and Vigna), seeded by splitmix64 over a hash of all three arguments.
class SampleRandom {
 public:
  SampleRandom(uint64_t seed, std::string_view stream, uint64_t part) {
    uint64_t hash = 0xcbf29ce484222325 ^ seed;
    for (const char c : stream) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    hash ^= part * 0x9e3779b97f4a7c15;
    for (uint64_t& word : state_) word = SplitMix(hash);
  }

  uint64_t Next() {
    const uint64_t result = Rotate(state_[1] * 5, 7) * 9;
    const uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = Rotate(state_[3], 45);
    return result;
  }
  // 0 to n - 1; n is at least 1 and fits in 32 bits.
  uint64_t Below(uint64_t n) { return ((Next() >> 32) * n) >> 32; }
  uint64_t Between(uint64_t low, uint64_t high) { return low + Below(high - low + 1); }
  bool OneIn(uint64_t n) { return Below(n) == 0; }

  template <typename T, size_t N>
  const T& Pick(const std::array<T, N>& values) {
    return values[Below(N)];
  }
  template <typename T>
  const T& Pick(const std::vector<T>& values) {
    return values[Below(values.size())];
  }

  // Skewed like durations are: half below `median`, a long tail above; `octaves` is how far the extremes lie.
  uint64_t Skewed(uint64_t median, int octaves) {
    int64_t sum = 0;
    for (int i = 0; i < 4; ++i) sum += static_cast<int64_t>(Below(1024));
    const int64_t exponent = (sum - 2046) * octaves / 4;  // in 1/512 of an octave
    const uint64_t whole = static_cast<uint64_t>(exponent < 0 ? -exponent : exponent) / 512;
    const uint64_t part = static_cast<uint64_t>(exponent < 0 ? -exponent : exponent) % 512;
    if (exponent < 0) return (median * 512 / (512 + part)) >> whole;
    return (median * (512 + part) / 512) << whole;
  }

 private:
  static uint64_t Rotate(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
  static uint64_t SplitMix(uint64_t& x) {
    uint64_t z = (x += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  std::array<uint64_t, 4> state_;
};

// Values with weights, chosen by one look-up.
template <typename T>
class Weighted {
 public:
  struct Entry {
    T value;
    int weight;
  };
  Weighted(std::initializer_list<Entry> entries) {
    for (const Entry& entry : entries) {
      for (int i = 0; i < entry.weight; ++i) slots_.push_back(values_.size());
      values_.push_back(entry.value);
    }
  }
  const T& Pick(SampleRandom& random) const { return values_[slots_[random.Below(slots_.size())]]; }

 private:
  std::vector<T> values_;
  std::vector<size_t> slots_;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_FOLDER_SAMPLE_SAMPLE_RANDOM_H_
