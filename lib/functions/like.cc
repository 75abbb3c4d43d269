// LIKE on STRING and BYTES: `%` matches any characters, `_` a single one, and a backslash escapes the next character.
//
// A part between two `%` without `_` and escapes is searched for in linear time. Otherwise only the last `%` is retried on a
// mismatch, so the time is at most proportional to text times pattern. DuckDB's own LIKE retries each `%`, unless the pattern is a
// constant without `_`; its time grows as a power of the text's length, with the number of `%` as the exponent.
#include <algorithm>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "lib/functions/function.h"
#include "lib/functions/function_lists.h"
#include "lib/functions/text_search.h"

namespace logquery::functions {
namespace {

// Work is counted after so many rounds.
constexpr uint64_t kRounds = 1 << 12;

size_t CharacterBytes(std::string_view text, size_t at, bool bytes) {
  return bytes ? 1 : static_cast<size_t>(base::DecodeUtf8(text, at).bytes);
}

// The first place from `at` on where a pattern can begin whose first sign this is.
size_t NextPlace(std::string_view text, size_t at, char sign) {
  if (sign == '_' || sign == '\\') return at;
  return std::min(text.find(sign, at), text.size());
}

absl::Status CheckPattern(std::string_view pattern) {
  const size_t last = pattern.find_last_not_of('\\');
  const size_t slashes = pattern.size() - (last == std::string_view::npos ? 0 : last + 1);
  if (slashes % 2 == 0) return absl::OkStatus();
  return absl::InvalidArgumentError(base::StrCat("LIKE pattern ends with a backslash: '", pattern.substr(0, 100), "'"));
}

absl::Status Matches(const Row& in, Output& out, bool bytes) {
  const std::string_view text = in.Text(0);
  const std::string_view pattern = in.Text(1);
  if (const absl::Status right = CheckPattern(pattern); !right.ok()) return right;
  size_t at = 0;
  size_t place = 0;
  std::optional<size_t> percent;  // the place of the last one
  size_t retry = 0;               // where the text goes on behind what it took
  for (uint64_t round = 1; at < text.size() || place < pattern.size(); ++round) {
    if (round % kRounds == 0) LOGQUERY_RETURN_IF_ERROR(in.Spend(kRounds));
    const char sign = place < pattern.size() ? pattern[place] : '\0';
    if (place < pattern.size() && sign == '%') {
      percent = place++;
      if (place == pattern.size()) return out.Bool(true);
      const size_t end = pattern.find_first_of("%_\\", place);
      const std::string_view part = pattern.substr(place, end - place);
      if (end == std::string_view::npos) {
        return out.Bool(text.size() - at >= part.size() && text.ends_with(part));
      }
      if (pattern[end] == '%') {
        const size_t found = FindText(text, part, at);
        if (found == std::string_view::npos) return out.Bool(false);
        at = found + part.size();
        place = end;
      }
      retry = at;
      continue;
    }
    if (place < pattern.size() && at < text.size()) {
      const size_t literal = place + (sign == '\\' ? 1 : 0);
      if (sign == '_' || pattern[literal] == text[at]) {
        at += sign == '_' ? CharacterBytes(text, at, bytes) : 1;
        place = literal + 1;
        continue;
      }
    }
    if (!percent.has_value() || retry >= text.size()) return out.Bool(false);
    place = *percent + 1;
    retry = NextPlace(text, retry + CharacterBytes(text, retry, bytes), pattern[place]);
    at = retry;
  }
  return out.Bool(true);
}

absl::Status Like(const Row& in, Output& out) { return Matches(in, out, /*bytes=*/false); }
absl::Status BytesLike(const Row& in, Output& out) { return Matches(in, out, /*bytes=*/true); }

constexpr FunctionEntry kEntries[] = {
    {"lq_like", "(STRING, STRING) -> BOOL", Like},
    {"lq_bytes_like", "(BYTES, BYTES) -> BOOL", BytesLike, "$like"},
};

}  // namespace

FunctionEntries LikeFunctions() { return kEntries; }

}  // namespace logquery::functions
