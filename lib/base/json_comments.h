// JSON with comments, as people write configuration: // to the line's end and /* … */, anywhere but in strings.
//
//     ParseJsonText(BlankComments(text), parsed, error);       // offsets are those of `text`
#ifndef LOGQUERY_LIB_BASE_JSON_COMMENTS_H_
#define LOGQUERY_LIB_BASE_JSON_COMMENTS_H_

#include <string>
#include <string_view>

namespace logquery::base {

// `text` with a space in place of each byte of a comment; line ends stay. A /* without its end stays, and so is no JSON.
std::string BlankComments(std::string_view text);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_JSON_COMMENTS_H_
