// Checks GoogleSQL's calendar range of 0001-01-01 to 9999-12-31, which results of DuckDB's calendar may exceed.
#include "lib/base/strings.h"
#include "lib/functions/function.h"
#include "lib/functions/function_lists.h"
#include "lib/model/calendar_range.h"
#include "lib/model/interval_text.h"

namespace logquery::functions {
namespace {

absl::Status OutOfRange(std::string_view what) {
  return absl::InvalidArgumentError(
      base::StrCat("a ", what, " is out of range: it has to be in the years from 0001 to 9999"));
}

absl::Status DateInRange(const Row& in, Output& out) {
  const int32_t days = in.Days(0);
  if (!model::IsDayInRange(days)) return OutOfRange("DATE");
  return out.Days(days);
}

absl::Status TimestampInRange(const Row& in, Output& out) {
  const int64_t micros = in.Int(0);
  if (!model::IsTimeInRange(micros)) return OutOfRange("TIMESTAMP or DATETIME");
  return out.Int(micros);
}

absl::Status IntervalInRange(const Row& in, Output& out) {
  const logquery::Interval interval = in.IntervalAt(0);
  if (!model::IsInRange(interval)) {
    return absl::InvalidArgumentError("an INTERVAL is out of range: it has to lie within 10000 years");
  }
  return out.Interval(interval);
}

constexpr FunctionEntry kEntries[] = {
    {"lq_date_in_range", "(DATE) -> DATE", DateInRange},
    {"lq_interval_in_range", "(INTERVAL) -> INTERVAL", IntervalInRange},
    {"lq_timestamp_in_range", "(TIMESTAMP) -> TIMESTAMP", TimestampInRange},
};

}  // namespace

FunctionEntries TimeRangeFunctions() { return kEntries; }

}  // namespace logquery::functions
