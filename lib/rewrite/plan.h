// A query after name resolution: scans, joins, filters … over columns that each have a number of their own.
//
// The syntax tree says what was written; the plan says what is meant. Every column that anything produces has a ColumnId
// that no other column of the query has, so there are no scopes left to get wrong: passes move nodes about freely, and
// emitters name columns as they like. Every scalar has its type; every implicit conversion is a node. Plans are printed
// as GoogleSQL by the emitter's GoogleSQL dialect.
//
// A plan is owned by one pass at a time and const once the passes are through.
#ifndef LOGQUERY_LIB_REWRITE_PLAN_H_
#define LOGQUERY_LIB_REWRITE_PLAN_H_

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/rewrite/column_set.h"
#include "lib/rewrite/functions/functions.h"
#include "lib/sql/ast.h"
#include "logquery/catalog.h"
#include "logquery/type.h"
#include "logquery/value.h"

namespace logquery::rewrite {

struct PlanColumn {
  ColumnId id = 0;
  std::string name;  // what the query calls it; for people, not unique, may be empty
  Type type;
};

struct Scalar;
struct Plan;
using ScalarPtr = std::unique_ptr<Scalar>;
using PlanPtr = std::unique_ptr<Plan>;

// ---------------------------------------------------------------------------------------------------- scalars

enum class ScalarKind {
  kConstant,
  kColumn,
  kParameter,
  kField,
  kCall,
  kCast,
  kCase,
  kStruct,
  kArray,
  kSubquery,
  kLambda,
};

struct Scalar {
  const ScalarKind kind;
  Type type;
  sql::Span span;  // of the text it comes from, for errors
  virtual ~Scalar() = default;

 protected:
  Scalar(ScalarKind k, Type t) : kind(k), type(std::move(t)) {}
};

struct Constant : Scalar {
  static constexpr ScalarKind kKind = ScalarKind::kConstant;
  explicit Constant(Value v) : Scalar(kKind, v.type()), value(std::move(v)) {}
  Value value;
};

// A column of the node's input, or, in a subquery, of any node around it.
struct ColumnRef : Scalar {
  static constexpr ScalarKind kKind = ScalarKind::kColumn;
  explicit ColumnRef(const PlanColumn& column) : Scalar(kKind, column.type), id(column.id), name(column.name) {}
  ColumnId id;
  std::string name;
};

// A query parameter, by its declared name; or one of ours, whose names begin with `@`: the call's now, derived ones.
struct ParameterRef : Scalar {
  static constexpr ScalarKind kKind = ScalarKind::kParameter;
  ParameterRef(std::string n, Type t) : Scalar(kKind, std::move(t)), name(std::move(n)) {}
  std::string name;
};

// A field of a STRUCT (never of a record: `$element` comes between).
struct FieldRef : Scalar {
  static constexpr ScalarKind kKind = ScalarKind::kField;
  FieldRef(ScalarPtr b, int i);  // takes its type from the base's field
  ScalarPtr base;
  int index;
};

struct FunctionCall : Scalar {
  static constexpr ScalarKind kKind = ScalarKind::kCall;
  FunctionCall(const Overload* o, Type t, std::vector<ScalarPtr> a)
      : Scalar(kKind, std::move(t)), overload(o), arguments(std::move(a)) {}
  const Overload* overload;  // of a scalar function; borrowed from the table
  // A date part is a STRING constant in upper case: "DAY", "WEEK(MONDAY)".
  std::vector<ScalarPtr> arguments;
  bool safe = false;  // SAFE.f(): NULL in place of an error
};

// To its type, explicitly or as GoogleSQL coerces. Also from a record to the ARRAY that it is to queries, and back
// where the array is a constant of length 0.
struct Cast : Scalar {
  static constexpr ScalarKind kKind = ScalarKind::kCast;
  Cast(ScalarPtr o, Type t) : Scalar(kKind, std::move(t)), operand(std::move(o)) {}
  ScalarPtr operand;
  bool safe = false;
  ScalarPtr format;
  ScalarPtr time_zone;
};

struct Case : Scalar {
  static constexpr ScalarKind kKind = ScalarKind::kCase;
  struct When {
    ScalarPtr condition;
    ScalarPtr result;
  };
  explicit Case(Type t) : Scalar(kKind, std::move(t)) {}
  ScalarPtr operand;  // nullptr: conditions are BOOL; else they are compared with it
  std::vector<When> whens;
  ScalarPtr otherwise;  // never nullptr
};

// One value for each field of its type.
struct StructMake : Scalar {
  static constexpr ScalarKind kKind = ScalarKind::kStruct;
  StructMake(Type t, std::vector<ScalarPtr> f) : Scalar(kKind, std::move(t)), fields(std::move(f)) {}
  std::vector<ScalarPtr> fields;
};

// Elements of its type's element type.
struct ArrayMake : Scalar {
  static constexpr ScalarKind kKind = ScalarKind::kArray;
  ArrayMake(Type t, std::vector<ScalarPtr> e) : Scalar(kKind, std::move(t)), elements(std::move(e)) {}
  std::vector<ScalarPtr> elements;
};

struct SubqueryScalar : Scalar {
  static constexpr ScalarKind kKind = ScalarKind::kSubquery;
  enum class Form { kScalar, kArray, kExists, kIn };
  SubqueryScalar(Form f, Type t, PlanPtr p) : Scalar(kKind, std::move(t)), form(f), plan(std::move(p)) {}
  Form form;
  ScalarPtr value;  // kIn: what is looked for
  PlanPtr plan;     // of one column, but for kExists
};

struct LambdaScalar : Scalar {
  static constexpr ScalarKind kKind = ScalarKind::kLambda;
  LambdaScalar(std::vector<PlanColumn> p, ScalarPtr b)
      : Scalar(kKind, b->type), parameters(std::move(p)), body(std::move(b)) {}
  std::vector<PlanColumn> parameters;
  ScalarPtr body;
};

// ---------------------------------------------------------------------------------------------------- plan nodes

enum class PlanKind {
  kSingleRow,
  kTableScan,
  kCteScan,
  kWith,
  kProject,
  kFilter,
  kJoin,
  kUnnest,
  kAggregate,
  kWindow,
  kSetOperation,
  kSort,
  kLimit,
};

struct Plan {
  const PlanKind kind;
  // What it produces, in order. For kFilter, kSort, kLimit the input's columns; for kJoin left's and then right's; for
  // kUnnest and kWindow the input's and then its own; for kProject any of the input's and its own, repeats allowed.
  std::vector<PlanColumn> columns;
  // False: the query that it was resolved in has no subquery, so that walks over plans need not look into its scalars. Only
  // the resolver makes subqueries.
  bool may_hold_subqueries = true;
  virtual ~Plan() = default;

