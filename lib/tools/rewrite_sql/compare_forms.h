// Compares the answers to the two forms of one query, in BigQuery SQL over logs.all and in ClickHouse SQL over logs.all.otel.
//
//     std::string difference = FormDifference(bigquery, clickhouse, {.order = endpoint::OrderOf(bigquery_sql)});
//     // "row 3, column n: 4 in BigQuery SQL, 5 in ClickHouse SQL"
//
// The two languages write some values differently, which is no difference: times are microseconds in the one and texts in the
// other, conditions true and false or 1 and 0, and a FLOAT64 that is not finite is a text or null. All else is compared exactly.
// Rows may stand in any order, unless the query orders them by columns of the result; then rows that are equal in these may.
#ifndef LOGQUERY_LIB_TOOLS_REWRITE_SQL_COMPARE_FORMS_H_
#define LOGQUERY_LIB_TOOLS_REWRITE_SQL_COMPARE_FORMS_H_

#include <string>
#include <string_view>

#include "lib/tools/result_order.h"
#include "logquery/type.h"

namespace logquery::tools {

struct FormAnswer {
  std::string_view body;  // {"result":[…]}
  Schema schema;          // of the result; of the BigQuery form's alone the types count
};

struct FormOrder {
  endpoint::ResultOrder order;
  bool named = true;  // the names of the columns have to be equal, too
};

// Returns "" if the answers have the same rows; otherwise the first difference, with row and column.
std::string FormDifference(const FormAnswer& bigquery, const FormAnswer& clickhouse, const FormOrder& order);

}  // namespace logquery::tools

#endif  // LOGQUERY_LIB_TOOLS_REWRITE_SQL_COMPARE_FORMS_H_
