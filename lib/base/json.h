// Parses the JSON of files and request bodies strictly, with the place of errors.
#ifndef LOGQUERY_LIB_BASE_JSON_H_
#define LOGQUERY_LIB_BASE_JSON_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "lib/base/json/value.h"

namespace logquery::base {

// Parses `text`; objects keep the order of their keys. `source` names the text in errors. InvalidArgument: not JSON, with line
// and column; an object with a duplicate key, or with more than 4,000 keys; nested more than 200 levels deep.
absl::StatusOr<Json> ParseJson(std::string_view source, std::string_view text);

// The same for a text that a person wrote and that has no secrets: an error of syntax also has ErrorDetails, with the line
// of the text and a caret below the place.
absl::StatusOr<Json> ParseWrittenJson(std::string_view source, std::string_view text);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_JSON_H_
