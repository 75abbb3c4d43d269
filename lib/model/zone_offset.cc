// Parses an offset from left to right: a sign, one or two digits of hours, and two of minutes.
#include "lib/model/zone_offset.h"

#include "lib/base/strings.h"

namespace logquery::model {
namespace {

bool IsDigit(char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); }

// Takes up to two digits off the front; absent: there are none.
std::optional<int64_t> TakeNumber(std::string_view& text, size_t digits) {
  int64_t number = 0;
  size_t taken = 0;
  for (; taken < digits && taken < text.size() && IsDigit(text[taken]); ++taken)
    number = number * 10 + (text[taken] - '0');
  if (taken == 0) return std::nullopt;
  text.remove_prefix(taken);
  return number;
}

}  // namespace

std::optional<int64_t> OffsetMinutes(std::string_view zone) {
  if (zone.size() > 3 && base::EqualsIgnoreCase(zone.substr(0, 3), "UTC")) zone.remove_prefix(3);
  if (zone.size() < 2 || (zone[0] != '+' && zone[0] != '-')) return std::nullopt;
  const int64_t sign = zone[0] == '-' ? -1 : 1;
  zone.remove_prefix(1);
  const std::optional<int64_t> hours = TakeNumber(zone, zone.size() == 3 && zone.find(':') == zone.npos ? 1 : 2);
  if (!hours.has_value()) return std::nullopt;
  if (!zone.empty() && zone[0] == ':') zone.remove_prefix(1);
  const std::optional<int64_t> minutes = zone.empty() ? 0 : TakeNumber(zone, 2);
  if (!minutes.has_value() || !zone.empty() || *hours > 14 || *minutes > 59) return std::nullopt;
  return sign * (*hours * 60 + *minutes);
}

}  // namespace logquery::model
