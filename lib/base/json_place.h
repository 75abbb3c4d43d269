// Where something stands in JSON text, for errors about what it says.
//
//     return InvalidArgumentError(StrCat("backend.json at ", PlaceInText(text, OffsetOfKey(text, "folder")), ": …"));
#ifndef LOGQUERY_LIB_BASE_JSON_PLACE_H_
#define LOGQUERY_LIB_BASE_JSON_PLACE_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace logquery::base {

// "line 3, column 5" of the byte at `offset`, or of the text's end where it is shorter. Columns count code points.
std::string PlaceInText(std::string_view text, size_t offset);

// The offset of the member `key` in the object that `json`, which ParseJson has accepted, consists of. An object that has no
// such member gives the offset of its brace.
size_t OffsetOfKey(std::string_view json, std::string_view key);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_JSON_PLACE_H_
