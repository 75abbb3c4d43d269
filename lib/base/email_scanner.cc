// Searches for @ and %40, and extends each match in both directions.
#include "lib/base/email_scanner.h"

#include <algorithm>
#include <array>

namespace logquery::base {
namespace {

enum : unsigned char { kName = 1, kLabel = 2, kEnd = 4, kDigit = 8 };

constexpr std::array<unsigned char, 256> kClasses = [] {
  std::array<unsigned char, 256> classes = {};
  for (int c = '0'; c <= '9'; ++c) classes[c] = kName | kLabel | kEnd | kDigit;
  for (int c = 'a'; c <= 'z'; ++c) classes[c] = classes[c - 'a' + 'A'] = kName | kLabel | kEnd;
  for (int c = 0x80; c < 0x100; ++c) classes[c] = kName | kLabel | kEnd;
  classes['_'] = classes['%'] = classes['+'] = kName | kEnd;
  classes['.'] = classes['\''] = kName;
  classes['-'] = kName | kLabel;
  return classes;
}();

bool Is(char c, unsigned char what) { return (kClasses[static_cast<unsigned char>(c)] & what) != 0; }

// A label that can be a domain's last.
bool IsTopLevel(std::string_view label) {
  return label.size() >= 2 && !std::all_of(label.begin(), label.end(), [](char c) { return Is(c, kDigit); });
}

}  // namespace

size_t EmailScanner::FindAt() {
  if (!plain_at_.has_value() || *plain_at_ < position_) plain_at_ = std::min(text_.find('@', position_), text_.size());
  const size_t escaped = text_.substr(0, *plain_at_).find("%40", position_);
  return std::min(*plain_at_, escaped);
}

std::optional<TextSpan> EmailScanner::Next() {
  for (size_t at = FindAt(); at < text_.size(); at = FindAt()) {
    const size_t begin = BeginOfName(at);
    const size_t domain = at + (text_[at] == '@' ? 1 : 3);
    const size_t end = EndOfDomain(domain);
    position_ = domain;
    if (begin == at || end == domain) continue;
    position_ = end;
    return TextSpan{begin, end};
  }
  position_ = text_.size();
  return std::nullopt;
}

size_t EmailScanner::BeginOfName(size_t at) const {
  size_t begin = at;
  while (begin > position_ && Is(text_[begin - 1], kName)) --begin;
  while (begin < at && !Is(text_[begin], kEnd)) ++begin;
  return begin;
}

size_t EmailScanner::EndOfDomain(size_t begin) const {
  size_t end = begin;  // of the longest domain so far
  size_t label = begin;
  for (bool first = true;; first = false) {
    size_t label_end = label;
    while (label_end < text_.size() && Is(text_[label_end], kLabel)) ++label_end;
    const size_t after = label_end;
    while (label_end > label && !Is(text_[label_end - 1], kEnd)) --label_end;
    if (label_end == label || !Is(text_[label], kEnd)) return end;
    if (!first && IsTopLevel(text_.substr(label, label_end - label))) end = label_end;
    if (after != label_end || after >= text_.size() || text_[after] != '.') return end;
    label = after + 1;
  }
}

}  // namespace logquery::base
