// The expressions of the syntax tree. Include ast.h, as an expression may hold a query.
#ifndef LOGQUERY_LIB_SQL_AST_EXPR_H_
#define LOGQUERY_LIB_SQL_AST_EXPR_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "logquery/type.h"

namespace logquery::sql {

// Byte offsets into the query's text, end exclusive.
struct Span {
  uint32_t begin = 0;
  uint32_t end = 0;
};

struct Identifier {
  std::string text;  // without quotes, as written
  Span span;
  bool quoted = false;  // was in back-quotes: never a keyword
};

struct Expr;
struct Query;
struct QueryBody;
struct FromItem;
using ExprPtr = std::unique_ptr<Expr>;
using QueryPtr = std::unique_ptr<Query>;
using QueryBodyPtr = std::unique_ptr<QueryBody>;
using FromItemPtr = std::unique_ptr<FromItem>;

enum class ExprKind {
  kLiteral,
  kInterval,
  kParameter,
  kPath,
  kFieldAccess,
  kSubscript,
  kUnary,
  kBinary,
  kNary,
  kIsTest,
  kBetween,
  kIn,
  kLike,
  kCase,
  kCast,
  kExtract,
  kStruct,
  kArray,
  kCall,
  kLambda,
  kSubquery,
  kWithExpr,
};

struct Expr {
  const ExprKind kind;
  Span span;
  virtual ~Expr() = default;

