// Draws at most ten times a second.
#include "shim/cli/options/progress_line.h"

#include <algorithm>

#include "lib/base/strings.h"
#include "logquery/clock.h"
#include "shim/observe/display.h"

namespace logquery::shim {

void ProgressLine::Show(const std::string& what, int64_t rows, int64_t done, int64_t total) {
  const absl::Duration now = Clock::Real()->Monotonic();
  if (what != what_) {
    what_ = what;
    begin_ = shown_ = now;
  }
  if (!is_shown_ || now - shown_ < absl::Milliseconds(100)) return;
  shown_ = now;
  const double seconds = absl::ToDoubleSeconds(now - begin_);
  std::string line = base::StrCat(what_, "  ", Counted(rows, "row"), ", ",
                                  WithCommas(static_cast<int64_t>(static_cast<double>(rows) / seconds)), "/s");
  if (total > 0 && done > 0) {
    const double share = static_cast<double>(done) / static_cast<double>(total);
    line += base::StrCat(", ", static_cast<int>(share * 100), " %, ",
                         DurationText(absl::Seconds(seconds * (1 - share) / share)), " left");
  }
  terminal_.err << "\r\x1b[K" << OneLine(line, std::max(20, terminal_.columns - 1)) << std::flush;
  drawn_ = true;
}

void ProgressLine::Clear() {
  if (std::exchange(drawn_, false)) terminal_.err << "\r\x1b[K" << std::flush;
}

}  // namespace logquery::shim
