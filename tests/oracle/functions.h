// The scalar functions of the generated queries, over values.
#ifndef LOGQUERY_TESTS_ORACLE_FUNCTIONS_H_
#define LOGQUERY_TESTS_ORACLE_FUNCTIONS_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "logquery/type.h"
#include "tests/oracle/values.h"

namespace logquery::oracle {

// Calls the function with a name of the function table. Unimplemented: it is not one of those that queries are made of.
// OutOfRange: it raises an error.
absl::StatusOr<Value> CallFunction(std::string_view name, const Type& type, const std::vector<Value>& arguments);

// Unimplemented: the queries have no such cast.
absl::StatusOr<Value> CastValue(const Value& value, const Type& type);

// Returns whether `value` is one of `candidates`: TRUE, FALSE, or NULL where that is unknown.
Value IsIn(const Value& value, const std::vector<Value>& candidates);

}  // namespace logquery::oracle

#endif  // LOGQUERY_TESTS_ORACLE_FUNCTIONS_H_
