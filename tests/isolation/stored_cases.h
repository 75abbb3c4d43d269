// Function cases run where functions run in the product: over stored, compressed columns, among hidden rows on which the
// function fails. A case is the call that CheckCall or CheckError of tests/emit/duckdb_function_cases.h looks at; this room
// compiles the case tables of tests/emit again and observes them, so that a new case is covered with no line added here.
#ifndef LOGQUERY_TESTS_ISOLATION_STORED_CASES_H_
#define LOGQUERY_TESTS_ISOLATION_STORED_CASES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "logquery/value.h"

namespace logquery::isolation {

// The arguments that are columns; the others are constants. DuckDB evaluates a function over a dictionary where one argument is a
// column and the others are constants.
enum class StoredArguments { kFirst, kAll };

// The result of a case over its stored rows.
struct StoredResult {
  std::vector<Value> values;  // one for each own row
  int64_t null_rows = 0;      // of another query: the own rows for which WHERE finds the call NULL
  int64_t own_rows = 0;
};

// The call over a table of own rows, which hold the arguments, and of hidden rows, which hold values of the same types that
// functions fail on. The error of the call otherwise; Unimplemented: the function wants a literal where a column is.
absl::StatusOr<StoredResult> EvaluateStored(std::string_view function, const std::vector<Value>& args,
                                            StoredArguments form);

// Values of the type that functions fail on.
std::vector<Value> HostileValues(const Type& type);

}  // namespace logquery::isolation

#endif  // LOGQUERY_TESTS_ISOLATION_STORED_CASES_H_
