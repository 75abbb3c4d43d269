// Our functions (lib/functions) as scalar functions of DuckDB: registers them by name and signature, and runs them on
// DuckDB's vectors in place.
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_FUNCTIONS_FUNCTION_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_FUNCTIONS_FUNCTION_H_

#include <duckdb.h>

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "lib/engines/duckdb/backend/connection_state.h"
#include "lib/functions/function.h"

namespace logquery::duckdb {

// The extra info of a registered DuckDB function.
struct RegisteredFunction {
  const functions::FunctionEntry* entry = nullptr;
  const ConnectionStates* states = nullptr;
  uint64_t lists = 0;  // bit i: parameter i is an ARRAY
};

// DuckDB calls these when it plans a statement, and for each vector of rows.
void BindFunction(duckdb_bind_info info);
void RunFunction(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output);
// The same, but returns NULL instead of errors, except ResourceExhausted.
void RunFunctionOrNull(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output);

// The name prefix of the variants that return NULL instead of an error: lq_from_hex has lq_or_null_from_hex.
inline constexpr std::string_view kOrNull = "lq_or_null_";

// Registers lq_pin(x), with one function for each scalar type: see pin.cc.
absl::Status RegisterPin(duckdb_connection connection);

// Registers all functions with the connection's database. `states`, of that database, is borrowed while it is open.
// Internal: DuckDB rejects a function.
absl::Status RegisterFunctions(duckdb_connection connection, const ConnectionStates* states);

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_FUNCTIONS_FUNCTION_H_
