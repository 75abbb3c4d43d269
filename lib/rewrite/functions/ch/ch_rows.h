// The rows of the function table for the second query language (ids `$ch.…`).
#ifndef LOGQUERY_LIB_REWRITE_FUNCTIONS_CH_CH_ROWS_H_
#define LOGQUERY_LIB_REWRITE_FUNCTIONS_CH_CH_ROWS_H_

#include "lib/rewrite/functions/function_lists.h"

namespace logquery::rewrite {

FunctionRows ChRows();

// Returns whether the row is one of them: its meaning is that of an engine's own function, so that an engine may be given it.
bool IsChRow(const FunctionRow& row);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_FUNCTIONS_CH_CH_ROWS_H_
