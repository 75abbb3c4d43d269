// WITH entries in the place of where they are read, and those that nothing reads.
#ifndef LOGQUERY_LIB_REWRITE_PASSES_INLINE_ENTRY_H_
#define LOGQUERY_LIB_REWRITE_PASSES_INLINE_ENTRY_H_

#include <vector>

#include "lib/rewrite/plan.h"

namespace logquery::rewrite {

// Every scan of an entry with one of these ids becomes the entry's plan, with columns of its own; the entries are gone.
// Returns whether there was any. The entries are not recursive.
bool InlineEntries(QueryPlan& query, const std::vector<int>& ids);

// WITH clauses without entries are gone.
void DropEmptyWiths(PlanPtr& root);

// Entries that nothing reads are gone, and those that only these read.
void DropUnreadEntries(QueryPlan& query);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_PASSES_INLINE_ENTRY_H_
