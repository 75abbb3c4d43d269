// Prints a syntax tree as ClickHouse's SQL that a person would keep: one clause to a line, operators instead of the
// functions that they stand for, quotes and parentheses only where they are needed.
//
// Parsing the output gives the same tree, but for spans. Comments of another text can be put in: each before the first
// item, entry or clause whose span begins after it.
#ifndef LOGQUERY_LIB_CLICKHOUSE_SQL_PRINTER_H_
#define LOGQUERY_LIB_CLICKHOUSE_SQL_PRINTER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lib/clickhouse_sql/ast.h"

namespace logquery::clickhouse_sql {

struct Comment {
  uint32_t offset = 0;  // of its first byte in the text that the spans refer to
  std::string text;     // with its marks; without a line's end
};

std::string Print(const Query& query, std::vector<Comment> comments = {});
// On one line.
std::string Print(const Expr& expr);

// Returns `name`, in back-quotes if it is reserved or no plain identifier.
std::string QuoteName(std::string_view name);

}  // namespace logquery::clickhouse_sql

#endif  // LOGQUERY_LIB_CLICKHOUSE_SQL_PRINTER_H_
