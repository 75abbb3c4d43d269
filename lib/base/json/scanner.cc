// Keeps the open brackets in a list instead of recursing.
#include "lib/base/json/scanner.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "lib/base/json_place.h"
#include "lib/base/json_text.h"
#include "lib/base/quoted_text.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"

namespace logquery::base {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsWordStart(char c) { return absl::ascii_isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool IsWord(char c) { return IsWordStart(c) || IsDigit(c); }

class Scanner {
 public:
  Scanner(std::string_view text, JsonEvents* events) : text_(text), events_(events) {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
  }

  std::optional<JsonSyntaxError> Run() {
    bool more = true;
    while (more && !(next_ == Next::kAfterValue && open_.empty())) {
      more = next_ == Next::kValue ? Value() : next_ == Next::kMember ? Member() : AfterValue();
    }
    if (!more) return std::move(error_);
    SkipSpace();
    if (at_ < text_.size()) Fail(at_, "more text follows the end of the JSON value");
    return std::move(error_);
  }

 private:
  struct Open {
    char bracket;
    size_t offset;
    size_t comma = 0;  // the last one; 0: there is none
  };

  // The syntax element that must follow `at_`, apart from white space.
  enum class Next { kValue, kMember, kAfterValue };

  // All functions below return whether reading can go on, and otherwise set the error. They set `next_`.
  bool Fail(size_t offset, std::string message) {
    error_ = JsonSyntaxError{std::min(offset, text_.size()), std::move(message)};
    return false;
  }

  void SkipSpace() { at_ = std::min(text_.find_first_not_of(kSpace, at_), text_.size()); }
  char Now() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool AtEnd() const { return at_ >= text_.size(); }
  bool InObject() const { return !open_.empty() && open_.back().bracket == '{'; }

  bool FailAtEnd() {
    if (open_.empty()) return Fail(at_, "there is no JSON value");
    return Fail(at_, StrCat("the text ends, but the ", std::string(1, open_.back().bracket), " of ",
                            PlaceInText(text_, open_.back().offset), " is not closed"));
  }

  // A value, or the beginning of one that has brackets.
  bool Value() {
    SkipSpace();
    if (AtEnd()) return FailAtEnd();
    const char c = Now();
    next_ = Next::kAfterValue;
    if (c == '{' || c == '[') return OpenBracket(c);
    if (c == '"') return StringValue();
    if (IsDigit(c) || c == '-' || c == '+' || c == '.') return Number();
    if (IsWordStart(c)) return Word();
    return FailNoValue(c);
  }

  bool FailNoValue(char c) {
    if (c == '\'') return Fail(at_, "a text must be in double quotes, not in single ones");
    if (c == ',') return Fail(at_, "there is no value before this comma");
    if (c == '/') return Fail(at_, "JSON has no comments");
    if (c == ']' || c == '}') return FailClosing(c, "there is no value before this ");
    return Fail(at_, StrCat("there must be a value in the place of ", QuotedText(Character())));
  }

  // A bracket where a name or a value is expected: after a comma, that comma is the mistake.
  bool FailClosing(char c, std::string_view otherwise) {
    if (!open_.empty() && open_.back().comma != 0) {
      return Fail(open_.back().comma, StrCat("there must not be a comma after the last ",
                                             InObject() ? "member of an object" : "element of a list"));
    }
    return Fail(at_, StrCat(otherwise, std::string(1, c)));
  }

  std::string_view Character() const {
    size_t end = at_ + 1;
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0) == 0x80) ++end;
    return text_.substr(at_, end - at_);
  }

  bool OpenBracket(char c) {
    open_.push_back({c, at_});
    ++at_;
    if (events_ != nullptr) events_->OnOpen(c);
    SkipSpace();
    if (Now() == (c == '{' ? '}' : ']')) return Close();
    next_ = c == '{' ? Next::kMember : Next::kValue;
    return true;
  }

  bool Close() {
    open_.pop_back();
    ++at_;
    if (events_ != nullptr) events_->OnClose();
    return true;
  }

  // A name and its colon.
  bool Member() {
    SkipSpace();
    if (AtEnd()) return FailAtEnd();
    const char c = Now();
    if (c == '\'' || IsWordStart(c)) return Fail(at_, "a member's name must be in double quotes");
    if (c == '/') return Fail(at_, "JSON has no comments");
    if (c == '}' || c == ']') return FailClosing(c, "a member's name is missing before this ");
    if (c == ',') return Fail(at_, "there is no member before this comma");
    if (c != '"') return Fail(at_, "a member must begin with its name in double quotes");
    const size_t name = at_;
    if (!String()) return false;
    const std::string_view written = text_.substr(name, at_ - name);
    if (events_ != nullptr) events_->OnKey(JsonStringValue(written));
    SkipSpace();
    if (AtEnd()) return FailAtEnd();
    if (Now() == '=') return Fail(at_, StrCat("there must be a colon after the name ", written, ", not ="));
    if (Now() != ':') return Fail(at_, StrCat("there must be a colon after the name ", written));
    ++at_;
    next_ = Next::kValue;
    return true;
  }

  bool AfterValue() {
    SkipSpace();
    if (AtEnd()) return FailAtEnd();
    const char c = Now();
    if (c == (InObject() ? '}' : ']')) return Close();
    if (c == ',') {
      open_.back().comma = at_++;
      next_ = InObject() ? Next::kMember : Next::kValue;
      return true;
    }
    if (c == ']' || c == '}') {
      return Fail(at_, StrCat("this ", std::string(1, c), " does not close the ", std::string(1, open_.back().bracket),
                              " of ", PlaceInText(text_, open_.back().offset)));
    }
    if (c == '/') return Fail(at_, "JSON has no comments");
    if (c == ':' && !InObject()) return Fail(at_, "a list has no names; members with names are in { }");
    return Fail(at_, StrCat("a comma is missing before this ", InObject() ? "member" : "element"));
  }

