// Adds columns to a plan: what a pass computes below a node for the node to read.
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_PROJECTIONS_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_PROJECTIONS_H_

#include <vector>

#include "lib/rewrite/plan.h"

namespace logquery::emit {

// Puts a projection above `input` that shows its columns and the computed ones. The columns of the node that reads
// `input` are not updated.
void AddColumns(rewrite::PlanPtr& input, std::vector<rewrite::Computed> computed);

// Puts a projection above `node` that shows these of its columns.
void ShowOnly(rewrite::PlanPtr& node, std::vector<rewrite::PlanColumn> columns);

// Adds computed columns to the only input of `node`. The columns of `node` stay the same.
void ComputeBelow(rewrite::PlanPtr& node, rewrite::PlanPtr& input, std::vector<rewrite::Computed> computed);

// Returns the input whose rows the node's own scalars are evaluated on; nullptr: there is none, or there are two.
rewrite::PlanPtr* OnlyInput(rewrite::Plan& node);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_DIALECT_PROJECTIONS_H_
