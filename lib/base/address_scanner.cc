// Finds IP addresses in a text, in one pass over it. The grammar is in docs/redaction.md.
#include "lib/base/address_scanner.h"

#include <algorithm>
#include <array>

#include "lib/base/byte_block.h"

namespace logquery::base {
namespace {

enum : unsigned char { kDigit = 1, kHex = 2, kWord = 4, kZone = 8, kControl = 16 };

constexpr std::array<unsigned char, 256> kClasses = [] {
  std::array<unsigned char, 256> classes = {};
  for (int c = '0'; c <= '9'; ++c) classes[c] = kDigit | kHex | kWord | kZone;
  for (int c = 'a'; c <= 'z'; ++c) classes[c] = classes[c - 'a' + 'A'] = (c <= 'f' ? kHex : 0) | kWord | kZone;
  classes['_'] = kWord | kZone;
  classes['-'] = classes['.'] = classes['~'] = kZone;
  // Characters that begin a terminal's control sequence, or that end its introducer.
  classes['['] = classes[0x1B] = classes[0x9B] = kControl;
  return classes;
}();

bool Is(char c, unsigned char what) { return (kClasses[static_cast<unsigned char>(c)] & what) != 0; }

constexpr size_t kLongestGroup = 4;
constexpr size_t kFewestOfLongGroup = 3;

// Returns whether `head`, which consists of groups and colons, is an IPv6 address. With `v4_tail` an IPv4 address
// follows, which takes the place of two groups.
bool IsV6(std::string_view head, bool v4_tail) {
  int groups = v4_tail ? 2 : 0;
  bool compressed = head.starts_with("::");
  size_t i = compressed ? 2 : 0;
  while (i < head.size()) {
    if (head[i] == ':') return false;
    while (i < head.size() && head[i] != ':') ++i;
    ++groups;
    if (i == head.size()) {
      if (v4_tail) return false;
      break;
    }
    ++i;
    if (i < head.size() && head[i] == ':') {
      if (compressed) return false;
      compressed = true;
      ++i;
    } else if (i == head.size() && !v4_tail) {
      return false;
    }
  }
  return compressed ? groups >= 1 && groups <= 7 : groups == 8;
}

// Returns whether `text`, which consists of groups and colons, is an IPv6 address of eight groups, a colon and a port.
// One group must have three digits or more: nine shorter groups are rather a digest or another list of numbers.
bool IsFullV6WithPort(std::string_view text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || !IsV6(text.substr(0, colon), false)) return false;
  bool long_group = false;
  size_t digits = 0;
  for (const char c : text.substr(0, colon)) {
    digits = c == ':' ? 0 : digits + 1;
    long_group = long_group || digits >= kFewestOfLongGroup;
  }
  const std::string_view port = text.substr(colon + 1);
  return long_group && text.find("::") == std::string_view::npos &&
         std::all_of(port.begin(), port.end(), [](char c) { return Is(c, kDigit); });
}

// Returns whether the text begins with a dot, digits, a dot, digits, a dot and a digit.
bool BeginsThreeDots(std::string_view text) {
  size_t i = 0;
  for (int dot = 0; dot < 3; ++dot) {
    if (i >= text.size() || text[i] != '.') return false;
    const size_t digits = ++i;
    while (i < text.size() && Is(text[i], kDigit)) ++i;
    if (i == digits) return false;
  }
  return true;
}

bool IsGroup(std::string_view text) {
  if (text.empty() || text.size() > kLongestGroup) return false;
  for (const char c : text) {
    if (!Is(c, kHex)) return false;
  }
  return true;
}

constexpr char kEscape = '\x1B';
// U+009B, which begins a control sequence by itself, in UTF-8.
constexpr char kControlFirstByte = '\xC2';
constexpr char kControlSecondByte = '\x9B';

// Returns whether a text ends with the escape character, either raw or as JSON, programs, URLs and terminals write it.
bool EndsWithEscape(std::string_view text) {
  if (text.ends_with(kEscape)) return true;
  for (const std::string_view written : {"\\u001b", "\\u001B", "\\x1b", "\\x1B", "\\033", "\\e", "%1b", "%1B", "^["}) {
    if (text.ends_with(written)) return true;
  }
  return false;
}

size_t CountColons(std::string_view text) {
  size_t count = 0;
  while (count < text.size() && text[count] == ':') ++count;
  return count;
}

size_t CountColonsAtEnd(std::string_view text) {
  size_t count = 0;
  while (count < text.size() && text[text.size() - 1 - count] == ':') ++count;
  return count;
}

}  // namespace