 protected:
  explicit Expr(ExprKind k) : kind(k) {}
};

template <ExprKind K>
struct ExprOf : Expr {
  static constexpr ExprKind kKind = K;
  ExprOf() : Expr(K) {}
};

// NULL, TRUE, 12, 0x1F, 1.5, 'text', b'bytes', and typed ones: DATE '2026-01-31', NUMERIC '1.5', JSON '{"a":1}'.
struct Literal : ExprOf<ExprKind::kLiteral> {
  enum class Form { kNull, kBool, kInteger, kFloat, kString, kBytes, kTyped };
  Form form = Form::kNull;
  std::string text;  // digits as written; the unescaped content of a string or bytes; "true" or "false"
  Type type;         // kTyped: the type before the string
};

// INTERVAL 5 DAY; INTERVAL '1-2 3' YEAR TO DAY.
struct IntervalExpr : ExprOf<ExprKind::kInterval> {
  ExprPtr value;
  std::string from;  // upper case: "DAY"
  std::string to;    // empty without TO
};

// A parameter, @name. The resolver converts it to lower case, because parameter names are case-insensitive.
struct ParameterExpr : ExprOf<ExprKind::kParameter> {
  std::string name;
};

// a, a.b.c: a column, a range variable, fields below them, or a date part as a function's argument.
struct PathExpr : ExprOf<ExprKind::kPath> {
  std::vector<Identifier> names;
};

// (expr).name, where expr is not itself a path of names.
struct FieldAccess : ExprOf<ExprKind::kFieldAccess> {
  ExprPtr base;
  Identifier field;
};

// base[i], base[OFFSET(i)] …
struct Subscript : ExprOf<ExprKind::kSubscript> {
  enum class Mode { kPlain, kOffset, kOrdinal, kSafeOffset, kSafeOrdinal, kKey, kSafeKey };
  ExprPtr base;
  Mode mode = Mode::kPlain;
  ExprPtr index;
};

struct Unary : ExprOf<ExprKind::kUnary> {
  enum class Op { kMinus, kPlus, kBitNot, kNot };
  Op op = Op::kMinus;
  ExprPtr operand;
};

struct Binary : ExprOf<ExprKind::kBinary> {
  enum class Op {
    kMultiply,
    kDivide,
    kAdd,
    kSubtract,
    kShiftLeft,
    kShiftRight,
    kBitAnd,
    kBitXor,
    kBitOr,
    kEqual,
    kNotEqual,
    kLess,
    kLessOrEqual,
    kGreater,
    kGreaterOrEqual,
    kIsDistinct,
    kIsNotDistinct,
  };
  Op op = Op::kEqual;
  ExprPtr left;
  ExprPtr right;
};

// Chains of one associative operator, with two or more operands.
struct Nary : ExprOf<ExprKind::kNary> {
  enum class Op { kAnd, kOr, kConcat };
  Op op = Op::kAnd;
  std::vector<ExprPtr> operands;
};

// x IS [NOT] NULL | TRUE | FALSE | UNKNOWN.
struct IsTest : ExprOf<ExprKind::kIsTest> {
  enum class What { kNull, kTrue, kFalse, kUnknown };
  ExprPtr operand;
  What what = What::kNull;
  bool negated = false;
};

struct Between : ExprOf<ExprKind::kBetween> {
  ExprPtr value;
  ExprPtr low;
  ExprPtr high;
  bool negated = false;
};

// The right operand of IN and of LIKE ANY: exactly one of a list, UNNEST(array), and a subquery.
struct Candidates {
  std::vector<ExprPtr> list;
  ExprPtr unnest;
  QueryPtr subquery;
};

struct InExpr : ExprOf<ExprKind::kIn> {
  ExprPtr value;
  Candidates candidates;
  bool negated = false;
};

struct LikeExpr : ExprOf<ExprKind::kLike> {
  enum class Quantifier { kOne, kAny, kAll };  // SOME is ANY
  ExprPtr value;
  Quantifier quantifier = Quantifier::kOne;
  Candidates patterns;  // kOne: list of one
  bool negated = false;
  bool ignore_case = false;  // ILIKE
};

struct CaseExpr : ExprOf<ExprKind::kCase> {
  struct When {
    ExprPtr condition;
    ExprPtr result;
  };
  ExprPtr operand;  // nullptr: searched CASE
  std::vector<When> whens;
  ExprPtr otherwise;  // nullptr without ELSE
};

// A type as written: STRING(10) and NUMERIC(10, 2) keep their parameters.
struct TypeName {
  Type type;
  std::vector<int64_t> parameters;
  std::vector<TypeName> parts;  // for an ARRAY its element, for a STRUCT its fields, as written
  Span span;
};

// CAST, SAFE_CAST, and expr::type.
struct CastExpr : ExprOf<ExprKind::kCast> {
  ExprPtr operand;
  TypeName type;
  bool safe = false;
  ExprPtr format;     // FORMAT expr
  ExprPtr time_zone;  // AT TIME ZONE expr
};

// EXTRACT(part FROM operand [AT TIME ZONE zone]).
struct ExtractExpr : ExprOf<ExprKind::kExtract> {
  Identifier part;
  std::string part_argument;  // WEEK(MONDAY): "MONDAY"
  ExprPtr operand;
  ExprPtr time_zone;
};

// (a, b), STRUCT(a AS x, b), STRUCT<x INT64, y STRING>(1, 'b').
struct StructExpr : ExprOf<ExprKind::kStruct> {
  struct Item {
    ExprPtr value;
    std::optional<Identifier> alias;
  };
  bool is_tuple = false;
  std::optional<TypeName> type;
  std::vector<Item> items;
};

// [1, 2], ARRAY[1, 2], ARRAY<INT64>[1, 2].
struct ArrayExpr : ExprOf<ExprKind::kArray> {
  std::optional<TypeName> type;  // the whole ARRAY<…>
  std::vector<ExprPtr> elements;
};

enum class NullsOrder { kDefault, kFirst, kLast };

struct OrderItem {
  ExprPtr expr;
  bool descending = false;
  NullsOrder nulls = NullsOrder::kDefault;
  ExprPtr collate;
  std::optional<Identifier> alias;  // in pipe syntax's GROUP BY
};

struct WindowBound {
  enum class Kind { kUnboundedPreceding, kPreceding, kCurrentRow, kFollowing, kUnboundedFollowing };
  Kind kind = Kind::kCurrentRow;
  ExprPtr offset;
};

struct WindowFrame {
  enum class Unit { kRows, kRange, kGroups };
  Unit unit = Unit::kRange;
  WindowBound start;
  std::optional<WindowBound> end;  // absent: CURRENT ROW
};

// OVER name, OVER ([name] [PARTITION BY …] [ORDER BY …] [frame]), and the WINDOW clause.
struct WindowSpec {
  std::optional<Identifier> base;
  std::vector<ExprPtr> partition_by;
  std::vector<OrderItem> order_by;
  std::optional<WindowFrame> frame;
  Span span;
};

// name(args), with everything that an aggregate or window function may have.
struct Call : ExprOf<ExprKind::kCall> {
  struct Argument {
    ExprPtr value;                   // nullptr: `*`, only COUNT(*)
    std::optional<Identifier> name;  // name => value
    std::string part_argument;       // WEEK(MONDAY) as a date part: value is the path WEEK, this is "MONDAY"
  };
  enum class Nulls { kDefault, kIgnore, kRespect };
  std::vector<Identifier> name;  // without SAFE.
  bool safe = false;             // SAFE.f()
  bool distinct = false;
  std::vector<Argument> arguments;
  Nulls nulls = Nulls::kDefault;
  ExprPtr having;  // HAVING MAX expr, HAVING MIN expr
  bool having_max = false;
  std::vector<OrderItem> order_by;
  ExprPtr limit;
  std::unique_ptr<WindowSpec> over;  // nullptr: no OVER
};

// x -> body, (x, y) -> body.
struct Lambda : ExprOf<ExprKind::kLambda> {
  std::vector<Identifier> parameters;
  ExprPtr body;
};

struct SubqueryExpr : ExprOf<ExprKind::kSubquery> {
  enum class Form { kScalar, kArray, kExists };
  Form form = Form::kScalar;
  QueryPtr query;
};

// WITH(a AS 1, b AS a + 1, a * b).
struct WithExpr : ExprOf<ExprKind::kWithExpr> {
  struct Binding {
    Identifier name;
    ExprPtr value;
  };
  std::vector<Binding> bindings;
  ExprPtr body;
};

}  // namespace logquery::sql

#endif  // LOGQUERY_LIB_SQL_AST_EXPR_H_
