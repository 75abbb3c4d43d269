// How declared tables stand in the server: each as a query in parentheses over the server's own table, with the columns and types
// that the dialect counts on (lib/emit/clickhouse/clickhouse_dialect.h). ClickHouse plans such a query as the table itself.
//
//     (SELECT x.`id` AS `id`, x.`timestamp` AS `timestamp`, … AS `metadata.request.method` FROM `logs`.`edge_logs` AS x)
#ifndef LOGQUERY_LIB_BACKEND_CLICKHOUSE_LAYOUT_H_
#define LOGQUERY_LIB_BACKEND_CLICKHOUSE_LAYOUT_H_

#include <string>
#include <vector>

#include "lib/backend/clickhouse/wire_type.h"
#include "lib/base/strings.h"
#include "logquery/catalog.h"
#include "logquery/clickhouse/clickhouse_backend.h"

namespace logquery::clickhouse {

// A table's columns as the server has them, by their exact names; empty: there is no such table, or the user may not see it.
using ServerColumns = base::StringMap<WireType>;

// `table` of the declared schema as it stands in the server, whose database `mapping` names: Table::storage_name is the query, and
// mapped fields are hot columns. What does not fit is added to `problems`, a sentence each. Where the server's column may be NULL,
// the table has no time_column.
Table MapTable(const Table& declared, const ClickHouseTable& mapping, const ServerColumns& server,
               std::vector<std::string>& problems);

}  // namespace logquery::clickhouse

#endif  // LOGQUERY_LIB_BACKEND_CLICKHOUSE_LAYOUT_H_
