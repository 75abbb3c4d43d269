#include <string>

#include "lib/base/strings.h"
#include "logquery/clock.h"
#include "logquery/parameter_binder.h"
#include "shim/commands.h"
#include "shim/display.h"
#include "shim/sample.h"

namespace logquery::shim {

int RunSample(const SampleArguments& arguments, const Terminal& terminal) {
  SampleOptions options{arguments.folder, arguments.rows, arguments.projects, arguments.days, arguments.seed, {}, 0};
  if (arguments.end.empty()) {
    // Two samples made one after the other are equal, and both are recent.
    options.end = absl::FromUnixSeconds(absl::ToUnixSeconds(Clock::Real()->Now()) / 3'600 * 3'600);
  } else {
    const absl::StatusOr<absl::Time> end = ParseTimestamp(arguments.end);
    if (!end.ok())
      return Fail(terminal, absl::InvalidArgumentError(base::StrCat("--end: ", base::Message(end.status()))));
    options.end = *end;
  }
  const absl::Duration begin = Clock::Real()->Monotonic();
  const absl::StatusOr<SampleReport> report = WriteSample(options);
  if (!report.ok()) return Fail(terminal, report.status());
  const absl::Duration time = Clock::Real()->Monotonic() - begin;
  const auto rate = static_cast<int64_t>(static_cast<double>(report->rows) / absl::ToDoubleSeconds(time));
  terminal.out << WithCommas(report->rows) << " rows, " << BytesText(report->bytes) << " in " << report->files
               << " files in " << DurationText(time) << " (" << WithCommas(rate) << " rows/s); the busiest project is "
               << report->busiest_project << "\n";
  return kExitOk;
}

}  // namespace logquery::shim
