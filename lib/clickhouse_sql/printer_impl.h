// The printer's implementation, of which printer.cc has the queries and printer_expr.cc the expressions.
#ifndef LOGQUERY_LIB_CLICKHOUSE_SQL_PRINTER_IMPL_H_
#define LOGQUERY_LIB_CLICKHOUSE_SQL_PRINTER_IMPL_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/clickhouse_sql/ast.h"
#include "lib/clickhouse_sql/printer.h"

namespace logquery::clickhouse_sql {

class Printer {
 public:
  explicit Printer(std::vector<Comment> comments) : comments_(std::move(comments)) {}

  void PrintQuery(const Query& query);
  // Returns the expression on one line, in parentheses if its operator binds looser than `level`.
  std::string ExprText(const Expr& expr, int level);
  // Returns the text, with the comments that are left.
  std::string Finish();

 private:
  static constexpr size_t kWidth = 110;
  static constexpr int kNotLevel = 3;

  // printer.cc
  void Line(std::string_view text);
  void CommentsBefore(Span span);
  bool HasCommentBefore(Span span) const;
  void List(std::string_view head, const std::vector<ExprPtr>& items);
  void PrintWith(const Select& select);
  void PrintSelect(const Select& select);
  void Condition(std::string_view head, const Expr& condition);
  void PrintGroupBy(const Select& select);
  void PrintOrder(const Select& select);
  void PrintLimits(const Select& select);
  void PrintFrom(const From& from);
  template <typename Body>
  void Nested(const Body& body) {
    ++indent_;
    body();
    --indent_;
  }

  // printer_expr.cc
  std::string WithAlias(const Expr& expr);
  std::string OrderText(const OrderItem& item);
  std::string WindowText(const WindowSpec& spec);
  std::string CallText(const Expr& call, int& level);
  std::string CaseText(const Expr& call);
  std::string ListText(const std::vector<ExprPtr>& exprs);
  std::string Subquery(const Query& query);

  std::vector<Comment> comments_;
  size_t next_comment_ = 0;
  std::string out_;
  int indent_ = 0;
  bool one_line_ = false;
};

}  // namespace logquery::clickhouse_sql

#endif  // LOGQUERY_LIB_CLICKHOUSE_SQL_PRINTER_IMPL_H_
