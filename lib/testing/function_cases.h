// The function cases of the backend contract: calls with their arguments and what they give, from function_cases.txt, which is
// also installed.
#ifndef LOGQUERY_LIB_TESTING_FUNCTION_CASES_H_
#define LOGQUERY_LIB_TESTING_FUNCTION_CASES_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "logquery/testing/backend_contract.h"

namespace logquery::testing {

// A call as GoogleSQL writes it. The views are of the file, which lives as long as the process.
struct FunctionCase {
  std::string_view call;                    // "CONCAT($1, $2)"
  std::string_view expected;                // a literal; empty: the call is an error
  std::vector<std::string_view> arguments;  // literals, one for each of $1, $2 …
};

const std::vector<FunctionCase>& FunctionCases();

// Returns whether the values are equal, FLOAT64s nearly.
bool SameValue(const Value& a, const Value& b);

// Runs each case with its arguments as columns, and as literals where the backend wants these. FailedPrecondition: some have other
// results; the message has the first of them. Calls that the backend does not support go to `left_out`.
absl::Status CheckFunctionCases(ContractHarness& harness, std::vector<std::string>& left_out);

}  // namespace logquery::testing

#endif  // LOGQUERY_LIB_TESTING_FUNCTION_CASES_H_
