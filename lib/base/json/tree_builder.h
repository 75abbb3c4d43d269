// Builds a JSON value from a scanner's tokens, within limits. For the readers of lib/base.
#ifndef LOGQUERY_LIB_BASE_JSON_TREE_BUILDER_H_
#define LOGQUERY_LIB_BASE_JSON_TREE_BUILDER_H_

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/json/scanner.h"
#include "lib/base/json/value.h"
#include "lib/base/strings.h"

namespace logquery::base {

struct JsonLimits {
  size_t max_depth;
  size_t max_keys = std::numeric_limits<size_t>::max();  // of one object
  bool unique_keys = false;                              // otherwise the last value of a key counts
};

// Returns the number that nlohmann/json reads: a whole number where it fits, otherwise the nearest double; null: it is out of the
// range of doubles.
template <typename Value>
Value JsonNumber(std::string_view number);

// After the first problem it only receives on, since the text may turn out not to be JSON at all.
template <typename Value>
class JsonTreeBuilder : public JsonEvents {
 public:
  explicit JsonTreeBuilder(const JsonLimits& limits) : limits_(limits) {}

  Value TakeRoot() { return std::move(root_); }
  // Why the value is not accepted: "has the key …"; empty: it is.
  const std::string& problem() const { return problem_; }
  // The offset behind the first number that no double can hold, and its text.
  std::optional<size_t> overflow() const { return overflow_; }
  const std::string& overflowing_number() const { return overflowing_number_; }

  void OnLiteral(std::string_view word) override {
    if (word == "null") return Add(nullptr);
    Add(word == "true");
  }
  void OnNumber(std::string_view number, size_t offset) override;
  void OnString(std::string value) override { Add(std::move(value)); }
  void OnKey(std::string key) override;
  void OnOpen(char bracket) override;
  void OnClose() override {
    if (problem_.empty()) open_.pop_back();
  }

 private:
  struct Open {
    Value* value;
    Value* member = nullptr;   // an object's, whose key was read
    StringMap<size_t> places;  // of the members by key, in a large object that keeps their order
  };

  void Add(Value value) {
    if (Value* place = Place()) *place = std::move(value);
  }
  // Returns the place of the next value; nullptr if it goes nowhere. No element moves while it is open, since only the innermost
  // open value grows.
  Value* Place();
  // Returns the key's member of the innermost object; nullptr: there is none.
  Value* FindMember(Open& open, const std::string& key);
  Value* AddMember(Open& open, std::string key);
  void Reject(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
  }

  const JsonLimits limits_;
  Value root_;
  std::vector<Open> open_;
  std::string problem_;
  std::optional<size_t> overflow_;
  std::string overflowing_number_;
};

extern template class JsonTreeBuilder<Json>;
extern template class JsonTreeBuilder<SortedJson>;

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_JSON_TREE_BUILDER_H_
