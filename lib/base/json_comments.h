// JSON with comments, for configuration files: // up to the end of the line, and /* … */, except in strings.
//
//     ParseJsonText(BlankComments(text), parsed, error);       // offsets are those of `text`
#ifndef LOGQUERY_LIB_BASE_JSON_COMMENTS_H_
#define LOGQUERY_LIB_BASE_JSON_COMMENTS_H_

#include <string>
#include <string_view>

namespace logquery::base {

// Replaces each byte of a comment by a space; keeps line ends. A /* without an end is kept, and is therefore not valid
// JSON.
std::string BlankComments(std::string_view text);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_JSON_COMMENTS_H_
