// Times in UTC. PostgreSQL's times may be infinite, for which some functions fail and others return no number; NULL is
// returned for these. Its session's time zone has no effect: the zone is always named.
#include <algorithm>
#include <string>
#include <string_view>

#include "lib/base/strings.h"
#include "lib/emit/table_powers.h"
#include "lib/engines/postgres/dialect/calls.h"
#include "lib/engines/postgres/dialect/texts.h"
#include "lib/rewrite/scalars.h"

namespace logquery::emit {
namespace {

using base::StrAppend;
using base::StrCat;
using rewrite::FunctionCall;
using Args = std::vector<std::string>;
using WhyNotText = std::optional<std::string>;

// PostgreSQL's name of a part that it truncates to, and numbers, like us; empty: it does not.
std::string_view TruncatedPart(std::string_view part) {
  constexpr std::pair<std::string_view, std::string_view> kParts[] = {{"MICROSECOND", "microseconds"},
                                                                      {"MILLISECOND", "milliseconds"},
                                                                      {"SECOND", "second"},
                                                                      {"MINUTE", "minute"},
                                                                      {"HOUR", "hour"},
                                                                      {"DAY", "day"},
                                                                      {"ISOWEEK", "week"},
                                                                      {"MONTH", "month"},
                                                                      {"QUARTER", "quarter"},
                                                                      {"YEAR", "year"}};
  for (const auto& [ours, theirs] : kParts) {
    if (ours == part) return theirs;
  }
  return "";
}

WhyNotText NoTruncation(const FunctionCall& call) {
  if (!IsInUtc(call, 2)) return kOnlyUtc;
  if (TruncatedPart(PartArgument(call, 1)).empty())
    return "it truncates to parts from MICROSECOND to YEAR, but for WEEK and ISOYEAR";
  return std::nullopt;
}

std::string Truncation(const FunctionCall& call, const Args& args) {
  const std::string part = StrCat("'", TruncatedPart(PartArgument(call, 1)), "'");
  const Type& type = call.arguments[0]->type;
  if (type.is(TypeKind::kTimestamp)) return StrCat("date_trunc(", part, ", ", args[0], ", 'UTC')");
  const std::string cut = StrCat("date_trunc(", part, ", ", PostgresLocal(type, args[0]), ")");
  return type.is(TypeKind::kDate) ? StrCat("(", cut, "::date)") : cut;
}

// EXTRACT of a field, of a type without a range.
std::string FieldOf(std::string_view field, const std::string& local) {
  return StrCat("extract(", field, " FROM ", local, ")");
}

std::string Whole(const std::string& number) { return StrCat("(", number, "::int8)"); }

// Infinite for an infinite time.
std::string Finite(const std::string& number) {
  return StrCat("nullif(nullif(", number, ", 'Infinity'), '-Infinity')");
}

std::string Extracted(std::string_view part, const std::string& local) {
  constexpr std::pair<std::string_view, std::string_view> kFields[] = {
      {"MINUTE", "minute"}, {"HOUR", "hour"},       {"DAY", "day"},     {"DAYOFYEAR", "doy"},
      {"MONTH", "month"},   {"QUARTER", "quarter"}, {"ISOWEEK", "week"}};
  for (const auto& [ours, theirs] : kFields) {
    if (part == ours) return Whole(FieldOf(theirs, local));
  }
  // PostgreSQL's microseconds are those of the minute.
  if (part == "MICROSECOND") return StrCat("mod(", Whole(FieldOf("microseconds", local)), ", 1000000)");
  if (part == "MILLISECOND") return StrCat("mod(", Whole(FieldOf("microseconds", local)), " / 1000, 1000)");
  if (part == "SECOND") return Whole(StrCat("floor(", FieldOf("second", local), ")"));
  if (part == "DAYOFWEEK") return StrCat("(", Whole(FieldOf("dow", local)), " + 1)");
  if (part == "YEAR") return Whole(Finite(FieldOf("year", local)));
  if (part == "ISOYEAR") return Whole(Finite(FieldOf("isoyear", local)));
  return "";
}

WhyNotText NoField(const FunctionCall& call) {
  if (!IsInUtc(call, 2)) return kOnlyUtc;
  return Extracted(PartArgument(call, 1), "").empty() ? WhyNotText("it has no such part") : std::nullopt;
}

std::string Field(const FunctionCall& call, const Args& args) {
  return Extracted(PartArgument(call, 1), PostgresLocal(call.arguments[0]->type, args[0]));
}

std::string DateOf(const FunctionCall& call, const Args& args) {
  const Type& type = call.arguments[0]->type;
  return type.is(TypeKind::kDate) ? args[0] : StrCat("(", PostgresLocal(type, args[0]), "::date)");
}

std::string DatetimeOf(const FunctionCall& call, const Args& args) {
  return PostgresLocal(call.arguments[0]->type, args[0]);
}

// Seconds since 1970 as a numeric or a double, which are whole: both are exact.
std::string WholeSeconds(const std::string& time) {
  return Whole(Finite(StrCat("floor(", FieldOf("epoch", StrCat("date_trunc('second', ", time, ")")), ")")));
}

std::string MicrosOfSecond(const std::string& time) {
  return StrCat("mod(", Whole(FieldOf("microseconds", time)), ", 1000000)");
}

std::string Micros(const std::string& time) {
  return StrCat("(", WholeSeconds(time), " * 1000000 + ", MicrosOfSecond(time), ")");
}

std::string UnixSeconds(const FunctionCall&, const Args& args) { return WholeSeconds(args[0]); }
std::string UnixMillis(const FunctionCall&, const Args& args) {
  return StrCat("(", WholeSeconds(args[0]), " * 1000 + ", MicrosOfSecond(args[0]), " / 1000)");
}
std::string UnixMicros(const FunctionCall&, const Args& args) { return Micros(args[0]); }

// Differences of times count the parts between them, and differences of dates count midnights.
WhyNotText NoDifference(const FunctionCall& call) {
  if (MicrosOfPart(PartArgument(call, 2)) == 0) return "it counts parts from MICROSECOND to DAY";
  return NotPlain(call);
}

// The whole range of differences fits into no int8.
std::string Difference(const FunctionCall& call, const Args& args) {
  return Whole(
      StrCat("div(", Micros(args[0]), "::numeric - ", Micros(args[1]), ", ", MicrosOfPart(PartArgument(call, 2)), ")"));
}

WhyNotText NoDays(const FunctionCall& call) {
  if (PartArgument(call, 2) != "DAY") return "it counts days alone";
  return NotPlain(call);
}

std::string Days(const FunctionCall&, const Args& args) {
  return StrCat("(CASE WHEN isfinite(", args[0], ") AND isfinite(", args[1], ") THEN (", args[0], " - ", args[1],
                ")::int8 END)");
}

// to_char's template of a format; empty: it has none of equal meaning.
std::string Template(std::string_view format) {
  constexpr std::pair<char, std::string_view> kElements[] = {
      {'Y', "YYYY"}, {'m', "MM"},         {'d', "DD"},         {'H', "HH24"},    {'M', "MI"},
      {'S', "SS"},   {'T', "HH24:MI:SS"}, {'F', "YYYY-MM-DD"}, {'R', "HH24:MI"}, {'D', "MM/DD/YY"},
      {'y', "YY"},   {'j', "DDD"},        {'a', "Dy"},         {'p', "AM"},      {'I', "HH12"},
      {'u', "ID"},   {'V', "IW"},         {'G', "IYYY"},       {'b', "Mon"},     {'B', "FMMonth"}};
  std::string text;
  std::string literal;
  const auto end_literal = [&] {
    if (!literal.empty()) StrAppend(&text, "\"", literal, "\"");
    literal.clear();
  };
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] == '"' || format[i] == '\\') return "";
    if (format[i] != '%') {
      literal += format[i];
      continue;
    }
    if (++i == format.size()) return "";
    if (format[i] == '%') {
      literal += '%';
      continue;
    }
    const auto* const found = std::find_if(std::begin(kElements), std::end(kElements),
                                           [&](const auto& element) { return element.first == format[i]; });
    if (found == std::end(kElements)) return "";
    end_literal();
    text += found->second;
  }
  end_literal();
  return text;
}

