// Zones are Abseil's; a name is checked before it becomes a file's name.
#include "lib/model/time_zone.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/time/civil_time.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "lib/model/zone_offset.h"

namespace logquery::model {
namespace {

constexpr int64_t kMicrosPerSecond = 1'000'000;
constexpr size_t kLongestName = 60;

bool IsNameByte(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '/' || c == '_' || c == '-' || c == '+';
}

// Accepts only names of the zone database: no path, and not the machine's own zone.
bool LoadNamed(std::string_view name, absl::TimeZone& zone) {
  return !name.empty() && name.size() <= kLongestName && std::all_of(name.begin(), name.end(), IsNameByte) &&
         name[0] != '/' && name != "localtime" && absl::LoadTimeZone(base::ToAbsl(name), &zone);
}

// "america/new_york" becomes America/New_York.
std::string WithCapitals(std::string_view name) {
  std::string made;
  for (size_t i = 0; i < name.size(); ++i) {
    const auto c = static_cast<unsigned char>(name[i]);
    const bool is_first = i == 0 || !absl::ascii_isalpha(static_cast<unsigned char>(name[i - 1]));
    made += static_cast<char>(is_first ? absl::ascii_toupper(c) : absl::ascii_tolower(c));
  }
  return made;
}

absl::Status NoZone(std::string_view name) {
  std::string shown;
  base::AppendValidUtf8(name.substr(0, kLongestName), shown);
  absl::TimeZone zone;
  for (const std::string& meant : {WithCapitals(name), base::ToUpper(name)}) {
    if (!LoadNamed(meant, zone)) continue;
    return absl::InvalidArgumentError(base::StrCat("there is no time zone '", shown, "'; it is written ", meant));
  }
  return absl::InvalidArgumentError(base::StrCat("there is no time zone '", shown,
                                                 "'; write a name such as Europe/Paris, or an offset such as +02:00"));
}

}  // namespace

absl::StatusOr<absl::TimeZone> FindTimeZone(std::string_view name) {
  if (name == "Z" || name == "z" || name == "UTC") return absl::UTCTimeZone();
  thread_local std::pair<std::string, absl::TimeZone> latest;
  // Until a zone was found, the latest one has no name.
  if (!name.empty() && latest.first == name) return latest.second;
  absl::TimeZone zone;
  if (const std::optional<int64_t> minutes = OffsetMinutes(name)) {
    zone = absl::FixedTimeZone(static_cast<int>(*minutes) * 60);
  } else if (!LoadNamed(name, zone)) {
    return NoZone(name);
  }
  latest = {std::string(name), zone};
  return zone;
}

int64_t LocalMicros(int64_t moment, const absl::TimeZone& zone) {
  return moment + zone.At(absl::FromUnixMicros(moment)).offset * kMicrosPerSecond;
}

int64_t MomentOfLocal(int64_t local, const absl::TimeZone& zone) {
  const absl::Time utc = absl::FromUnixMicros(local);
  const absl::CivilSecond clock = absl::ToCivilSecond(utc, absl::UTCTimeZone());
  const int64_t fraction = ((local % kMicrosPerSecond) + kMicrosPerSecond) % kMicrosPerSecond;
  return absl::ToUnixMicros(zone.At(clock).pre) + fraction;
}

}  // namespace logquery::model
