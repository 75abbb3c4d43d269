// Examines eight bytes at a time.
//
// The functions that return marks set the high bit of each byte that matches. Marks above the lowest one may be false,
// but whether there is a mark, and which byte is the first, is exact.
#ifndef LOGQUERY_LIB_BASE_SWAR_H_
#define LOGQUERY_LIB_BASE_SWAR_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace logquery::base {

inline constexpr uint64_t kEveryByte = 0x0101010101010101u;
inline constexpr uint64_t kHighBits = 0x8080808080808080u;

// The first byte is the lowest one on every machine.
inline uint64_t LoadWord(const char* bytes) {
  uint64_t word;
  std::memcpy(&word, bytes, sizeof(word));
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return word;
}

inline uint64_t MarkByte(uint64_t word, unsigned char byte) {
  const uint64_t zero_where_found = word ^ (kEveryByte * byte);
  return (zero_where_found - kEveryByte) & ~zero_where_found & kHighBits;
}

// Returns the position of the first marked byte; `marks` must not be 0.
inline size_t FirstMark(uint64_t marks) { return static_cast<size_t>(std::countr_zero(marks)) / 8; }

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_SWAR_H_
