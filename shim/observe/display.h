// Formats times for logs; readable_text.h formats numbers, sizes and durations, and one_line.h cells of a fixed width.
#ifndef LOGQUERY_SHIM_OBSERVE_DISPLAY_H_
#define LOGQUERY_SHIM_OBSERVE_DISPLAY_H_

#include <string>
#include <string_view>

#include "absl/time/time.h"
#include "lib/base/one_line.h"
#include "lib/base/readable_text.h"

namespace logquery::shim {

using base::BytesText;
using base::Counted;
using base::DisplayWidth;
using base::DurationText;
using base::MillisecondsText;
using base::OneLine;
using base::WithCommas;

// Returns "2026-03-04T05:06:07.123Z", without the rest of the time.
std::string UtcText(absl::Time time);

enum class Colour { kBold, kRed, kGreen, kYellow };

// Returns `text` in this colour if `on`, otherwise unchanged.
std::string Painted(bool on, Colour colour, std::string_view text);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_OBSERVE_DISPLAY_H_
