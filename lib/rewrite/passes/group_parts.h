// Splits a plan whose groups are stretches of time, so that a repeated query computes only groups that have changed.
//
//     std::optional<GroupParts> parts = FindGroupParts(plan);
//     parts->groups;   // SELECT TIMESTAMP_TRUNC(timestamp, HOUR) AS hour, COUNT(*) FROM logs WHERE … GROUP BY hour
//     parts->rest;     // SELECT … FROM UNNEST(@groups) ORDER BY hour
//     parts->tail;     // SELECT … FROM (SELECT … FROM UNNEST(@groups) UNION ALL SELECT … FROM logs …) ORDER BY hour
//
// A group's bucket is the first moment of its stretch, and stretches do not overlap. So the groups from one bucket on are
// computed from the rows from that moment on, and no row that comes later at a time changes a group that ends before.
#ifndef LOGQUERY_LIB_REWRITE_PASSES_GROUP_PARTS_H_
#define LOGQUERY_LIB_REWRITE_PASSES_GROUP_PARTS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "lib/rewrite/plan.h"
#include "logquery/type.h"

namespace logquery::rewrite {

// The groups, as an array of structs; a parameter of the rest.
inline constexpr char kGroupsParameter[] = "@groups";
// The first and the last time of rows that OnlyStretch leaves, and the place of the last one.
inline constexpr char kStretchFrom[] = "@stretch_from";
inline constexpr char kStretchTo[] = "@stretch_to";
inline constexpr char kLastPlace[] = "@last_place";

// How the values of one group from two sets of rows become the value from both.
enum class Merging {
  kEqual,  // a key
  kCount,  // of rows
  kSum,    // of INT64
  kLeast,  // of INT64s or times, as is kGreatest
  kGreatest,
  kAnd,
  kOr,
};

struct GroupParts {
  QueryPlan groups;        // its columns are the keys and the aggregates
  QueryPlan rest;          // has the whole plan's columns
  QueryPlan tail;          // the rest over given groups and others that it computes
  Type type;               // of kGroupsParameter: a field for each column of `groups`
  size_t bucket = 0;       // index in the columns of `groups`: a TIMESTAMP, DATETIME or DATE, in UTC
  ColumnId time = 0;       // the rows' time, a column of the only scan
  ColumnId tail_time = 0;  // the same in `tail`
  // One for each column of `groups`; empty: some can't be merged.
  std::vector<Merging> merging;
};

// Returns nullopt if the plan has no groups by stretches of time, if it reads more than one table or one table twice, if
// the engine can't tell the places of rows, or if a group's value is more than the rows determine (ANY_VALUE). The plan
// must have been through all passes.
std::optional<GroupParts> FindGroupParts(const QueryPlan& plan);

// Leaves rows behind kAbovePlace and from kStretchFrom on, and none behind kLastPlace. The rest as in OnlyStretch.
void OnlyPlaces(const std::string& place, ColumnId time, QueryPlan& plan);

// Leaves rows of the stretch, and none behind kLastPlace. `plan` is a copy of parts.groups or parts.tail, and `time` the
// rows' time in it. `place`: see OnlyNewRows.
void OnlyStretch(const std::string& place, ColumnId time, QueryPlan& plan);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_PASSES_GROUP_PARTS_H_
