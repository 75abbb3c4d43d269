// Formats times for logs, and cells of a fixed width; readable_text.h formats numbers, sizes and durations.
#ifndef LOGQUERY_SHIM_OBSERVE_DISPLAY_H_
#define LOGQUERY_SHIM_OBSERVE_DISPLAY_H_

#include <string>
#include <string_view>

#include "absl/time/time.h"
#include "lib/base/readable_text.h"

namespace logquery::shim {

using base::BytesText;
using base::DurationText;
using base::WithCommas;

// Returns "12.345": milliseconds with three digits after the point, as `%.3f` has them.
std::string MillisecondsText(absl::Duration time);

// Returns "2026-03-04T05:06:07.123Z", without the rest of the time.
std::string UtcText(absl::Time time);

// Returns how many terminal columns `text` occupies: wide characters two, combining ones none.
int DisplayWidth(std::string_view text);

// Returns `text` on one line: control characters, which could control the reader's terminal, become visible symbols,
// and invalid UTF-8 becomes U+FFFD. Truncated to `width` columns with a final … if it is longer.
std::string OneLine(std::string_view text, int width);

enum class Colour { kBold, kRed, kGreen, kYellow };

// Returns `text` in this colour if `on`, otherwise unchanged.
std::string Painted(bool on, Colour colour, std::string_view text);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_OBSERVE_DISPLAY_H_