bool AddressScanner::MayHoldOne(std::string_view text) {
  // IPv4 has three dots with digits between them. IPv6 has two colons together beside a group, or six of them with a group
  // between each two. The first group may begin with what an escape ends with, so it is not looked at as a whole.
  int colons = 0;
  size_t last_colon = 0;
  const auto may_be_in = [&](size_t i) {
    if (i + 1 >= text.size()) return false;
    if (text[i] == '.') return i > 0 && Is(text[i - 1], kDigit) && BeginsThreeDots(text.substr(i));
    if (text[i + 1] == ':' && ((i > 0 && Is(text[i - 1], kHex)) || (i + 2 < text.size() && Is(text[i + 2], kHex)))) {
      return true;
    }
    colons = colons > 0 && IsGroup(text.substr(last_colon + 1, i - last_colon - 1)) ? colons + 1 : 1;
    last_colon = i;
    return colons == 6;
  };
  return AnyByte(
      text, 0, [](const ByteBlock& block) { return block.Equal('.') | block.Equal(':'); }, may_be_in);
}

std::optional<AddressScanner::Address> AddressScanner::Next() {
  while (position_ < text_.size()) {
    if (text_[position_] != ':' && !Is(text_[position_], kWord)) {
      if (Is(text_[position_], kControl)) NoteControlSequence();
      ++position_;
      continue;
    }
    const Run run = ReadRun();
    const std::optional<Address> found = MatchRun(run);
    if (found.has_value()) {
      position_ = found->end;
      return found;
    }
    // Read as it stands it holds no address. Read as an escape, what follows stands alone.
    if (const size_t tail = EscapeTail(run.begin); tail > 0) {
      floor_ = position_ = run.begin + tail;
    } else if (run.begin < sequence_end_ && sequence_end_ <= run.word_after) {
      floor_ = position_ = sequence_end_;
    } else {
      position_ = run.word_after;
    }
  }
  return std::nullopt;
}

AddressScanner::Run AddressScanner::ReadRun() const {
  Run run{position_, position_, position_, position_};
  while (run.end < text_.size()) {
    if (text_[run.end] == ':') {
      run.last_word = run.word_after = ++run.end;
      continue;
    }
    size_t word_end = run.end;
    bool hex = true;
    for (; word_end < text_.size() && Is(text_[word_end], kWord); ++word_end) hex = hex && Is(text_[word_end], kHex);
    if (word_end == run.end) break;
    run.word_after = word_end;
    if (!hex || word_end - run.end > kLongestGroup) break;
    run.last_word = run.end;
    run.end = word_end;
  }
  return run;
}

std::optional<AddressScanner::Address> AddressScanner::MatchRun(const Run& run) const {
  // Only the run's last word, or the word that ended it, can continue with a dot.
  const size_t dotted = run.word_after > run.end ? run.end : run.last_word;
  const std::optional<size_t> v4_end = MatchV4(dotted);
  // An octet of more digits than a group has is in no IPv6 address.
  const bool joined = v4_end.has_value() && run.word_after == run.end;
  if (const auto v6 = MatchV6(run, joined ? v4_end : std::nullopt); v6.has_value()) return v6;
  if (v4_end.has_value()) return Address{dotted, *v4_end};
  return std::nullopt;
}

std::optional<AddressScanner::Address> AddressScanner::MatchV6(const Run& run, std::optional<size_t> v4_end) const {
  const size_t end = v4_end.has_value() ? run.last_word : run.end;
  const std::string_view whole = text_.substr(run.begin, end - run.begin);
  const size_t leading = CountColons(whole);
  const size_t trailing = v4_end.has_value() ? 0 : CountColonsAtEnd(whole);
  if (leading == whole.size() && !v4_end.has_value()) return std::nullopt;
  // Colons at the ends are the address's own when they are two and no word stands directly beside them.
  const bool may_lead = leading > 2 || (leading == 2 && !IsWordBefore(run.begin));
  const bool may_trail = trailing > 2 || (trailing == 2 && run.word_after == run.end);
  for (const bool lead : {true, false}) {
    for (const bool trail : {true, false}) {
      if ((lead && !may_lead) || (trail && !may_trail)) continue;
      const size_t first = leading - (lead ? 2 : 0);
      const size_t last = whole.size() - trailing + (trail ? 2 : 0);
      if (first >= last && !v4_end.has_value()) continue;
      if (!IsV6(whole.substr(first, last - first), v4_end.has_value())) continue;
      return Address{run.begin + first, EndOfZone(v4_end.value_or(run.begin + last))};
    }
  }
  const std::string_view bare = whole.substr(leading, whole.size() - trailing - leading);
  if (v4_end.has_value() || !IsFullV6WithPort(bare)) return std::nullopt;
  return Address{run.begin + leading, run.begin + leading + bare.rfind(':')};
}

