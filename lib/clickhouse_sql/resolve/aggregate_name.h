// The name of an aggregate, which may end with combinators: sumIf, countOrNull, maxArray.
#ifndef LOGQUERY_LIB_CLICKHOUSE_SQL_RESOLVE_AGGREGATE_NAME_H_
#define LOGQUERY_LIB_CLICKHOUSE_SQL_RESOLVE_AGGREGATE_NAME_H_

#include <string>
#include <string_view>

namespace logquery::clickhouse_sql {

struct AggregateName {
  std::string base;  // empty: no aggregate
  bool filtered = false;
  bool or_null = false;
  bool or_default = false;
  bool outside_if = false;  // -OrNull or -OrDefault stands behind -If, and looks at the rows before the filter
  bool of_array = false;
  bool distinct = false;
};

// `sumIfOrNull` is `sum`, filtered, or_null.
AggregateName ParseAggregateName(std::string_view name);

}  // namespace logquery::clickhouse_sql

#endif  // LOGQUERY_LIB_CLICKHOUSE_SQL_RESOLVE_AGGREGATE_NAME_H_
