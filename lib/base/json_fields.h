// Reads an object of JSON field by field. Keeps the first error or, with JsonProblems, all of them.
//
//     absl::Status status;
//     JsonFields fields(json, "logs.all.json: ", status);
//     endpoint.name = fields.Text("name");
//     endpoint.max_rows = fields.Integer("max_rows", {1, 10'000}, 1000);
//     fields.RefuseOthers();
//     LOGQUERY_RETURN_IF_ERROR(status);      // "logs.all.json: max_rows must be a whole number from 1 to 10000, is 0"
//
// After an error every read returns its type's empty value, and the error is kept.
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
#include "lib/base/json/value.h"
#include "lib/base/json_problems.h"

namespace logquery::base {

class JsonFields {
 public:
  struct Range {
    int64_t least;
    int64_t most;
  };

  // `place` precedes each field's name in errors. Borrows `json`; it is an error if that is not an object.
  JsonFields(const Json& json, std::string place, absl::Status& status);
  // The same, but adds every problem to `problems`, which may be nullptr.
  JsonFields(const Json& json, std::string place, absl::Status& status, JsonProblems* problems);
  // Reads a value inside this object; its problems are added to this object's.
  JsonFields Inner(const Json& json, std::string place) const {
    return JsonFields(json, std::move(place), status_, problems_);
  }

  // Each read requires the field, unless a fallback is given, which is returned if the field is absent or null.
  std::string Text(const char* key, std::optional<std::string> fallback = std::nullopt);
  std::optional<std::string> OptionalText(const char* key);
  bool Flag(const char* key, bool fallback);
  int64_t Integer(const char* key, Range range, std::optional<int64_t> fallback = std::nullopt);
  std::optional<std::vector<std::string>> OptionalTexts(const char* key);
  std::map<std::string, std::string> TextMap(const char* key);  // empty if absent
  // Returns the field's value unconverted; nullptr if it is absent or null.
  const Json* Find(const char* key);

  // Adds an error for each field of the object that was not read; it lists the known fields, and the nearest of them.
  void RefuseOthers();

  // Returns the path of a field: "logs.all.json: caching".
  std::string Place(std::string_view key) const;
  // Records that `key` is wrong, unless there is an earlier error: "PLACE problem".
  void Fail(std::string_view key, std::string_view problem);
  // The same with the caller's code and text, without "PLACE".
  void FailWith(std::string_view key, absl::Status problem);
  void FailMissing(const char* key);
  bool ok() const { return status_.ok(); }
  // The field of the first problem, if it is one of this object's; empty: the object itself, or there is no problem.
  const std::string& wrong_field() const { return wrong_field_; }

 private:
  void WrongType(const char* key, std::string_view wanted, const Json& found);

  const Json* const self_;  // as passed in
  const Json* json_;        // the same, or an empty object
  std::string place_;
  absl::Status& status_;
  JsonProblems* const problems_;
  std::vector<std::string> known_;
  std::string wrong_field_;
};

// Parses `text` as an object, reads it with `read`, and rejects fields that `read` did not ask for. InvalidArgument, or
// the code of FailWith: "SOURCE: not JSON at line 1, column 5: …", "SOURCE at line 3, column 5: port must be …".
absl::Status ReadFields(std::string_view source, std::string_view text, const std::function<void(JsonFields&)>& read);

// Formats a value for errors: JSON text, truncated if it is long.
std::string ShortJson(const Json& json);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_JSON_FIELDS_H_
