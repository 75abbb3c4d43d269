// The tool explain_error: finds the words of an error that have a meaning of their own, and says what they mean.
#ifndef LOGQUERY_LIB_SERVING_MCP_EXPLAIN_ERROR_H_
#define LOGQUERY_LIB_SERVING_MCP_EXPLAIN_ERROR_H_

#include <string_view>

#include "lib/base/json/value.h"

namespace logquery::serving {

// Returns the tool's result. Repeats nothing of `error`.
base::Json ExplainError(std::string_view error);

}  // namespace logquery::serving

#endif  // LOGQUERY_LIB_SERVING_MCP_EXPLAIN_ERROR_H_
