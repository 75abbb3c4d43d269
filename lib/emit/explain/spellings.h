// How GoogleSQL writes what is no call by its name: operators, EXTRACT, casts with a format.
#ifndef LOGQUERY_LIB_EMIT_EXPLAIN_SPELLINGS_H_
#define LOGQUERY_LIB_EMIT_EXPLAIN_SPELLINGS_H_

#include "lib/emit/spellings.h"

namespace logquery::emit {

// A function without one is written as NAME($*).
const Spellings& GoogleSqlSpellings();

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_EXPLAIN_SPELLINGS_H_
