// The text is valid and has no whitespace, so that one byte identifies the kind of a value, and brackets are balanced.
#include "lib/base/json_find.h"

#include <algorithm>

#include "lib/base/json_text.h"

namespace logquery::base {
namespace {

// The offset behind the string that begins at `offset`.
size_t EndOfString(std::string_view json, size_t offset) {
  size_t at = json.find_first_of("\"\\", offset + 1);
  while (at < json.size() && json[at] == '\\') at = json.find_first_of("\"\\", at + 2);
  return std::min(at, json.size() - 1) + 1;
}

// The offset behind the value that begins at `offset`.
size_t EndOfValue(std::string_view json, size_t offset) {
  if (json[offset] == '"') return EndOfString(json, offset);
  if (json[offset] != '{' && json[offset] != '[') return std::min(json.find_first_of(",]}", offset), json.size());
  size_t open = 1;
  size_t at = offset + 1;
  while (open > 0 && (at = json.find_first_of("\"{}[]", at)) < json.size()) {
    if (json[at] == '"') {
      at = EndOfString(json, at);
      continue;
    }
    if (json[at] == '{' || json[at] == '[') {
      ++open;
    } else {
      --open;
    }
    ++at;
  }
  return std::min(at, json.size());
}

// Goes through the members or elements of a container, which begins at `offset`.
class Items {
 public:
  Items(std::string_view json, size_t offset) : json_(json), at_(offset + 1), is_object_(json[offset] == '{') {}

  // Moves to the next one; false: there is none.
  bool Next() {
    if (is_inside_) at_ = EndOfValue(json_, at_);
    is_inside_ = true;
    if (at_ >= json_.size() || json_[at_] == '}' || json_[at_] == ']') return false;
    if (json_[at_] == ',') ++at_;
    if (!is_object_) return true;
    const size_t end = EndOfString(json_, at_);
    key_ = json_.substr(at_, end - at_);
    at_ = end + 1;  // behind the colon
    return at_ < json_.size();
  }

  size_t value() const { return at_; }
  bool IsNamed(const std::string& name) const {
    const bool has_escapes = key_.find('\\') != std::string_view::npos;
    return has_escapes ? JsonStringValue(key_) == name : key_.substr(1, key_.size() - 2) == name;
  }

 private:
  std::string_view json_;
  size_t at_;
  bool is_object_;
  bool is_inside_ = false;
  std::string_view key_;  // in its quotes
};

// The offset of the value that the step leads to, from the one at `offset`.
std::optional<size_t> Follow(std::string_view json, size_t offset, const JsonStep& step) {
  if (json[offset] != (step.index.has_value() ? '[' : '{')) return std::nullopt;
  Items items(json, offset);
  for (uint64_t i = 0; items.Next(); ++i) {
    if (step.index.has_value() ? i == *step.index : items.IsNamed(step.member)) return items.value();
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string_view> FindInCompactJson(std::string_view json, const JsonPath& path) {
  if (json.empty()) return std::nullopt;
  size_t at = 0;
  for (const JsonStep& step : path.steps) {
    const std::optional<size_t> next = Follow(json, at, step);
    if (!next.has_value()) return std::nullopt;
    at = *next;
  }
  return json.substr(at, EndOfValue(json, at) - at);
}

std::optional<std::vector<std::string_view>> CompactJsonElements(std::string_view json) {
  if (json.empty() || json[0] != '[') return std::nullopt;
  std::vector<std::string_view> elements;
  for (Items items(json, 0); items.Next();) {
    elements.push_back(json.substr(items.value(), EndOfValue(json, items.value()) - items.value()));
  }
  return elements;
}

}  // namespace logquery::base
