// Appending the parts of a sample's row to its text. All text that comes in is JSON already: nothing is escaped here.
//
//     Append(out, "\"id\":\"", Uuid{high, low}, "\",\"count\":", 17);
#ifndef LOGQUERY_SHIM_CLI_FOLDER_SAMPLE_SAMPLE_TEXT_H_
#define LOGQUERY_SHIM_CLI_FOLDER_SAMPLE_SAMPLE_TEXT_H_

#include <charconv>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace logquery::shim {

struct Hex {
  uint64_t value;
  int digits;
};

// Version 4 of RFC 9562, from 128 random bits.
struct Uuid {
  uint64_t high;
  uint64_t low;
};

inline void AppendPart(std::string& out, std::string_view text) { out.append(text); }

template <std::integral T>
void AppendPart(std::string& out, T number) {
  char digits[24];
  out.append(digits, std::to_chars(digits, digits + sizeof(digits), number).ptr);
}

inline void AppendPart(std::string& out, Hex hex) {
  char digits[16];
  for (int i = hex.digits - 1; i >= 0; --i, hex.value >>= 4) digits[i] = "0123456789abcdef"[hex.value & 15];
  out.append(digits, static_cast<size_t>(hex.digits));
}

inline void AppendPart(std::string& out, Uuid uuid) {
  AppendPart(out, Hex{uuid.high >> 32, 8});
  out.push_back('-');
  AppendPart(out, Hex{uuid.high >> 16, 4});
  out.append("-4");
  AppendPart(out, Hex{uuid.high, 3});
  out.push_back('-');
  AppendPart(out, Hex{(uuid.low >> 48 & 0x3fff) | 0x8000, 4});
  out.push_back('-');
  AppendPart(out, Hex{uuid.low, 12});
}

template <typename... Parts>
void Append(std::string& out, const Parts&... parts) {
  (AppendPart(out, parts), ...);
}

template <typename... Parts>
std::string Concat(const Parts&... parts) {
  std::string out;
  Append(out, parts...);
  return out;
}

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_FOLDER_SAMPLE_SAMPLE_TEXT_H_
