// Converts a fragment's bindings for ClickHouse: `param_p1=…` in a request's URL.
#ifndef LOGQUERY_LIB_ENGINES_CLICKHOUSE_BACKEND_PARAMETERS_H_
#define LOGQUERY_LIB_ENGINES_CLICKHOUSE_BACKEND_PARAMETERS_H_

#include <string>

#include "absl/status/statusor.h"
#include "logquery/prepared_query.h"

namespace logquery::clickhouse {

// Returns "&param_p1=5&param_p2=%5CN", in the form that lib/engines/clickhouse/dialect expects. InvalidArgument: more than 256 KiB
// in total, or a value of more than 100 KiB, which exceed the limits of servers' URLs. Internal: a type that the
// dialect does not bind.
absl::StatusOr<std::string> ParametersInUrl(const Bindings& bindings);

}  // namespace logquery::clickhouse

#endif  // LOGQUERY_LIB_ENGINES_CLICKHOUSE_BACKEND_PARAMETERS_H_
