// Our functions (lib/functions) as scalar functions of DuckDB: registered by name and signature, run over DuckDB's vectors as
// they lie in memory.
#ifndef LOGQUERY_LIB_BACKEND_DUCKDB_FUNCTIONS_FUNCTION_H_
#define LOGQUERY_LIB_BACKEND_DUCKDB_FUNCTIONS_FUNCTION_H_

#include <duckdb.h>

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "lib/backend/duckdb/connection_state.h"
#include "lib/functions/function.h"

namespace logquery::duckdb {

// What a function of DuckDB's is made of: its extra info.
struct RegisteredFunction {
  const functions::FunctionEntry* entry = nullptr;
  const ConnectionStates* states = nullptr;
  uint64_t lists = 0;  // bit i: parameter i is an ARRAY
};

// What DuckDB calls when a statement is planned, and then for each vector of rows.
void BindFunction(duckdb_bind_info info);
void RunFunction(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output);
// The same with NULL in place of an error, but for ResourceExhausted.
void RunFunctionOrNull(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output);

// The name of the form that gives NULL in place of an error: lq_from_hex has lq_or_null_from_hex.
inline constexpr std::string_view kOrNull = "lq_or_null_";

// lq_pin(x), one function for each type of a single value: see pin.cc.
absl::Status RegisterPin(duckdb_connection connection);

// Registers all of them with the database that the connection is to. `states`, of that database, is borrowed while it is open.
// Internal: DuckDB does not take one.
absl::Status RegisterFunctions(duckdb_connection connection, const ConnectionStates* states);

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_BACKEND_DUCKDB_FUNCTIONS_FUNCTION_H_
