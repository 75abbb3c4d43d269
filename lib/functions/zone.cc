// Times in zones: DuckDB's timezone() takes microseconds for a row, and the later moment where clocks show a time twice.
#include "lib/base/status_macros.h"
#include "lib/functions/function.h"
#include "lib/functions/function_lists.h"
#include "lib/model/time_zone.h"

namespace logquery::functions {
namespace {

absl::Status ToZone(const Row& in, Output& out) {
  LOGQUERY_ASSIGN_OR_RETURN(const absl::TimeZone zone, model::FindTimeZone(in.Text(1)));
  return out.Int(model::LocalMicros(in.Int(0), zone));
}

absl::Status FromZone(const Row& in, Output& out) {
  LOGQUERY_ASSIGN_OR_RETURN(const absl::TimeZone zone, model::FindTimeZone(in.Text(1)));
  return out.Int(model::MomentOfLocal(in.Int(0), zone));
}

// Results may lie outside the years 0001 to 9999.
constexpr FunctionEntry kEntries[] = {
    {"lq_to_zone", "(TIMESTAMP, STRING) -> DATETIME", ToZone},
    {"lq_from_zone", "(DATETIME, STRING) -> TIMESTAMP", FromZone},
};

}  // namespace

FunctionEntries ZoneFunctions() { return kEntries; }

}  // namespace logquery::functions
