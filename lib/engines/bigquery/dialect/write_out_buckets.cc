// Writes Logflare's routine generate_timestamp_trunc_array(count, label) as GoogleSQL:
//
//     CASE WHEN count < 1 THEN ERROR("…")
//          WHEN label = "day_hour" THEN GENERATE_TIMESTAMP_ARRAY(
//            TIMESTAMP_SUB(TIMESTAMP_TRUNC(@now, HOUR), INTERVAL count * 24 - 1 HOUR), TIMESTAMP_TRUNC(@now, HOUR),
//            INTERVAL 1 HOUR)
//          … ELSE ERROR("…") END
//
// If the label is a literal, only its branch is written. logquery/interval_bucketer.h defines the labels.
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/bigquery/dialect/passes.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/resolve/resolver.h"
#include "lib/rewrite/scalars.h"

namespace logquery::emit {
namespace {

using base::StrCat;
using rewrite::MakeTypedCall;
using rewrite::ScalarPtr;

struct Unit {
  const char* name;
  int64_t seconds;
};
constexpr std::array<Unit, 4> kUnits = {{{"day", 86'400}, {"hour", 3'600}, {"minute", 60}, {"second", 1}}};

const Type& Buckets() {
  static const Type& type = *new Type(Type::Array(Type::Timestamp()));
  return type;
}

ScalarPtr Number(int64_t number) { return std::make_unique<rewrite::Constant>(Value::Int64(number)); }
ScalarPtr Text(std::string text) { return std::make_unique<rewrite::Constant>(Value::String(std::move(text))); }

ScalarPtr Call(const char* name, const Type& type, ScalarPtr a, ScalarPtr b) {
  std::vector<ScalarPtr> arguments;
  arguments.push_back(std::move(a));
  arguments.push_back(std::move(b));
  return MakeTypedCall(name, type, std::move(arguments));
}

ScalarPtr Error(std::string message) {
  std::vector<ScalarPtr> arguments;
  arguments.push_back(Text(std::move(message)));
  return MakeTypedCall("ERROR", Buckets(), std::move(arguments));
}

ScalarPtr Steps(ScalarPtr count, const Unit& step) {
  return Call("$interval", Type::Interval(), std::move(count), Text(base::ToUpper(step.name)));
}

ScalarPtr Generated(const rewrite::Scalar& count, const Unit& unit, const Unit& step) {
  const auto last = [&] {
    return Call("TIMESTAMP_TRUNC", Type::Timestamp(),
                std::make_unique<rewrite::ParameterRef>(rewrite::kNowParameter, Type::Timestamp()),
                Text(base::ToUpper(step.name)));
  };
  ScalarPtr all = Call("$multiply", Type::Int64(), rewrite::Clone(count), Number(unit.seconds / step.seconds));
  ScalarPtr before = Call("$subtract", Type::Int64(), std::move(all), Number(1));
  std::vector<ScalarPtr> arguments;
  arguments.push_back(Call("TIMESTAMP_SUB", Type::Timestamp(), last(), Steps(std::move(before), step)));
  arguments.push_back(last());
  arguments.push_back(Steps(Number(1), step));
  return MakeTypedCall("GENERATE_TIMESTAMP_ARRAY", Buckets(), std::move(arguments));
}

absl::Status WriteOut(ScalarPtr& scalar) {
  if (!rewrite::IsCallOf(*scalar, "GENERATE_TIMESTAMP_TRUNC_ARRAY")) return absl::OkStatus();
  auto& call = rewrite::As<rewrite::FunctionCall>(*scalar);
  const ScalarPtr count = std::move(call.arguments[0]), label = std::move(call.arguments[1]);
  const auto* known = rewrite::If<rewrite::Constant>(label.get());
  auto branches = std::make_unique<rewrite::Case>(Buckets());
  branches->whens.push_back(
      {Call("$less", Type::Bool(), rewrite::Clone(*count), Number(1)), Error("the bucket count must be at least 1")});
  for (const Unit& unit : kUnits) {
    for (const Unit& step : kUnits) {
      const std::string name = StrCat(unit.name, "_", step.name);
      if (step.seconds > unit.seconds) continue;
      if (known != nullptr && (known->value.is_null() || known->value.string_value() != name)) continue;
      branches->whens.push_back(
          {Call("$equal", Type::Bool(), rewrite::Clone(*label), Text(name)), Generated(*count, unit, step)});
    }
  }
  branches->otherwise = Error(
      "the bucket label is UNIT_STEP, each one of second, minute, hour, day, the "
      "longer one "
      "first");
  scalar = std::move(branches);
  return absl::OkStatus();
}

}  // namespace

absl::Status WriteOutBuckets(const rewrite::PassContext&, rewrite::QueryPlan& query) {
  for (rewrite::DerivedParameter& derived : query.derived) {
    LOGQUERY_RETURN_IF_ERROR(rewrite::RewriteScalar(derived.value, WriteOut));
  }
  return rewrite::RewriteScalars(query.root, WriteOut);
}

}  // namespace logquery::emit
