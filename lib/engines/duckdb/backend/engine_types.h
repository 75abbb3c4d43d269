// GoogleSQL's types as objects of DuckDB's C API. lib/engines/duckdb/dialect/types.h has their SQL names and the mapping.
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_ENGINE_TYPES_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_ENGINE_TYPES_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "lib/engines/duckdb/backend/handles.h"
#include "logquery/type.h"

namespace logquery::duckdb {

// Returns "name", quoted for DuckDB.
std::string QuoteName(std::string_view name);

// Returns 'text', quoted for DuckDB.
std::string QuoteText(std::string_view text);

// Returns the type as an object of the API. At any depth, JSON becomes VARCHAR, or DuckDB's JSON with `named_json`.
TypeHandle LogicalType(const Type& type, bool named_json = false);

// Internal, with the expected and the actual type: vectors of `actual` do not have the layout that batches of `type`
// require. `place` names the column.
absl::Status CheckLayout(const Type& type, duckdb_logical_type actual, std::string_view place);

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_ENGINE_TYPES_H_
