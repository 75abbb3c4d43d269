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

// Watches the parser for what JSON allows and we do not.
class Watcher {
 public:
  bool operator()(int depth, nlohmann::ordered_json::parse_event_t event, const nlohmann::ordered_json& parsed) {
    using Event = nlohmann::ordered_json::parse_event_t;
    if (event == Event::object_start) keys_.emplace_back();
    if (event == Event::object_end) keys_.pop_back();
    if (depth > kMaxNesting) problem_ = StrCat("is nested deeper than ", kMaxNesting);
    if (event == Event::key) {
      const std::string& key = parsed.get_ref<const std::string&>();
      if (!keys_.back().insert(key).second && problem_.empty()) problem_ = StrCat("has the key \"", key, "\" twice");
      if (keys_.back().size() > kMaxKeys) {
        problem_ = StrCat("has an object of more than ", kMaxKeys, " keys");
        return false;  // not kept: objects look keys up one by one
      }
    }
    return true;
  }
  const std::string& problem() const { return problem_; }

 private:
  std::vector<StringSet> keys_;  // of the objects that are open
  std::string problem_;
};

// Returns the library's explanation without its preface and position: "[…] parse error at line 1, column 2: syntax
// error …".
std::string_view Explanation(std::string_view what) {
  const size_t place = what.find("column ");
  const size_t colon = what.find(": ", place == std::string_view::npos ? 0 : place);
  return colon == std::string_view::npos ? what : what.substr(colon + 2);
}

}  // namespace

bool ParseJsonText(std::string_view text, nlohmann::ordered_json& parsed, JsonTextError& error) {
  Watcher watcher;
  error.syntax = true;
  try {
    parsed = nlohmann::ordered_json::parse(text.begin(), text.end(), std::ref(watcher));
  } catch (const nlohmann::json::parse_error& problem) {
    if (const std::optional<JsonSyntaxError> found = FindJsonSyntaxError(text)) {
      error.offset = found->offset;
      error.message = found->message;
      return false;
    }
    error.offset = problem.byte == 0 ? 0 : problem.byte - 1;
    error.message = Explanation(problem.what());
    return false;
  } catch (const nlohmann::json::exception& problem) {
    error.message = Explanation(problem.what());
    return false;
  }
  error.syntax = false;
  error.message = watcher.problem();
  return error.message.empty();
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
