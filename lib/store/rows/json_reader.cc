// Scans strings by blocks of bytes, and counts nesting to limit the depth.
#include "lib/store/rows/json_reader.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "lib/base/strings.h"
#include "lib/base/utf8.h"

namespace logquery::store {
namespace {

static_assert(std::endian::native == std::endian::little, "the scan finds the first of 8 bytes by its lowest bit");

constexpr uint64_t kOnes = 0x0101010101010101u;
constexpr uint64_t kHighs = 0x8080808080808080u;

uint64_t ZeroBytes(uint64_t word) { return (word - kOnes) & ~word & kHighs; }

// The first byte in [at, end) that ends or interrupts a string: a quote, a backslash, a control character. Sets
// `not_ascii` when bytes above 127 may have been passed.
const char* ScanString(const char* at, const char* end, bool& not_ascii) {
  uint64_t highs = 0;
  while (end - at >= 8) {
    uint64_t word;
    std::memcpy(&word, at, 8);
    const uint64_t stops =
        ZeroBytes(word ^ (kOnes * '"')) | ZeroBytes(word ^ (kOnes * '\\')) | ((word - kOnes * 0x20) & ~word & kHighs);
    highs |= word;
    if (stops != 0) {
      not_ascii |= (highs & kHighs) != 0;
      return at + std::countr_zero(stops) / 8;
    }
    at += 8;
  }
  for (; at != end; ++at) {
    const auto c = static_cast<unsigned char>(*at);
    if (c == '"' || c == '\\' || c < 0x20) break;
    highs |= c;
  }
  not_ascii |= (highs & kHighs) != 0;
  return at;
}

// -1: no hexadecimal digits.
int HexQuad(const char* at) {
  int value = 0;
  for (int i = 0; i < 4; ++i) {
    const char c = at[i];
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

char SimpleEscape(char c) {
  switch (c) {
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case '"':
    case '\\':
    case '/':
      return c;
    default:
      return '\0';
  }
}

}  // namespace

bool JsonReader::ReadString(String* out) {
  if (Peek() != '"') return FailWanted("a string");
  const char* const first = ++at_;
  bool not_ascii = false;
  bool escaped = false;
  const char* at = first;
  while (true) {
    at = ScanString(at, end_, not_ascii);
    if (at == end_) return Fail("a string does not end", first - 1);
    if (*at == '"') break;
    if (*at != '\\') return Fail("a control character in a string", at);
    escaped = true;
    if (!CheckEscape(at)) return false;
  }
  out->raw = {first, static_cast<size_t>(at - first)};
  out->escaped = escaped;
  at_ = at + 1;
  if (not_ascii && !base::IsValidUtf8(out->raw)) return Fail("text that is not valid UTF-8", first - 1);
  return true;
}

// Passes the escape at `at`.
bool JsonReader::CheckEscape(const char*& at) {
  if (end_ - at < 2) return Fail("a string does not end", at);
  if (at[1] != 'u') {
    if (SimpleEscape(at[1]) == '\0') return Fail("an unknown escape in a string", at);
    at += 2;
    return true;
  }
  const int unit = end_ - at < 6 ? -1 : HexQuad(at + 2);
  if (unit < 0) return Fail("an unknown escape in a string", at);
  if (unit < 0xD800 || unit > 0xDFFF) {
    at += 6;
    return true;
  }
  const int low = unit > 0xDBFF || end_ - at < 12 || at[6] != '\\' || at[7] != 'u' ? -1 : HexQuad(at + 8);
  if (low < 0xDC00 || low > 0xDFFF) {
    met_half_pair_ = true;
    return Fail("an escape that is half a surrogate pair", at);
  }
  at += 12;
  return true;
}

bool JsonReader::ReadNumber(std::string_view* out) {
  Peek();
  const char* at = at_;
  const auto digits = [&] {
    const char* const first = at;
    while (at != end_ && IsDigit(*at)) ++at;
    return at != first;
  };
  if (at != end_ && *at == '-') ++at;
  const bool leading_zero = at != end_ && *at == '0';
  const char* const integer = at;
  if (!digits() || (leading_zero && at - integer > 1)) return FailWanted("a value");
  if (at != end_ && *at == '.') {
    ++at;
    if (!digits()) return Fail("a number without digits after the point", at_);
  }
  if (at != end_ && (*at == 'e' || *at == 'E')) {
    ++at;
    if (at != end_ && (*at == '+' || *at == '-')) ++at;
    if (!digits()) return Fail("a number without digits in its exponent", at_);
  }
  *out = {at_, static_cast<size_t>(at - at_)};
  at_ = at;
  return true;
}

bool JsonReader::ReadWord(std::string_view word) {
  Peek();
  if (std::string_view(at_, end_ - at_).substr(0, word.size()) != word) return FailWanted("a value");
  at_ += word.size();
  return true;
}

bool JsonReader::SkipValue(bool keys_differ, std::string_view* raw) {
  Peek();
  const char* const first = at_;
  if (!SkipNested(keys_differ, 0)) return false;
  *raw = {first, static_cast<size_t>(at_ - first)};
  return true;
}

bool JsonReader::SkipNested(bool keys_differ, int depth) {
  String string;
  std::string_view number;
  if (depth > kMaxDepth) return Fail(base::StrCat("values nested deeper than ", kMaxDepth), at_);
  switch (Peek()) {
    case '{':
      return SkipObject(keys_differ, depth);
    case '[':
      return SkipArray(keys_differ, depth);
    case '"':
      return ReadString(&string);
    case 't':
      return ReadWord("true");
    case 'f':
      return ReadWord("false");
    case 'n':
      return ReadWord("null");
    default:
      return ReadNumber(&number);
  }
}

bool JsonReader::SkipObject(bool keys_differ, int depth) {
  Take();
  if (TakeIf('}')) return true;
  const size_t first_key = keys_.size();
  do {
    String key;
    if (!ReadString(&key)) return false;
    if (keys_differ) keys_.push_back(key.escaped ? Unescape(key.raw, arena_) : key.raw);
    if (!TakeIf(':')) return FailWanted("':'");
    if (!SkipNested(keys_differ, depth + 1)) return false;
  } while (TakeIf(','));
  if (!TakeIf('}')) return FailWanted("',' or '}'");
  return !keys_differ || CheckKeys(first_key);
}

bool JsonReader::SkipArray(bool keys_differ, int depth) {
  Take();
  if (TakeIf(']')) return true;
  do {
    if (!SkipNested(keys_differ, depth + 1)) return false;
  } while (TakeIf(','));
  return TakeIf(']') || FailWanted("',' or ']'");
}

// The keys from `first_key` on are those of one object, which ends here.
bool JsonReader::CheckKeys(size_t first_key) {
  const auto first = keys_.begin() + static_cast<std::ptrdiff_t>(first_key);
  std::sort(first, keys_.end());
  const auto twice = std::adjacent_find(first, keys_.end());
  const std::string key(twice == keys_.end() ? std::string_view() : *twice);
  const bool differ = twice == keys_.end();
  keys_.resize(first_key);
  return differ || Fail(base::StrCat("the key \"", key, "\" twice"), at_ - 1, "a key twice");
}

bool JsonReader::FailWanted(std::string_view wanted) {
  const char next = Peek();
  std::string kind = base::StrCat("wanted ", wanted);
  if (at_ == end_) return Fail(base::StrCat(kind, ", found the end of the line"), at_);
  const bool printable = next > 0x20 && next < 0x7f;
  std::string message = printable ? base::StrCat(kind, ", found '", std::string(1, next), "'") : kind;
  return Fail(std::move(message), at_, std::move(kind));
}

bool JsonReader::Fail(std::string message, const char* at, std::string kind) {
  error_ = std::move(message);
  error_kind_ = std::move(kind);
  error_at_ = at;
  return false;
}

int64_t JsonReader::error_column() const {
  if (error_at_ == nullptr) return 0;
  return base::CountCodePoints({begin_, static_cast<size_t>(error_at_ - begin_)}) + 1;
}

std::string JsonReader::ErrorWithColumn() const { return base::StrCat("column ", error_column(), ": ", error_); }

std::string_view JsonReader::Unescape(std::string_view raw, Arena& arena) {
  // Every escape is longer than the UTF-8 that it represents.
  char* const first = arena.Allocate(raw.size());
  char* out = first;
  const char* at = raw.data();
  const char* const end = at + raw.size();
  while (at != end) {
    if (*at != '\\') {
      *out++ = *at++;
      continue;
    }
    if (at[1] != 'u') {
      *out++ = SimpleEscape(at[1]);
      at += 2;
      continue;
    }
    char32_t code = static_cast<char32_t>(HexQuad(at + 2));
    at += 6;
    if (code >= 0xD800 && code <= 0xDBFF) {
      code = 0x10000 + ((code - 0xD800) << 10) + (static_cast<char32_t>(HexQuad(at + 2)) - 0xDC00);
      at += 6;
    }
    std::string utf8;
    base::AppendUtf8(code, utf8);
    out = std::copy(utf8.begin(), utf8.end(), out);
  }
  return {first, static_cast<size_t>(out - first)};
}

std::string_view MendHalfPairs(std::string_view json, Arena& arena) {
  char* const copy = arena.Allocate(json.size());
  std::copy(json.begin(), json.end(), copy);
  const auto unit_at = [&](size_t at) {
    const bool is_unit = at + 6 <= json.size() && json[at] == '\\' && json[at + 1] == 'u';
    return is_unit ? HexQuad(json.data() + at + 2) : -1;
  };
  constexpr std::string_view kReplacement = "\\ufffd";
  for (size_t at = json.find('\\'); at < json.size(); at = json.find('\\', at)) {
    const int unit = unit_at(at);
    if (unit < 0xD800 || unit > 0xDFFF) {
      at += 2;  // the escaped character may be a backslash
      continue;
    }
    const int low = unit > 0xDBFF ? -1 : unit_at(at + 6);
    const bool is_pair = low >= 0xDC00 && low <= 0xDFFF;
    if (!is_pair) std::memcpy(copy + at, kReplacement.data(), kReplacement.size());
    at += is_pair ? 12 : 6;
  }
  return {copy, json.size()};
}

const char* FindStringEnd(const char* at, const char* end) {
  bool not_ascii = false;
  while (true) {
    at = ScanString(at, end, not_ascii);
    if (at == end || *at == '"') return at;
    at += std::min<std::ptrdiff_t>(*at == '\\' ? 2 : 1, end - at);
  }
}

void AppendJsonString(std::string_view text, std::string& out) {
  constexpr char kHex[] = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += "\\u00";
      out += kHex[c >> 4];
      out += kHex[c & 15];
    } else {
      out += c;
    }
  }
  out += '"';
}

}  // namespace logquery::store
