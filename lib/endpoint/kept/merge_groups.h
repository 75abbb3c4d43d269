// Merges the values of one group from two sets of rows, and takes away those of rows that left (rewrite::Merging).
#ifndef LOGQUERY_LIB_ENDPOINT_KEPT_MERGE_GROUPS_H_
#define LOGQUERY_LIB_ENDPOINT_KEPT_MERGE_GROUPS_H_

#include <vector>

#include "lib/rewrite/passes/group_parts.h"
#include "logquery/value.h"

namespace logquery::endpoint {

// All functions take one Merging for each column of the groups.
bool HaveSameKeys(const std::vector<rewrite::Merging>& merging, const std::vector<Value>& a,
                  const std::vector<Value>& b);

// False: a sum has no INT64.
bool MergeRow(const std::vector<rewrite::Merging>& merging, const std::vector<Value>& added, std::vector<Value>& row);

// Takes the counts over rows that left from those over all of them. False: what is left may be no rows, of which there would be no
// group, or rows that no column counts.
bool SubtractRow(const std::vector<rewrite::Merging>& merging, const std::vector<Value>& left, std::vector<Value>& row);

// Returns whether a group's values without some of its rows follow from those of all and those of these rows.
bool MayLoseRows(const std::vector<rewrite::Merging>& merging);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_KEPT_MERGE_GROUPS_H_