 protected:
  explicit Plan(PlanKind k) : kind(k) {}
};

struct Computed {
  PlanColumn column;
  ScalarPtr value;
};

struct OrderKey {
  ScalarPtr value;
  bool descending = false;
  bool nulls_first = true;  // always settled: GoogleSQL's default is first when ascending, last when descending
};

// One row without columns: a SELECT without FROM.
struct SingleRow : Plan {
  static constexpr PlanKind kKind = PlanKind::kSingleRow;
  SingleRow() : Plan(kKind) {}
};

struct TableScan : Plan {
  static constexpr PlanKind kKind = PlanKind::kTableScan;
  explicit TableScan(const Table* t) : Plan(kKind), table(t) {}
  const Table* table;                // borrowed from the catalog
  std::vector<std::string> storage;  // for each of `columns`, the stored column's name
};

struct CteScan : Plan {
  static constexpr PlanKind kKind = PlanKind::kCteScan;
  explicit CteScan(int c) : Plan(kKind), cte(c) {}
  int cte;                    // WithEntry::id
  std::vector<int> ordinals;  // for each of `columns`, the place among the entry's plan's columns
};

struct WithEntry {
  int id = 0;        // unique in the query
  std::string name;  // as written; for people
  PlanPtr plan;
  bool recursive = false;  // plan is a SetOperation (UNION) whose second input reads the entry itself
  bool endpoint = false;   // of the endpoint's definition, not of a caller's SQL
};

struct With : Plan {
  static constexpr PlanKind kKind = PlanKind::kWith;
  With() : Plan(kKind) {}
  std::vector<WithEntry> entries;  // each may read those before it
  PlanPtr body;
};

struct Project : Plan {
  static constexpr PlanKind kKind = PlanKind::kProject;
  explicit Project(PlanPtr i) : Plan(kKind), input(std::move(i)) {}
  PlanPtr input;
  std::vector<Computed> computed;  // over the input's columns, not over each other
};

struct Filter : Plan {
  static constexpr PlanKind kKind = PlanKind::kFilter;
  Filter(PlanPtr i, ScalarPtr c);
  PlanPtr input;
  ScalarPtr condition;
};

struct Join : Plan {
  static constexpr PlanKind kKind = PlanKind::kJoin;
  enum class Type { kCross, kInner, kLeft, kRight, kFull };
  Join(Type t, PlanPtr l, PlanPtr r, ScalarPtr on);
  Type type;
  PlanPtr left;
  PlanPtr right;
  ScalarPtr condition;  // nullptr: none
};

// Each input row joined with the elements of its arrays, in their order.
struct Unnest : Plan {
  static constexpr PlanKind kKind = PlanKind::kUnnest;
  explicit Unnest(PlanPtr i) : Plan(kKind), input(std::move(i)) {}
  PlanPtr input;                     // never nullptr: SingleRow for UNNEST on its own
  std::vector<ScalarPtr> arrays;     // several: side by side, shorter ones padded with NULL
  std::vector<PlanColumn> elements;  // one for each array
  std::optional<PlanColumn> offset;  // INT64 from 0
  bool outer = false;                // a row without elements stays, with NULLs
  ScalarPtr condition;               // outer only: elements that fail it are as if absent; nullptr: none
};

struct AggregateCall {
  const Overload* overload = nullptr;
  std::vector<ScalarPtr> arguments;  // none: COUNT(*)
  bool distinct = false;
  bool ignore_nulls = false;
  bool respect_nulls = false;
  ScalarPtr having;  // HAVING MAX / MIN; nullptr: none
  bool having_max = false;
  std::vector<OrderKey> order_by;
  ScalarPtr limit;
  ScalarPtr filter;  // only rows where it is TRUE; made by passes
  bool safe = false;
};

struct Aggregate : Plan {
  static constexpr PlanKind kKind = PlanKind::kAggregate;
  struct Call {
    PlanColumn column;
    AggregateCall call;
  };
  explicit Aggregate(PlanPtr i) : Plan(kKind), input(std::move(i)) {}
  PlanPtr input;
  std::vector<Computed> keys;                   // columns: the keys', then the calls'
  std::vector<std::vector<int>> grouping_sets;  // of places in `keys`; empty: one set of all keys
  std::vector<Call> calls;                      // no keys and no grouping sets: one row, also for no input
  // GROUPING(key): INT64 1 where the key is rolled up.
  struct Grouping {
    PlanColumn column;
    int key = 0;
  };
  std::vector<Grouping> groupings;  // after the calls' columns
};

struct WindowFramePlan {
  sql::WindowFrame::Unit unit = sql::WindowFrame::Unit::kRange;
  sql::WindowBound::Kind start = sql::WindowBound::Kind::kUnboundedPreceding;
  sql::WindowBound::Kind end = sql::WindowBound::Kind::kCurrentRow;
  ScalarPtr start_offset;
  ScalarPtr end_offset;
};

struct Window : Plan {
  static constexpr PlanKind kKind = PlanKind::kWindow;
  struct Call {
    PlanColumn column;
    AggregateCall call;  // of an aggregate or a window function; its order_by is of the aggregate itself
    std::vector<ScalarPtr> partition_by;
    std::vector<OrderKey> order_by;
    std::optional<WindowFramePlan> frame;
  };
  explicit Window(PlanPtr i) : Plan(kKind), input(std::move(i)) {}
  PlanPtr input;
  std::vector<Call> calls;
};

struct SetOperationPlan : Plan {
  static constexpr PlanKind kKind = PlanKind::kSetOperation;
  SetOperationPlan(sql::SetOperator::Kind o, bool d) : Plan(kKind), op(o), distinct(d) {}
  sql::SetOperator::Kind op;
  bool distinct;
  std::vector<PlanPtr> inputs;  // each with as many columns, of the same types, as `columns`
};

struct Sort : Plan {
  static constexpr PlanKind kKind = PlanKind::kSort;
  Sort(PlanPtr i, std::vector<OrderKey> k);
  PlanPtr input;
  std::vector<OrderKey> keys;
};

struct Limit : Plan {
  static constexpr PlanKind kKind = PlanKind::kLimit;
  Limit(PlanPtr i, ScalarPtr l, ScalarPtr o);
  PlanPtr input;
  ScalarPtr limit;   // nullptr: none
  ScalarPtr offset;  // nullptr: none
};

// ---------------------------------------------------------------------------------------------------- use

template <typename T, typename Base>
T& As(Base& node) {
  return static_cast<T&>(node);
}
template <typename T, typename Base>
const T& As(const Base& node) {
  return static_cast<const T&>(node);
}
// The node as T when it is of that kind, else nullptr.
template <typename T, typename Base>
T* If(Base* node) {
  return node != nullptr && node->kind == T::kKind ? static_cast<T*>(node) : nullptr;
}
template <typename T, typename Base>
const T* If(const Base* node) {
  return node != nullptr && node->kind == T::kKind ? static_cast<const T*>(node) : nullptr;
}

// A value that is worked out from parameters before the engine is asked, and bound under a name of its own.
struct DerivedParameter {
  std::string name;  // "@derived_1": no query can write it
  ScalarPtr value;   // over parameters, those derived before it among them
};

// Parameters that no query can write: the least time that rows of a query for the newest ones may have, and the last row of
// the page before.
inline constexpr char kFloorParameter[] = "@floor";
inline constexpr char kCursorTimeParameter[] = "@cursor_time";
inline constexpr char kCursorIdParameter[] = "@cursor_id";

// That a query wants the newest rows of one table, and by which parameters: see the pass newest_first.
struct NewestRows {
  std::string table;
  int64_t rows = 0;                     // that it returns at the most
  std::vector<std::string> not_after;   // parameters that no row's time is after
  std::vector<std::string> not_before;  // parameters that no row's time is before
  // Where the result's rows are the log's, ordered by time and id, both of them columns of the result: their places.
  struct Page {
    size_t time = 0;
    size_t id = 0;
  };
  std::optional<Page> page;
};

// A query as it goes through the passes.
struct QueryPlan {
  PlanPtr root;
  Schema schema;  // names and types of the result, as many as root->columns
  std::vector<DerivedParameter> derived;
  std::optional<NewestRows> newest;
  ColumnId next_column = 1;
  int next_cte = 1;

  PlanColumn NewColumn(std::string name, Type type) { return {next_column++, std::move(name), std::move(type)}; }
};

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_PLAN_H_
