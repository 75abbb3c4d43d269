// Computes bucket starts in seconds since 1970, backwards from the bucket that contains now.
#include "logquery/interval_bucketer.h"

#include <optional>

#include "lib/base/strings.h"

namespace logquery {
namespace {

std::optional<int64_t> UnitSeconds(std::string_view unit) {
  if (unit == "second") return 1;
  if (unit == "minute") return 60;
  if (unit == "hour") return 3'600;
  if (unit == "day") return 86'400;
  return std::nullopt;
}

absl::Status UnknownLabel(std::string_view label) {
  return absl::InvalidArgumentError(
      base::StrCat("bucket label \"", label,
                   "\" is unknown; it is UNIT_STEP, each one of second, minute, hour, day, such as \"day_hour\""));
}

// The start of the step that `now` is in, in seconds since 1970; also before 1970 the one that is not later.
int64_t StepStart(absl::Time now, int64_t step) {
  const int64_t seconds = absl::ToUnixSeconds(now);
  const int64_t into = seconds % step;
  return seconds - (into < 0 ? into + step : into);
}

}  // namespace

absl::StatusOr<std::vector<absl::Time>> IntervalBucketer::Generate(int64_t count, std::string_view label,
                                                                   absl::Time now) {
  const size_t underscore = label.find('_');
  if (underscore == std::string_view::npos) return UnknownLabel(label);
  const std::optional<int64_t> unit = UnitSeconds(label.substr(0, underscore));
  const std::optional<int64_t> step = UnitSeconds(label.substr(underscore + 1));
  if (!unit.has_value() || !step.has_value()) return UnknownLabel(label);
  if (*step > *unit) {
    return absl::InvalidArgumentError(
        base::StrCat("bucket label \"", label, "\" has a step longer than its unit; the longer one goes first"));
  }
  if (count < 1) return absl::InvalidArgumentError(base::StrCat("bucket count must be at least 1, is ", count));
  const int64_t per_unit = *unit / *step;
  if (count > kMaxBuckets / per_unit) {
    return absl::InvalidArgumentError(base::StrCat(count, " of \"", label, "\" makes more than ", kMaxBuckets,
                                                   " buckets; at most ", kMaxBuckets / per_unit, " fit"));
  }
  const int64_t last = StepStart(now, *step);
  std::vector<absl::Time> starts;
  starts.reserve(static_cast<size_t>(count * per_unit));
  for (int64_t back = count * per_unit - 1; back >= 0; --back) {
    starts.push_back(absl::FromUnixSeconds(last - back * *step));
  }
  return starts;
}

}  // namespace logquery
