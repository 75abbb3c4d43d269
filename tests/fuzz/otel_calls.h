// The way of a text from the `sql` of logs.all.otel to the engine's text, for tests and fuzz targets of callers' ClickHouse SQL.
#ifndef LOGQUERY_TESTS_FUZZ_OTEL_CALLS_H_
#define LOGQUERY_TESTS_FUZZ_OTEL_CALLS_H_

#include <string_view>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/endpoint/call/query_planner.h"
#include "lib/rewrite/passes/pass.h"
#include "logquery/catalog.h"
#include "logquery/endpoint.h"

namespace logquery::fuzz {

class OtelCalls {
 public:
  OtelCalls() {
    for (Endpoint& endpoint : Endpoint::BuiltIn()) {
      if (endpoint.name == "logs.all.otel") definition_ = std::move(endpoint);
    }
    query_ = std::move(*endpoint::ParseInItsLanguage(definition_));
    for (const Parameter& parameter : definition_.parameters) {
      values_.emplace(parameter.name, Value::Null(parameter.type));
    }
    values_.insert_or_assign("project", Value::String("abc"));
    values_.emplace(rewrite::kNowParameter, Value::TimestampMicros(1'772'600'767'000'000));
  }

  // Plans the text for the embedded engine. Internal: the resolved plan does not verify.
  absl::Status Plan(std::string_view sql) const {
    LOGQUERY_ASSIGN_OR_RETURN(const auto resolved, endpoint::ResolveCallerSql(sql, definition_, query_, catalog_));
    LOGQUERY_RETURN_IF_ERROR(rewrite::VerifyPlan(resolved->plan));
    return endpoint::QueryPlanner(Dialect::kDuckDb, nullptr).Plan(*resolved, values_).status();
  }

 private:
  Endpoint definition_;
  endpoint::ParsedDefinition query_;
  rewrite::ParameterValues values_;
  Catalog catalog_ = Catalog::DeclaredLogs();
};

// Returns whether the caller's text is at fault.
inline bool IsOfTheCaller(const absl::Status& status) {
  return absl::IsInvalidArgument(status) || absl::IsUnimplemented(status) || absl::IsOutOfRange(status) ||
         absl::IsResourceExhausted(status);
}

}  // namespace logquery::fuzz

#endif  // LOGQUERY_TESTS_FUZZ_OTEL_CALLS_H_
