// Finds the comments of a query, which parsers drop.
#ifndef LOGQUERY_LIB_TOOLS_REWRITE_SQL_COMMENTS_H_
#define LOGQUERY_LIB_TOOLS_REWRITE_SQL_COMMENTS_H_

#include <string_view>
#include <vector>

#include "lib/clickhouse_sql/printer.h"

namespace logquery::tools {

// In order, each with its marks; one that begins with # is given --. The text has to be valid GoogleSQL, or with
// `clickhouse` ClickHouse's SQL, whose texts have other quotes and escapes.
std::vector<clickhouse_sql::Comment> FindComments(std::string_view text, bool clickhouse);

}  // namespace logquery::tools

#endif  // LOGQUERY_LIB_TOOLS_REWRITE_SQL_COMMENTS_H_
