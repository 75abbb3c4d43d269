// Finds what a path leads to in JSON text without a document of it, so that numbers stay digit by digit as they are written.
//
//     std::string compact;
//     if (AppendCompactJson(text, nullptr, compact, JsonEscapes::kPlain)) {
//       std::optional<std::string_view> found = FindInCompactJson(compact, path);
//     }
#ifndef LOGQUERY_LIB_BASE_JSON_FIND_H_
#define LOGQUERY_LIB_BASE_JSON_FIND_H_

#include <optional>
#include <string_view>
#include <vector>

#include "lib/base/json_path.h"

namespace logquery::base {

// The text of the value at `path`; absent: there is none. Of members of one name the first counts. `json` is what
// AppendCompactJson writes, `path` is not lax. Takes time linear in the text's size; borrows the text.
std::optional<std::string_view> FindInCompactJson(std::string_view json, const JsonPath& path);

// The texts of an array's elements; absent: `json`, of the same form, is no array.
std::optional<std::vector<std::string_view>> CompactJsonElements(std::string_view json);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_JSON_FIND_H_
