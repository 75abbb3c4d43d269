// Replaces references to computed columns by copies of their expressions, where this does not change the meaning.
#ifndef LOGQUERY_LIB_REWRITE_PASSES_SUBSTITUTE_H_
#define LOGQUERY_LIB_REWRITE_PASSES_SUBSTITUTE_H_

#include "absl/functional/function_ref.h"
#include "lib/rewrite/plan.h"

namespace logquery::rewrite {

// Replaces references to a Project's computed columns for which `wanted(value)` is true. The replacement reaches
// upwards as far as the columns that the value reads are available and no outer join may turn the column into NULL. The
// computed columns stay; prune_columns removes those that nothing reads. Returns whether anything was replaced.
bool SubstituteComputed(Plan& root, absl::FunctionRef<bool(const Scalar& value)> wanted);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_PASSES_SUBSTITUTE_H_
