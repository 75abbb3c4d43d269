// Derives, for each table, conditions that hold for all rows that the plan needs, as comparisons of columns with
// values. Backends can use them to skip other rows in storage.
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
  std::optional<std::string> parameter;  // the parameter with the value; nullopt: it is `value`
  Value value;
  const ParameterRef* at = nullptr;  // the parameter's place; borrowed from the plan
};

// One scan, and the comparisons that all of its rows pass that are used.
struct ScanConditions {
  const TableScan* scan = nullptr;  // borrowed from the plan
  std::vector<HintedCondition> conditions;
};

struct ScanHints {
  std::string table;
  std::vector<HintedCondition> conditions;  // hold in each scan of the table
  bool newest_suffice = false;              // see TableHints
};

// Returns hints for each table that is read, in the order of their first scans. The plan must have been through all
// passes.
std::vector<ScanHints> FindScanHints(const QueryPlan& query);

// Returns the scan's column that each column of the result is, by its name in storage. Empty: some are computed, or the plan does
// more than sort, limit and filter the rows of one scan.
std::vector<std::string> FindPlainColumns(const QueryPlan& query);

// Returns each scan of the plan, in the order of the plan's nodes, with its conditions.
std::vector<ScanConditions> FindScanConditions(const QueryPlan& query);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_PASSES_SCAN_HINTS_H_
