// The functions that the embedding program has registered, as rows of the table of our functions.
//
// The tables of functions are made once and never change, so the list is closed when the first of them is made.
#ifndef LOGQUERY_LIB_FUNCTIONS_PROGRAM_FUNCTIONS_H_
#define LOGQUERY_LIB_FUNCTIONS_PROGRAM_FUNCTIONS_H_

#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "lib/functions/function.h"
#include "logquery/scalar_function.h"

namespace logquery::functions {

// A registered function. Lives as long as the program.
struct ProgramFunction {
  std::string_view name;       // upper case
  const char* signature = "";  // "(STRING, INT64) -> STRING"
  const ScalarFunction* declared = nullptr;
};

// Adds a function whose name is valid and upper case, and no other's. Statuses: those of RegisterScalarFunction.
absl::Status AddProgramFunction(ScalarFunction function);

// Returns the registered functions, and closes the list.
const std::vector<ProgramFunction>& ProgramFunctions();
// Returns their entries, in the same order, and closes the list.
FunctionEntries ProgramFunctionEntries();

}  // namespace logquery::functions

#endif  // LOGQUERY_LIB_FUNCTIONS_PROGRAM_FUNCTIONS_H_
