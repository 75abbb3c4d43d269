// Makes and copies expressions of ClickHouse's syntax tree, for code that writes queries instead of reading them.
#ifndef LOGQUERY_LIB_CLICKHOUSE_SQL_BUILD_H_
#define LOGQUERY_LIB_CLICKHOUSE_SQL_BUILD_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "lib/clickhouse_sql/ast.h"

namespace logquery::clickhouse_sql {

ExprPtr MakeNull();
ExprPtr MakeNumber(std::string digits);
ExprPtr MakeNumber(int64_t value);
ExprPtr MakeString(std::string text);
ExprPtr MakeName(std::string name);                     // a column
ExprPtr MakeName(std::string table, std::string name);  // table.column
ExprPtr MakeCall(std::string function, std::vector<ExprPtr> args);

template <typename... Args>
ExprPtr MakeCallOf(std::string function, Args... args) {
  std::vector<ExprPtr> list;
  (list.push_back(std::move(args)), ...);
  return MakeCall(std::move(function), std::move(list));
}

// Subqueries and windows are copied, too.
ExprPtr CloneExpr(const Expr& expr);
QueryPtr CloneQuery(const Query& query);

// Parses the text of an expression in which _1, _2 … stand for arguments, and puts copies of the arguments in their
// places. Internal: the text is no expression, or names an argument that is not given.
absl::StatusOr<ExprPtr> FillTemplate(std::string_view text, const std::vector<ExprPtr>& args);

}  // namespace logquery::clickhouse_sql

#endif  // LOGQUERY_LIB_CLICKHOUSE_SQL_BUILD_H_
