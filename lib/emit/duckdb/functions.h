// How DuckDB spells what no template can: the code behind `@name` in the function table, and every aggregate.
//
// All texts that come in are ready SQL: each can stand as an operand anywhere, and is of the physical type of its GoogleSQL
// type (TIMESTAMP and DATETIME TIMESTAMP, INT64 BIGINT, NUMERIC DECIMAL(38, 9), JSON JSON …), NULLs too. What goes out
// keeps to the same. A lambda's text is `lambda x, y: body`.
//
// An argument that a spelling needs more than once is evaluated once, unless it is only a name or a literal.
#ifndef LOGQUERY_LIB_EMIT_DUCKDB_FUNCTIONS_H_
#define LOGQUERY_LIB_EMIT_DUCKDB_FUNCTIONS_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "lib/rewrite/plan.h"

namespace logquery::emit {

// Text of a call whose spelling is "@name"; `args` as many as `call` has, `call` gives types and constants.
// InvalidArgument: a constant that no call can have (a bad pattern, an unknown part). Unimplemented: DuckDB can't do it
// with GoogleSQL's meaning.
using DuckDbFunction = absl::StatusOr<std::string> (*)(const rewrite::FunctionCall& call,
                                                       const std::vector<std::string>& args);

// nullptr: none of that name (which has no `@`).
DuckDbFunction FindDuckDbFunction(std::string_view name);

// The texts of an aggregate's or window function's parts; empty where there is none.
struct AggregateTexts {
  std::vector<std::string> args;
  std::string order_by = {};  // "ORDER BY x DESC NULLS LAST": of the aggregate itself
  std::string having = {};    // what HAVING MAX or MIN looks at
  std::string limit = {};
  std::string filter = {};  // a condition
  std::string over = {};    // "OVER (…)"
  // More rows may come than a table has, so what is gathered of them must be memory that the engine counts. Its lists are,
  // the values of its quantiles are not.
  bool counted = false;
  // Of so many aggregates that none should have a FILTER where it can do without: for each filter DuckDB keeps room for the
  // arguments of all of them.
  bool one_of_many = false;
};

// The whole call, from its row's spelling, whether template or `@name`. Errors as above.
absl::StatusOr<std::string> DuckDbAggregate(const rewrite::AggregateCall& call, const AggregateTexts& texts);

// `spelling` with `$1`, `$*` and `$2*` filled in; `$$` is `$`.
std::string FillTemplate(std::string_view spelling, const std::vector<std::string>& args);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_DUCKDB_FUNCTIONS_H_
