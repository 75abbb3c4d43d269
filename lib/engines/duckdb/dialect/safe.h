// SAFE. calls and SAFE_CAST: rewrites the text of a call so that it returns NULL where the call would raise an error.
//
// DuckDB's own TRY can't be used: it evaluates its operand again, row by row, on values that were kept for a whole
// dictionary, and returns wrong rows on stored data. The rewritten text raises no errors at all.
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_SAFE_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_SAFE_H_

#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "lib/engines/duckdb/dialect/function_texts.h"

namespace logquery::emit {

// Returns `make`'s text on the operands, with NULL in place of its own errors; errors of the operands are still raised.
// `make` gets a name for each operand. Unimplemented: the text has a DuckDB function that has no error-free form;
// `what` names the call.
absl::StatusOr<Sql> DuckDbSafe(std::string_view what, const Texts& operands,
                               absl::FunctionRef<absl::StatusOr<Sql>(const Texts&)> make);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_SAFE_H_
