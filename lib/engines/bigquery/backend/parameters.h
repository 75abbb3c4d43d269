// Converts a fragment's bindings for jobs.query: typed parameters with the names p1, p2 ….
#ifndef LOGQUERY_LIB_ENGINES_BIGQUERY_BACKEND_PARAMETERS_H_
#define LOGQUERY_LIB_ENGINES_BIGQUERY_BACKEND_PARAMETERS_H_

#include "absl/status/statusor.h"
#include "lib/base/json/value.h"
#include "logquery/prepared_query.h"

namespace logquery::bigquery {

// Returns [{"name": "p1", "parameterType": {"type": "INT64"}, "parameterValue": {"value": "5"}}, …]. A NULL has no
// "value". InvalidArgument: text that is not UTF-8, which JSON can't represent, or more than 8 MiB in total. Internal:
// a type that the dialect does not bind.
absl::StatusOr<base::Json> QueryParameters(const Bindings& bindings);

}  // namespace logquery::bigquery

#endif  // LOGQUERY_LIB_ENGINES_BIGQUERY_BACKEND_PARAMETERS_H_
