// Collects the tables of all scans in a plan.
#include "lib/rewrite/tables_read.h"

#include "lib/base/strings.h"
#include "lib/rewrite/plan_walk.h"

namespace logquery::rewrite {

std::vector<std::string> TablesRead(const QueryPlan& plan) {
  std::vector<std::string> tables;
  base::StringSet seen;
  VisitPlans(*plan.root, [&](const Plan& node) {
    const auto* scan = If<TableScan>(&node);
    if (scan != nullptr && seen.insert(scan->table->name).second) tables.push_back(scan->table->name);
  });
  return tables;
}

}  // namespace logquery::rewrite
