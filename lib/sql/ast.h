// The syntax tree of a GoogleSQL query as written: names are not resolved, and types are not known.
//
// Every node has the span of its text, so that later errors can point at it. Parser builds trees, Printer prints them,
// and rewrite::Resolver turns them into plans; nothing changes a tree after parsing.
//
// Depth is limited (ParseLimits), so that trees can be walked recursively. Chains of AND, OR and ||, which may be long,
// are one node with many operands.
#ifndef LOGQUERY_LIB_SQL_AST_H_
#define LOGQUERY_LIB_SQL_AST_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lib/sql/ast_expr.h"

namespace logquery::sql {

// ---------------------------------------------------------------------------------------------------- FROM

enum class FromKind { kTable, kUnnest, kSubquery, kJoin, kTableFunction, kPivot, kUnpivot };

struct FromItem {
  const FromKind kind;
  Span span;
  std::optional<Identifier> alias;
  virtual ~FromItem() = default;

 protected:
  explicit FromItem(FromKind k) : kind(k) {}
};

template <FromKind K>
struct FromOf : FromItem {
  static constexpr FromKind kKind = K;
  FromOf() : FromItem(K) {}
};

// A table or CTE by name, or a path to an array of a preceding range variable: FROM t, t.tags. A back-quoted name with
// dots is one identifier.
struct TableItem : FromOf<FromKind::kTable> {
  std::vector<Identifier> path;
  bool with_offset = false;
  std::optional<Identifier> offset_alias;
};

struct UnnestItem : FromOf<FromKind::kUnnest> {
  struct Array {
    ExprPtr value;
    std::optional<Identifier> alias;
  };
  std::vector<Array> arrays;  // several: read in parallel
  ExprPtr mode;               // mode => 'PAD'
  bool with_offset = false;
  std::optional<Identifier> offset_alias;
};

struct SubqueryItem : FromOf<FromKind::kSubquery> {
  QueryPtr query;
};

struct JoinItem : FromOf<FromKind::kJoin> {
  enum class Type { kComma, kCross, kInner, kLeft, kRight, kFull };
  Type type = Type::kInner;
  FromItemPtr left;
  FromItemPtr right;
  ExprPtr on;
  std::vector<Identifier> columns;  // USING
  bool parenthesized = false;
};

// Parsed only so that the resolver can reject it with a clear error.
struct TableFunctionItem : FromOf<FromKind::kTableFunction> {
  std::vector<Identifier> name;
  std::vector<ExprPtr> arguments;
};

// input PIVOT(aggregates FOR input_column IN (values)).
struct PivotItem : FromOf<FromKind::kPivot> {
  struct Aggregate {
    ExprPtr call;
    std::optional<Identifier> alias;
  };
  struct Value {
    ExprPtr value;
    std::optional<Identifier> alias;
  };
  FromItemPtr input;  // nullptr as a pipe operator
  std::vector<Aggregate> aggregates;
  ExprPtr for_expr;
  std::vector<Value> values;
};

// input UNPIVOT [INCLUDE NULLS](values FOR name IN (columns)).
struct UnpivotItem : FromOf<FromKind::kUnpivot> {
  struct Group {
    std::vector<Identifier> columns;
    ExprPtr label;  // AS 'text' or AS 1; nullptr: the columns' names
  };
  FromItemPtr input;  // nullptr as a pipe operator
  bool include_nulls = false;
  std::vector<Identifier> value_columns;
  Identifier name_column;
  std::vector<Group> groups;
};

// ---------------------------------------------------------------------------------------------------- queries

struct SelectItem {
  struct Replacement {
    ExprPtr value;
    Identifier name;
  };
  ExprPtr expr;  // with is_star: the expression before `.*`; nullptr for a plain `*`
  std::optional<Identifier> alias;
  bool is_star = false;
  std::vector<Identifier> except;
  std::vector<Replacement> replace;
  bool has_order = false;  // pipe syntax: AGGREGATE expr DESC
  bool descending = false;
  NullsOrder nulls = NullsOrder::kDefault;
  Span span;
};

struct GroupItem {
  enum class Kind { kExpr, kRollup, kCube, kGroupingSets, kEmpty };
  Kind kind = Kind::kExpr;
  ExprPtr expr;                     // kExpr
  std::optional<Identifier> alias;  // pipe syntax: GROUP BY expr AS name
  bool has_order = false;           // pipe syntax: GROUP BY expr DESC
  bool descending = false;
  NullsOrder nulls = NullsOrder::kDefault;
  std::vector<std::vector<ExprPtr>> lists;  // kRollup, kCube: each entry's columns, (a, b) being one entry
  std::vector<GroupItem> sets;  // kGroupingSets: kExpr of one, kEmpty, kRollup, kCube, or a list in `lists[0]`
                                // (then kind is kExpr and `expr` is nullptr)
  Span span;
};

struct GroupBy {
  bool all = false;           // GROUP BY ALL
  bool and_order_by = false;  // pipe syntax: GROUP AND ORDER BY
  std::vector<GroupItem> items;
};

enum class BodyKind { kSelect, kSetOperation, kParenthesized, kFrom };

struct QueryBody {
  const BodyKind kind;
  Span span;
  virtual ~QueryBody() = default;

