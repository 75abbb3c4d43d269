// Plans over the rows that were added to a table since an earlier state, in an engine that stores rows in the order in
// which they came and can read where a row is.
//
//     if (MayMergeNewRows(plan)) …              // its rows and those of the same plan over new rows can be merged
//     AnyOrder(plan);
//     OnlyNewRows("rowid", plan);               // binds kAbovePlace
//     QueryPlan last = PlanLastPlace(table, "rowid");
#ifndef LOGQUERY_LIB_REWRITE_PASSES_NEW_ROWS_H_
#define LOGQUERY_LIB_REWRITE_PASSES_NEW_ROWS_H_

#include <string>

#include "lib/rewrite/plan.h"
#include "logquery/catalog.h"

namespace logquery::rewrite {

// The place of the last row of the earlier state; an INT64.
inline constexpr char kAbovePlace[] = "@above_place";

// Returns whether the plan's result is the newest rows of one scan, each computed from one row alone, by time and id, so
// that the newest of two results are the result over both. The plan must have been through all passes.
bool MayMergeNewRows(const QueryPlan& plan);

// Lets the plan, which must be one that MayMergeNewRows, return its rows in any order, and one more than it would: if that
// one comes, rows are missing. Nothing has to be sorted then, nor held with all its columns.
void AnyOrder(QueryPlan& plan);

// Leaves out all rows but those behind kAbovePlace. `place` is the name under which the engine gives a row's place.
void OnlyNewRows(const std::string& place, QueryPlan& plan);

// Returns whether the plan reads one table, once, in an engine that can tell the places of its rows.
bool ScansOnceWithPlaces(const QueryPlan& plan);

// Adds the place of its rows to the scan's columns.
PlanColumn AddPlace(const std::string& place, TableScan& scan, QueryPlan& plan);

// Returns a plan for the greatest place of the table's rows behind kAbovePlace; NULL: there are none.
QueryPlan PlanLastPlace(const Table& table, const std::string& place);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_PASSES_NEW_ROWS_H_
