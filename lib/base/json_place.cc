// Finds members in valid JSON text by walking over its brackets and strings.
#include "lib/base/json_place.h"

#include <algorithm>

#include "lib/base/json_text.h"
#include "lib/base/strings.h"
#include "lib/base/text_snippet.h"

namespace logquery::base {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

// The offset behind the string that begins at `begin`.
size_t EndOfString(std::string_view json, size_t begin) {
  size_t at = begin + 1;
  while (at < json.size() && json[at] != '"') at += json[at] == '\\' ? 2 : 1;
  return std::min(at + 1, json.size());
}

bool IsKey(std::string_view json, size_t end_of_string) {
  const size_t next = json.find_first_not_of(kSpace, end_of_string);
  return next != json.npos && json[next] == ':';
}

bool Spells(std::string_view literal, std::string_view key) { return JsonStringValue(literal) == key; }

}  // namespace

std::string PlaceInText(std::string_view text, size_t offset) {
  const TextPlace place = FindPlace(text, offset);
  return StrCat("line ", place.line, ", column ", place.column);
}

size_t OffsetOfKey(std::string_view json, std::string_view key) {
  const size_t object = std::min(json.find_first_not_of(kSpace), json.size());
  int depth = 0;
  for (size_t at = object; at < json.size();) {
    const char c = json[at];
    if (c == '"') {
      const size_t end = EndOfString(json, at);
      if (depth == 1 && IsKey(json, end) && Spells(json.substr(at, end - at), key)) return at;
      at = end;
      continue;
    }
    depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
    ++at;
  }
  return object;
}

}  // namespace logquery::base
