// Redaction of any text: whoever says that there is something to redact is right, nothing cheap overlooks it, and what is left
// is as it was.
//
//     fuzz_redactor [-max_total_time=SECONDS] [tests/fuzz/corpus/redactor]
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "lib/base/address_scanner.h"
#include "lib/base/folded_text.h"
#include "lib/base/pattern_filter.h"
#include "lib/base/unescaped_text.h"
#include "logquery/redactor.h"
#include "re2/re2.h"

namespace logquery {
namespace {

constexpr char kPattern[] = "(?i)\\bkey_[a-z0-9]+";

void MustBe(bool held) {
  if (!held) std::abort();
}

// `redacted` is `text` with REDACTED in place of some of it.
void CheckRest(std::string_view text, std::string_view redacted) {
  constexpr std::string_view kRedacted = "REDACTED";
  const size_t first = redacted.find(kRedacted);
  const size_t last = redacted.rfind(kRedacted);
  MustBe(first != std::string_view::npos);
  const std::string_view after = redacted.substr(last + kRedacted.size());
  MustBe(text.substr(0, first) == redacted.substr(0, first));
  MustBe(text.size() >= after.size() && text.substr(text.size() - after.size()) == after);
}

void Check(const Redactor& redactor, std::string_view text) {
  std::string redacted;
  const bool any = redactor.AppendRedacted(text, redacted);
  MustBe(any == redactor.Matches(text));
  if (!any) return MustBe(redacted == text);
  CheckRest(text, redacted);
}

// Addresses found in a text are found as well where the text's dots and colons are written as a URL escapes them. Texts that have
// escapes already would read otherwise.
void CheckDisguised(std::string_view text) {
  if (text.find('%') != std::string_view::npos || base::FoldedText::Of(text).has_value()) return;
  std::string written;
  for (const char c : text) {
    if (c == '.' || c == ':') {
      written += c == '.' ? "%2E" : "%3a";
    } else {
      written += c;
    }
  }
  const Redactor redactor;
  MustBe(redactor.Matches(text) == redactor.Matches(written));
}

// Addresses found in a text without escapes are found as well where all of it is escaped, twice and in several ways.
void CheckEscaped(std::string_view text) {
  if (text.find_first_of("%\\&") != std::string_view::npos) return;
  constexpr char kHex[] = "0123456789abcdef";
  std::string url, json, html;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const std::string digits = {kHex[byte >> 4], kHex[byte & 15]};
    url += "%25" + digits;
    json += "\\\\x" + digits;
    html += byte < 0x80 ? "&amp;#x" + digits + ";" : std::string(1, c);
  }
  const Redactor redactor;
  if (!redactor.Matches(text)) return;
  MustBe(redactor.Matches(url));
  MustBe(redactor.Matches(json));
  MustBe(redactor.Matches(html));
}

// The parts of a folded or unescaped text lead to parts of the original, in the same order, and all of it to all of it.
template <typename Changed>
void CheckFolded(const Changed& folded, std::string_view text) {
  size_t before = 0;
  for (size_t i = 0; i < folded.text().size(); ++i) {
    const base::TextSpan part = folded.Original({i, i + 1});
    MustBe(part.begin == before && part.begin < part.end);
    before = part.end;
  }
  MustBe(before == text.size());
}

}  // namespace
}  // namespace logquery

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using logquery::MustBe;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static const logquery::Redactor plain;
  static const logquery::Redactor all = *logquery::Redactor::Create({true, {logquery::kPattern}});
  logquery::Check(plain, text);
  logquery::Check(all, text);
  const std::optional<logquery::base::FoldedText> folded = logquery::base::FoldedText::Of(text);
  if (folded.has_value()) logquery::CheckFolded(*folded, text);
  const std::string_view read = folded.has_value() ? folded->text() : text;
  if (logquery::base::AddressScanner(read).Next().has_value()) {
    MustBe(logquery::base::AddressScanner::MayHoldOne(read));
  }
  logquery::CheckDisguised(text);
  logquery::CheckEscaped(text);
  using Reading = logquery::base::UnescapedText::Reading;
  for (const Reading reading : {Reading::kEscapes, Reading::kNumbers}) {
    const auto unescaped = logquery::base::UnescapedText::Of(text, reading);
    if (unescaped.has_value()) logquery::CheckFolded(*unescaped, text);
  }
  static const logquery::base::PatternFilter filter({logquery::kPattern});
  static const RE2 pattern(logquery::kPattern);
  if (RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), pattern)) MustBe(!filter.MayMatch(text).empty());
  return 0;
}
