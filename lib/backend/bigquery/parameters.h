// A fragment's bindings as jobs.query takes them: typed parameters with the names p1, p2 ….
#ifndef LOGQUERY_LIB_BACKEND_BIGQUERY_PARAMETERS_H_
#define LOGQUERY_LIB_BACKEND_BIGQUERY_PARAMETERS_H_

#include "absl/status/statusor.h"
#include "logquery/prepared_query.h"
#include "nlohmann/json_fwd.hpp"

namespace logquery::bigquery {

// [{"name": "p1", "parameterType": {"type": "INT64"}, "parameterValue": {"value": "5"}}, …]. A NULL has no "value".
// InvalidArgument: a text that is not UTF-8, which JSON does not carry, or more than 8 MiB in all. Internal: a type that the dialect
// does not bind.
absl::StatusOr<nlohmann::ordered_json> QueryParameters(const Bindings& bindings);

}  // namespace logquery::bigquery

#endif  // LOGQUERY_LIB_BACKEND_BIGQUERY_PARAMETERS_H_
