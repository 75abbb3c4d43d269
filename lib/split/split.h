// Splits a plan between the source that has the rows and the engine that finishes the query.
//
//     absl::StatusOr<SplitPlan> split = Split(std::move(plan), powers);
//     split->fragments[0].plan;   // SELECT timestamp, status FROM edge_logs WHERE project = @project
//     split->rest;                // SELECT … FROM fragment_1 …, UNNEST(…) …
//
// A fragment is a largest part of the plan that the source does with exactly our meaning. A WHERE is split by its conjuncts; of a
// projection that the source can't do, the inputs travel, and of records the fields that are read. A sorted and limited part is
// asked for as such, and sorted again, as what comes from a source has no order here. Nothing that may raise an error goes to a
// source: which rows raise is part of a query's meaning, and no two engines agree on it.
//
// Engine-free: what a source can is asked of `Powers`.
#ifndef LOGQUERY_LIB_SPLIT_SPLIT_H_
#define LOGQUERY_LIB_SPLIT_SPLIT_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "lib/emit/powers.h"
#include "lib/rewrite/plan.h"

namespace logquery::split {

struct Fragment {
  rewrite::QueryPlan plan;
  std::string table;     // as the rest reads it: "fragment_1_…", with what its columns are in the name
  std::string reason;    // what is done to its rows here, and why: "UNNEST: it has no UNNEST"; empty: nothing is
  bool counted = false;  // the last of its columns says how often each row is there (group_rows.h)
};

struct SplitPlan {
  std::vector<Fragment> fragments;
  // Its scans are of `tables`, each of which is a fragment's rows. Of a plan that is one fragment as a whole, the rest is a
  // scan of it, sorted again where the plan is.
  rewrite::QueryPlan rest;
  std::vector<std::unique_ptr<const Table>> tables;
};

// Unimplemented: a column of a type that the source can't hand over.
absl::StatusOr<SplitPlan> Split(rewrite::QueryPlan plan, const emit::Powers& powers);

}  // namespace logquery::split

#endif  // LOGQUERY_LIB_SPLIT_SPLIT_H_
