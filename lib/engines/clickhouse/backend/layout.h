// Maps declared tables to server tables: each becomes a query in parentheses on the server's own table, with the
// columns and types that the dialect requires (lib/engines/clickhouse/dialect/clickhouse_dialect.h). ClickHouse plans such a query
// like the table itself.
//
//     (SELECT x.`id` AS `id`, x.`timestamp` AS `timestamp`, … AS `metadata.request.method` FROM `logs`.`edge_logs` AS x)
#ifndef LOGQUERY_LIB_ENGINES_CLICKHOUSE_BACKEND_LAYOUT_H_
#define LOGQUERY_LIB_ENGINES_CLICKHOUSE_BACKEND_LAYOUT_H_

#include <string>
#include <vector>

#include "lib/base/strings.h"
#include "lib/engines/clickhouse/backend/wire_type.h"
#include "logquery/catalog.h"
#include "logquery/clickhouse/clickhouse_backend.h"

namespace logquery::clickhouse {

// The server's columns of a table, by their exact names; empty: the table does not exist, or the user can't see it.
using ServerColumns = base::StringMap<WireType>;

// Maps a `table` of the declared schema to the server; `mapping` must name the database. Table::storage_name is the
// query, and mapped fields are hot columns. Adds a sentence to `problems` for each mismatch. If the server's time
// column may be NULL, the table has no time_column.
Table MapTable(const Table& declared, const ClickHouseTable& mapping, const ServerColumns& server,
               std::vector<std::string>& problems);

}  // namespace logquery::clickhouse

#endif  // LOGQUERY_LIB_ENGINES_CLICKHOUSE_BACKEND_LAYOUT_H_
