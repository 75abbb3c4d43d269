// Tables of one- and two-character symbols, and advice for characters of other languages.
#include "lib/sql/lexer_symbols.h"

#include <array>

#include "lib/base/strings.h"
#include "lib/base/utf8.h"

namespace logquery::sql {
namespace {

struct Pair {
  std::string_view text;
  TokenKind kind;
};

constexpr Pair kPairs[] = {
    {"|>", TokenKind::kPipe},        {"||", TokenKind::kConcat},         {"=>", TokenKind::kNamed},
    {"->", TokenKind::kLambda},      {"<=", TokenKind::kLessOrEqual},    {"<>", TokenKind::kNotEqual},
    {"<<", TokenKind::kShiftLeft},   {">=", TokenKind::kGreaterOrEqual}, {"!=", TokenKind::kNotEqual},
    {"::", TokenKind::kDoubleColon},
};

// Tokens of one character, by that character; kEnd for other characters.
constexpr auto kSingles = [] {
  std::array<TokenKind, 128> singles{};
  singles['|'] = TokenKind::kBar;
  singles['='] = TokenKind::kEqual;
  singles['-'] = TokenKind::kMinus;
  singles['<'] = TokenKind::kLess;
  singles['>'] = TokenKind::kGreater;
  singles[':'] = TokenKind::kColon;
  singles['('] = TokenKind::kLeftParen;
  singles[')'] = TokenKind::kRightParen;
  singles['['] = TokenKind::kLeftBracket;
  singles[']'] = TokenKind::kRightBracket;
  singles[','] = TokenKind::kComma;
  singles['.'] = TokenKind::kDot;
  singles[';'] = TokenKind::kSemicolon;
  singles['*'] = TokenKind::kStar;
  singles['/'] = TokenKind::kSlash;
  singles['+'] = TokenKind::kPlus;
  singles['~'] = TokenKind::kTilde;
  singles['&'] = TokenKind::kAmpersand;
  singles['^'] = TokenKind::kCaret;
  return singles;
}();

struct Foreign {
  std::string_view text;
  std::string_view advice;
};

// Symbols of other languages, and a hint at what GoogleSQL has instead.
constexpr Foreign kForeign[] = {
    {"==", "== is not an operator; use = to compare"},
    {"&&", "&& is not an operator; use AND"},
    {"!", "! is not an operator; use NOT"},
    {"%", "% is not an operator; use MOD(a, b)"},
    {"?", "positional parameters (?) are not supported; use @name"},
    {"$", "unexpected character $; a parameter is written @name"},
    {"“", "a curly quote; strings stand between straight quotes"},
    {"”", "a curly quote; strings stand between straight quotes"},
    {"‘", "a curly quote; strings stand between straight quotes"},
    {"’", "a curly quote; strings stand between straight quotes"},
};

bool BeginsWith(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }

TokenKind SingleKind(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < kSingles.size() ? kSingles[byte] : TokenKind::kEnd;
}

Symbol DescribeForeign(std::string_view text, size_t at) {
  const std::string_view rest = text.substr(at);
  for (const Foreign& foreign : kForeign) {
    if (BeginsWith(rest, foreign.text)) return {TokenKind::kEnd, foreign.text.size(), std::string(foreign.advice)};
  }
  const auto length = static_cast<size_t>(base::DecodeUtf8(text, at).bytes);
  const std::string_view advice = length > 1 ? "; names with such characters stand in back-quotes" : "";
  return {TokenKind::kEnd, length, base::StrCat("unexpected character ", rest.substr(0, length), advice)};
}

}  // namespace

Symbol FindSymbol(std::string_view text, size_t at) {
  const std::string_view rest = text.substr(at, 2);
  const TokenKind single = SingleKind(rest[0]);
  const char second = rest.size() > 1 ? rest[1] : ' ';
  // Only these end a pair; most symbols are followed by something else.
  if (second == '>' || second == '=' || second == '<' || second == '|' || second == ':') {
    for (const Pair& pair : kPairs) {
      if (rest == pair.text) return {pair.kind, 2, ""};
    }
  }
  if (single == TokenKind::kEnd || rest == "==" || rest == "&&") return DescribeForeign(text, at);
  return {single, 1, ""};
}

size_t BlankLength(std::string_view text, size_t at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  if (byte == ' ' || (byte >= '\t' && byte <= '\r') || byte == '\b') return 1;
  if (byte < 0xC2) return 0;
  const base::CodePoint found = base::DecodeUtf8(text, at);
  const bool blank = found.value == 0xA0 || found.value == 0x1680 || (found.value >= 0x2000 && found.value <= 0x200A) ||
                     found.value == 0x2028 || found.value == 0x2029 || found.value == 0x202F || found.value == 0x205F ||
                     found.value == 0x3000 || found.value == 0xFEFF;
  return blank ? static_cast<size_t>(found.bytes) : 0;
}

}  // namespace logquery::sql
