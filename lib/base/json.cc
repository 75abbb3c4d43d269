// Parses with nlohmann/json, and converts its errors.
#include "lib/base/json.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/json_parse.h"
#include "lib/base/json_place.h"
#include "lib/base/json_syntax.h"
#include "lib/base/limits.h"
#include "lib/base/strings.h"
#include "lib/base/text_snippet.h"
#include "lib/base/utf8.h"
#include "nlohmann/json.hpp"

namespace logquery::base {
namespace {

constexpr size_t kMaxKeys = 4'000;

// Returns the library's explanation without its preface and position: "[…] parse error at line 1, column 2: syntax
// error …".
std::string_view Explanation(std::string_view what) {
  const size_t place = what.find("column ");
  const size_t colon = what.find(": ", place == std::string_view::npos ? 0 : place);
  return colon == std::string_view::npos ? what : what.substr(colon + 2);
}

// Builds the value, and watches for what JSON allows and we do not; then it only reads on, since the text may not be JSON at all.
// Not the library's own parser with a callback: that one goes through an array's elements again after each of them.
class Builder : public nlohmann::json_sax<nlohmann::ordered_json> {
 public:
  using Json = nlohmann::ordered_json;

  explicit Builder(Json& root) : root_(root) {}

  const std::string& problem() const { return problem_; }
  // Set if sax_parse has returned false.
  const std::string& syntax_error() const { return syntax_error_; }
  size_t syntax_error_offset() const { return syntax_error_offset_; }

  bool null() override { return Add(nullptr); }
  bool boolean(bool value) override { return Add(value); }
  bool number_integer(int64_t value) override { return Add(value); }
  bool number_unsigned(uint64_t value) override { return Add(value); }
  bool number_float(double value, const std::string&) override { return Add(value); }
  bool string(std::string& value) override { return Add(std::move(value)); }
  bool binary(Json::binary_t&) override { return false; }  // JSON text has none

  bool start_object(size_t) override { return Start(Json::value_t::object); }
  bool start_array(size_t) override { return Start(Json::value_t::array); }
  bool end_object() override { return End(); }
  bool end_array() override { return End(); }

  bool key(std::string& key) override {
    if (!problem_.empty()) return true;
    StringSet& keys = open_.back().keys;
    if (!keys.insert(key).second) Reject(StrCat("has the key \"", key, "\" twice"));
    // Objects look keys up one by one.
    if (keys.size() > kMaxKeys) Reject(StrCat("has an object of more than ", kMaxKeys, " keys"));
    if (problem_.empty()) open_.back().member = &(*open_.back().value)[key];
    return true;
  }

  bool parse_error(size_t position, const std::string&, const Json::exception& problem) override {
    syntax_error_ = Explanation(problem.what());
    syntax_error_offset_ = position == 0 ? 0 : position - 1;
    return false;
  }

 private:
  struct Open {
    Json* value;
    Json* member = nullptr;  // an object's, whose key was read
    StringSet keys;
  };

  template <typename Value>
  bool Add(Value&& value) {
    if (Json* place = Place()) *place = std::forward<Value>(value);
    return true;
  }

  bool Start(Json::value_t kind) {
    if (Json* place = Place()) {
      *place = kind;
      open_.push_back({place, nullptr, {}});
    }
    return true;
  }

  bool End() {
    if (problem_.empty()) open_.pop_back();
    return true;
  }

  // Where the next value goes; null if it goes nowhere. No element moves while it is open, since only the innermost open value grows.
  Json* Place() {
    if (open_.size() > static_cast<size_t>(kMaxNesting)) Reject(StrCat("is nested deeper than ", kMaxNesting));
    if (!problem_.empty()) return nullptr;
    if (open_.empty()) return &root_;
    if (open_.back().value->is_object()) return open_.back().member;
    open_.back().value->push_back(nullptr);
    return &open_.back().value->back();
  }

  void Reject(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
  }

  Json& root_;
  std::vector<Open> open_;
  std::string problem_;
  std::string syntax_error_;
  size_t syntax_error_offset_ = 0;
};

}  // namespace

bool ParseJsonText(std::string_view text, nlohmann::ordered_json& parsed, JsonTextError& error) {
  parsed = nullptr;
  Builder builder(parsed);
  error.syntax = !nlohmann::ordered_json::sax_parse(text.begin(), text.end(), &builder);
  if (!error.syntax) {
    error.message = builder.problem();
    return error.message.empty();
  }
  if (const std::optional<JsonSyntaxError> found = FindJsonSyntaxError(text)) {
    error.offset = found->offset;
    error.message = found->message;
  } else {
    error.offset = builder.syntax_error_offset();
    error.message = builder.syntax_error();
  }
  return false;
}

namespace {

absl::Status StatusOf(std::string_view source, std::string_view text, const JsonTextError& error) {
  if (!error.syntax) return absl::InvalidArgumentError(StrCat(source, ": the JSON ", error.message));
  return absl::InvalidArgumentError(
      StrCat(source, ": not JSON at ", PlaceInText(text, error.offset), ": ", error.message));
}

}  // namespace

absl::StatusOr<nlohmann::ordered_json> ParseJson(std::string_view source, std::string_view text) {
  nlohmann::ordered_json parsed;
  JsonTextError error;
  if (ParseJsonText(text, parsed, error)) return parsed;
  return StatusOf(source, text, error);
}

absl::StatusOr<nlohmann::ordered_json> ParseWrittenJson(std::string_view source, std::string_view text) {
  nlohmann::ordered_json parsed;
  JsonTextError error;
  if (ParseJsonText(text, parsed, error)) return parsed;
  if (!error.syntax) return StatusOf(source, text, error);
  return WithPlaceIn(text, error.offset, StatusOf(source, text, error));
}

}  // namespace logquery::base
