// How GoogleSQL writes operators, EXTRACT, casts with a format, and other functions that are not called by name.
#ifndef LOGQUERY_LIB_EMIT_EXPLAIN_SPELLINGS_H_
#define LOGQUERY_LIB_EMIT_EXPLAIN_SPELLINGS_H_

#include "lib/emit/spellings.h"

namespace logquery::emit {

// A function without a spelling here is written as NAME($*).
const Spellings& GoogleSqlSpellings();
// Returns the spellings of GoogleSqlSpellings' aggregates with DISTINCT.
const Spellings& GoogleSqlDistinctSpellings();

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_EXPLAIN_SPELLINGS_H_
