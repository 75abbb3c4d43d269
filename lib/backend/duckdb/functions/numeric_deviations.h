// The aggregates lq_numeric_deviations and lq_bignumeric_deviations: sums of squared deviations from the mean.
#ifndef LOGQUERY_LIB_BACKEND_DUCKDB_FUNCTIONS_NUMERIC_DEVIATIONS_H_
#define LOGQUERY_LIB_BACKEND_DUCKDB_FUNCTIONS_NUMERIC_DEVIATIONS_H_

#include <duckdb.h>

#include "absl/status/status.h"

namespace logquery::duckdb {

// Internal: DuckDB does not take one.
absl::Status RegisterNumericDeviations(duckdb_connection connection);

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_BACKEND_DUCKDB_FUNCTIONS_NUMERIC_DEVIATIONS_H_
