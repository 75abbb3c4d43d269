// Reads the time in each unit: no number is a time of these years in two of them, and text is the same time in all.
#include "lib/store/rows/timestamp_unit_hint.h"

#include <cmath>
#include <string_view>

#include "lib/base/strings.h"

namespace logquery::store {
namespace {

struct Unit {
  TimestampUnit unit;
  std::string_view name;
  int64_t nanoseconds;
};

constexpr Unit kUnits[] = {{TimestampUnit::kSeconds, "s", 1'000'000'000},
                           {TimestampUnit::kMilliseconds, "ms", 1'000'000},
                           {TimestampUnit::kMicroseconds, "us", 1'000},
                           {TimestampUnit::kNanoseconds, "ns", 1}};

// The average length of a year of the Gregorian calendar.
constexpr double kSecondsOfYear = 31'556'952;

}  // namespace

std::string TimestampUnitHint(const JsonScalar& time, TimestampUnit unit, Arena& arena) {
  const Unit* given = nullptr;
  for (const Unit& one : kUnits) {
    if (one.unit == unit) given = &one;
  }
  if (given == nullptr) return "";
  for (const Unit& right : kUnits) {
    ScalarValue value;
    if (right.unit == unit || !CastScalar(time, TypeKind::kTimestamp, right.unit, arena, &value)) continue;
    if (value.integer < kFirstRowTime || value.integer >= kEndOfRowTimes) continue;
    const int64_t number = value.integer * 1'000 / right.nanoseconds;
    const double seconds = static_cast<double>(number) * 1e-9 * static_cast<double>(given->nanoseconds);
    const auto year = static_cast<int64_t>(std::floor(1970 + seconds / kSecondsOfYear));
    return base::StrCat(": ", number, " read as ", given->name, " is the year ", year, kTimestampUnitAdvice, right.name,
                        " would be right");
  }
  return "";
}

std::string KindOfTime(std::string_view hint) {
  const size_t advice = hint.find(kTimestampUnitAdvice);
  return base::StrCat(kNotInRowTimes, advice == hint.npos ? std::string_view() : hint.substr(advice));
}

}  // namespace logquery::store
