// Large objects that keep the order of their members get an index of keys while they are read, so that reading takes linear time.
#include "lib/base/json/tree_builder.h"

#include <charconv>
#include <cstdint>
#include <system_error>
#include <utility>

#include "absl/strings/charconv.h"

namespace logquery::base {
namespace {

// Fewer members are searched one by one.
constexpr size_t kIndexed = 8;

template <typename Whole>
std::optional<Whole> ReadWhole(std::string_view number) {
  Whole whole = 0;
  const auto read = std::from_chars(number.data(), number.data() + number.size(), whole);
  if (read.ec != std::errc() || read.ptr != number.data() + number.size()) return std::nullopt;
  return whole;
}

}  // namespace

template <typename Value>
Value JsonNumber(std::string_view number) {
  if (number.starts_with('-')) {
    if (const std::optional<int64_t> whole = ReadWhole<int64_t>(number)) return *whole;
  } else if (const std::optional<uint64_t> whole = ReadWhole<uint64_t>(number)) {
    return *whole;
  }
  double value = 0;
  const absl::from_chars_result read = absl::from_chars(number.data(), number.data() + number.size(), value);
  // Numbers that are too small become 0, those that are too large the largest double.
  const bool is_too_large = read.ec == std::errc::result_out_of_range && value != 0;
  return is_too_large ? Value(nullptr) : Value(value);
}

template Json JsonNumber<Json>(std::string_view number);
template SortedJson JsonNumber<SortedJson>(std::string_view number);

template <typename Value>
void JsonTreeBuilder<Value>::OnNumber(std::string_view number, size_t offset) {
  Value value = JsonNumber<Value>(number);
  if (value.is_null() && !overflow_.has_value()) {
    overflow_ = offset + number.size();
    overflowing_number_ = std::string(number);
  }
  Add(std::move(value));
}

template <typename Value>
void JsonTreeBuilder<Value>::OnKey(std::string key) {
  if (!problem_.empty()) return;
  Open& open = open_.back();
  open.member = FindMember(open, key);
  if (open.member != nullptr) {
    if (limits_.unique_keys) Reject(StrCat("has the key \"", key, "\" twice"));
    return;
  }
  if (open.value->size() >= limits_.max_keys) {
    return Reject(StrCat("has an object of more than ", limits_.max_keys, " keys"));
  }
  open.member = AddMember(open, std::move(key));
}

template <typename Value>
void JsonTreeBuilder<Value>::OnOpen(char bracket) {
  Value* const place = Place();
  if (place == nullptr) return;
  *place = bracket == '{' ? Value::object() : Value::array();
  open_.push_back({place, nullptr, {}});
}

template <typename Value>
Value* JsonTreeBuilder<Value>::Place() {
  if (open_.size() > limits_.max_depth) Reject(StrCat("is nested deeper than ", limits_.max_depth));
  if (!problem_.empty()) return nullptr;
  if (open_.empty()) return &root_;
  if (open_.back().value->is_object()) return open_.back().member;
  return &open_.back().value->emplace_back(nullptr);
}

template <typename Value>
Value* JsonTreeBuilder<Value>::FindMember(Open& open, const std::string& key) {
  if constexpr (std::is_same_v<Value, Json>) {
    if (open.value->size() > kIndexed) {
      const auto found = open.places.find(key);
      return found == open.places.end() ? nullptr : &open.value->items()[found->second].second;
    }
  }
  const auto found = open.value->find(key);
  return found == open.value->end() ? nullptr : &*found;
}

template <typename Value>
Value* JsonTreeBuilder<Value>::AddMember(Open& open, std::string key) {
  auto& members = open.value->items();
  if constexpr (std::is_same_v<Value, Json>) {
    if (members.size() == kIndexed) {
      for (size_t i = 0; i < members.size(); ++i) open.places.emplace(members[i].first, i);
    }
    if (members.size() >= kIndexed) open.places.emplace(key, members.size());
    return &members.emplace_back(std::move(key), nullptr).second;
  } else {
    return &members.emplace(std::move(key), nullptr).first->second;
  }
}

template class JsonTreeBuilder<Json>;
template class JsonTreeBuilder<SortedJson>;

}  // namespace logquery::base
