// Maps declared tables to server tables: each becomes a query in parentheses on the server's own table, with the
// columns and types that the dialect requires (lib/engines/postgres/dialect/postgres_dialect.h). PostgreSQL plans such a query
// like the table itself.
//
//     (SELECT x."id"::text AS "id", x."timestamp" AS "timestamp", … AS "metadata" FROM "public"."log_events_5f1c" AS x)
#ifndef LOGQUERY_LIB_ENGINES_POSTGRES_BACKEND_LAYOUT_H_
#define LOGQUERY_LIB_ENGINES_POSTGRES_BACKEND_LAYOUT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "lib/base/strings.h"
#include "logquery/catalog.h"
#include "logquery/postgres/postgres_backend.h"

namespace logquery::postgres {

struct ServerColumn {
  uint32_t type_id = 0;
  std::string type_name;  // for messages
  bool not_null = false;
};

// A table on the server.
struct ServerTable {
  bool exists = false;
  bool may_read = false;
  base::StringMap<ServerColumn> columns;  // by their exact names
};

// Maps a `table` of the declared schema to the server: Table::storage_name is the query. Adds a sentence to `problems`
// for each mismatch. If the server's time column may be NULL, the table has no time_column.
Table MapTable(const Table& declared, const PostgresTable& mapping, const ServerTable& server,
               std::vector<std::string>& problems);

}  // namespace logquery::postgres

#endif  // LOGQUERY_LIB_ENGINES_POSTGRES_BACKEND_LAYOUT_H_
