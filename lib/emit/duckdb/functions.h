// How DuckDB spells what no template can: the code behind `@name` in spellings.h, and every aggregate.
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
#include "lib/emit/dialect.h"
#include "lib/rewrite/plan.h"

namespace logquery::emit {

// Text of a call whose spelling is "@name"; `args` as many as `call` has, `call` gives types and constants.
// InvalidArgument: a constant that no call can have (a bad pattern, an unknown part). Unimplemented: DuckDB can't do it
// with GoogleSQL's meaning.
using DuckDbFunction = absl::StatusOr<Sql> (*)(const rewrite::FunctionCall& call, const std::vector<Sql>& args);

// nullptr: none of that name (which has no `@`).
DuckDbFunction FindDuckDbFunction(std::string_view name);

// The whole call, from its row's spelling, whether template or `@name`. Errors as above.
absl::StatusOr<Sql> DuckDbAggregate(const rewrite::AggregateCall& call, const AggregateTexts& texts);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_DUCKDB_FUNCTIONS_H_
