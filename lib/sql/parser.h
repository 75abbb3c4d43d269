// From text to syntax tree: GoogleSQL's SELECT, with what log consumers also write (docs/sql_support.md).
//
//     absl::StatusOr<sql::QueryPtr> query = sql::ParseQuery("select id from edge_logs limit 5", {});
//
// A lexer, then recursive descent for clauses and precedence climbing for expressions. Time and memory are linear in
// the text; recursion is bounded by ParseLimits::max_depth.
#ifndef LOGQUERY_LIB_SQL_PARSER_H_
#define LOGQUERY_LIB_SQL_PARSER_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "lib/sql/ast.h"

namespace logquery::sql {

// Each bound that is passed is an InvalidArgument that names it.
struct ParseLimits {
  int64_t max_bytes = 64 * 1024;
  int max_depth = 200;  // of parentheses, subqueries, nested calls, CASE …
  int max_chain = 500;  // operators in a row that are not AND, OR or ||: 1 + 2 + 3 …
  int max_ctes = 100;
  int max_columns = 1'000;  // items of one SELECT list
  int max_joins = 32;       // in the whole statement, those with UNNEST not counted
  int max_unnests = 200;    // joins with UNNEST, in the whole statement: a log's record takes one for each level
  int max_pipes = 200;      // operators |> of one query
};

// Parses one SELECT statement, an optional `;` and comments after it.
// InvalidArgument with line, column, caret line (ErrorDetails), what was expected and what was found: a syntax error, a
// statement that is not a SELECT, a second statement, invalid UTF-8, a bound passed.
absl::StatusOr<QueryPtr> ParseQuery(std::string_view text, const ParseLimits& limits);

// Parses one expression that takes up the whole text. For tests and definitions of macros.
absl::StatusOr<ExprPtr> ParseExpression(std::string_view text, const ParseLimits& limits);

}  // namespace logquery::sql

#endif  // LOGQUERY_LIB_SQL_PARSER_H_
