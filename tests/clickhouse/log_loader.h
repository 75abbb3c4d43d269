// Rows in NDJSON put into ClickHouse in the layout of docs/clickhouse.md: a column for each declared one, records as JSON text, and
// beside it a column for each field that is text, a number or a Bool, and for whether a record is there.
#ifndef LOGQUERY_TESTS_CLICKHOUSE_LOG_LOADER_H_
#define LOGQUERY_TESTS_CLICKHOUSE_LOG_LOADER_H_

#include <string>

#include "logquery/catalog.h"
#include "logquery/clickhouse/clickhouse_backend.h"
#include "tests/clickhouse/click_house.h"

namespace logquery::testing {

// A table of its own for the log, with the rows of `ndjson`; what the options say of it. Throws on lines that are no rows.
ClickHouseTable LoadLog(ClickHouse& server, const Table& log, const std::string& ndjson);

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_CLICKHOUSE_LOG_LOADER_H_
