// Puts what a column is computed from in the place of references to it, where that means the same.
#ifndef LOGQUERY_LIB_REWRITE_PASSES_SUBSTITUTE_H_
#define LOGQUERY_LIB_REWRITE_PASSES_SUBSTITUTE_H_

#include "absl/functional/function_ref.h"
#include "lib/rewrite/plan.h"

namespace logquery::rewrite {

// References to a Project's computed column for which `wanted(value)` holds become copies of the value, above the Project
// as far as the columns that the value reads are there too, and no outer join may turn the column into NULL.
// The computed columns stay; prune_columns removes those that are no longer read. True: there was such a reference.
bool SubstituteComputed(Plan& root, absl::FunctionRef<bool(const Scalar& value)> wanted);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_PASSES_SUBSTITUTE_H_
