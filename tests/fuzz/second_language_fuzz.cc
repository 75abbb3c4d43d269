// Any text as a caller's ClickHouse SQL either becomes a plan that verifies and that the engine's dialect can be written for,
// or is an error of the caller's with a message.
//
//     fuzz_second_language tests/fuzz/corpus/second_language          of the preset fuzz
#include <cstddef>
#include <cstdint>
#include <utility>

#include "lib/rewrite/passes/pass.h"
#include "tests/fuzz/caller_sql.h"

namespace logquery::fuzz {
namespace {

struct Otel {
  Otel() {
    for (Endpoint& endpoint : Endpoint::BuiltIn()) {
      if (endpoint.name == "logs.all.otel") definition = std::move(endpoint);
    }
    query = std::move(*endpoint::ParseInItsLanguage(definition));
    for (const Parameter& parameter : definition.parameters) {
      values.emplace(parameter.name, Value::Null(parameter.type));
    }
    values.insert_or_assign("project", Value::String("abc"));
    values.emplace(rewrite::kNowParameter, Value::TimestampMicros(1'772'600'767'000'000));
  }

  Endpoint definition;
  endpoint::ParsedDefinition query;
  rewrite::ParameterValues values;
  Catalog catalog = Catalog::DeclaredLogs();
};

bool IsOfTheCaller(const absl::Status& status) {
  return absl::IsInvalidArgument(status) || absl::IsUnimplemented(status) || absl::IsOutOfRange(status) ||
         absl::IsResourceExhausted(status);
}

void CheckQuery(std::string_view sql) {
  static const Otel& otel = *new Otel;
  const auto resolved = endpoint::ResolveCallerSql(sql, otel.definition, otel.query, otel.catalog);
  if (!resolved.ok()) {
    Require(IsOfTheCaller(resolved.status()), resolved.status().ToString());
    return;
  }
  const absl::Status verified = rewrite::VerifyPlan((*resolved)->plan);
  Require(verified.ok(), verified.ToString());
  const auto planned = endpoint::QueryPlanner(Dialect::kDuckDb, nullptr).Plan(**resolved, otel.values);
  Require(planned.ok() || IsOfTheCaller(planned.status()), planned.status().ToString());
}

}  // namespace
}  // namespace logquery::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  logquery::fuzz::CheckQuery({reinterpret_cast<const char*>(data), size});
  return 0;
}
