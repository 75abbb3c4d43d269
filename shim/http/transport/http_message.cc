// Keeps a response's headers as the bytes that are sent.
#include "shim/http/transport/http_message.h"

#include <algorithm>

namespace logquery::shim {
namespace {

// Control characters have no place in a header; a line feed would begin another one.
bool EndsLine(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t') || byte == 0x7F;
}

// A head has about this much.
constexpr size_t kUsualBytes = 1'024;

// Returns the offset of the first value with this name; npos: there is none.
size_t ValueAt(std::string_view lines, std::string_view name) {
  for (size_t at = 0; at < lines.size(); at = lines.find('\n', at) + 1) {
    if (lines.substr(at, name.size()) == name && lines.substr(at + name.size(), 2) == ": ") return at + name.size() + 2;
  }
  return std::string_view::npos;
}

}  // namespace

void HeaderLines::Add(std::string_view name, std::string_view value) {
  if (std::any_of(value.begin(), value.end(), EndsLine)) return;
  if (text_.empty()) text_.reserve(kUsualBytes);
  base::StrAppend(&text_, name, ": ", value, "\r\n");
}

std::optional<std::string_view> HeaderLines::Find(std::string_view name) const {
  const size_t at = ValueAt(text_, name);
  if (at == std::string_view::npos) return std::nullopt;
  return std::string_view(text_).substr(at, text_.find('\r', at) - at);
}

void HeaderLines::Append(std::string_view name, std::string_view more) {
  const size_t at = ValueAt(text_, name);
  if (at != std::string_view::npos) text_.insert(text_.find('\r', at), more);
}

}  // namespace logquery::shim
