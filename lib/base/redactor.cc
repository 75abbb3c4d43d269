// Collects the scanners' matches in each reading of the text, and replaces them while copying the text once.
#include "logquery/redactor.h"

#include <algorithm>
#include <deque>

#include "lib/base/address_scanner.h"
#include "lib/base/dashed_address_scanner.h"
#include "lib/base/email_scanner.h"
#include "lib/base/folded_text.h"
#include "lib/base/pattern_filter.h"
#include "lib/base/strings.h"
#include "lib/base/unescaped_text.h"
#include "lib/base/utf8.h"
#include "re2/re2.h"

namespace logquery {
namespace {

using base::AddressScanner;
using base::DashedAddressScanner;
using base::EmailScanner;
using base::FoldedText;
using base::StrCat;
using base::TextSpan;
using base::UnescapedText;

constexpr int64_t kMaxPatternMemory = 1 << 20;

re2::StringPiece Piece(std::string_view text) { return {text.data(), text.size()}; }

// Finds the matches of a pattern in a text, one after the other. Empty matches are skipped.
class PatternScanner {
 public:
  PatternScanner(const RE2& pattern, std::string_view text) : pattern_(pattern), text_(text) {}

  std::optional<TextSpan> Next() {
    re2::StringPiece found;
    while (position_ <= text_.size() &&
           pattern_.Match(Piece(text_), position_, text_.size(), RE2::UNANCHORED, &found, 1)) {
      const auto begin = static_cast<size_t>(found.data() - text_.data());
      position_ = begin + found.size();
      if (!found.empty()) return TextSpan{begin, position_};
      if (position_ >= text_.size()) break;
      position_ += static_cast<size_t>(base::DecodeUtf8(text_, position_).bytes);
    }
    return std::nullopt;
  }

 private:
  const RE2& pattern_;
  std::string_view text_;
  size_t position_ = 0;
};

// Addresses are looked for in the folded text where folding changes it, otherwise in the text itself.
bool HasAddress(std::string_view text) {
  const auto in = [](std::string_view plain) {
    return (AddressScanner::MayHoldOne(plain) && AddressScanner(plain).Next().has_value()) ||
           DashedAddressScanner(plain).Next().has_value();
  };
  const std::optional<FoldedText> folded = FoldedText::Of(text);
  return in(folded.has_value() ? folded->text() : text);
}

// Calls `visit` with the text as it stands, and with nullptr; then with each other way to read its escapes, until
// `visit` returns true. Returns whether it did.
template <typename Visit>
bool AnyReading(std::string_view text, Visit visit) {
  if (visit(text, nullptr)) return true;
  using Reading = UnescapedText::Reading;
  const std::optional<UnescapedText> escapes = UnescapedText::Of(text, Reading::kEscapes);
  if (!escapes.has_value()) return false;
  if (visit(escapes->text(), &*escapes)) return true;
  if (!escapes->had_percent()) return false;
  const std::optional<UnescapedText> numbers = UnescapedText::Of(text, Reading::kNumbers);
  return numbers.has_value() && visit(numbers->text(), &*numbers);
}

template <typename Scanner>
void AddSpans(Scanner scanner, std::vector<TextSpan>& spans) {
  while (const std::optional<TextSpan> span = scanner.Next()) spans.push_back(*span);
}

void AddAddresses(std::string_view text, std::vector<TextSpan>& spans) {
  const std::optional<FoldedText> folded = FoldedText::Of(text);
  const std::string_view read = folded.has_value() ? folded->text() : text;
  const size_t before = spans.size();
  if (AddressScanner::MayHoldOne(read)) AddSpans(AddressScanner(read), spans);
  AddSpans(DashedAddressScanner(read), spans);
  if (!folded.has_value()) return;
  for (size_t i = before; i < spans.size(); ++i) spans[i] = folded->Original(spans[i]);
}

absl::Status WrongPattern(std::string_view pattern, std::string_view problem) {
  return absl::InvalidArgumentError(StrCat("the pattern '", pattern.substr(0, 100), "' ", problem));
}

}  // namespace

struct Redactor::Patterns {
  std::deque<RE2> all;  // not to be moved
  base::PatternFilter filter{{}};
};

absl::StatusOr<Redactor> Redactor::Create(const RedactionKinds& kinds) {
  if (kinds.patterns.size() > kMaxPatterns) {
    return absl::InvalidArgumentError(
        StrCat("there may be at most ", kMaxPatterns, " patterns to redact, not ", kinds.patterns.size()));
  }
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kMaxPatternMemory);
  auto patterns = std::make_shared<Patterns>();
  for (const std::string& text : kinds.patterns) {
    if (text.size() > kMaxPatternBytes) {
      return WrongPattern(text, StrCat("may have at most ", kMaxPatternBytes, " bytes, not ", text.size()));
    }
    const RE2& pattern = patterns->all.emplace_back(text, options);
    if (!pattern.ok()) return WrongPattern(text, StrCat("is no regular expression of RE2: ", pattern.error()));
    if (RE2::PartialMatch("", pattern)) return WrongPattern(text, "matches the empty text; have it want something");
  }
  Redactor redactor;
  redactor.email_ = kinds.email;
  if (kinds.patterns.empty()) return redactor;
  patterns->filter = base::PatternFilter(kinds.patterns);
  redactor.patterns_ = std::move(patterns);
  return redactor;
}

bool Redactor::Matches(std::string_view text) const {
  return AnyReading(text, [&](std::string_view read, const UnescapedText*) {
    if (HasAddress(read)) return true;
    if (email_ && EmailScanner(read).Next().has_value()) return true;
    if (patterns_ == nullptr) return false;
    const std::vector<size_t>& possible = patterns_->filter.MayMatch(read);
    return std::any_of(possible.begin(), possible.end(),
                       [&](size_t number) { return PatternScanner(patterns_->all[number], read).Next().has_value(); });
  });
}

std::string Redactor::Redact(std::string_view text) const {
  std::string redacted;
  AppendRedacted(text, redacted);
  return redacted;
}

bool Redactor::AppendRedacted(std::string_view text, std::string& out) const {
  std::vector<TextSpan> spans;
  AnyReading(text, [&](std::string_view read, const UnescapedText* unescaped) {
    const size_t before = spans.size();
    AddAddresses(read, spans);
    if (email_) AddSpans(EmailScanner(read), spans);
    if (patterns_ != nullptr) {
      for (const size_t number : patterns_->filter.MayMatch(read)) {
        AddSpans(PatternScanner(patterns_->all[number], read), spans);
      }
    }
    if (unescaped == nullptr) return false;
    for (size_t i = before; i < spans.size(); ++i) spans[i] = unescaped->Original(spans[i]);
    return false;
  });
  std::sort(spans.begin(), spans.end(), [](const TextSpan& a, const TextSpan& b) { return a.begin < b.begin; });
  size_t done = 0;
  bool any = false;
  for (const TextSpan& span : spans) {
    if (!any || span.begin >= done) {
      out.append(text.substr(done, span.begin - done));
      out.append("REDACTED");
    }
    done = std::max(done, span.end);
    any = true;
  }
  out.append(text.substr(done));
  return any;
}

}  // namespace logquery
