// TRIM, LTRIM and RTRIM of STRINGs. DuckDB's own make a set of the characters for each row.
#include <bitset>
#include <string_view>

#include "absl/container/flat_hash_set.h"
#include "lib/base/utf8.h"
#include "lib/functions/function.h"
#include "lib/functions/function_lists.h"

namespace logquery::functions {
namespace {

// The characters that are taken off. Borrows them.
class CharacterSet {
 public:
  explicit CharacterSet(std::string_view characters) : characters_(characters) {
    for (const char c : characters) {
      if (const auto byte = static_cast<unsigned char>(c); byte < ascii_.size()) ascii_.set(byte);
    }
  }

  bool Has(char32_t point) {
    if (point < ascii_.size()) return ascii_.test(point);
    if (others_.empty()) AddOthers();
    return others_.contains(point);
  }

 private:
  // Few texts need these. Adds the ASCII characters, too, so that the set is not empty for long.
  void AddOthers() {
    for (size_t at = 0; at < characters_.size();) {
      const base::CodePoint point = base::DecodeUtf8(characters_, at);
      others_.insert(point.value);
      at += static_cast<size_t>(point.bytes);
    }
  }

  const std::string_view characters_;
  std::bitset<128> ascii_;
  absl::flat_hash_set<char32_t> others_;
};

std::string_view WithoutBeginning(std::string_view text, CharacterSet& set) {
  size_t at = 0;
  while (at < text.size()) {
    const base::CodePoint point = base::DecodeUtf8(text, at);
    if (!set.Has(point.value)) break;
    at += static_cast<size_t>(point.bytes);
  }
  return text.substr(at);
}

std::string_view WithoutEnd(std::string_view text, CharacterSet& set) {
  const auto continues = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; };
  while (!text.empty()) {
    size_t at = text.size() - 1;
    while (at > 0 && continues(text[at])) --at;
    if (!set.Has(base::DecodeUtf8(text, at).value)) break;
    text = text.substr(0, at);
  }
  return text;
}

absl::Status Trim(const Row& in, Output& out, bool left, bool right) {
  CharacterSet set(in.Text(1));
  std::string_view text = in.Text(0);
  if (left) text = WithoutBeginning(text, set);
  if (right) text = WithoutEnd(text, set);
  return out.TextAsItIs(text);
}

absl::Status TrimBoth(const Row& in, Output& out) { return Trim(in, out, true, true); }
absl::Status TrimLeft(const Row& in, Output& out) { return Trim(in, out, true, false); }
absl::Status TrimRight(const Row& in, Output& out) { return Trim(in, out, false, true); }

constexpr FunctionEntry kEntries[] = {
    {"lq_trim", "(STRING, STRING) -> STRING", TrimBoth},
    {"lq_ltrim", "(STRING, STRING) -> STRING", TrimLeft},
    {"lq_rtrim", "(STRING, STRING) -> STRING", TrimRight},
};

}  // namespace

FunctionEntries TrimFunctions() { return kEntries; }

}  // namespace logquery::functions
