// Lists the tables that a plan reads.
#ifndef LOGQUERY_LIB_REWRITE_TABLES_READ_H_
#define LOGQUERY_LIB_REWRITE_TABLES_READ_H_

#include <string>
#include <vector>

#include "lib/rewrite/plan.h"

namespace logquery::rewrite {

// Returns the catalog's names without duplicates, including tables in subqueries.
std::vector<std::string> TablesRead(const QueryPlan& plan);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_TABLES_READ_H_
