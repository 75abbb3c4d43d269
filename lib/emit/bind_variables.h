// What was written of a query may have been left out again: its bind variables are then not in the text.
#ifndef LOGQUERY_LIB_EMIT_BIND_VARIABLES_H_
#define LOGQUERY_LIB_EMIT_BIND_VARIABLES_H_

#include "lib/emit/emitter.h"

namespace logquery::emit {

// Only slots whose `$N` stands in the text, outside of 'text' and "names", and these numbered from 1 in their order.
void DropUnusedSlots(EmittedQuery& query);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_BIND_VARIABLES_H_
