// Reads fields of an object one by one, and keeps the first error with its place.
#include "lib/base/json_fields.h"

#include <algorithm>
#include <utility>

#include "lib/base/json.h"
#include "lib/base/json/value.h"
#include "lib/base/json_place.h"
#include "lib/base/nearest_names.h"
#include "lib/base/quoted_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"

namespace logquery::base {
namespace {

const Json& EmptyObject() {
  static const Json* const empty = new Json(Json::object());
  return *empty;
}

}  // namespace

JsonFields::JsonFields(const Json& json, std::string place, absl::Status& status)
    : JsonFields(json, std::move(place), status, nullptr) {}

JsonFields::JsonFields(const Json& json, std::string place, absl::Status& status, JsonProblems* problems)
    : self_(&json), json_(&json), place_(std::move(place)), status_(status), problems_(problems) {
  if (json.is_object()) return;
  json_ = &EmptyObject();
  Fail("", StrCat("must be an object, is ", ShortJson(json)));
}

std::string JsonFields::Text(const char* key, std::optional<std::string> fallback) {
  std::optional<std::string> text = OptionalText(key);
  if (!text.has_value() && !fallback.has_value()) FailMissing(key);
  return text.has_value() ? *std::move(text) : std::move(fallback).value_or("");
}

std::optional<std::string> JsonFields::OptionalText(const char* key) {
  const Json* json = Find(key);
  if (json == nullptr) return std::nullopt;
  if (json->is_string()) return json->get<std::string>();
  WrongType(key, "a string", *json);
  return std::nullopt;
}

bool JsonFields::Flag(const char* key, bool fallback) {
  const Json* json = Find(key);
  if (json == nullptr) return fallback;
  if (json->is_boolean()) return json->get<bool>();
  WrongType(key, "true or false", *json);
  return fallback;
}

int64_t JsonFields::Integer(const char* key, Range range, std::optional<int64_t> fallback) {
  const Json* json = Find(key);
  if (json == nullptr) {
    if (!fallback.has_value()) FailMissing(key);
    return fallback.value_or(range.least);
  }
  // An unsigned number that is too large for a signed one is out of every range.
  const bool fits = json->is_number_integer() && !(json->is_number_unsigned() && json->get<uint64_t>() > INT64_MAX);
  if (fits && json->get<int64_t>() >= range.least && json->get<int64_t>() <= range.most) return json->get<int64_t>();
  WrongType(key, StrCat("a whole number from ", range.least, " to ", range.most), *json);
  return range.least;
}

std::optional<std::vector<std::string>> JsonFields::OptionalTexts(const char* key) {
  const Json* json = Find(key);
  if (json == nullptr) return std::nullopt;
  std::vector<std::string> texts;
  if (json->is_array() && std::all_of(json->begin(), json->end(), [](const Json& j) { return j.is_string(); })) {
    for (const Json& text : *json) texts.push_back(text.get<std::string>());
  } else {
    WrongType(key, "a list of strings", *json);
  }
  return texts;
}

std::map<std::string, std::string> JsonFields::TextMap(const char* key) {
  const Json* json = Find(key);
  std::map<std::string, std::string> texts;
  if (json == nullptr) return texts;
  if (json->is_object() && std::all_of(json->begin(), json->end(), [](const Json& j) { return j.is_string(); })) {
    for (const auto& [name, text] : json->items()) texts.emplace(name, text.get<std::string>());
  } else {
    WrongType(key, "an object of strings", *json);
  }
  return texts;
}

const Json* JsonFields::Find(const char* key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
  const auto found = json_->find(key);
  return found == json_->end() || found->is_null() ? nullptr : &*found;
}

void JsonFields::RefuseOthers() {
  for (const auto& [key, unused] : json_->items()) {
    if (std::find(known_.begin(), known_.end(), key) == known_.end()) {
      Fail(key, StrCat("is not a field; known are ", Join(known_, ", "), DidYouMean(NearestNames(key, known_))));
    }
  }
}

std::string JsonFields::Place(std::string_view key) const { return StrCat(place_, key); }

void JsonFields::Fail(std::string_view key, std::string_view problem) {
  if (!status_.ok() && problems_ == nullptr) return;
  std::string place = Place(key);
  // An object without a field to name is named by its enclosing field.
  while (key.empty() && !place.empty() && (place.back() == '.' || place.back() == ' ')) place.pop_back();
  std::string message = place.empty() ? std::string(problem) : StrCat(place, " ", problem);
  if (status_.ok()) {
    wrong_field_ = std::string(key);
    status_ = absl::InvalidArgumentError(message);
  }
  if (problems_ != nullptr) problems_->Add({self_, std::string(key), std::move(message)});
}

void JsonFields::FailWith(std::string_view key, absl::Status problem) {
  if (!status_.ok()) return;
  wrong_field_ = std::string(key);
  status_ = std::move(problem);
}

void JsonFields::FailMissing(const char* key) { Fail(key, "is missing"); }

void JsonFields::WrongType(const char* key, std::string_view wanted, const Json& found) {
  Fail(key, StrCat("must be ", wanted, ", is ", ShortJson(found)));
}

absl::Status ReadFields(std::string_view source, std::string_view text, const std::function<void(JsonFields&)>& read) {
  LOGQUERY_ASSIGN_OR_RETURN(const Json json, ParseJson(source, text));
  absl::Status status;
  JsonFields fields(json, "", status);
  if (status.ok()) read(fields);
  if (status.ok()) fields.RefuseOthers();
  if (status.ok()) return status;
  std::string_view problem = Message(status);
  if (problem.starts_with(' ')) problem.remove_prefix(1);  // of the object: it has no name to begin with
  const std::string place = PlaceInText(text, OffsetOfKey(text, fields.wrong_field()));
  return absl::Status(status.code(), StrCat(source, " at ", place, ": ", problem));
}

std::string ShortJson(const Json& json) {
  if (json.is_string()) return QuotedText(json.text());
  if (json.is_object()) return json.empty() ? "{}" : "an object";
  if (json.is_array()) return json.empty() ? "[]" : "a list";
  return json.ToString();
}

}  // namespace logquery::base
