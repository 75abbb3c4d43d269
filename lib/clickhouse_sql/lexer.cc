// One pass over the text. Escapes follow ClickHouse: an unknown one keeps its backslash, so that patterns of LIKE and
// regular expressions can be written with single backslashes.
#include "lib/clickhouse_sql/lexer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "absl/strings/ascii.h"
#include "lib/base/hex_digit.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "lib/sql/text_error.h"

namespace logquery::clickhouse_sql {
namespace {

constexpr std::array<std::string_view, 11> kLongSymbols = {
    "<=>", "->", "::", "||", "==", "!=", "<>", "<=", ">=", "@@", "$$"};
constexpr std::string_view kSymbols = "()[]{},;.:?+-*/%<>=@$";

bool IsNameStart(char c) { return absl::ascii_isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool IsNameByte(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool IsDigit(char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  absl::StatusOr<std::vector<Token>> Run() {
    if (!base::IsValidUtf8(text_)) return Error(0, 0, "the query is not valid UTF-8");
    tokens_.reserve(text_.size() / 4 + 1);
    while (true) {
      LOGQUERY_RETURN_IF_ERROR(SkipSpace());
      if (at_ >= text_.size()) break;
      LOGQUERY_RETURN_IF_ERROR(Next());
    }
    Add(TokenKind::kEnd, at_, "");
    return std::move(tokens_);
  }

 private:
  absl::Status Error(size_t begin, size_t end, std::string_view message) const {
    return sql::TextError(text_, {static_cast<uint32_t>(begin), static_cast<uint32_t>(end)}, message);
  }
  char Peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void Add(TokenKind kind, size_t begin, std::string text) {
    tokens_.push_back({kind, {static_cast<uint32_t>(begin), static_cast<uint32_t>(at_)}, std::move(text)});
  }

  absl::Status SkipSpace() {
    while (at_ < text_.size()) {
      if (absl::ascii_isspace(static_cast<unsigned char>(text_[at_]))) {
        ++at_;
      } else if (text_.compare(at_, 2, "--") == 0 || text_.compare(at_, 2, "# ") == 0 ||
                 text_.compare(at_, 2, "#!") == 0) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (text_.compare(at_, 2, "/*") == 0) {
        const size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) return Error(at_, at_ + 2, "the comment has no end");
        at_ = end + 2;
      } else {
        break;
      }
    }
    return absl::OkStatus();
  }

  absl::Status Next() {
    const char c = text_[at_];
    if (IsNameStart(c)) return Name();
    if (IsDigit(c) || (c == '.' && IsDigit(Peek(1)) && !FollowsValue())) return Number();
    if (c == '\'') return Quoted(TokenKind::kString);
    if (c == '"' || c == '`') return Quoted(TokenKind::kQuotedName);
    for (const std::string_view symbol : kLongSymbols) {
      if (text_.compare(at_, symbol.size(), symbol) == 0) return Symbol(symbol.size());
    }
    if (kSymbols.find(c) != std::string_view::npos) return Symbol(1);
    const auto bytes = static_cast<size_t>(base::DecodeUtf8(text_, at_).bytes);
    return Error(at_, at_ + bytes, base::StrCat("unexpected character '", text_.substr(at_, bytes), "'"));
  }

  // After a value `.1` reads an element of a tuple.
  bool FollowsValue() const {
    if (tokens_.empty()) return false;
    const Token& last = tokens_.back();
    if (last.span.end != at_) return false;
    return last.kind == TokenKind::kName || last.kind == TokenKind::kQuotedName || last.text == ")" || last.text == "]";
  }
  // `t.1.2` is not the number 1.2.
  bool FollowsDot() const { return !tokens_.empty() && tokens_.back().text == "." && tokens_.back().span.end == at_; }

  absl::Status Symbol(size_t size) {
    const size_t begin = at_;
    at_ += size;
    Add(TokenKind::kSymbol, begin, std::string(text_.substr(begin, size)));
    return absl::OkStatus();
  }

  absl::Status Name() {
    const size_t begin = at_;
    while (at_ < text_.size() && IsNameByte(text_[at_])) ++at_;
    Add(TokenKind::kName, begin, std::string(text_.substr(begin, at_ - begin)));
    return absl::OkStatus();
  }

  absl::Status Number() {
    const size_t begin = at_;
    const bool whole = FollowsDot();
    const bool hex = Peek() == '0' && (Peek(1) == 'x' || Peek(1) == 'X' || Peek(1) == 'b' || Peek(1) == 'B');
    if (hex) {
      at_ += 2;
      while (IsNameByte(Peek())) ++at_;
    } else {
      while (IsDigit(Peek()) || (Peek() == '_' && IsDigit(Peek(1)))) ++at_;
      if (!whole && Peek() == '.') {
        ++at_;
        while (IsDigit(Peek())) ++at_;
      }
      if (!whole && (Peek() == 'e' || Peek() == 'E')) {
        const size_t sign = Peek(1) == '+' || Peek(1) == '-' ? 1 : 0;
        if (IsDigit(Peek(1 + sign))) {
          at_ += 1 + sign;
          while (IsDigit(Peek())) ++at_;
        }
      }
      if (IsNameByte(Peek())) return Error(begin, at_ + 1, "a number is followed by a letter");
    }
    std::string digits(text_.substr(begin, at_ - begin));
    digits.erase(std::remove(digits.begin(), digits.end(), '_'), digits.end());
    Add(TokenKind::kNumber, begin, std::move(digits));
    return absl::OkStatus();
  }

  absl::Status Quoted(TokenKind kind) {
    const size_t begin = at_;
    const char quote = text_[at_++];
    std::string value;
    while (true) {
      if (at_ >= text_.size()) {
        return Error(begin, begin + 1,
                     base::StrCat("the ", kind == TokenKind::kString ? "text" : "name", " has no closing ",
                                  std::string(1, quote)));
      }
      const char c = text_[at_++];
      if (c == quote) {
        if (Peek() != quote) break;
        ++at_;
        value += quote;
      } else if (c == '\\') {
        LOGQUERY_RETURN_IF_ERROR(Escape(value));
      } else {
        value += c;
      }
    }
    if (!base::IsValidUtf8(value)) return Error(begin, at_, "the text is not valid UTF-8 after its escapes");
    if (kind == TokenKind::kQuotedName && value.empty()) return Error(begin, at_, "the name is empty");
    Add(kind, begin, std::move(value));
    return absl::OkStatus();
  }

  absl::Status Escape(std::string& value) {
    const char c = Peek();
    if (at_ >= text_.size()) return absl::OkStatus();  // the text has no end, which the caller reports
    ++at_;
    constexpr std::string_view kLetters = "bfrnt0ave";
    constexpr std::string_view kBytes("\b\f\r\n\t\0\a\v\x1b", 9);
    if (const size_t known = kLetters.find(c); known != std::string_view::npos) {
      value += kBytes[known];
    } else if (c == 'x') {
      const int high = base::HexDigitValue(Peek());
      const int low = base::HexDigitValue(Peek(1));
      if (high < 0 || low < 0) return Error(at_ - 2, at_, "\\x wants two hexadecimal digits");
      at_ += 2;
      value += static_cast<char>(high * 16 + low);
    } else {
      constexpr std::string_view kThemselves = "\\'\"`/";
      if (kThemselves.find(c) == std::string_view::npos) value += '\\';
      value += c;
    }
    return absl::OkStatus();
  }

  const std::string_view text_;
  size_t at_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace

absl::StatusOr<std::vector<Token>> Lex(std::string_view text) { return Lexer(text).Run(); }

}  // namespace logquery::clickhouse_sql
