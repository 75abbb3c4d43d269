// Writes the calls that DuckDB's templates can't express: the code behind `@name` in spellings.h, and all aggregates.
//
// All texts passed in are complete SQL that can be used as operands anywhere, with the physical type of their GoogleSQL
// type (TIMESTAMP and DATETIME: TIMESTAMP, INT64: BIGINT, NUMERIC: DECIMAL(38, 9), JSON: JSON …), also for NULL. The
// same holds for results. A lambda's text is `lambda x, y: body`.
//
// An argument that a text needs more than once is evaluated once, unless it is just a name or a literal.
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_FUNCTIONS_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_FUNCTIONS_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "lib/emit/dialect.h"
#include "lib/rewrite/plan.h"

namespace logquery::emit {

// Writes a call whose spelling is "@name". `args` has one text per argument; `call` provides types and constants.
// InvalidArgument: a constant is invalid for every call (a bad pattern, an unknown part). Unimplemented: DuckDB can't
// do it with GoogleSQL's meaning.
using DuckDbFunction = absl::StatusOr<Sql> (*)(const rewrite::FunctionCall& call, const std::vector<Sql>& args);

// Returns nullptr if there is no such function; `name` is without `@`.
DuckDbFunction FindDuckDbFunction(std::string_view name);

// Writes the whole call from its row's spelling, a template or `@name`. Errors as above.
absl::StatusOr<Sql> DuckDbAggregate(const rewrite::AggregateCall& call, const AggregateTexts& texts);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_FUNCTIONS_H_
