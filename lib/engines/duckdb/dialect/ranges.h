// Adapts DuckDB's window frames to GoogleSQL: checks offsets, and handles NaN, infinities, and sums that exceed a
// type's range.
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_RANGES_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_RANGES_H_

#include <string>
#include <string_view>

#include "lib/emit/dialect.h"

namespace logquery::emit {

// These implement SqlDialect::NotNegative and SqlDialect::AdaptRange.
std::string DuckDbNotNegative(const Type& type, const std::string& number, std::string_view what);
void DuckDbRange(const Type& type, RangeTexts& range);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_RANGES_H_
