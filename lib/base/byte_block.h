// Examines sixteen bytes at a time. Masks have one bit per byte; the lowest bit is the first byte's.
#ifndef LOGQUERY_LIB_BASE_BYTE_BLOCK_H_
#define LOGQUERY_LIB_BASE_BYTE_BLOCK_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#else
#include "lib/base/swar.h"
#endif

namespace logquery::base {

class ByteBlock {
 public:
  static constexpr size_t kBytes = 16;

  // Loads the kBytes bytes at `bytes`.
  explicit ByteBlock(const char* bytes);

  uint32_t Equal(char byte) const;  // marks bytes that equal `byte`
  uint32_t NotAscii() const;

 private:
#if defined(__SSE2__)
  __m128i bytes_;
#else
  static uint32_t Mask(uint64_t high_bits) {
    // The multiplication moves the eight high bits side by side into the top byte.
    return static_cast<uint32_t>(((high_bits >> 7) * 0x0102040810204080u) >> 56);
  }
  static uint32_t EqualIn(uint64_t word, char byte) {
    const uint64_t zero_where_equal = word ^ (kEveryByte * static_cast<unsigned char>(byte));
    return Mask(~(((zero_where_equal & ~kHighBits) + ~kHighBits) | zero_where_equal | ~kHighBits));
  }
  uint64_t low_;
  uint64_t high_;
#endif
};

// Calls `visit` with the position of each byte of `text`, starting at `from`, that `find` marks; `find` maps a block to
// a mask. Stops when `visit` returns true, and returns whether it did. `find` must not mark NUL bytes, which pad a
// short text.
template <typename Find, typename Visit>
inline bool AnyByte(std::string_view text, size_t from, Find find, Visit visit) {
  const auto any_in = [&](const char* bytes, size_t begin, size_t skipped) {
    for (uint32_t mask = find(ByteBlock(bytes)) >> skipped << skipped; mask != 0; mask &= mask - 1) {
      if (visit(begin + static_cast<size_t>(std::countr_zero(mask)))) return true;
    }
    return false;
  };
  size_t i = from;
  for (; i + ByteBlock::kBytes <= text.size(); i += ByteBlock::kBytes) {
    if (any_in(text.data() + i, i, 0)) return true;
  }
  if (i >= text.size()) return false;
  // The last block overlaps the previous one, so that no byte after the text is read.
  if (text.size() >= ByteBlock::kBytes) {
    const size_t last = text.size() - ByteBlock::kBytes;
    return any_in(text.data() + last, last, i - last);
  }
  char padded[ByteBlock::kBytes] = {};
  std::memcpy(padded, text.data(), text.size());
  return any_in(padded, 0, from);
}

#if defined(__SSE2__)

inline ByteBlock::ByteBlock(const char* bytes) : bytes_(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes))) {}
inline uint32_t ByteBlock::Equal(char byte) const {
  return static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes_, _mm_set1_epi8(byte))));
}
inline uint32_t ByteBlock::NotAscii() const { return static_cast<uint32_t>(_mm_movemask_epi8(bytes_)); }

#else

inline ByteBlock::ByteBlock(const char* bytes) : low_(LoadWord(bytes)), high_(LoadWord(bytes + 8)) {}
inline uint32_t ByteBlock::Equal(char byte) const { return EqualIn(low_, byte) | EqualIn(high_, byte) << 8; }
inline uint32_t ByteBlock::NotAscii() const { return Mask(low_ & kHighBits) | Mask(high_ & kHighBits) << 8; }

#endif

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_BYTE_BLOCK_H_