  bool Word() {
    size_t end = at_;
    while (end < text_.size() && IsWord(text_[end])) ++end;
    const std::string_view word = text_.substr(at_, end - at_);
    for (const std::string_view known : {"true", "false", "null"}) {
      if (word == known) return at_ = end, Scalar(word);
      if (EqualsIgnoreCase(word, known)) return Fail(at_, StrCat(word, " must be written ", known));
    }
    if (EqualsIgnoreCase(word, "none") || word == "undefined") return Fail(at_, StrCat(word, " must be written null"));
    if (EqualsIgnoreCase(word, "nan") || EqualsIgnoreCase(word, "infinity")) {
      return Fail(at_, StrCat("JSON has no number ", word));
    }
    return Fail(at_, StrCat("a text such as ", QuotedText(word), " must be in double quotes"));
  }

  bool Digits(std::string_view after) {
    const size_t begin = at_;
    while (IsDigit(Now())) ++at_;
    return at_ > begin || Fail(at_, StrCat("a digit is missing after the ", after, " of a number"));
  }

  bool Number() {
    const size_t begin = at_;
    if (Now() == '+') return Fail(at_, "a number must not begin with +");
    if (Now() == '.') return Fail(at_, "a number must have a digit before its point");
    if (Now() == '-') ++at_;
    const size_t first = at_;
    if (!Digits("-")) return false;
    if (text_[first] == '0' && at_ > first + 1) return Fail(begin, "a number must not begin with 0");
    if (Now() == '.') {
      ++at_;
      if (!Digits("point")) return false;
    }
    if (Now() == 'e' || Now() == 'E') {
      ++at_;
      if (Now() == '+' || Now() == '-') ++at_;
      if (!Digits("exponent")) return false;
    }
    if (events_ != nullptr) events_->OnNumber(text_.substr(begin, at_ - begin), begin);
    return true;
  }

  bool Scalar(std::string_view word) {
    if (events_ != nullptr) events_->OnLiteral(word);
    return true;
  }

  bool StringValue() {
    const size_t begin = at_;
    if (!String()) return false;
    if (events_ != nullptr) events_->OnString(JsonStringValue(text_.substr(begin, at_ - begin)));
    return true;
  }

  bool String() {
    const size_t begin = at_++;
    while (true) {
      if (AtEnd()) return Fail(begin, "the closing quote of this text is missing");
      const auto byte = static_cast<unsigned char>(text_[at_]);
      if (byte == '"') return ++at_, IsText(begin);
      if (byte == '\n' || byte == '\r') {
        return Fail(begin, "the closing quote of this text is missing on its line; write a line break as \\n");
      }
      if (byte == '\t') return Fail(at_, "a tab in a text must be written as \\t");
      if (byte < 0x20)
        return Fail(at_, "a text must not contain control characters; write them as \\u and four digits");
      if (byte == '\\' && !Escape()) return false;
      if (byte != '\\') ++at_;
    }
  }

  bool IsText(size_t begin) {
    const std::string_view text = text_.substr(begin, at_ - begin);
    return IsValidUtf8(text) || Fail(begin, "this text is not valid UTF-8");
  }

  // Four hexadecimal digits at `at`; nullopt: there are none.
  std::optional<uint32_t> FourDigits(size_t at) const {
    uint32_t value = 0;
    for (size_t i = at; i < at + 4; ++i) {
      if (i >= text_.size() || !absl::ascii_isxdigit(static_cast<unsigned char>(text_[i]))) return std::nullopt;
      const char c = absl::ascii_tolower(static_cast<unsigned char>(text_[i]));
      value = value * 16 + static_cast<uint32_t>(IsDigit(c) ? c - '0' : c - 'a' + 10);
    }
    return value;
  }

  bool Escape() {
    const size_t begin = at_++;
    if (AtEnd()) return Fail(begin, "the closing quote of this text is missing");
    const char c = text_[at_++];
    if (std::string_view("\"\\/bfnrt").find(c) != std::string_view::npos) return true;
    if (c != 'u') {
      --at_;
      return Fail(begin, StrCat("\\", Character(), " is no escape; write a backslash as \\\\"));
    }
    const std::optional<uint32_t> unit = FourDigits(at_);
    if (!unit) return Fail(begin, "\\u must be followed by four hexadecimal digits");
    at_ += 4;
    if (*unit >= 0xD800 && *unit < 0xDC00) {
      const bool escaped = text_.substr(at_, 2) == "\\u";
      const std::optional<uint32_t> second = escaped ? FourDigits(at_ + 2) : std::nullopt;
      if (second && *second >= 0xDC00 && *second < 0xE000) return at_ += 6, true;
    }
    if (*unit < 0xD800 || *unit >= 0xE000) return true;
    return Fail(begin, StrCat(text_.substr(begin, 6), " is half of a character; its other half is missing"));
  }

  const std::string_view text_;
  JsonEvents* const events_;
  size_t at_ = 0;
  Next next_ = Next::kValue;
  std::vector<Open> open_;
  std::optional<JsonSyntaxError> error_;
};

}  // namespace

std::optional<JsonSyntaxError> ScanJson(std::string_view text, JsonEvents* events) {
  return Scanner(text, events).Run();
}

}  // namespace logquery::base
