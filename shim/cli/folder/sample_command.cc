// The command sample: writes generated logs to a folder.
#include <charconv>
#include <string>
#include <string_view>
#include <system_error>

#include "lib/base/json/value.h"
#include "lib/base/strings.h"
#include "logquery/clock.h"
#include "logquery/parameter_binder.h"
#include "shim/cli/folder/sample/sample.h"
#include "shim/cli/options/commands.h"
#include "shim/cli/options/reporting.h"
#include "shim/observe/display.h"

namespace logquery::shim {
namespace {

// "2/30" into the two.
absl::Status ParsePart(std::string_view text, SampleOptions& options) {
  const char* const end = text.data() + text.size();
  const auto [slash, first] = std::from_chars(text.data(), end, options.part);
  if (first == std::errc() && slash != end && *slash == '/') {
    const auto [rest, second] = std::from_chars(slash + 1, end, options.parts);
    if (second == std::errc() && rest == end) return absl::OkStatus();
  }
  return absl::InvalidArgumentError(base::StrCat("--part ", text, ": it is I/N, such as 2/30"));
}

}  // namespace

int RunSample(const SampleArguments& arguments, const Terminal& terminal) {
  SampleOptions options{
      arguments.folder, arguments.rows, arguments.projects, arguments.days, arguments.seed, {}, 0, 1, 1};
  if (!arguments.part.empty()) {
    if (const absl::Status status = ParsePart(arguments.part, options); !status.ok()) return Fail(terminal, status);
  }
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
  PrintReport(arguments.reporting,
              base::StrCat(Counted(report->rows, "row"), ", ", BytesText(report->bytes), " in ",
                           Counted(report->files, "file"), " in ", DurationText(time), " (", WithCommas(rate),
                           " rows/s); the busiest project is ", report->busiest_project),
              {{"folder", arguments.folder},
               {"rows", report->rows},
               {"bytes", report->bytes},
               {"files", report->files},
               {"busiest_project", report->busiest_project},
               {"time_ms", absl::ToInt64Milliseconds(time)}},
              terminal);
  return kExitOk;
}

}  // namespace logquery::shim
