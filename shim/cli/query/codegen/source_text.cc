// Every character that steers a compiler, an editor or a reader's eye is replaced, whatever the text before it.
#include "shim/cli/query/codegen/source_text.h"

#include "absl/strings/ascii.h"
#include "lib/base/control_characters.h"
#include "lib/base/json/write.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "lib/endpoint/definitions/parameter_text.h"

namespace logquery::shim {
namespace {

// The words of a text; control characters part words, too.
std::vector<std::string> Words(std::string_view text) {
  std::vector<std::string> words(1);
  for (size_t at = 0; at < text.size();) {
    const base::CodePoint c = base::DecodeUtf8(text, at);
    at += static_cast<size_t>(c.bytes);
    if (c.value == ' ' || base::IsControlCharacter(c.value)) {
      if (!words.back().empty()) words.emplace_back();
      continue;
    }
    // Neither */ nor /*, which some compilers warn of inside a comment, nor a trigraph of a backslash.
    const char before = words.back().empty() ? ' ' : words.back().back();
    if ((before == '*' && c.value == '/') || (before == '/' && c.value == '*') || (before == '?' && c.value == '?')) {
      words.back() += '\\';
    }
    base::AppendUtf8(c.value, words.back());
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

}  // namespace

std::vector<std::string> CommentLines(std::string_view text, size_t width) {
  std::vector<std::string> lines;
  for (const std::string& word : Words(text)) {
    const bool fits = !lines.empty() && lines.back().size() + 1 + word.size() <= width;
    if (fits) {
      base::StrAppend(&lines.back(), " ", word);
    } else {
      // @ts-ignore and @deprecated mean something at the beginning of a line.
      lines.push_back(word.front() == '@' ? base::StrCat("\\", word) : word);
    }
  }
  for (std::string& line : lines) {
    if (line.back() == '\\') line += '.';  // else the next line would be in the comment, too
  }
  return lines;
}

std::string CppLiteral(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      literal += {'\\', c};
    } else if (byte < 0x20 || byte >= 0x7f || c == '?') {
      // Three octal digits, after which no digit counts.
      literal += {'\\', static_cast<char>('0' + (byte >> 6)), static_cast<char>('0' + ((byte >> 3) & 7)),
                  static_cast<char>('0' + (byte & 7))};
    } else {
      literal += c;
    }
  }
  return literal + "\"";
}

std::string TypeScriptLiteral(std::string_view text) { return base::AsciiJsonString(text); }

std::string ParameterNotes(const Parameter& parameter) {
  std::string notes = parameter.description;
  const auto add = [&notes](std::string_view text) {
    const bool open = !notes.empty() && absl::ascii_isalnum(static_cast<unsigned char>(notes.back()));
    base::StrAppend(&notes, open ? ". " : notes.empty() ? "" : " ", text);
  };
  if (parameter.is_pattern) add("A regular expression (RE2).");
  if (parameter.minimum || parameter.maximum) {
    std::string range = endpoint::RangeText(parameter);
    range[0] = absl::ascii_toupper(static_cast<unsigned char>(range[0]));
    add(range + ".");
  }
  if (parameter.max_length != Parameter().max_length)
    add(base::StrCat("At most ", parameter.max_length, parameter.max_length == 1 ? " character." : " characters."));
  if (parameter.default_text.has_value()) add(base::StrCat("Default: ", *parameter.default_text, "."));
  if (!parameter.examples.empty()) add(base::StrCat("Examples: ", base::Join(parameter.examples, ", "), "."));
  return notes;
}

}  // namespace logquery::shim
