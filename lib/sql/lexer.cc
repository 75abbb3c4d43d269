// Splits a text into tokens with their places, and decodes quoted texts.
#include "lib/sql/lexer.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "lib/sql/lexer_symbols.h"
#include "lib/sql/literal_text.h"
#include "lib/sql/text_error.h"

namespace logquery::sql {
namespace {

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool IsWordStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// A table, because most characters are looked up in it.
constexpr auto kWordParts = [] {
  std::array<bool, 256> parts{};
  for (size_t c = 0; c < 128; ++c) parts[c] = IsWordStart(static_cast<char>(c)) || IsDigit(static_cast<char>(c));
  return parts;
}();

bool IsWordPart(char c) { return kWordParts[static_cast<unsigned char>(c)]; }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {
    // Tokens of four bytes are usual; one allocation is then enough.
    tokens_.tokens.reserve(text.size() / 4 + 8);
  }

  absl::Status Run() {
    CheckCharacters();
    while (status_.ok() && SkipBlank()) LexToken();
    if (status_.ok() && hint_.has_value()) Fail(*hint_, 2, "a hint @{ is not closed");
    return status_;
  }

  TokenList Take() {
    const uint32_t end = tokens_.tokens.empty() ? 0 : tokens_.tokens.back().span.end;
    tokens_.tokens.push_back({TokenKind::kEnd, Keyword::kNone, {end, end}, 0});
    return std::move(tokens_);
  }

 private:
  void Fail(size_t begin, size_t length, std::string_view message) {
    if (!status_.ok()) return;
    const Span span{static_cast<uint32_t>(begin), static_cast<uint32_t>(begin + length)};
    status_ = TextError(text_, span, base::StrCat("Syntax error: ", message));
  }

  char Ahead(size_t distance) const { return at_ + distance < text_.size() ? text_[at_ + distance] : '\0'; }

  // Checks the whole text once, so that nothing after it needs to think of broken text.
  void CheckCharacters() {
    for (size_t at = 0; at < text_.size();) {
      while (at < text_.size() && static_cast<signed char>(text_[at]) > 0) ++at;
      if (at == text_.size()) return;
      if (text_[at] == '\0') return Fail(at, 1, "a NUL character");
      const base::CodePoint code_point = base::DecodeUtf8(text_, at);
      if (!code_point.valid) return Fail(at, 1, "the text is not valid UTF-8");
      at += static_cast<size_t>(code_point.bytes);
    }
  }

  void Push(TokenKind kind, size_t begin, Keyword keyword = Keyword::kNone) {
    const Span span{static_cast<uint32_t>(begin), static_cast<uint32_t>(at_)};
    tokens_.tokens.push_back({kind, keyword, span, 0});
  }

  void PushValue(TokenKind kind, size_t begin, std::string value) {
    Push(kind, begin);
    tokens_.tokens.back().value = static_cast<uint32_t>(tokens_.values.size());
    tokens_.values.push_back(std::move(value));
  }

  // Skips white space and comments. Returns whether anything is left.
  bool SkipBlank() {
    while (at_ < text_.size() && status_.ok()) {
      const size_t blank = text_[at_] == ' ' ? 1 : BlankLength(text_, at_);
      if (blank > 0) {
        at_ += blank;
      } else if (text_[at_] == '#' || (text_[at_] == '-' && Ahead(1) == '-')) {
        at_ = std::min(text_.find_first_of("\r\n", at_), text_.size());
      } else if (text_[at_] == '/' && Ahead(1) == '*') {
        const size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) Fail(at_, 2, "a comment /* is not closed");
        at_ = end + 2;
      } else {
        return true;
      }
    }
    return false;
  }

  void LexToken() {
    const char c = text_[at_];
    if (IsWordStart(c)) return LexWord();
    if (IsDigit(c) || (c == '.' && IsDigit(Ahead(1)))) return LexNumber();
    if (c == '\'' || c == '"') return LexString(at_, {});
    if (c == '`') return LexQuoted(TokenKind::kQuotedName, at_, {.quote = '`'}, "back-quoted name");
    if (c == '@') return LexAt();
    if (c == '}' && hint_.has_value()) return CloseHint();
    LexSymbol();
  }

  void LexWord() {
    const size_t begin = at_;
    size_t end = begin + 1;
    while (end < text_.size() && IsWordPart(text_[end])) ++end;
    at_ = end;
    const std::string_view word = text_.substr(begin, end - begin);
    const bool before_quote = word.size() <= 2 && (Ahead(0) == '\'' || Ahead(0) == '"');
    if (before_quote) {
      const std::string prefix = base::ToLower(word);
      const bool raw = prefix.find('r') != std::string::npos;
      const bool bytes = prefix.find('b') != std::string::npos;
      if (word.size() == static_cast<size_t>(raw) + static_cast<size_t>(bytes)) {
        return LexString(begin, {.raw = raw, .bytes = bytes});
      }
    }
    Push(TokenKind::kWord, begin, FindKeyword(word));
  }

  // A string that begins at `begin`; the opening quote is next.
  void LexString(size_t begin, QuoteStyle style) {
    const TokenKind kind = style.bytes ? TokenKind::kBytes : TokenKind::kString;
    style.quote = text_[at_];
    style.triple = Ahead(1) == style.quote && Ahead(2) == style.quote;
    const std::string_view what = style.bytes ? "bytes literal" : "string";
    // '''' with nothing that closes it as a triple-quoted string is what other databases write for one quote.
    if (style.triple && FindClosingQuote(text_, at_ + 3, style) == std::string_view::npos) {
      QuoteStyle single = style;
      single.triple = false;
      if (++unclosed_triples_ <= kMaxUnclosedTriples &&
          FindClosingQuote(text_, at_ + 1, single) != std::string_view::npos) {
        return LexQuoted(kind, begin, single, what);
      }
    }
    LexQuoted(kind, begin, style, what);
  }

