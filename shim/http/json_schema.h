// Types as JSON Schema has them: what a caller may send for a parameter, and what a row holds in a column.
#ifndef LOGQUERY_SHIM_HTTP_JSON_SCHEMA_H_
#define LOGQUERY_SHIM_HTTP_JSON_SCHEMA_H_

#include <string_view>

#include "logquery/endpoint.h"
#include "logquery/type.h"
#include "nlohmann/json_fwd.hpp"

namespace logquery::shim {

// With the parameter's default and examples as values of its type.
nlohmann::ordered_json ParameterSchema(const Parameter& parameter);

// Of a value of that type in a row of JSON; every value may be null.
nlohmann::ordered_json ColumnSchema(const Type& type);

// An object with a member for each column.
nlohmann::ordered_json RowSchema(const Schema& columns);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_JSON_SCHEMA_H_
