// Splits a plan between the source that stores the rows and the engine that finishes the query.
//
//     absl::StatusOr<SplitPlan> split = Split(std::move(plan), powers);
//     split->fragments[0].plan;   // SELECT timestamp, status FROM edge_logs WHERE project = @project
//     split->rest;                // SELECT … FROM fragment_1 …, UNNEST(…) …
//
// A fragment is a maximal part of the plan that the source runs with exactly our meaning. A WHERE is split into its
// conjuncts. If the source can't compute a projection, its inputs are transferred; of records, only the fields that are
// read. A sorted and limited part runs in the source, and is sorted again locally, because transferred rows have no
// order. Expressions that may raise an error are never sent: which rows raise is part of a query's meaning, and no two
// engines agree on it.
//
// Independent of engines: `Powers` describes what a source can do.
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
  std::string table;     // its name in the rest: "fragment_1_…", which also encodes its columns
  std::string reason;    // what is done to its rows locally, and why: "UNNEST: it has no UNNEST"; empty: nothing
  bool counted = false;  // its last column is the count of each row (group_rows.h)
};

struct SplitPlan {
  std::vector<Fragment> fragments;
  // Scans `tables`, each of which has a fragment's rows. If the whole plan is one fragment, the rest is a scan of it,
  // sorted again if the plan is sorted.
  rewrite::QueryPlan rest;
  std::vector<std::unique_ptr<const Table>> tables;
};

// The part of a query that a source is asked to compute.
enum class Extent {
  kAll,        // everything that it can
  kBareScans,  // scans, with comparisons of columns and fields with values: after it failed to compute more
};

// Unimplemented: the source can't transfer a column of this type.
absl::StatusOr<SplitPlan> Split(rewrite::QueryPlan plan, const emit::Powers& powers, Extent extent = Extent::kAll);

}  // namespace logquery::split

#endif  // LOGQUERY_LIB_SPLIT_SPLIT_H_
