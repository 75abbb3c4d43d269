// A place in a text as people are shown it: its line, and a caret below it.
//
//     SnippetWithCaret("select idd from logs", 7);      // "select idd from logs\n       ^"
#ifndef LOGQUERY_LIB_BASE_TEXT_SNIPPET_H_
#define LOGQUERY_LIB_BASE_TEXT_SNIPPET_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "lib/base/text_span.h"

namespace logquery::base {

// Line and column from 1; columns count code points. Lines end with a newline, a carriage return or both.
struct TextPlace {
  int line = 1;
  int column = 1;
};
// The place of the byte at `offset`, or of the end of a shorter text.
TextPlace FindPlace(std::string_view text, size_t offset);

// Returns the line that `offset`, which is at most the text's size, is on, without its end.
TextSpan LineAround(std::string_view text, size_t offset);

// Returns the line around `offset`, cut to 120 characters, and below it a line with a caret at the place.
std::string SnippetWithCaret(std::string_view text, size_t offset);

// Returns `status` with the place in its ErrorDetails: line, column in code points, and the snippet.
absl::Status WithPlaceIn(std::string_view text, size_t offset, const absl::Status& status);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_TEXT_SNIPPET_H_
