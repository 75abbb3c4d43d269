// What a plan tells of the rows of each table that it has a use for, as comparisons of columns with values: for backends that
// can leave other rows out where they are stored.
//
//     for (const ScanHints& hints : FindScanHints(plan)) …
#ifndef LOGQUERY_LIB_REWRITE_PASSES_SCAN_HINTS_H_
#define LOGQUERY_LIB_REWRITE_PASSES_SCAN_HINTS_H_

#include <optional>
#include <string>
#include <vector>

#include "lib/rewrite/plan.h"
#include "logquery/prepared_query.h"

namespace logquery::rewrite {

struct HintedCondition {
  std::vector<std::string> path;
  TableHints::Comparison comparison = TableHints::Comparison::kEqual;
  std::optional<std::string> parameter;  // whose value it is; nullopt: it is `value`
  Value value;
};

struct ScanHints {
  std::string table;
  std::vector<HintedCondition> conditions;  // that hold in each scan of the table
  bool newest_suffice = false;              // as TableHints has it
};

// For each table that is read, in the order of their first scans. For a plan after all passes.
std::vector<ScanHints> FindScanHints(const QueryPlan& query);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_PASSES_SCAN_HINTS_H_
