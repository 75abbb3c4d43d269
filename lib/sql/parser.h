// Parses text into a syntax tree: GoogleSQL's SELECT, and other forms that log consumers use (docs/sql_support.md).
//
//     absl::StatusOr<sql::QueryPtr> query = sql::ParseQuery("select id from edge_logs limit 5", {});
//
// Uses a lexer, recursive descent for clauses, and precedence climbing for expressions. Time and memory are linear in
// the text; ParseLimits::max_depth limits the recursion.
#ifndef LOGQUERY_LIB_SQL_PARSER_H_
#define LOGQUERY_LIB_SQL_PARSER_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "lib/sql/ast.h"

namespace logquery::sql {

// Exceeding a limit is InvalidArgument with the limit's name.
struct ParseLimits {
  int64_t max_bytes = 64 * 1024;
  int max_depth = 200;  // of parentheses, subqueries, nested calls, CASE …
  int max_chain = 500;  // consecutive operators other than AND, OR and ||: 1 + 2 + 3 …
  int max_ctes = 100;
  int max_columns = 1'000;  // items of one SELECT list
  int max_joins = 32;       // in the whole statement, not counting those with UNNEST
  int max_unnests = 200;    // joins with UNNEST in the whole statement: a log's record needs one per level
  int max_pipes = 200;      // operators |> of one query
};

// Parses one SELECT statement, with an optional `;` and comments after it. InvalidArgument with line, column, caret
// line (ErrorDetails), the expected and the actual token: a syntax error, a statement other than SELECT, a second
// statement, invalid UTF-8, an exceeded limit.
absl::StatusOr<QueryPtr> ParseQuery(std::string_view text, const ParseLimits& limits);

// Parses one expression that makes up the whole text. For tests and definitions of macros.
absl::StatusOr<ExprPtr> ParseExpression(std::string_view text, const ParseLimits& limits);

}  // namespace logquery::sql

#endif  // LOGQUERY_LIB_SQL_PARSER_H_
