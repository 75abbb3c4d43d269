// Calls of the function table's rows with values, run on DuckDB: what the tests of their spellings share.
#ifndef LOGQUERY_TESTS_EMIT_DUCKDB_FUNCTION_CASES_H_
#define LOGQUERY_TESTS_EMIT_DUCKDB_FUNCTION_CASES_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "lib/rewrite/plan.h"
#include "logquery/value.h"

namespace logquery::emit {

// How the arguments of a call are written: as literals, as columns, as expressions that must be evaluated once, or as bound
// parameters.
enum class ArgumentForm { kLiterals, kColumns, kExpressions, kParameters };

// The first overload of the function that takes values of exactly these types (a date part is a STRING), and its result.
struct Picked {
  const rewrite::Overload* overload = nullptr;
  Type result;
};
Picked PickOverload(std::string_view function, const std::vector<Value>& args);

// "SELECT … AS x" that calls the row's spelling.
absl::StatusOr<std::string> CallSql(const Picked& picked, const std::vector<Value>& args, ArgumentForm form);

// The values of the call's `$n`, in order: of its arguments but date parts, in the form of parameters; none in others.
std::vector<Value> BindingsFor(const Picked& picked, const std::vector<Value>& args, ArgumentForm form);

// The value that the call gives; the errors of its text and of its run.
absl::StatusOr<Value> Evaluate(std::string_view function, const std::vector<Value>& args, ArgumentForm form);

// The value that the aggregate gives over rows that hold its first argument; the others are literals.
absl::StatusOr<Value> EvaluateAggregate(std::string_view function, const std::vector<Value>& rows,
                                        const std::vector<Value>& more, const rewrite::AggregateCall& modifiers);

// Returns whether the one value of the query, in its column x, has the physical type that the type's values have.
absl::StatusOr<bool> HasType(const std::string& sql, const Type& type);

// The value of the query's column x, cast to the type's physical type: DuckDB gives another to some that are NULL by a
// literal or a parameter, and the emitter casts the columns of a result.
absl::StatusOr<Value> RunOne(const std::string& sql, const Type& type, const std::vector<Value>& bindings = {});

// Fails the test unless the call gives the value in every form; a form that is Unimplemented is passed over when it is not
// of literals.
void CheckCall(std::string_view function, const std::vector<Value>& args, const Value& expected);

// Fails the test unless the call is an error, whose message holds `words`, in every form.
void CheckError(std::string_view function, const std::vector<Value>& args, std::string_view words);

// A call that CheckCall or CheckError looks at.
struct CheckedCall {
  std::string_view function;
  const std::vector<Value>& args;  // with the defaults of those that have names
  const Value* expected;           // nullptr: an error, whose message holds `words`
  std::string_view words;
};

// Called with each of them before it is looked at here: tests/isolation runs every case over stored rows so. nullptr: no calls.
using CallObserver = void (*)(const CheckedCall& call);
void ObserveCalls(CallObserver observer);

// A call and its value, and a call and words of its error.
struct Case {
  const char* function;
  std::vector<Value> args;
  Value expected;
};

struct ErrorCase {
  const char* function;
  std::vector<Value> args;
  const char* words;
};

inline void CheckAll(const std::vector<Case>& cases) {
  for (const Case& c : cases) CheckCall(c.function, c.args, c.expected);
}
inline void CheckErrors(const std::vector<ErrorCase>& cases) {
  for (const ErrorCase& c : cases) CheckError(c.function, c.args, c.words);
}

}  // namespace logquery::emit

#endif  // LOGQUERY_TESTS_EMIT_DUCKDB_FUNCTION_CASES_H_
