// Walks over JSON text token by token, and copies or changes each token.
#include "lib/base/json_text.h"

#include <algorithm>
#include <cstdint>

#include "absl/strings/ascii.h"
#include "lib/base/json/write.h"
#include "lib/base/utf8.h"

namespace logquery::base {
namespace {

// The value of four hexadecimal digits.
char32_t HexValue(std::string_view digits) {
  char32_t value = 0;
  for (const char c : digits) value = value * 16 + (absl::ascii_isdigit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
  return value;
}

// Returns the text that the inside of a JSON string represents. Lone surrogates become U+FFFD; of an invalid escape,
// the character stays.
std::string Unescape(std::string_view inside) {
  constexpr std::string_view kEscaped = "\"\\/bfnrt";
  constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
  std::string text;
  for (size_t i = 0; i < inside.size(); ++i) {
    if (inside[i] != '\\' || i + 1 == inside.size()) {
      text += inside[i];
      continue;
    }
    ++i;
    if (inside[i] != 'u' || inside.size() - i <= 4) {
      const size_t known = kEscaped.find(inside[i]);
      text += known == std::string_view::npos ? inside[i] : kMeant[known];
      continue;
    }
    char32_t point = HexValue(inside.substr(i + 1, 4));
    i += 4;
    const bool high = point >= 0xD800 && point < 0xDC00;
    if (high && inside.size() - i > 6 && inside.substr(i + 1, 2) == "\\u") {
      const char32_t low = HexValue(inside.substr(i + 3, 4));
      if (low >= 0xDC00 && low < 0xE000) {
        point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
        i += 6;
      }
    }
    AppendUtf8(point >= 0xD800 && point < 0xE000 ? 0xFFFD : point, text);
  }
  return text;
}

// Reads one text. Nesting is kept in a string of open brackets, so that no depth of it can exhaust the stack.
class Compactor {
 public:
  Compactor(std::string_view text, const Redactor* redactor, std::string& out, JsonEscapes escapes)
      : text_(text), redactor_(redactor), out_(out), escapes_(escapes) {}

  bool Run() {
    if (!Value()) return false;
    while (!open_.empty()) {
      if (!AfterValue()) return false;
    }
    SkipSpace();
    return i_ == text_.size();
  }

 private:
  void SkipSpace() {
    while (i_ < text_.size() && (text_[i_] == ' ' || text_[i_] == '\n' || text_[i_] == '\r' || text_[i_] == '\t')) ++i_;
  }

  char Peek() const { return i_ < text_.size() ? text_[i_] : '\0'; }

  // Takes `c` over, if it is next.
  bool Take(char c) {
    SkipSpace();
    if (Peek() != c || i_ == text_.size()) return false;
    out_ += c;
    ++i_;
    return true;
  }

  // A whole scalar or empty container, or the beginning of a container up to and with its first value's beginning.
  bool Value() {
    for (;;) {
      SkipSpace();
      switch (Peek()) {
        case '{':
          Take('{');
          if (Take('}')) return true;
          open_ += '{';
          if (!Key()) return false;
          continue;
        case '[':
          Take('[');
          if (Take(']')) return true;
          open_ += '[';
          continue;
        case '"':
          return String();
        case 't':
          return Literal("true");
        case 'f':
          return Literal("false");
        case 'n':
          return Literal("null");
        default:
          return Number();
      }
    }
  }

  // Reads what follows a value inside a container: the container's end, or a comma and the next value.
  bool AfterValue() {
    const bool object = open_.back() == '{';
    if (Take(object ? '}' : ']')) {
      open_.pop_back();
      return true;
    }
    return Take(',') && (!object || Key()) && Value();
  }

  bool Key() {
    SkipSpace();
    return Peek() == '"' && String() && Take(':');
  }

  bool Literal(std::string_view literal) {
    if (text_.substr(i_, literal.size()) != literal) return false;
    out_ += literal;
    i_ += literal.size();
    return true;
  }

  bool Digits() {
    const size_t begin = i_;
    while (absl::ascii_isdigit(static_cast<unsigned char>(Peek()))) ++i_;
    return i_ > begin;
  }

  bool Number() {
    const size_t begin = i_;
    if (Peek() == '-') ++i_;
    if (Peek() == '0') {
      ++i_;
    } else if (!Digits()) {
      return false;
    }
    if (Peek() == '.') {
      ++i_;
      if (!Digits()) return false;
    }
    if (Peek() == 'e' || Peek() == 'E') {
      ++i_;
      if (Peek() == '+' || Peek() == '-') ++i_;
      if (!Digits()) return false;
    }
    out_ += text_.substr(begin, i_ - begin);
    return true;
  }

  // Moves behind one escape, whose backslash is next.
  bool Escape() {
    const char kind = i_ + 1 < text_.size() ? text_[i_ + 1] : '\0';
    i_ += 2;
    if (kind != 'u') return kind != '\0' && std::string_view("\"\\/bfnrt").find(kind) != std::string_view::npos;
    for (int digit = 0; digit < 4; ++digit, ++i_) {
      if (!absl::ascii_isxdigit(static_cast<unsigned char>(Peek()))) return false;
    }
    return true;
  }

  bool String() {
    const size_t begin = ++i_;
    while (Peek() != '"') {
      if (i_ >= text_.size() || static_cast<unsigned char>(text_[i_]) < 0x20) return false;
      if (text_[i_] != '\\') {
        ++i_;
      } else if (!Escape()) {
        return false;
      }
    }
    Write(text_.substr(begin, i_ - begin));
    ++i_;
    return true;
  }

  // Writes a string whose inside this is.
  void Write(std::string_view inside) {
    const bool has_escapes = inside.find('\\') != std::string_view::npos;
    const bool escape_anew = has_escapes && escapes_ == JsonEscapes::kNeeded;
    if (redactor_ != nullptr || escape_anew) {
      const std::string meant = Unescape(inside);
      const bool redacted = redactor_ != nullptr && redactor_->Matches(meant);
      if (redacted || escape_anew) return WriteEscaped(redacted ? redactor_->Redact(meant) : meant);
    }
    out_ += '"';
    AppendValidUtf8(inside, out_);
    out_ += '"';
  }

  void WriteEscaped(std::string_view text) { AppendJsonString(text, out_); }

  std::string_view text_;
  const Redactor* redactor_;
  std::string& out_;
  const JsonEscapes escapes_;
  size_t i_ = 0;
  std::string open_;
};

}  // namespace

bool AppendCompactJson(std::string_view text, const Redactor* redactor, std::string& out, JsonEscapes escapes) {
  const size_t before = out.size();
  if (Compactor(text, redactor, out, escapes).Run()) return true;
  out.resize(before);
  return false;
}

std::string JsonStringValue(std::string_view quoted) { return Unescape(quoted.substr(1, quoted.size() - 2)); }

void VisitJsonParts(std::string_view json, absl::FunctionRef<bool(JsonPart part, std::string_view text)> visit) {
  constexpr std::string_view kBetween = "{}[],: \t\r\n";
  for (size_t begin = 0; (begin = json.find_first_not_of(kBetween, begin)) != std::string_view::npos;) {
    if (json[begin] != '"') {
      const size_t end = std::min(json.find_first_of(kBetween, begin), json.size());
      if (!visit(JsonPart::kOther, json.substr(begin, end - begin))) return;
      begin = end;
      continue;
    }
    size_t end = json.find_first_of("\"\\", begin + 1);
    const bool has_escapes = end < json.size() && json[end] == '\\';
    while (end < json.size() && json[end] == '\\') end = json.find_first_of("\"\\", end + 2);
    if (end >= json.size()) return;
    const std::string_view inside = json.substr(begin + 1, end - begin - 1);
    begin = end + 1;
    const size_t next = json.find_first_not_of(" \t\r\n", begin);
    const JsonPart part = next < json.size() && json[next] == ':' ? JsonPart::kKey : JsonPart::kString;
    if (!(has_escapes ? visit(part, Unescape(inside)) : visit(part, inside))) return;
  }
}

}  // namespace logquery::base
