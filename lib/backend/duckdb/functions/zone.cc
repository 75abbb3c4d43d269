// Time zones as a query writes them: a name that the engine knows, or an offset, "+02:00", "-3", "UTC+5:30", "UTC+0530".
//
// DuckDB's timezone() takes names alone and raises an error in its own words for others, so a zone goes through lq_zone_name,
// which is "UTC" for an offset, and what the offset is comes from lq_zone_minutes.
#include "absl/base/call_once.h"
#include "lib/backend/duckdb/functions/function.h"
#include "lib/backend/duckdb/small_query.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "lib/model/zone_offset.h"

namespace logquery::duckdb {
namespace {

constexpr size_t kLongestShown = 60;

// The same for all databases of the process. Nothing writes to it once the first one is open.
base::NameSet& Names() {
  static base::NameSet& names = *new base::NameSet;
  return names;
}

absl::Status ZoneName(const Row& in, Output& out) {
  const std::string_view zone = in.Text(0);
  if (model::OffsetMinutes(zone).has_value()) return out.TextAsItIs("UTC");
  if (Names().contains(zone)) return out.TextAsItIs(zone);
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

absl::Status LoadZoneNames(duckdb_connection connection) {
  static absl::once_flag once;
  static absl::Status& loaded = *new absl::Status;
  absl::call_once(once, [&] {
    const absl::StatusOr<TextRows> rows = Query(connection, "SELECT name FROM pg_timezone_names()");
    loaded = rows.status();
    if (!rows.ok()) return;
    for (const std::vector<std::string>& row : *rows) Names().insert(row[0]);
  });
  return loaded;
}

}  // namespace logquery::duckdb