 protected:
  explicit QueryBody(BodyKind k) : kind(k) {}
};

template <BodyKind K>
struct BodyOf : QueryBody {
  static constexpr BodyKind kKind = K;
  BodyOf() : QueryBody(K) {}
};

struct Select : BodyOf<BodyKind::kSelect> {
  enum class As { kRow, kStruct, kValue };
  struct NamedWindow {
    Identifier name;
    WindowSpec spec;
  };
  bool distinct = false;
  As as = As::kRow;
  std::vector<SelectItem> items;
  FromItemPtr from;
  ExprPtr where;
  std::optional<GroupBy> group_by;
  ExprPtr having;
  ExprPtr qualify;
  std::vector<NamedWindow> windows;
};

// The way in which the inputs of a set operation are combined, which is the same for a whole chain.
struct SetOperator {
  enum class Kind { kUnion, kIntersect, kExcept };
  enum class Match { kByPosition, kByName, kCorresponding };
  enum class Outer { kNone, kFull, kLeft, kInner };  // FULL [OUTER], LEFT [OUTER], INNER before the operator
  Kind kind = Kind::kUnion;
  bool distinct = false;
  Match match = Match::kByPosition;
  Outer outer = Outer::kNone;
  bool strict = false;              // STRICT CORRESPONDING
  std::vector<Identifier> columns;  // ON (…), BY (…), CORRESPONDING BY (…), BY NAME ON (…)
  Span span;
};

// input (op input)+, all with one operator; mixed operators require parentheses.
struct SetOperation : BodyOf<BodyKind::kSetOperation> {
  SetOperator op;
  std::vector<QueryBodyPtr> inputs;
};

struct ParenthesizedBody : BodyOf<BodyKind::kParenthesized> {
  QueryPtr query;
};

// A query that starts with FROM, as in pipe syntax.
struct FromBody : BodyOf<BodyKind::kFrom> {
  FromItemPtr from;
};

enum class PipeKind {
  kWhere,
  kSelect,
  kExtend,
  kSet,
  kDrop,
  kRename,
  kAs,
  kAggregate,
  kOrderBy,
  kLimit,
  kDistinct,
  kJoin,
  kSetOperation,
  kPivot,
  kUnpivot,
  kWindow,
  kWith,
};

struct Cte {
  Identifier name;
  QueryPtr query;
};

// One `|>` operator. The comments name the kinds that use a field.
struct PipeOperator {
  PipeKind kind = PipeKind::kWhere;
  Span span;
  ExprPtr expr;                              // kWhere
  std::vector<SelectItem> items;             // kSelect, kExtend, kSet (alias = expr), kAggregate, kWindow
  bool distinct = false;                     // kSelect
  Select::As as = Select::As::kRow;          // kSelect
  std::vector<Identifier> names;             // kDrop; kAs: one; kRename: old names, `new_names` beside
  std::vector<Identifier> new_names;         // kRename
  std::optional<GroupBy> group_by;           // kAggregate
  std::vector<OrderItem> order_by;           // kOrderBy
  ExprPtr limit;                             // kLimit
  ExprPtr offset;                            // kLimit
  FromItemPtr from;                          // kJoin: a JoinItem without left; kPivot, kUnpivot: without input
  SetOperator set_operator;                  // kSetOperation
  std::vector<QueryPtr> queries;             // kSetOperation: the other inputs
  std::vector<Cte> with;                     // kWith
  std::vector<Select::NamedWindow> windows;  // kSelect, kExtend, kWindow: WINDOW clause
};

struct Query {
  Span span;
  bool recursive = false;
  std::vector<Cte> with;
  QueryBodyPtr body;
  std::vector<OrderItem> order_by;
  ExprPtr limit;
  ExprPtr offset;
  std::vector<PipeOperator> pipes;
  // For a whole statement: all one-part names in its FROM clauses at any depth, which may be names of WITH entries.
  std::vector<Identifier> table_names;
};

// ---------------------------------------------------------------------------------------------------- use

// Returns the node as the struct of its kind, which the caller must have checked.
template <typename T, typename Base>
const T& As(const Base& node) {
  return static_cast<const T&>(node);
}

// Returns the node as struct T if it is of that kind, otherwise nullptr.
template <typename T, typename Base>
const T* If(const Base* node) {
  return node != nullptr && node->kind == T::kKind ? static_cast<const T*>(node) : nullptr;
}

}  // namespace logquery::sql

#endif  // LOGQUERY_LIB_SQL_AST_H_
