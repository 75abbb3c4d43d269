// Rewrites a query from one of the two SQL languages to the other, as SQL that a person would keep: from syntax tree to
// syntax tree, with the names, WITH entries, order and comments of the original.
//
//     auto rewritten = RewriteToClickHouse("select count(*) as n from edge_logs", Catalog::DeclaredLogs());
//     // SELECT count() AS n
//     // FROM logs
//     // WHERE source = 'edge_logs'
//
// BigQuery SQL reads the nine logs by their names, as `logs.all` shows them; ClickHouse SQL reads the table `logs`, as
// `logs.all.otel` shows it (docs/clickhouse_sql.md). Over the same rows both queries give the same rows, but for what the
// notes say. What has no equal is refused with its place, never approximated.
#ifndef LOGQUERY_LIB_TOOLS_REWRITE_SQL_REWRITE_SQL_H_
#define LOGQUERY_LIB_TOOLS_REWRITE_SQL_REWRITE_SQL_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "logquery/catalog.h"

namespace logquery::tools {

// A place where the meanings of the two languages differ, and what was done about it.
struct RewriteNote {
  int line = 0;  // of the original, from 1; 0: of the whole query
  int column = 0;
  std::string text;
};

struct RewrittenSql {
  std::string sql;
  std::vector<RewriteNote> notes;  // in the order of their places
};

struct RewriteOptions {
  // Every row has metadata: CROSS JOIN UNNEST(metadata) drops none. Without that it is refused where it matters, because
  // log_attributes can't tell a row without metadata from one whose metadata is an empty record.
  bool rows_have_metadata = false;
};

// InvalidArgument: the query is not valid over logs.all. Unimplemented: it has no equal, or none that is supported; the
// message says what, with line and column. The catalog must be that of the data: a field that it lacks is unknown.
absl::StatusOr<RewrittenSql> RewriteToClickHouse(std::string_view sql, const Catalog& catalog,
                                                 const RewriteOptions& options = {});

// The same for a query over logs.all.otel.
absl::StatusOr<RewrittenSql> RewriteToBigQuery(std::string_view sql, const Catalog& catalog);

}  // namespace logquery::tools

#endif  // LOGQUERY_LIB_TOOLS_REWRITE_SQL_REWRITE_SQL_H_
