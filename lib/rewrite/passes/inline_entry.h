// Inlines WITH entries where they are read, and removes entries that nothing reads.
#ifndef LOGQUERY_LIB_REWRITE_PASSES_INLINE_ENTRY_H_
#define LOGQUERY_LIB_REWRITE_PASSES_INLINE_ENTRY_H_

#include <vector>

#include "lib/rewrite/plan.h"

namespace logquery::rewrite {

// Replaces every scan of an entry with one of these ids by a copy of the entry's plan with fresh columns, and removes
// the entries. They must not be recursive. Returns whether there were any.
bool InlineEntries(QueryPlan& query, const std::vector<int>& ids);

// Removes WITH clauses that have no entries.
void DropEmptyWiths(PlanPtr& root);

// Removes entries that nothing reads, and then those that only they read.
void DropUnreadEntries(QueryPlan& query);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_PASSES_INLINE_ENTRY_H_
