// Parses time zones in queries: a name that the engine knows, or an offset, "+02:00", "-3", "UTC+5:30", "UTC+0530".
//
// DuckDB's timezone() accepts only names, and reports others in its own words. Therefore a zone goes through
// lq_zone_name, which returns "UTC" for an offset; lq_zone_minutes returns the offset.
#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "lib/functions/function.h"
#include "lib/functions/function_lists.h"
#include "lib/model/time_text.h"
#include "lib/model/zone_offset.h"

namespace logquery::functions {
namespace {

constexpr size_t kLongestShown = 60;

// nullptr: no engine has given its names. Names are set once, and never changed or freed.
std::atomic<const base::NameSet*> zone_names = nullptr;

bool IsZoneName(std::string_view zone) {
  const base::NameSet* const names = zone_names.load(std::memory_order_acquire);
  return names == nullptr ? model::FindTimeZone(zone).ok() : names->contains(zone);
}

absl::Status ZoneName(const Row& in, Output& out) {
  const std::string_view zone = in.Text(0);
  if (model::OffsetMinutes(zone).has_value()) return out.TextAsItIs("UTC");
  if (IsZoneName(zone)) return out.TextAsItIs(zone);
  std::string shown;
  base::AppendValidUtf8(zone.substr(0, kLongestShown), shown);
  return absl::InvalidArgumentError(base::StrCat("there is no time zone '", shown,
                                                 "'; write a name such as Europe/Paris, or an offset such as +02:00"));
}

absl::Status ZoneMinutes(const Row& in, Output& out) { return out.Int(model::OffsetMinutes(in.Text(0)).value_or(0)); }

constexpr FunctionEntry kEntries[] = {
    {"lq_zone_name", "(STRING) -> STRING", ZoneName},
    {"lq_zone_minutes", "(STRING) -> INT64", ZoneMinutes},
};

}  // namespace

FunctionEntries ZoneFunctions() { return kEntries; }

void SetZoneNames(const std::vector<std::string>& names) {
  auto made = std::make_unique<base::NameSet>();
  for (const std::string& name : names) made->insert(name);
  const base::NameSet* none = nullptr;
  if (zone_names.compare_exchange_strong(none, made.get(), std::memory_order_acq_rel)) made.release();
}

}  // namespace logquery::functions
