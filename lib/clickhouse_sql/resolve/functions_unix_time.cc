// Times as counts of seconds, milliseconds or microseconds since 1970.
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/resolve/resolver_impl.h"

namespace logquery::clickhouse_sql {
namespace {

using base::StrCat;

template <const char* const& kFunction>
absl::StatusOr<Ex> UnixTime(CallArgs& call) {
  const bool nullable = call[0].type.nullable;
  const bool seconds = std::string_view(kFunction) == "UNIX_SECONDS";
  if (seconds && LiteralText(call[0])) {
    LOGQUERY_ASSIGN_OR_RETURN(call[0], call.resolver.CastValue(std::move(call[0]), DateTime(), call.SpanOf(0)));
  }
  if (!seconds && call[0].type.IsTime() && !call[0].type.Is(ChKind::kDateTime64))
    return call.resolver.Error(call.SpanOf(0),
                               StrCat(call.call.text, " wants a DateTime64, not ", call[0].type.ToString()));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr time, TimeAt(call, 0));
  return Ex{Call(kFunction, Type::Int64(), std::move(time)),
            (seconds ? Int(32, false) : Int(64, true)).Nullable(nullable)};
}

struct UnixUnit {
  const char* function;
  int precision;  // -1: DateTime
};

template <const UnixUnit& kUnit>
absl::StatusOr<Ex> FromUnixTime(CallArgs& call) {
  const bool nullable = call.AnyNullable();
  LOGQUERY_ASSIGN_OR_RETURN(const std::string zone, ZoneAt(call, 1, ""));
  LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr value, call.resolver.ToInt(std::move(call[0]), call.SpanOf(0)));
  const ChType type = kUnit.precision < 0 ? DateTime(zone) : DateTime64(kUnit.precision, zone);
  return Ex{Call(kUnit.function, Type::Timestamp(), std::move(value)), type.Nullable(nullable)};
}

constexpr const char* kUnixSeconds = "UNIX_SECONDS";
constexpr const char* kUnixMillis = "UNIX_MILLIS";
constexpr const char* kUnixMicros = "UNIX_MICROS";
constexpr UnixUnit kFromSeconds = {"TIMESTAMP_SECONDS", -1}, kFromMillis = {"TIMESTAMP_MILLIS", 3},
                   kFromMicros = {"TIMESTAMP_MICROS", 6};

}  // namespace

void AddUnixTimeFunctions(FunctionMap& functions) {
  functions["toUnixTimestamp"] = {1, 2, UnixTime<kUnixSeconds>};
  functions["toUnixTimestamp64Second"] = {1, 1, UnixTime<kUnixSeconds>};
  functions["toUnixTimestamp64Milli"] = {1, 1, UnixTime<kUnixMillis>};
  functions["toUnixTimestamp64Micro"] = {1, 1, UnixTime<kUnixMicros>};
  functions["fromUnixTimestamp"] = {1, 2, FromUnixTime<kFromSeconds>};
  functions["fromUnixTimestamp64Milli"] = {1, 2, FromUnixTime<kFromMillis>};
  functions["fromUnixTimestamp64Micro"] = {1, 2, FromUnixTime<kFromMicros>};
}

}  // namespace logquery::clickhouse_sql
