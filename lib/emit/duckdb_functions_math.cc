#include "lib/emit/duckdb_function_texts.h"

namespace logquery::emit {
DuckDbFunctionList DuckDbMathFunctions() { return {}; }

}  // namespace logquery::emit
