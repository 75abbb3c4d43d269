// Finds the value at a path in JSON text without building a document, so that numbers keep their digits as written.
//
//     std::string compact;
//     if (AppendCompactJson(text, nullptr, compact, JsonEscapes::kNeeded)) {
//       std::optional<std::string_view> found = FindInCompactJson(compact, path);
//     }
#ifndef LOGQUERY_LIB_BASE_JSON_FIND_H_
#define LOGQUERY_LIB_BASE_JSON_FIND_H_

#include <optional>
#include <string_view>
#include <vector>

#include "lib/base/json_path.h"

namespace logquery::base {

// Returns the text of the value at `path`; absent: there is none. The first of duplicate members is used. `json` must
// be the output of AppendCompactJson, and `path` must not be lax. Takes linear time; borrows the text.
std::optional<std::string_view> FindInCompactJson(std::string_view json, const JsonPath& path);

// Returns the texts of an array's elements; absent: `json`, of the same form, is not an array.
std::optional<std::vector<std::string_view>> CompactJsonElements(std::string_view json);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_JSON_FIND_H_
