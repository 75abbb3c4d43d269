// Reads the pattern once, from left to right. Nothing is passed on as it is: what the translated pattern consists of is
// written here, so that no syntax of PostgreSQL's own can appear.
#include "lib/engines/postgres/dialect/regexps.h"

#include <charconv>
#include <cstdint>
#include <utility>

#include "absl/strings/ascii.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "lib/emit/table_powers.h"
#include "lib/engines/postgres/dialect/calls.h"
#include "lib/engines/postgres/dialect/texts.h"
#include "lib/rewrite/scalars.h"

namespace logquery::emit {
namespace {

using base::StrAppend;
using base::StrCat;
using rewrite::FunctionCall;
using WhyNotText = std::optional<std::string>;

constexpr size_t kMaxBytes = 1'000;
constexpr int kMaxDepth = 50;
constexpr int kMaxRepetitions = 255;

bool IsAlpha(char c) { return absl::ascii_isalpha(static_cast<unsigned char>(c)); }
bool IsAscii(char c) { return static_cast<unsigned char>(c) < 0x80; }

// Returns the members of \d and similar classes as they are written in brackets; empty: it is no such escape.
std::string_view PerlClass(char lower) {
  switch (lower) {
    case 'd':
      return "0-9";
    case 'w':
      return "0-9A-Za-z_";
    case 's':
      return "\\t\\n\\f\\r ";
    default:
      return "";
  }
}

// Returns the members of [:alpha:] and similar classes.
std::string_view PosixClass(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> kClasses[] = {
      {"alpha", "A-Za-z"}, {"digit", "0-9"},       {"alnum", "0-9A-Za-z"},  {"upper", "A-Z"},
      {"lower", "a-z"},    {"word", "0-9A-Za-z_"}, {"xdigit", "0-9A-Fa-f"}, {"space", "\\t\\n\\v\\f\\r "}};
  for (const auto& [each, members] : kClasses) {
    if (each == name) return members;
  }
  return "";
}

// A character by itself, also in brackets.
std::string Literal(std::string_view character) {
  const char c = character[0];
  const bool is_plain = !IsAscii(c) || absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == ' ' || c == '_';
  if (is_plain) return std::string(character);
  switch (c) {
    case '\n':
      return "\\n";
    case '\t':
      return "\\t";
    case '\r':
      return "\\r";
    case '\f':
      return "\\f";
    case '\v':
      return "\\v";
    default:
      return absl::ascii_iscntrl(static_cast<unsigned char>(c)) ? "" : StrCat("\\", character);
  }
}

// Returns the characters that an ASCII letter matches case-insensitively, as members of brackets. In addition to the
// other case, two letters of Unicode have one of ASCII as theirs.
std::string Folded(char letter) {
  const char lower = absl::ascii_tolower(static_cast<unsigned char>(letter));
  std::string members = {lower, static_cast<char>(absl::ascii_toupper(static_cast<unsigned char>(letter)))};
  if (lower == 'k') members += "\u212A";
  if (lower == 's') members += "\u017F";
  return members;
}

class Translator {
 public:
  explicit Translator(std::string_view pattern) : rest_(pattern) {}

  std::optional<std::string> Run() {
    TakeFlags();
    const std::string text = rest_.empty() ? "" : Alternatives(0);
    return failed_ || !rest_.empty() ? std::nullopt : std::optional<std::string>(text);
  }

 private:
  // (?i), (?s) or both, for the whole pattern.
  void TakeFlags() {
    if (!rest_.starts_with("(?i") && !rest_.starts_with("(?s")) return;
    size_t end = 2;
    for (; end < rest_.size() && rest_[end] != ')'; ++end) {
      ignores_case_ = ignores_case_ || rest_[end] == 'i';
      dot_takes_newline_ = dot_takes_newline_ || rest_[end] == 's';
      if (rest_[end] != 'i' && rest_[end] != 's') failed_ = true;
    }
    if (end == rest_.size()) failed_ = true;
    if (!failed_) rest_.remove_prefix(end + 1);
  }