  void LexQuoted(TokenKind kind, size_t begin, const QuoteStyle& style, std::string_view what) {
    const size_t first = at_ + style.width();
    const size_t end = FindClosingQuote(text_, first, style);
    if (end == std::string_view::npos) return Fail(begin, first - begin, base::StrCat("a ", what, " is not closed"));
    if (kind == TokenKind::kQuotedName && end == first) return Fail(begin, 2, "a back-quoted name is empty");
    std::string value;
    status_ = DecodeQuoted(text_, {static_cast<uint32_t>(first), static_cast<uint32_t>(end)}, style, value);
    at_ = end + style.width();
    // Names reach engines as text of SQL, and those of columns reach callers: there this character ends a text.
    if (style.quote == '`' && status_.ok() && value.find('\0') != std::string::npos) {
      return Fail(begin, at_ - begin, base::StrCat("a ", what, " has the character U+0000, which no name may have"));
    }
    PushValue(kind, begin, std::move(value));
  }

  void SkipDigits() {
    while (IsDigit(Ahead(0))) ++at_;
  }

  void LexNumber() {
    const size_t begin = at_;
    if (Ahead(0) == '0' && (Ahead(1) == 'x' || Ahead(1) == 'X') && absl::ascii_isxdigit(Ahead(2))) {
      at_ += 2;
      while (absl::ascii_isxdigit(static_cast<unsigned char>(Ahead(0)))) ++at_;
      return Push(TokenKind::kInteger, begin);
    }
    TokenKind kind = TokenKind::kInteger;
    SkipDigits();
    if (Ahead(0) == '.') {
      kind = TokenKind::kFloat;
      ++at_;
      SkipDigits();
    }
    const size_t sign = Ahead(1) == '+' || Ahead(1) == '-' ? 1 : 0;
    if ((Ahead(0) == 'e' || Ahead(0) == 'E') && IsDigit(Ahead(1 + sign))) {
      kind = TokenKind::kFloat;
      at_ += 1 + sign;
      SkipDigits();
    }
    Push(kind, begin);
  }

  // @name, @`name`, and the beginning of a hint.
  void LexAt() {
    const size_t begin = at_++;
    const char c = Ahead(0);
    if (IsWordStart(c)) {
      while (at_ < text_.size() && IsWordPart(text_[at_])) ++at_;
      return PushValue(TokenKind::kParameter, begin, std::string(text_.substr(begin + 1, at_ - begin - 1)));
    }
    if (c == '`') return LexQuoted(TokenKind::kParameter, begin, {.quote = '`'}, "parameter's name");
    if (c == '@') return Fail(begin, 2, "system variables (@@) are not supported");
    if (c != '{' || hint_.has_value()) return Fail(begin, 1, "expected a parameter's name after @");
    ++at_;
    hint_ = begin;
    tokens_before_hint_ = tokens_.tokens.size();
  }

  void CloseHint() {
    ++at_;
    tokens_.tokens.resize(tokens_before_hint_);
    hint_.reset();
  }

  void LexSymbol() {
    const size_t begin = at_;
    const Symbol symbol = FindSymbol(text_, at_);
    if (!symbol.error.empty()) return Fail(begin, symbol.length, symbol.error);
    at_ += symbol.length;
    Push(symbol.kind, begin);
  }

  // Each unclosed triple quote costs a search through the rest of the text.
  static constexpr int kMaxUnclosedTriples = 16;

  const std::string_view text_;
  size_t at_ = 0;
  TokenList tokens_;
  absl::Status status_;
  std::optional<size_t> hint_;  // where an open one began
  size_t tokens_before_hint_ = 0;
  int unclosed_triples_ = 0;
};

// Finds each bracket's partner. Brackets that close nothing, or that are never closed, stay without: the parser can say
// better what was expected there.
absl::Status MatchBrackets(std::string_view text, int max_depth, TokenList& list) {
  list.partners.assign(list.tokens.size(), TokenList::kNoPartner);
  std::vector<uint32_t> open;
  for (uint32_t i = 0; i < list.tokens.size(); ++i) {
    const TokenKind kind = list.tokens[i].kind;
    if (kind == TokenKind::kLeftParen || kind == TokenKind::kLeftBracket) {
      if (open.size() >= static_cast<size_t>(max_depth)) {
        return TextError(text, list.tokens[i].span, base::StrCat("more than ", max_depth, " levels of nesting"));
      }
      open.push_back(i);
    }
    if (kind != TokenKind::kRightParen && kind != TokenKind::kRightBracket) continue;
    const TokenKind opening = kind == TokenKind::kRightParen ? TokenKind::kLeftParen : TokenKind::kLeftBracket;
    size_t level = open.size();
    while (level > 0 && list.tokens[open[level - 1]].kind != opening) --level;
    if (level == 0) continue;
    list.partners[open[level - 1]] = i;
    open.resize(level - 1);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<TokenList> Lex(std::string_view text, int max_depth) {
  Lexer lexer(text);
  if (absl::Status status = lexer.Run(); !status.ok()) return status;
  TokenList list = lexer.Take();
  if (absl::Status status = MatchBrackets(text, max_depth, list); !status.ok()) return status;
  return list;
}

}  // namespace logquery::sql
