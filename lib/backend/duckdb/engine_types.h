// GoogleSQL's types as the objects of DuckDB's C API. As SQL text they are in lib/emit/duckdb/types.h, which says which type
// stands for which.
#ifndef LOGQUERY_LIB_BACKEND_DUCKDB_ENGINE_TYPES_H_
#define LOGQUERY_LIB_BACKEND_DUCKDB_ENGINE_TYPES_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "lib/backend/duckdb/handles.h"
#include "logquery/type.h"

namespace logquery::duckdb {

// "name", quoted for DuckDB.
std::string QuoteName(std::string_view name);

// 'text', quoted for DuckDB.
std::string QuoteText(std::string_view text);

// The type as an object of the API; JSON is VARCHAR, with `named_json` DuckDB's JSON, at any depth.
TypeHandle LogicalType(const Type& type, bool named_json = false);

// Internal, saying what was expected and what is there, when vectors of `actual` do not lie as batches of `type` must.
// `place` names the column.
absl::Status CheckLayout(const Type& type, duckdb_logical_type actual, std::string_view place);

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_BACKEND_DUCKDB_ENGINE_TYPES_H_
