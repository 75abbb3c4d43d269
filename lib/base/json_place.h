// Positions in JSON text, for errors about its content.
//
//     return InvalidArgumentError(StrCat("backend.json at ", PlaceInText(text, OffsetOfKey(text, "folder")), ": …"));
#ifndef LOGQUERY_LIB_BASE_JSON_PLACE_H_
#define LOGQUERY_LIB_BASE_JSON_PLACE_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace logquery::base {

// Returns "line 3, column 5" for the byte at `offset`, or for the end of a shorter text. Columns count code points.
std::string PlaceInText(std::string_view text, size_t offset);

// Returns the offset of the member `key` in the object `json`, which ParseJson must have accepted. If there is no such
// member, returns the offset of the object's brace.
size_t OffsetOfKey(std::string_view json, std::string_view key);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_JSON_PLACE_H_
