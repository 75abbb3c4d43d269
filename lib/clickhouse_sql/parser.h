// Parses one SELECT, or a union of them, in ClickHouse's SQL.
//
//     auto query = clickhouse_sql::ParseQuery("select count() n from logs where source = 'edge_logs'", {});
//
// Reads the forms that log clients send (docs/clickhouse_sql.md) and names everything else: SETTINGS, FORMAT, INTO
// OUTFILE, other statements, a second statement. Time and memory are linear in the text.
#ifndef LOGQUERY_LIB_CLICKHOUSE_SQL_PARSER_H_
#define LOGQUERY_LIB_CLICKHOUSE_SQL_PARSER_H_

#include <cstdint>
#include <string_view>

#include "absl/status/statusor.h"
#include "lib/clickhouse_sql/ast.h"

namespace logquery::clickhouse_sql {

struct ParseLimits {
  int64_t max_bytes = 64 * 1024;
  int max_depth = 200;  // of nested expressions and queries; a chain of n operators without AND, OR, || counts n
  int max_columns = 1'000;
  int max_ctes = 100;
  int max_joins = 32;
  int max_selects = 200;    // of the whole statement
  bool parameters = false;  // {name:Type} is allowed: in definitions
};

// InvalidArgument with line, column and caret line (ErrorDetails).
absl::StatusOr<QueryPtr> ParseQuery(std::string_view text, const ParseLimits& limits);

}  // namespace logquery::clickhouse_sql

#endif  // LOGQUERY_LIB_CLICKHOUSE_SQL_PARSER_H_
