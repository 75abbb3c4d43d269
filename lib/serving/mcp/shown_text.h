// Text that outsiders wrote, on its way to a model: made visible, cut, and set between boundaries that it cannot know.
//
// A model reads what it is shown, whatever the person beside it sees. Characters that a terminal or a page does not show
// (bidirectional marks, zero-width characters, tags, variation selectors) can hide a text from the person and not from the model;
// escapes can change the terminal. They become visible text, \u{202e}.
#ifndef LOGQUERY_LIB_SERVING_MCP_SHOWN_TEXT_H_
#define LOGQUERY_LIB_SERVING_MCP_SHOWN_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "lib/base/json/value.h"

namespace logquery::serving {

// Counts the changes made to show texts.
struct ShownCounts {
  int64_t escaped = 0;  // characters that became visible
  int64_t cut = 0;      // texts that were cut
};

// Returns whether people do not see the character, or see other characters because of it. Tabs and line breaks are seen.
bool IsHidden(char32_t c);

// Returns `text` with each hidden character as \u{…} and invalid UTF-8 as U+FFFD, cut to about `max_bytes` with "… (N more bytes)"
// behind it. Takes time for the part that is shown only.
std::string ShownText(std::string_view text, size_t max_bytes, ShownCounts& counts);

// Does so with every string and key in `value`.
base::Json ShownJson(base::Json value, size_t max_bytes, ShownCounts& counts);

// Returns `data` on lines of its own between two equal lines, after a sentence that says what it is: "the rows".
// The lines are random, and not in the data.
std::string FramedData(std::string_view what, std::string_view data);

// The same sentence for data that has no boundaries, because it is a value of its own.
std::string_view DataNotice();

}  // namespace logquery::serving

#endif  // LOGQUERY_LIB_SERVING_MCP_SHOWN_TEXT_H_
