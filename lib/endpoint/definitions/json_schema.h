// Types as JSON Schema: of the values that a caller may send for a parameter, and of the values in a result's column.
#ifndef LOGQUERY_LIB_ENDPOINT_DEFINITIONS_JSON_SCHEMA_H_
#define LOGQUERY_LIB_ENDPOINT_DEFINITIONS_JSON_SCHEMA_H_

#include <string>

#include "lib/base/json/value.h"
#include "logquery/endpoint.h"
#include "logquery/type.h"

namespace logquery::endpoint {

// Includes the parameter's default and examples as values of its type.
base::Json ParameterSchema(const Parameter& parameter);

// Returns a parameter's minimum or maximum, `text`, as a number.
base::Json BoundJson(const Parameter& parameter, const std::string& text);

// The schema of a value of this type in a JSON row; every value may be null.
base::Json ColumnSchema(const Type& type);

// An object with a member for each column.
base::Json RowSchema(const Schema& columns);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_DEFINITIONS_JSON_SCHEMA_H_
