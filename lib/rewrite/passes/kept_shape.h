// Determines for which calls the answer of a plan stays the same: what the plan reads of which tables, and which of its
// parameters only bound the times of the rows.
//
//     const KeptShape shape = FindKeptShape(plan);
//     if (shape.refused.empty()) …   // equal rows and equal other parameters give an equal answer
//
// A bound that moves changes an answer only if rows lie in the stretch of time that it moved over. So an answer can be
// kept for calls whose start or end rolls on, which would otherwise never be equal.
#ifndef LOGQUERY_LIB_REWRITE_PASSES_KEPT_SHAPE_H_
#define LOGQUERY_LIB_REWRITE_PASSES_KEPT_SHAPE_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "lib/rewrite/plan.h"

namespace logquery::rewrite {

struct KeptShape {
  // The rows of a table that scans of the plan read: all of them, or those of one project.
  struct Rows {
    std::string table;
    std::optional<std::string> project_parameter;  // the parameter that is the project
    std::optional<std::string> project;            // the project, if the query's text has it
    size_t scans = 0;                              // how many scans read them
    bool operator==(const Rows& other) const {
      return table == other.table && project_parameter == other.project_parameter && project == other.project;
    }
  };
  // A condition on the times of a scan's rows: `time > @parameter`.
  struct Bound {
    std::string parameter;
    size_t rows = 0;  // index in `rows`
    bool is_lower = false;
    bool is_inclusive = false;  // a row at exactly this time passes
  };

  std::string refused;  // why no answer is kept; empty: answers are kept
  std::vector<Rows> rows;
  std::vector<Bound> bounds;  // all uses of their parameters: no parameter here is used in any other way
};

// The plan must have been through all passes.
KeptShape FindKeptShape(const QueryPlan& plan);

// Returns the shape in one line, for people: "answers of the same state: edge.logs of @project; moving bounds: @start".
std::string DescribeKeptShape(const KeptShape& shape);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_PASSES_KEPT_SHAPE_H_
