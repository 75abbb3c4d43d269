// The rows of the function table for the second query language (ids `$ch.…`).
#ifndef LOGQUERY_LIB_REWRITE_FUNCTIONS_CH_CH_ROWS_H_
#define LOGQUERY_LIB_REWRITE_FUNCTIONS_CH_CH_ROWS_H_

#include "lib/rewrite/functions/function_lists.h"

namespace logquery::rewrite {

FunctionRows ChRows();

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_FUNCTIONS_CH_CH_ROWS_H_
