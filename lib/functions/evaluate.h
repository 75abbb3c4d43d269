// Calls one of our functions on values, without an engine: for constants in a query, and for tests.
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

// Returns the function's result for one row, or its error. `arguments` and `result` must match the types of the entry's
// signature.
absl::StatusOr<Value> Evaluate(const FunctionEntry& entry, const std::vector<Value>& arguments, const Type& result);
// The same, which counts the work: Stopped() once `work` has stopped.
absl::StatusOr<Value> Evaluate(const FunctionEntry& entry, const std::vector<Value>& arguments, const Type& result,
                               Work& work);

}  // namespace logquery::functions

#endif  // LOGQUERY_LIB_FUNCTIONS_EVALUATE_H_
