// Truncates by code points, and escapes quotes and line ends.
#include "lib/base/quoted_text.h"

#include "absl/strings/escaping.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"

namespace logquery::base {

std::string QuotedText(std::string_view text) {
  constexpr int kMaxCodePoints = 100;
  size_t end = 0;
  for (int i = 0; i < kMaxCodePoints && end < text.size(); ++i) end += DecodeUtf8(text, end).bytes;
  std::string valid;
  AppendValidUtf8(text.substr(0, end), valid);
  return StrCat("\"", absl::Utf8SafeCEscape(valid), end < text.size() ? "…" : "", "\"");
}

}  // namespace logquery::base
