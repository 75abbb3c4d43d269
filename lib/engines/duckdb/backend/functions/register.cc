// Registers our functions with a database, each with its variant that returns NULL instead of an error.
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/engine_types.h"
#include "lib/engines/duckdb/backend/functions/function.h"
#include "lib/engines/duckdb/backend/handles.h"
#include "lib/engines/duckdb/backend/small_query.h"
#include "lib/functions/function_lists.h"
#include "lib/rewrite/functions/function_signature.h"

namespace logquery::duckdb {
namespace {

void DestroyScalarFunction(duckdb_scalar_function function) { duckdb_destroy_scalar_function(&function); }

class ScalarFunctionHandle {
 public:
  ScalarFunctionHandle() : function_(duckdb_create_scalar_function()) {}
  ScalarFunctionHandle(const ScalarFunctionHandle&) = delete;
  ScalarFunctionHandle& operator=(const ScalarFunctionHandle&) = delete;
  ~ScalarFunctionHandle() { DestroyScalarFunction(function_); }
  duckdb_scalar_function get() const { return function_; }

 private:
  duckdb_scalar_function function_;
};

void DeleteRegistered(void* registered) { delete static_cast<RegisteredFunction*>(registered); }

absl::Status Register(duckdb_connection connection, RegisteredFunction registered, const std::string& name,
                      duckdb_scalar_function_t run) {
  const functions::FunctionEntry& entry = *registered.entry;
  LOGQUERY_ASSIGN_OR_RETURN(const rewrite::Signature signature, rewrite::ParseSignature(entry.signature));
  const ScalarFunctionHandle function;
  duckdb_scalar_function_set_name(function.get(), name.c_str());
  for (size_t i = 0; i < signature.parameters.size(); ++i) {
    const rewrite::ParameterPattern& parameter = signature.parameters[i];
    if (parameter.type.exact.is_array()) registered.lists |= uint64_t{1} << i;
    const TypeHandle type = LogicalType(parameter.type.exact);
    if (parameter.repeated) {
      duckdb_scalar_function_set_varargs(function.get(), type.get());
    } else {
      duckdb_scalar_function_add_parameter(function.get(), type.get());
    }
  }
  duckdb_scalar_function_set_return_type(function.get(), LogicalType(signature.result.exact).get());
  if (entry.nulls == functions::Nulls::kAreTaken) duckdb_scalar_function_set_special_handling(function.get());
  if (entry.is_volatile) duckdb_scalar_function_set_volatile(function.get());
  duckdb_scalar_function_set_extra_info(function.get(), new RegisteredFunction(registered), DeleteRegistered);
  duckdb_scalar_function_set_bind(function.get(), BindFunction);
  duckdb_scalar_function_set_function(function.get(), run);
  if (duckdb_register_scalar_function(connection, function.get()) != DuckDBSuccess) {
    return absl::InternalError(base::StrCat("DuckDB does not take the function ", name));
  }
  return absl::OkStatus();
}

// The function, and the form of it that gives NULL in place of an error.
absl::Status RegisterForms(duckdb_connection connection, const RegisteredFunction& registered) {
  const std::string name = registered.entry->name;
  LOGQUERY_RETURN_IF_ERROR(Register(connection, registered, name, RunFunction));
  if (name.starts_with(kOrNull)) return absl::OkStatus();
  return Register(connection, registered, base::StrCat(kOrNull, name.substr(std::string_view("lq_").size())),
                  RunFunctionOrNull);
}

}  // namespace

absl::Status RegisterFunctions(duckdb_connection connection, const ConnectionStates* states) {
  for (const functions::FunctionEntries entries : functions::AllFunctions()) {
    for (const functions::FunctionEntry& entry : entries) {
      LOGQUERY_RETURN_IF_ERROR(RegisterForms(connection, {&entry, states}));
    }
  }
  return RegisterPin(connection);
}

}  // namespace logquery::duckdb
