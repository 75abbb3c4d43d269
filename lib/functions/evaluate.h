// Calls one of our functions on values, without an engine: for constants in a query, and for tests of the functions alone.
//
//     const FunctionEntry* reverse = FindFunction("lq_reverse");
//     Value cba = *Evaluate(*reverse, {Value::String("abc")}, Type::String());
#ifndef LOGQUERY_LIB_FUNCTIONS_EVALUATE_H_
#define LOGQUERY_LIB_FUNCTIONS_EVALUATE_H_

#include <vector>

#include "absl/status/statusor.h"
#include "lib/functions/function.h"
#include "logquery/type.h"
#include "logquery/value.h"

namespace logquery::functions {

// The result for one row, or why there is none: the function's own status. `arguments` are of the types in the entry's
// signature, as many as it has; `result` is the type there.
absl::StatusOr<Value> Evaluate(const FunctionEntry& entry, const std::vector<Value>& arguments, const Type& result);

}  // namespace logquery::functions

#endif  // LOGQUERY_LIB_FUNCTIONS_EVALUATE_H_
