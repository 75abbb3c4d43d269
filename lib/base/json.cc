// Reads with the scanner, whose errors are for people, and builds the value within limits.
#include "lib/base/json.h"

#include <optional>
#include <string>
#include <utility>

#include "lib/base/json/tree_builder.h"
#include "lib/base/json_parse.h"
#include "lib/base/json_place.h"
#include "lib/base/limits.h"
#include "lib/base/strings.h"
#include "lib/base/text_snippet.h"

namespace logquery::base {
namespace {

// Objects look keys up one by one.
constexpr size_t kMaxKeys = 4'000;

absl::Status StatusOf(std::string_view source, std::string_view text, const JsonTextError& error) {
  if (!error.syntax) return absl::InvalidArgumentError(StrCat(source, ": the JSON ", error.message));
  return absl::InvalidArgumentError(
      StrCat(source, ": not JSON at ", PlaceInText(text, error.offset), ": ", error.message));
}

}  // namespace

bool ParseJsonText(std::string_view text, Json& parsed, JsonTextError& error) {
  JsonTreeBuilder<Json> builder({.max_depth = kMaxNesting, .max_keys = kMaxKeys, .unique_keys = true});
  std::optional<JsonSyntaxError> wrong = ScanJson(text, &builder);
  if (!wrong.has_value() && builder.overflow().has_value()) {
    wrong = JsonSyntaxError{
        *builder.overflow() - 1,
        StrCat("[json.exception.out_of_range.406] number overflow parsing '", builder.overflowing_number(), "'")};
  }
  parsed = builder.TakeRoot();
  error.syntax = wrong.has_value();
  if (wrong.has_value()) {
    error.offset = wrong->offset;
    error.message = std::move(wrong->message);
    return false;
  }
  error.message = builder.problem();
  return error.message.empty();
}

absl::StatusOr<Json> ParseJson(std::string_view source, std::string_view text) {
  Json parsed;
  JsonTextError error;
  if (ParseJsonText(text, parsed, error)) return parsed;
  return StatusOf(source, text, error);
}

absl::StatusOr<Json> ParseWrittenJson(std::string_view source, std::string_view text) {
  Json parsed;
  JsonTextError error;
  if (ParseJsonText(text, parsed, error)) return parsed;
  if (!error.syntax) return StatusOf(source, text, error);
  return WithPlaceIn(text, error.offset, StatusOf(source, text, error));
}

}  // namespace logquery::base
