// Reading an object of JSON field by field. The first thing that is wrong decides or, with JsonProblems, all are collected.
//
//     absl::Status status;
//     JsonFields fields(json, "logs.all.json: ", status);
//     endpoint.name = fields.Text("name");
//     endpoint.max_rows = fields.Integer("max_rows", {1, 10'000}, 1000);
//     fields.RefuseOthers();
//     LOGQUERY_RETURN_IF_ERROR(status);      // "logs.all.json: max_rows must be a whole number from 1 to 10000, is 0"
//
// After an error every read returns its type's empty value and the error stays.
#ifndef LOGQUERY_LIB_BASE_JSON_FIELDS_H_
#define LOGQUERY_LIB_BASE_JSON_FIELDS_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "lib/base/json_problems.h"
#include "nlohmann/json_fwd.hpp"

namespace logquery::base {

class JsonFields {
 public:
  struct Range {
    int64_t least;
    int64_t most;
  };

  // `place` goes before each field's name in errors. Borrows `json`, which is an error when it is no object.
  JsonFields(const nlohmann::ordered_json& json, std::string place, absl::Status& status);
  // The same, and every problem goes into `problems`, which may be nullptr.
  JsonFields(const nlohmann::ordered_json& json, std::string place, absl::Status& status, JsonProblems* problems);
  // Reads a value inside this object, whose problems join this one's.
  JsonFields Inner(const nlohmann::ordered_json& json, std::string place) const {
    return JsonFields(json, std::move(place), status_, problems_);
  }

  // Each read wants the field to be there, or returns the fallback when it is given and the field is absent or null.
  std::string Text(const char* key, std::optional<std::string> fallback = std::nullopt);
  std::optional<std::string> OptionalText(const char* key);
  bool Flag(const char* key, bool fallback);
  int64_t Integer(const char* key, Range range, std::optional<int64_t> fallback = std::nullopt);
  std::optional<std::vector<std::string>> OptionalTexts(const char* key);
  std::map<std::string, std::string> TextMap(const char* key);  // empty when absent
  // The field's value as it is; nullptr when it is absent or null.
  const nlohmann::ordered_json* Find(const char* key);

  // An error for each field of the object that was not read; it lists those that were, and the nearest of them.
  void RefuseOthers();

  // Where a field is: "logs.all.json: caching".
  std::string Place(std::string_view key) const;
  // Notes that `key` is wrong, unless something was before: "PLACE problem".
  void Fail(std::string_view key, std::string_view problem);
  // The same with a code and a text of the caller's own: "PLACE" is not put before it.
  void FailWith(std::string_view key, absl::Status problem);
  void FailMissing(const char* key);
  bool ok() const { return status_.ok(); }
  // The field that the first problem is about, where that is one of this object's; empty: the object itself, or none.
  const std::string& wrong_field() const { return wrong_field_; }

 private:
  void WrongType(const char* key, std::string_view wanted, const nlohmann::ordered_json& found);

  const nlohmann::ordered_json* const self_;  // as it was given
  const nlohmann::ordered_json* json_;        // the same, or an empty object
  std::string place_;
  absl::Status& status_;
  JsonProblems* const problems_;
  std::vector<std::string> known_;
  std::string wrong_field_;
};

// Reads the object that `text` consists of by `read`, and refuses fields that it did not ask for.
// InvalidArgument, or the code of FailWith: "SOURCE: not JSON at line 1, column 5: …", "SOURCE at line 3, column 5: port must be …".
absl::Status ReadFields(std::string_view source, std::string_view text, const std::function<void(JsonFields&)>& read);

// A value as it stands in errors: JSON text, cut when it is long.
std::string ShortJson(const nlohmann::ordered_json& json);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_JSON_FIELDS_H_
