// lq_pin(x) returns x, and is declared to DuckDB as volatile.
//
// Therefore DuckDB does not move a condition on the result below the projection with the call, evaluates it for the
// existing rows instead of once per entry of a stored dictionary, and returns a flat vector, so that functions on the
// result are not evaluated by dictionary either. Source: DuckDB 1.5, pushdown_projection.cpp and execute_function.cpp.
#include "lib/engines/duckdb/backend/engine_types.h"
#include "lib/engines/duckdb/backend/functions/function.h"
#include "lib/engines/duckdb/backend/handles.h"

namespace logquery::duckdb {
namespace {

void RunPin(duckdb_function_info, duckdb_data_chunk input, duckdb_vector output) {
  duckdb_vector_reference_vector(output, duckdb_data_chunk_get_vector(input, 0));
}

duckdb_scalar_function MakePin(const char* name, duckdb_logical_type type) {
  duckdb_scalar_function function = duckdb_create_scalar_function();
  duckdb_scalar_function_set_name(function, name);
  duckdb_scalar_function_add_parameter(function, type);
  duckdb_scalar_function_set_return_type(function, type);
  duckdb_scalar_function_set_function(function, RunPin);
  duckdb_scalar_function_set_special_handling(function);
  duckdb_scalar_function_set_volatile(function);
  return function;
}

absl::Status AddOverload(duckdb_scalar_function_set set, const Type& type) {
  duckdb_scalar_function function = MakePin("lq_pin", LogicalType(type).get());
  const duckdb_state added = duckdb_add_scalar_function_to_set(set, function);
  duckdb_destroy_scalar_function(&function);
  return added == DuckDBSuccess ? absl::OkStatus() : absl::InternalError("DuckDB does not take an overload of lq_pin");
}

absl::Status AddOverloads(duckdb_scalar_function_set set) {
  for (const Type& type : {Type::Bool(), Type::Int64(), Type::Float64(), Type::Numeric(), Type::String(), Type::Bytes(),
                           Type::Date(), Type::Time(), Type::Datetime(), Type::Interval()}) {
    const absl::Status added = AddOverload(set, type);
    if (!added.ok()) return added;
  }
  return absl::OkStatus();
}

// Registers the function under its own name: DuckDB accepts any value as JSON, and could not choose among the
// overloads.
absl::Status RegisterJson(duckdb_connection connection) {
  const TypeHandle type = LogicalType(Type::Json(), /*named_json=*/true);
  duckdb_scalar_function function = MakePin("lq_pin_json", type.get());
  const duckdb_state registered = duckdb_register_scalar_function(connection, function);
  duckdb_destroy_scalar_function(&function);
  return registered == DuckDBSuccess ? absl::OkStatus() : absl::InternalError("DuckDB does not take lq_pin_json");
}

}  // namespace

absl::Status RegisterPin(duckdb_connection connection) {
  duckdb_scalar_function_set set = duckdb_create_scalar_function_set("lq_pin");
  absl::Status status = AddOverloads(set);
  if (status.ok() && duckdb_register_scalar_function_set(connection, set) != DuckDBSuccess) {
    status = absl::InternalError("DuckDB does not take the function lq_pin");
  }
  duckdb_destroy_scalar_function_set(&set);
  return status.ok() ? RegisterJson(connection) : status;
}

}  // namespace logquery::duckdb
