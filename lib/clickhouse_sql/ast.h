// The syntax tree of a query in ClickHouse's SQL, as written: names are not resolved, and types are not known.
//
// Operators are calls of the functions that they stand for, as in ClickHouse itself: `a + b` is plus(a, b), `x[1]` is
// arrayElement(x, 1), CASE is multiIf or caseWithExpression. The canonical text of an expression, which names a column
// without an alias, follows from that (print.h).
//
// Depth is limited (ParseLimits), so that trees can be walked recursively. Chains of AND, OR and || are one node with
// many operands. Nothing changes a tree after parsing.
#ifndef LOGQUERY_LIB_CLICKHOUSE_SQL_AST_H_
#define LOGQUERY_LIB_CLICKHOUSE_SQL_AST_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lib/sql/ast.h"

namespace logquery::clickhouse_sql {

using sql::Span;

struct Expr;
struct Query;
struct Select;
struct From;
using ExprPtr = std::unique_ptr<Expr>;
using QueryPtr = std::unique_ptr<Query>;
using SelectPtr = std::unique_ptr<Select>;
using FromPtr = std::unique_ptr<From>;

enum class ExprKind {
  kNull,
  kBool,       // `is_true`
  kNumber,     // `text` as written, possibly with a sign
  kString,     // `text`, unescaped
  kName,       // `path`: one name, or a table's and a column's
  kCall,       // `text`(`args`), or `text`(`params`)(`args`)
  kLambda,     // `path` -> args[0]
  kSubquery,   // `query`
  kStar,       // `*`, or `path`.*
  kParameter,  // {text:type_name}
};

struct OrderItem {
  ExprPtr value;
  bool descending = false;
  std::optional<bool> nulls_first;
  bool with_fill = false;
  ExprPtr fill_from, fill_to, fill_step;
};

struct WindowBound {
  enum class Kind { kUnboundedPreceding, kPreceding, kCurrentRow, kFollowing, kUnboundedFollowing };
  Kind kind = Kind::kCurrentRow;
  ExprPtr offset;
};

struct WindowSpec {
  std::vector<ExprPtr> partition_by;
  std::vector<OrderItem> order_by;
  bool framed = false;
  bool rows = false;  // ROWS; otherwise RANGE
  WindowBound begin, end;
};

struct Expr {
  ExprKind kind = ExprKind::kNull;
  Span span;
  int depth = 1;
  bool is_true = false;
  bool distinct = false;  // count(DISTINCT x)
  std::string text;
  std::string type_name;  // kParameter: as written
  std::string alias;      // `AS alias` after it, at any place; empty: none
  Span alias_span;
  std::vector<std::string> path;
  std::vector<ExprPtr> params;
  bool has_params = false;
  std::vector<ExprPtr> args;
  QueryPtr query;
  std::unique_ptr<WindowSpec> over;
};

struct From {
  enum class Kind { kTable, kSubquery, kJoin };
  enum class Join { kInner, kLeft, kRight, kFull, kCross };
  Kind kind = Kind::kTable;
  Span span;
  std::string name;
  std::string alias;
  QueryPtr query;
  Join join = Join::kInner;
  FromPtr left, right;
  ExprPtr on;
  std::vector<std::string> using_names;
  Span using_span;
};

struct WithItem {
  std::string name;
  Span span;
  QueryPtr query;  // exactly one of these
  ExprPtr value;
};

enum class Grouping { kNone, kKeys, kAll, kRollup, kCube };

struct Select {
  Span span;
  std::vector<WithItem> with;
  bool distinct = false;
  std::vector<ExprPtr> items;
  FromPtr from;  // nullptr: absent
  bool left_array_join = false;
  std::vector<ExprPtr> array_join;
  ExprPtr prewhere, where, having, qualify;
  Grouping grouping = Grouping::kNone;
  std::vector<ExprPtr> group_by;
  bool order_by_all = false;
  bool order_all_descending = false;
  std::vector<OrderItem> order_by;
  ExprPtr limit_by_count, limit_by_offset;
  std::vector<ExprPtr> limit_by;
  ExprPtr limit, offset;
  bool with_ties = false;
};

// One SELECT, or a union: `selects` or parenthesised queries in order.
struct Query {
  struct Part {
    SelectPtr select;  // exactly one of these
    QueryPtr query;
    bool distinct = false;  // how it joins the parts before it
    Span operator_span;
  };
  Span span;
  std::vector<Part> parts;
};

}  // namespace logquery::clickhouse_sql

#endif  // LOGQUERY_LIB_CLICKHOUSE_SQL_AST_H_
