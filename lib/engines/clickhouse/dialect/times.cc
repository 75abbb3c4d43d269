// Arithmetic on microseconds. ClickHouse's own functions of times count in 32 bits, or know the years 1900 to 2299
// alone; this is right for all years from 1 on, which has the advantage that no operand is negative. Years and months
// have no such arithmetic that is short, so that they are found here.
#include <algorithm>
#include <string>
#include <string_view>

#include "lib/base/strings.h"
#include "lib/emit/table_powers.h"
#include "lib/engines/clickhouse/dialect/calls.h"
#include "lib/engines/clickhouse/dialect/texts.h"

namespace logquery::emit {
namespace {

using base::StrCat;
using rewrite::FunctionCall;
using Args = std::vector<std::string>;
using WhyNotText = std::optional<std::string>;

constexpr int64_t kSecond = 1'000'000;
constexpr int64_t kDay = 86'400 * kSecond;
// The time from 0001-01-01, a Monday, to 1970-01-01.
constexpr int64_t kDaysBefore1970 = 719'162;
constexpr int64_t kMicrosBefore1970 = kDaysBefore1970 * kDay;

// A literal of 32 bits would make an operation one of 32 bits.
std::string Wide(int64_t number) { return StrCat("toInt64(", number, ")"); }

std::string Micros(const std::string& time) { return StrCat("toUnixTimestamp64Micro(", time, ")"); }

// Returns the microseconds since the beginning of the year 1.
std::string MicrosFromYear1(const std::string& time) {
  return StrCat("(", Micros(time), " + ", Wide(kMicrosBefore1970), ")");
}

std::string Quotient(const std::string& number, int64_t divisor) {
  return divisor == 1 ? number : StrCat("intDiv(", number, ", ", Wide(divisor), ")");
}

// Other weeks may begin before the year 1.
bool IsWeekFromMonday(std::string_view part) { return part == "ISOWEEK" || part == "WEEK(MONDAY)"; }

WhyNotText NoTruncation(const FunctionCall& call) {
  if (!IsInUtc(call, 2)) return kOnlyUtc;
  const std::string_view part = PartArgument(call, 1);
  return MicrosOfPart(part) > 0 || IsWeekFromMonday(part)
             ? std::nullopt
             : WhyNotText("it truncates to parts up to DAY, and to weeks from Monday");
}

std::string Truncation(const FunctionCall& call, const Args& args) {
  const std::string_view part = PartArgument(call, 1);
  const int64_t unit = IsWeekFromMonday(part) ? 7 * kDay : MicrosOfPart(part);
  return StrCat("fromUnixTimestamp64Micro(", Quotient(MicrosFromYear1(args[0]), unit), " * ", Wide(unit), " - ",
                Wide(kMicrosBefore1970), ", 'UTC')");
}

// The part of its whole, both as a number of microseconds.
struct Share {
  std::string_view part;
  int64_t unit;
  int64_t whole;
};
constexpr Share kShares[] = {{"MICROSECOND", 1, kSecond},
                             {"MILLISECOND", 1'000, kSecond},
                             {"SECOND", kSecond, 60 * kSecond},
                             {"MINUTE", 60 * kSecond, 3'600 * kSecond},
                             {"HOUR", 3'600 * kSecond, kDay}};

const Share* ShareOf(std::string_view part) {
  const auto* const found =
      std::find_if(std::begin(kShares), std::end(kShares), [&](const Share& share) { return share.part == part; });
  return found == std::end(kShares) ? nullptr : found;
}

WhyNotText NoField(const FunctionCall& call) {
  if (!IsInUtc(call, 2)) return kOnlyUtc;
  const std::string_view part = PartArgument(call, 1);
  if (ShareOf(part) == nullptr && part != "DAYOFWEEK") return "it extracts parts up to HOUR and DAYOFWEEK";
  return std::nullopt;
}

std::string Field(const FunctionCall& call, const Args& args) {
  if (const Share* const share = ShareOf(PartArgument(call, 1))) {
    return Quotient(StrCat("(", MicrosFromYear1(args[0]), " % ", Wide(share->whole), ")"), share->unit);
  }
  // Sunday is 1, and the year 1 began on a Monday.
  return StrCat("((", Quotient(MicrosFromYear1(args[0]), kDay), " + 1) % ", Wide(7), " + 1)");
}

std::string DateOf(const FunctionCall&, const Args& args) { return ClickHouseDate(args[0]); }
// A DATETIME is there what a TIMESTAMP is.
std::string DatetimeOf(const FunctionCall&, const Args& args) { return args[0]; }

// The least number that is not below, also before 1970.
std::string UnixSeconds(const FunctionCall&, const Args& args) {
  return StrCat("(", Quotient(MicrosFromYear1(args[0]), kSecond), " - ", Wide(kMicrosBefore1970 / kSecond), ")");
}
std::string UnixMillis(const FunctionCall&, const Args& args) {
  return StrCat("(", Quotient(MicrosFromYear1(args[0]), 1'000), " - ", Wide(kMicrosBefore1970 / 1'000), ")");
}
std::string UnixMicros(const FunctionCall&, const Args& args) { return Micros(args[0]); }

WhyNotText NoDifference(const FunctionCall& call) {
  return MicrosOfPart(PartArgument(call, 2)) > 0 ? std::nullopt : WhyNotText("it counts parts from MICROSECOND to DAY");
}

std::string Difference(const FunctionCall& call, const Args& args) {
  return Quotient(StrCat("(", Micros(args[0]), " - ", Micros(args[1]), ")"), MicrosOfPart(PartArgument(call, 2)));
}

WhyNotText NoDays(const FunctionCall& call) {
  return PartArgument(call, 2) == "DAY" ? std::nullopt : WhyNotText("it counts days alone");
}

std::string Days(const FunctionCall&, const Args& args) {
  return StrCat("(toInt64(", args[0], ") - toInt64(", args[1], "))");
}

constexpr SpecialCall kCalls[] = {
    {"@truncate", NoTruncation, Truncation},
    {"@extract", NoField, Field},
    {"@date", NoZone, DateOf},
    {"@datetime", NoZone, DatetimeOf},
    {"@unix_seconds", nullptr, UnixSeconds},
    {"@unix_millis", nullptr, UnixMillis},
    {"@unix_micros", nullptr, UnixMicros},
    {"@time_difference", NoDifference, Difference},
    {"@date_difference", NoDays, Days},
};

}  // namespace

std::string ClickHouseDate(const std::string& time) {
  return StrCat("toInt32(", Quotient(MicrosFromYear1(time), kDay), " - ", Wide(kDaysBefore1970), ")");
}

absl::Span<const SpecialCall> ClickHouseTimeCalls() { return kCalls; }

}  // namespace logquery::emit
