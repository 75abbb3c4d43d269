// SAFE. calls and SAFE_CAST: the text of a call, changed so that it gives NULL where the call would raise an error.
//
// DuckDB's own TRY is no way to do so: it evaluates what it holds again, row by row, on values that were kept for a whole
// dictionary, and gives wrong rows on stored data. Here nothing raises in the first place.
#ifndef LOGQUERY_LIB_EMIT_DUCKDB_SAFE_H_
#define LOGQUERY_LIB_EMIT_DUCKDB_SAFE_H_

#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "lib/emit/duckdb/function_texts.h"

namespace logquery::emit {

// What `make` writes of the operands, with NULL in place of an error of its own; the operands' errors stay errors. `make`
// gets a name for each operand. Unimplemented: the text has a function of DuckDB's that has no form without errors; `what`
// names the call.
absl::StatusOr<Sql> DuckDbSafe(std::string_view what, const Texts& operands,
                               absl::FunctionRef<absl::StatusOr<Sql>(const Texts&)> make);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_DUCKDB_SAFE_H_