  bool Take(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  std::string Fail() {
    failed_ = true;
    rest_ = "";
    return "";
  }
  // The next character, of one byte or several.
  std::string_view Character() {
    size_t length = 1;
    while (length < rest_.size() && (static_cast<unsigned char>(rest_[length]) & 0xC0) == 0x80) ++length;
    const std::string_view character = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return character;
  }

  std::string Alternatives(int depth) {
    if (depth > kMaxDepth) return Fail();
    std::string text = Sequence(depth);
    while (!failed_ && Take("|")) StrAppend(&text, "|", Sequence(depth));
    return text;
  }

  // Reads up to the next alternative, or the end of the group.
  std::string Sequence(int depth) {
    std::string text = depth == 0 && Take("^") ? "^" : "";
    bool is_empty = true;
    while (!failed_ && !rest_.empty() && rest_[0] != '|' && rest_[0] != ')') {
      if (depth == 0 && rest_[0] == '$') {
        rest_.remove_prefix(1);
        if (!rest_.empty() && rest_[0] != '|') return Fail();
        return text + "$";
      }
      const std::string atom = Atom(depth);
      if (!failed_) StrAppend(&text, atom, Repetition());
      is_empty = false;
    }
    return is_empty && text.empty() ? Fail() : text;
  }

  std::string Atom(int depth) {
    if (Take(".")) return dot_takes_newline_ ? "(?:.|\\n)" : "[^\\n]";
    if (Take("[")) return Brackets();
    if (Take("(")) return Group(depth);
    if (Take("\\")) return Escape();
    if (std::string_view("^$*+?{)").find(rest_[0]) != std::string_view::npos) return Fail();
    return OneCharacter(Character());
  }

  std::string OneCharacter(std::string_view character) {
    const char c = character[0];
    if (ignores_case_ && !IsAscii(c)) return Fail();
    if (ignores_case_ && IsAlpha(c)) return StrCat("[", Folded(c), "]");
    const std::string text = Literal(character);
    return text.empty() ? Fail() : text;
  }

  std::string Group(int depth) {
    if (Take("?P<")) {
      const size_t end = rest_.find('>');
      if (end == std::string_view::npos) return Fail();
      rest_.remove_prefix(end + 1);
    } else if (!Take("?:") && rest_.starts_with("?")) {
      return Fail();
    }
    const std::string inner = Alternatives(depth + 1);
    if (failed_ || !Take(")")) return Fail();
    return StrCat("(?:", inner, ")");
  }

  // Reads what follows the backslash.
  std::string Escape() {
    if (rest_.empty()) return Fail();
    const std::string_view character = Character();
    const char c = character[0];
    const char lower = absl::ascii_tolower(static_cast<unsigned char>(c));
    if (const std::string_view members = PerlClass(lower); !members.empty()) {
      // \w and its like have more members without regard to case.
      if (ignores_case_ && lower == 'w') return Fail();
      return StrCat(c == lower ? "[" : "[^", members, "]");
    }
    const std::string text = Escaped(character);
    return text.empty() ? Fail() : text;
  }

  // Returns a character that represents itself or a control character; empty: it is another escape.
  static std::string Escaped(std::string_view character) {
    switch (character[0]) {
      case 'n':
      case 't':
      case 'r':
      case 'f':
      case 'v':
        return StrCat("\\", character);
      default:
        return absl::ascii_ispunct(static_cast<unsigned char>(character[0])) ? Literal(character) : "";
    }
  }

  // Reads what follows the bracket.
  std::string Brackets() {
    std::string text = Take("^") ? "[^" : "[";
    bool is_first = true;
    while (is_first || !rest_.starts_with("]")) {
      if (rest_.empty()) return Fail();
      text += Member(is_first);
      if (failed_) return "";
      is_first = false;
    }
    rest_.remove_prefix(1);
    return text + "]";
  }

  std::string Member(bool is_first) {
    if (rest_.starts_with("[:")) {
      const size_t end = rest_.find(":]");
      const std::string_view members = end == std::string_view::npos ? "" : PosixClass(rest_.substr(2, end - 2));
      if (members.empty() || ignores_case_) return Fail();
      rest_.remove_prefix(end + 2);
      return std::string(members);
    }
    if (rest_[0] == '[' || (rest_[0] == ']' && !is_first)) return Fail();
    if (rest_.size() > 1 && rest_[0] == '\\') {
      if (const std::string_view members = PerlClass(rest_[1]); !members.empty()) {
        if (ignores_case_ && rest_[1] == 'w') return Fail();
        rest_.remove_prefix(2);
        // \d-z is no range.
        return rest_.starts_with("-") && !rest_.starts_with("-]") ? Fail() : std::string(members);
      }
    }
    return Range();
  }

  std::string Range() {
    const std::string from = End();
    if (failed_ || !rest_.starts_with("-") || rest_.starts_with("-]")) return failed_ ? "" : Alone(from);
    rest_.remove_prefix(1);
    const std::string to = End();
    if (failed_) return "";
    const bool are_letters = from.size() == 1 && to.size() == 1 && IsAlpha(from[0]) && IsAlpha(to[0]) &&
                             absl::ascii_islower(from[0]) == absl::ascii_islower(to[0]);
    const bool are_digits =
        from.size() == 1 && to.size() == 1 && absl::ascii_isdigit(from[0]) && absl::ascii_isdigit(to[0]);
    if ((!are_letters && !are_digits) || from > to) return Fail();
    if (!ignores_case_ || are_digits) return StrCat(from, "-", to);
    std::string members;
    for (char c = from[0]; c <= to[0]; ++c) members += Folded(c);
    return members;
  }

  // An end of a range, or a member by itself.
  std::string End() {
    if (rest_.empty()) return Fail();
    if (Take("\\")) {
      const std::string text = rest_.empty() ? "" : Escaped(Character());
      return text.empty() ? Fail() : text;
    }
    const std::string text = Literal(Character());
    return text.empty() ? Fail() : text;
  }

  std::string Alone(const std::string& member) {
    if (!ignores_case_) return member;
    if (!IsAscii(member[0])) return Fail();
    return member.size() == 1 && IsAlpha(member[0]) ? Folded(member[0]) : member;
  }

  // Reads a repetition. Whether it is greedy or lazy does not matter to whether there is a match.
  std::string Repetition() {
    std::string text;
    if (Take("*")) {
      text = "*";
    } else if (Take("+")) {
      text = "+";
    } else if (Take("?")) {
      text = "?";
    } else if (rest_.starts_with("{")) {
      text = Bounds();
    }
    if (failed_ || text.empty()) return "";
    Take("?");
    if (!rest_.empty() && std::string_view("*+?{").find(rest_[0]) != std::string_view::npos) return Fail();
    return text;
  }

  std::string Bounds() {
    const size_t end = rest_.find('}');
    if (end == std::string_view::npos) return Fail();
    const std::string_view inner = rest_.substr(1, end - 1);
    const size_t comma = inner.find(',');
    const int least = Number(inner.substr(0, comma));
    const bool is_open = comma + 1 == inner.size();
    const int most = comma == std::string_view::npos ? least
                     : is_open                       ? kMaxRepetitions
                                                     : Number(inner.substr(comma + 1));
    if (least < 0 || most < least || most > kMaxRepetitions) return Fail();
    rest_.remove_prefix(end + 1);
    return StrCat("{", inner, "}");
  }

  // -1: it is no number.
  static int Number(std::string_view digits) {
    int number = -1;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return error == std::errc() && end == digits.data() + digits.size() && !digits.empty() ? number : -1;
  }

  std::string_view rest_;
  bool ignores_case_ = false;
  bool dot_takes_newline_ = false;
  bool failed_ = false;
};

WhyNotText NoRegexp(const FunctionCall& call) {
  const Value* const pattern = rewrite::ConstantArgument(call, 1);
  if (pattern != nullptr && PostgresRegexp(pattern->string_value()).has_value()) return std::nullopt;
  if (call.arguments[1]->kind == rewrite::ScalarKind::kParameter) {
    return "it is given patterns that are parameters only if they are plain text";
  }
  return "it is given constant patterns of the common part of both syntaxes alone";
}

std::string Contains(const FunctionCall& call, const std::vector<std::string>& args) {
  return StrCat("(", args[0], " ~ ",
                PostgresQuoted(*PostgresRegexp(rewrite::ConstantArgument(call, 1)->string_value())), ")");
}

// A pattern that can't fail there. NULL is one.
WhyNotText NoLikePattern(const FunctionCall& call) {
  const auto* const constant = rewrite::If<rewrite::Constant>(call.arguments[1].get());
  if (constant == nullptr) return "it is given patterns that are constants alone";
  if (constant->value.is_null()) return std::nullopt;
  const std::string& pattern = constant->value.string_value();
  const size_t last_other = pattern.find_last_not_of('\\');
  const size_t escapes = pattern.size() - (last_other == std::string::npos ? 0 : last_other + 1);
  return escapes % 2 == 0 ? std::nullopt : WhyNotText("it is given patterns that are constants alone");
}

std::string Like(const FunctionCall&, const std::vector<std::string>& args) {
  return StrCat("(", args[0], " LIKE ", args[1], ")");
}

constexpr SpecialCall kCalls[] = {
    {"@like", NoLikePattern, Like},
    {"@regexp_contains", NoRegexp, Contains},
};

}  // namespace

std::optional<std::string> PostgresRegexp(std::string_view pattern) {
  if (pattern.size() > kMaxBytes || !IsPostgresText(pattern)) return std::nullopt;
  return Translator(pattern).Run();
}

absl::Span<const SpecialCall> PostgresPatternCalls() { return kCalls; }

}  // namespace logquery::emit
