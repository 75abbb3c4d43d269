// Redaction of any text: whoever says that there is something to redact is right, nothing cheap overlooks it, and what is left
// is as it was.
//
//     fuzz_redactor [-max_total_time=SECONDS] [tests/fuzz/corpus/redactor]
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "lib/base/address_scanner.h"
#include "lib/base/pattern_filter.h"
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

}  // namespace
}  // namespace logquery

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using logquery::MustBe;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static const logquery::Redactor plain;
  static const logquery::Redactor all = *logquery::Redactor::Create({true, {logquery::kPattern}});
  logquery::Check(plain, text);
  logquery::Check(all, text);
  if (logquery::base::AddressScanner(text).Next().has_value()) {
    MustBe(logquery::base::AddressScanner::MayHoldOne(text));
  }
  static const logquery::base::PatternFilter filter({logquery::kPattern});
  static const RE2 pattern(logquery::kPattern);
  if (RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), pattern)) MustBe(!filter.MayMatch(text).empty());
  return 0;
}
