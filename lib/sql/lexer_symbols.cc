#include "lib/sql/lexer_symbols.h"

#include "lib/base/strings.h"
#include "lib/base/utf8.h"

namespace logquery::sql {
namespace {

struct Operator {
  std::string_view text;
  TokenKind kind;
};

// Longer ones before those that they begin with.
constexpr Operator kOperators[] = {
    {"|>", TokenKind::kPipe},          {"||", TokenKind::kConcat},      {"|", TokenKind::kBar},
    {"=>", TokenKind::kNamed},         {"=", TokenKind::kEqual},        {"->", TokenKind::kLambda},
    {"-", TokenKind::kMinus},          {"<=", TokenKind::kLessOrEqual}, {"<>", TokenKind::kNotEqual},
    {"<<", TokenKind::kShiftLeft},     {"<", TokenKind::kLess},         {">=", TokenKind::kGreaterOrEqual},
    {">", TokenKind::kGreater},        {"!=", TokenKind::kNotEqual},    {"::", TokenKind::kDoubleColon},
    {":", TokenKind::kColon},          {"(", TokenKind::kLeftParen},    {")", TokenKind::kRightParen},
    {"[", TokenKind::kLeftBracket},    {"]", TokenKind::kRightBracket}, {",", TokenKind::kComma},
    {".", TokenKind::kDot},            {";", TokenKind::kSemicolon},    {"*", TokenKind::kStar},
    {"/", TokenKind::kSlash},          {"+", TokenKind::kPlus},         {"~", TokenKind::kTilde},
    {"&", TokenKind::kAmpersand},      {"^", TokenKind::kCaret},
};

struct Foreign {
  std::string_view text;
  std::string_view advice;
};

// What other languages have, and GoogleSQL's word for it.
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

}  // namespace

Symbol FindSymbol(std::string_view text, size_t at) {
  const std::string_view rest = text.substr(at);
  if (rest.substr(0, 2) != "!=") {
    for (const Foreign& foreign : kForeign) {
      if (rest.substr(0, foreign.text.size()) != foreign.text) continue;
      return {TokenKind::kEnd, foreign.text.size(), std::string(foreign.advice)};
    }
  }
  for (const Operator& op : kOperators) {
    if (rest.substr(0, op.text.size()) == op.text) return {op.kind, op.text.size(), ""};
  }
  const auto length = static_cast<size_t>(base::DecodeUtf8(text, at).bytes);
  const std::string_view character = rest.substr(0, length);
  const std::string_view advice = length > 1 ? "; names with such characters stand in back-quotes" : "";
  return {TokenKind::kEnd, length, base::StrCat("unexpected character ", character, advice)};
}

size_t BlankLength(std::string_view text, size_t at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  if (byte == ' ' || (byte >= '\t' && byte <= '\r') || byte == '\b') return 1;
  if (byte < 0xC2) return 0;
  const base::CodePoint found = base::DecodeUtf8(text, at);
  const bool blank = found.value == 0xA0 || found.value == 0x1680 || (found.value >= 0x2000 && found.value <= 0x200A) ||
                     found.value == 0x2028 || found.value == 0x2029 || found.value == 0x202F ||
                     found.value == 0x205F || found.value == 0x3000 || found.value == 0xFEFF;
  return blank ? static_cast<size_t>(found.bytes) : 0;
}

}  // namespace logquery::sql
