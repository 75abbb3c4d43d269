// Random queries in ClickHouse's SQL over the table `logs`, of the kinds that dashboards, agents and people send: look-ups in
// log_attributes, conversions, aliases anywhere, aggregates with combinators, joins with defaults, windows, unions, arrays.
//
//     Query query = MakeQuery(/*seed=*/7, /*number=*/123);     // the same numbers make the same query
//
// Expressions that depend on the order of rows are ordered by columns in which no two rows are equal.
#ifndef LOGQUERY_TESTS_CLICKHOUSE_ORACLE_QUERY_MAKER_H_
#define LOGQUERY_TESTS_CLICKHOUSE_ORACLE_QUERY_MAKER_H_

#include <cstdint>
#include <string>

namespace logquery::clickhouse_oracle {

struct Query {
  std::string sql;       // its columns are named c0, c1, …
  bool ordered = false;  // the order of its rows is determined
};

Query MakeQuery(uint64_t seed, int64_t number);

}  // namespace logquery::clickhouse_oracle

#endif  // LOGQUERY_TESTS_CLICKHOUSE_ORACLE_QUERY_MAKER_H_
