// Writes days and times in UTC, as the folder does.
#include "lib/serving/store/maintenance_lines.h"

#include "lib/base/readable_text.h"
#include "lib/base/strings.h"

namespace logquery::serving {
namespace {

std::string DayText(absl::Time time) { return absl::FormatTime("%Y-%m-%d", time, absl::UTCTimeZone()); }
std::string TimeText(absl::Time time) { return absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", time, absl::UTCTimeZone()); }

}  // namespace

std::string ClusteredText(const ClusteredDay& day) {
  return base::StrCat(base::Counted(day.rows, "row"), " of ", day.table, " on ", DayText(day.day),
                      day.rows == 1 ? " is" : " are", " in the order of projects, after ",
                      base::DurationText(day.time));
}

std::string RetainedText(const RetainReport::Table& table) {
  const std::string why = table.by_size
                              ? base::StrCat("by size: ", base::Counted(table.projects, "project"), " took more than ",
                                             table.projects == 1 ? "its share" : "their share")
                              : std::string("by their age");
  return base::StrCat(table.rows, table.rows == 1 ? " row of " : " rows of ", table.table, " from before ",
                      TimeText(table.before), table.rows == 1 ? " is gone, " : " are gone, ", why);
}

std::string HeldBackText(absl::Time now, absl::Time recorded) {
  return base::StrCat("no rows are deleted by their age, because the machine's clock, ", TimeText(now),
                      ", is more than 3 days after the last time that the folder has recorded, ", TimeText(recorded),
                      ": set the clock, or, if it is right, confirm it with --confirm-clock ", DayText(now));
}

}  // namespace logquery::serving
