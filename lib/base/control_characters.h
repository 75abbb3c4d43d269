// Characters that control a terminal or the direction of text instead of being printed.
#ifndef LOGQUERY_LIB_BASE_CONTROL_CHARACTERS_H_
#define LOGQUERY_LIB_BASE_CONTROL_CHARACTERS_H_

namespace logquery::base {

// Control characters of ASCII and Latin-1, line and paragraph separators, and directional marks, embeddings, overrides
// and isolates, which make text look different from its content.
inline constexpr bool IsControlCharacter(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x61C || c == 0x200E || c == 0x200F ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_CONTROL_CHARACTERS_H_