std::optional<size_t> AddressScanner::MatchV4(size_t begin) const {
  if (IsWordBefore(begin)) return std::nullopt;
  const auto digit_at = [this](size_t i) { return i < text_.size() && Is(text_[i], kDigit); };
  if (begin >= floor_ + 2 && text_[begin - 1] == '.' && digit_at(begin - 2)) return std::nullopt;
  size_t i = begin;
  for (int octet = 0; octet < 4; ++octet) {
    if (octet > 0 && (i >= text_.size() || text_[i++] != '.')) return std::nullopt;
    if (!digit_at(i)) return std::nullopt;
    int value = 0;
    for (; digit_at(i); ++i) {
      value = value * 10 + (text_[i] - '0');
      if (value > 255) return std::nullopt;
    }
  }
  if (i < text_.size() && Is(text_[i], kWord)) return std::nullopt;
  if (i < text_.size() && text_[i] == '.' && digit_at(i + 1)) return std::nullopt;
  return i;
}

size_t AddressScanner::EndOfZone(size_t address_end) const {
  if (address_end >= text_.size() || text_[address_end] != '%') return address_end;
  const size_t begin = address_end + 1;
  size_t end = begin;
  while (end < text_.size() && Is(text_[end], kZone)) ++end;
  // A dot or dash at the end is the sentence's.
  while (end > begin && !Is(text_[end - 1], kWord)) --end;
  return end == begin ? address_end : end;
}

size_t AddressScanner::EscapeTail(size_t begin) const {
  if (begin <= floor_) return 0;
  const auto hex = [this, begin](size_t from, size_t count) {
    for (size_t i = begin + from; i < begin + from + count; ++i) {
      if (i >= text_.size() || !Is(text_[i], kHex)) return false;
    }
    return true;
  };
  const auto octal = [this, begin](size_t i) {
    return begin + i < text_.size() && '0' <= text_[begin + i] && text_[begin + i] <= '7';
  };
  if (text_[begin - 1] == '%') return hex(0, 2) ? 2 : 0;
  if (text_[begin - 1] != '\\') return 0;
  switch (text_[begin]) {
    case 'a':
    case 'b':
    case 'e':
    case 'f':
    case 'n':
    case 'r':
    case 't':
    case 'v':
      return 1;
    case 'u':
      return hex(1, 4) ? 5 : 0;
    case 'x':
      return hex(1, 2) ? 3 : 0;
    case '0':
    case '1':
    case '2':
    case '3':
      return octal(1) && octal(2) ? 3 : 0;
    default:
      return 0;
  }
}

void AddressScanner::NoteControlSequence() {
  const char c = text_[position_];
  const auto between = [this](size_t i, char first, char last) {
    return i < text_.size() && first <= text_[i] && text_[i] <= last;
  };
  size_t end = position_ + 1;
  bool colour = false;
  if (c == '[' || (c == kControlSecondByte && position_ > 0 && text_[position_ - 1] == kControlFirstByte)) {
    const size_t parameters = end;
    while (between(end, '0', '?')) ++end;
    colour = c == '[' && end > parameters && between(end, 'm', 'm');
    if (c == '[' && !colour && !EndsWithEscape(text_.substr(0, position_))) return;
    if (!colour) {
      while (between(end, ' ', '/')) ++end;
    }
    if (between(end, '@', '~')) sequence_end_ = end + 1;
  } else if (c == kEscape && !between(end, '[', '[')) {
    while (between(end, ' ', '/')) ++end;
    if (between(end, '0', '~')) sequence_end_ = end + 1;
  }
}

bool AddressScanner::IsWordBefore(size_t position) const { return position > floor_ && Is(text_[position - 1], kWord); }

}  // namespace logquery::base
