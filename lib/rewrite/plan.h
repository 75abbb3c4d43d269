// A query after name resolution: scans, joins, filters and other nodes over uniquely numbered columns.
//
// The syntax tree represents what was written, the plan what it means. Every column has a ColumnId that is unique in
// the query, so that there are no scopes: passes can move nodes freely, and emitters can name columns as they like.
// Every scalar has a type; every implicit conversion is a node. The emitter's GoogleSQL dialect prints plans.
//
// One pass at a time owns a plan. After the passes it is const.
#ifndef LOGQUERY_LIB_REWRITE_PLAN_H_
#define LOGQUERY_LIB_REWRITE_PLAN_H_

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/rewrite/column_set.h"
#include "lib/rewrite/scalar.h"
#include "logquery/catalog.h"
#include "logquery/type.h"
#include "logquery/value.h"

namespace logquery::rewrite {

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
  // The output columns, in order. kFilter, kSort, kLimit: the input's. kJoin: left's, then right's. kUnnest, kWindow:
  // the input's, then its own. kProject: any of the input's and its own, possibly repeated.
  std::vector<PlanColumn> columns;
  // False if the resolved query has no subquery at all, so that walks over plans can skip scalars. Only the resolver
  // creates subqueries.
  bool may_hold_subqueries = true;
  virtual ~Plan() = default;

 protected:
  explicit Plan(PlanKind k) : kind(k) {}
};

struct SubqueryScalar : Scalar {
  static constexpr ScalarKind kKind = ScalarKind::kSubquery;
  enum class Form { kScalar, kArray, kExists, kIn };
  SubqueryScalar(Form f, Type t, PlanPtr p) : Scalar(kKind, std::move(t)), form(f), plan(std::move(p)) {}
  Form form;
  ScalarPtr value;  // kIn: the left operand
  PlanPtr plan;     // has one column, except for kExists
};

struct Computed {
  PlanColumn column;
  ScalarPtr value;
};

struct OrderKey {
  ScalarPtr value;
  bool descending = false;
  bool nulls_first = true;  // always set; GoogleSQL's default is first if ascending, last if descending
};

// One row without columns, for a SELECT without FROM.
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
  std::vector<int> ordinals;  // for each of `columns`, its index in the columns of the entry's plan
};

struct WithEntry {
  int id = 0;        // unique in the query
  std::string name;  // as written, for display
  PlanPtr plan;
  bool recursive = false;  // plan is a SetOperation (UNION) whose second input reads the entry itself
  bool endpoint = false;   // from the endpoint's definition, not from a caller's SQL
};

struct With : Plan {
  static constexpr PlanKind kKind = PlanKind::kWith;
  With() : Plan(kKind) {}
  std::vector<WithEntry> entries;  // each entry may read the ones before it
  PlanPtr body;
};

struct Project : Plan {
  static constexpr PlanKind kKind = PlanKind::kProject;
  explicit Project(PlanPtr i) : Plan(kKind), input(std::move(i)) {}
  PlanPtr input;
  std::vector<Computed> computed;  // expressions on the input's columns, not on each other
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
  ScalarPtr condition;  // nullptr: no condition
};

// Joins each input row with the elements of its arrays, in their order.
struct Unnest : Plan {
  static constexpr PlanKind kKind = PlanKind::kUnnest;
  explicit Unnest(PlanPtr i) : Plan(kKind), input(std::move(i)) {}
  PlanPtr input;                     // never nullptr; SingleRow for a standalone UNNEST
  std::vector<ScalarPtr> arrays;     // several arrays are read in parallel; shorter ones are padded with NULL
  std::vector<PlanColumn> elements;  // one for each array
  std::optional<PlanColumn> offset;  // INT64 from 0
  bool outer = false;                // a row without elements is kept, with NULLs
  ScalarPtr condition;               // outer only: elements that fail it are ignored; nullptr: no condition
};

struct AggregateCall {
  const Overload* overload = nullptr;
  std::vector<ScalarPtr> arguments;  // empty: COUNT(*)
  bool distinct = false;
  bool ignore_nulls = false;
  bool respect_nulls = false;
  ScalarPtr having;  // HAVING MAX / MIN; nullptr: absent
  bool having_max = false;
  std::vector<OrderKey> order_by;
  ScalarPtr limit;
  ScalarPtr filter;  // only rows for which it is TRUE are aggregated; added by passes
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
  std::vector<Computed> keys;                   // `columns` has the keys' columns, then the calls'
  std::vector<std::vector<int>> grouping_sets;  // indexes into `keys`; empty: one set of all keys
  std::vector<Call> calls;                      // without keys and grouping sets: one row, even for empty input
  // GROUPING(key): INT64, 1 if the key is rolled up.
  struct Grouping {
    PlanColumn column;
    int key = 0;
  };
  std::vector<Grouping> groupings;  // their columns follow those of the calls
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
    AggregateCall call;  // an aggregate or window function; its order_by belongs to the aggregate itself
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
  std::vector<PlanPtr> inputs;  // each has as many columns as `columns`, with the same types
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
  ScalarPtr limit;   // nullptr: no limit
  ScalarPtr offset;  // nullptr: no offset
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
// Returns the node as T if it is of that kind, otherwise nullptr.
template <typename T, typename Base>
T* If(Base* node) {
  return node != nullptr && node->kind == T::kKind ? static_cast<T*>(node) : nullptr;
}
template <typename T, typename Base>
const T* If(const Base* node) {
  return node != nullptr && node->kind == T::kKind ? static_cast<const T*>(node) : nullptr;
}

// A value that is computed from parameters before the query runs, and bound as a parameter of its own.
struct DerivedParameter {
  std::string name;  // "@derived_1": queries can't use it
  ScalarPtr value;   // an expression on parameters and earlier derived parameters
};

// Parameters that queries can't use: the lower bound on time in a query for the newest rows, and the last row of the
// previous page.
inline constexpr char kFloorParameter[] = "@floor";
inline constexpr char kCursorTimeParameter[] = "@cursor_time";
inline constexpr char kCursorIdParameter[] = "@cursor_id";

// Set if a query returns the newest rows of one table (see the pass newest_first), with the parameters that bound their
// times.
struct NewestRows {
  std::string table;
  int64_t rows = 0;                     // the most rows that it returns
  std::vector<std::string> not_after;   // parameters that are upper bounds (inclusive) of all rows' times
  std::vector<std::string> not_before;  // parameters that are lower bounds (inclusive) of all rows' times
  // Set if the result's rows are the log's rows, ordered by time and id, and both are columns of the result: their
  // indexes.
  struct Page {
    size_t time = 0;
    size_t id = 0;
  };
  std::optional<Page> page;
};

// A text of the result that is computed from the rows that an engine returns (see the pass finish_rows).
struct FinishedText {
  size_t column = 0;  // its index in the result
  Type type;          // of the text
  ScalarPtr
      call;  // a call of one of our own functions: its first argument is the engine's column, the others are constants
};

// A query while it goes through the passes.
struct QueryPlan {
  PlanPtr root;
  Schema schema;  // names and types of the result's columns, as many as root->columns
  std::vector<DerivedParameter> derived;
  std::optional<NewestRows> newest;
  std::vector<FinishedText> finished;  // ascending by column; `schema` has the types before them
  ColumnId next_column = 1;
  int next_cte = 1;
  std::optional<sql::Span> failed;  // the source of the construct that a pass does not support

  PlanColumn NewColumn(std::string name, Type type) { return {next_column++, std::move(name), std::move(type)}; }
};

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_PLAN_H_
