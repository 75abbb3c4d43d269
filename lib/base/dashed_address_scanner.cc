// Looks at each run of digits and dashes as a whole.
#include "lib/base/dashed_address_scanner.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "lib/base/strings.h"

namespace logquery::base {
namespace {

constexpr size_t kMostDigits = 3;
constexpr int kOctets = 4;

bool IsDigit(char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); }
bool IsWord(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool IsOfRun(char c) { return IsDigit(c) || c == '-'; }

// Returns whether the text is four octets that are separated by single dashes.
bool IsDashed(std::string_view text) {
  for (int octet = 0; octet < kOctets; ++octet) {
    size_t digits = 0;
    int value = 0;
    for (; digits < text.size() && IsDigit(text[digits]); ++digits) {
      if (digits == kMostDigits) return false;
      value = value * 10 + (text[digits] - '0');
    }
    if (digits == 0 || value > 255) return false;
    text.remove_prefix(digits);
    if (octet + 1 == kOctets) return text.empty();
    if (text.empty()) return false;
    text.remove_prefix(1);
  }
  return false;
}

bool EndsWithIp(std::string_view text) {
  if (text.size() < 2 || !EqualsIgnoreCase(text.substr(text.size() - 2), "ip")) return false;
  return text.size() == 2 || !IsWord(text[text.size() - 3]);
}

}  // namespace

std::optional<TextSpan> DashedAddressScanner::Next() {
  while ((position_ = text_.find('-', position_)) != text_.npos) {
    size_t begin = position_;
    while (begin > 0 && IsDigit(text_[begin - 1])) --begin;
    size_t end = position_;
    while (end < text_.size() && IsOfRun(text_[end])) ++end;
    position_ = end;
    if (const std::optional<TextSpan> found = MatchRun(begin, end)) return found;
  }
  position_ = text_.size();
  return std::nullopt;
}

std::optional<TextSpan> DashedAddressScanner::MatchRun(size_t begin, size_t end) const {
  // A number directly behind a letter is the letter's: ec2-203-0-113-77.
  if (begin > 0 && IsWord(text_[begin - 1])) {
    while (begin < end && IsDigit(text_[begin])) ++begin;
  }
  const bool after_dash = text_[begin] == '-';
  const bool after_ip = after_dash && EndsWithIp(text_.substr(0, begin));
  if (after_dash) ++begin;
  const bool before_dash = text_[end - 1] == '-';
  if (before_dash) --end;
  if (begin >= end || !IsDashed(text_.substr(begin, end - begin))) return std::nullopt;
  const bool stands_alone = end >= text_.size() || !IsWord(text_[end]);
  const bool ends_label =
      end + 1 < text_.size() && text_[end] == '.' && absl::ascii_isalpha(static_cast<unsigned char>(text_[end + 1]));
  if (!(after_ip && stands_alone) && !ends_label) return std::nullopt;
  return TextSpan{begin, end};
}

}  // namespace logquery::base
