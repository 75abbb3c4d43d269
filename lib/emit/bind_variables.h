// Removes bind variables that the final text no longer uses, because parts of it were dropped.
#ifndef LOGQUERY_LIB_EMIT_BIND_VARIABLES_H_
#define LOGQUERY_LIB_EMIT_BIND_VARIABLES_H_

#include "lib/emit/emitter.h"

namespace logquery::emit {

// Keeps only slots whose `$N` occurs in the text outside of 'text' and "names", and renumbers them from 1 in their
// order.
void DropUnusedSlots(EmittedQuery& query);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_BIND_VARIABLES_H_