WhyNotText NoFormat(const FunctionCall& call) {
  if (!IsInUtc(call, 2)) return kOnlyUtc;
  const Value* const format = rewrite::ConstantArgument(call, 0);
  if (format != nullptr && IsPostgresText(format->string_value()) && !Template(format->string_value()).empty()) {
    return std::nullopt;
  }
  return "it is given formats that are constants of some elements alone";
}

std::string Formatted(const FunctionCall& call, const Args& args) {
  return PostgresOrdered(Type::String(),
                         StrCat("to_char(", PostgresLocal(call.arguments[1]->type, args[1]), ", ",
                                PostgresQuoted(Template(rewrite::ConstantArgument(call, 0)->string_value())), ")"));
}

constexpr SpecialCall kCalls[] = {
    {"@truncate", NoTruncation, Truncation},
    {"@extract", NoField, Field},
    {"@date", NoZone, DateOf},
    {"@datetime", NoZone, DatetimeOf},
    {"@unix_seconds", nullptr, UnixSeconds},
    {"@unix_millis", NotPlain, UnixMillis},
    {"@unix_micros", NotPlain, UnixMicros},
    {"@time_difference", NoDifference, Difference},
    {"@date_difference", NoDays, Days},
    {"@format", NoFormat, Formatted},
};

}  // namespace

absl::Span<const SpecialCall> PostgresTimeCalls() { return kCalls; }

}  // namespace logquery::emit
