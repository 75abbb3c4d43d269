// A fragment's bindings as ClickHouse takes them: `param_p1=…` in a request's URL.
#ifndef LOGQUERY_LIB_BACKEND_CLICKHOUSE_PARAMETERS_H_
#define LOGQUERY_LIB_BACKEND_CLICKHOUSE_PARAMETERS_H_

#include <string>

#include "absl/status/statusor.h"
#include "logquery/prepared_query.h"

namespace logquery::clickhouse {

// "&param_p1=5&param_p2=%5CN", by the spelling of lib/emit/clickhouse's dialect. InvalidArgument: more than 256 KiB, or a value
// of more than 100 KiB, which servers' URLs do not hold. Internal: a type that the dialect does not bind.
absl::StatusOr<std::string> ParametersInUrl(const Bindings& bindings);

}  // namespace logquery::clickhouse

#endif  // LOGQUERY_LIB_BACKEND_CLICKHOUSE_PARAMETERS_H_
