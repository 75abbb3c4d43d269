// PARSE_TIMESTAMP and similar functions, implemented by our own functions; and plain casts that also exist as
// functions.
#include "lib/engines/duckdb/dialect/casts.h"
#include "lib/engines/duckdb/dialect/function_texts.h"
#include "lib/functions/cast_format.h"
#include "lib/rewrite/plan_walk.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using rewrite::FunctionCall;

// Returns whether the format is known, and no element of it names a zone or counts from 1970.
bool NamesNoZone(const FunctionCall& call) {
  const std::optional<std::string> format = ConstantString(call, 0);
  if (!format) return false;
  for (size_t offset = 0; offset < format->size();) {
    const std::string_view element = NextFormatElement(*format, offset);
    if (element[0] == '%' && std::string_view("zZs").find(element.back()) != std::string_view::npos) return false;
    offset += element.size();
  }
  return true;
}

StatusOr<Sql> ParseTime(const FunctionCall& call, const Texts& args) {
  const Sql clock = Cat("lq_parse_clock(", args[0], ", ", args[1], ", ", functions::FormatKindsOf(call.type), ")");
  if (call.type.is(TypeKind::kDate)) return Cat("CAST(", clock, " AS DATE)");
  if (call.type.is(TypeKind::kTime)) return Cat("CAST(", clock, " AS TIME)");
  if (call.type.is(TypeKind::kDatetime)) return clock;
  if (NamesNoZone(call)) return FromLocal(call, args, 2, clock);
  const Sql zone = args.size() > 2 ? args[2] : Quote("UTC");
  return Once({args[0], args[1]}, [&](const Texts& a) {
    return FromZone(Cat("lq_parse_zone(", a[0], ", ", a[1], ", ", zone, ")"),
                    Cat("lq_parse_clock(", a[0], ", ", a[1], ", ", functions::FormatKindsOf(call.type), ")"));
  });
}

// The zone in argument 1 of a function that is also a cast.
StatusOr<Sql> Convert(const FunctionCall& call, const Texts& args) {
  std::vector<rewrite::ScalarPtr> zone_argument;
  if (args.size() > 1) zone_argument.push_back(rewrite::Clone(*call.arguments[1]));
  const FunctionCall zone_call(nullptr, Type::Timestamp(), std::move(zone_argument));
  CastZone zone;
  if (args.size() > 1) zone = {&zone_call, {args[1]}};
  return DuckDbConvert(call.arguments[0]->type, call.type, args[0], zone);
}

constexpr DuckDbFunctionEntry kEntries[] = {
    {"parse_time", ParseTime},
    {"string_to_timestamp", Convert},
    {"timestamp_to_string", Convert},
    {"time_to_string", Convert},
};

}  // namespace

StatusOr<Sql> StringOf(const Type& type, const Sql& value) { return DuckDbConvert(type, Type::String(), value); }

DuckDbFunctionList DuckDbTimeParseFunctions() { return kEntries; }

}  // namespace logquery::emit
