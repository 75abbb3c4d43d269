// Walks the text and the parsed tree in parallel: both have the same values in the same order.
#include "lib/base/json_map.h"

#include <algorithm>
#include <string>

#include "lib/base/json/value.h"

namespace logquery::base {
namespace {

// The offset behind the string that begins at `begin`.
size_t EndOfString(std::string_view text, size_t begin) {
  size_t at = begin + 1;
  while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

size_t Find(const std::unordered_map<const Json*, size_t>& offsets, const Json& value) {
  const auto found = offsets.find(&value);
  return found == offsets.end() ? 0 : found->second;
}

}  // namespace

JsonMap::JsonMap(std::string_view text, const Json& parsed) : text_(text) { Walk(parsed); }

// Moves over `bytes`, and gives the offset of what comes then.
size_t JsonMap::Skip(std::string_view bytes) {
  at_ = std::min(text_.find_first_not_of(bytes, at_), text_.size());
  return at_;
}

// The depth is that which ParseJson allows.
void JsonMap::Walk(const Json& value) {
  // A byte order mark may stand at the text's beginning.
  values_[&value] = Skip(" \t\r\n,:\xEF\xBB\xBF");
  if (value.is_object()) {
    ++at_;
    for (auto member = value.begin(); member != value.end(); ++member) {
      keys_[&*member] = Skip(" \t\r\n,");
      at_ = EndOfString(text_, at_);
      Walk(*member);
    }
  } else if (value.is_array()) {
    ++at_;
    for (const Json& element : value) Walk(element);
  } else if (value.is_string()) {
    at_ = EndOfString(text_, at_);
    return;
  } else {
    at_ = std::min(text_.find_first_of(" \t\r\n,]}", at_), text_.size());
    return;
  }
  Skip(" \t\r\n");
  at_ = std::min(at_ + 1, text_.size());
}

size_t JsonMap::OffsetOf(const Json& value) const { return Find(values_, value); }

size_t JsonMap::OffsetOfMember(const Json& object, std::string_view key) const {
  const auto member = object.is_object() ? object.find(std::string(key)) : object.end();
  return member == object.end() ? OffsetOf(object) : Find(keys_, *member);
}

}  // namespace logquery::base
