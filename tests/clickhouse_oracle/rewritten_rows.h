// Rows of two of the nine logs, for queries of the differential fuzz's generator over these logs.
#ifndef LOGQUERY_TESTS_CLICKHOUSE_ORACLE_REWRITTEN_ROWS_H_
#define LOGQUERY_TESTS_CLICKHOUSE_ORACLE_REWRITTEN_ROWS_H_

#include <string>

#include "lib/base/strings.h"
#include "tests/fuzz/differential/choices.h"

namespace logquery::clickhouse_oracle {

// A line of NDJSON. `log`: edge_logs or, for function_edge_logs, relay_logs.
std::string RewrittenRow(const std::string& log, int number, const std::string& project, fuzz::Choices& choices);

}  // namespace logquery::clickhouse_oracle

#endif  // LOGQUERY_TESTS_CLICKHOUSE_ORACLE_REWRITTEN_ROWS_H_
