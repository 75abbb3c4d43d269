// What a dialect of SQL must say of itself for the emitter to write a plan in it.
//
// All texts that come in are ready SQL of the dialect, each fit to stand as an operand anywhere; what goes out keeps to the
// same. A dialect knows nothing of plans' nodes: clauses and their order are the emitter's.
#ifndef LOGQUERY_LIB_EMIT_DIALECT_H_
#define LOGQUERY_LIB_EMIT_DIALECT_H_

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "lib/emit/lists.h"
#include "lib/emit/powers.h"
#include "lib/emit/sql.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/plan.h"

namespace logquery::emit {

struct RecordText;

// SQL of one scalar.
struct Text {
  enum class Kind {
    kPath,      // a column or a field below one: a name and dots
    kConstant,  // the same in every row: a literal or a parameter
    kCheap,     // a test of one of these
    kOther,
  };

  Text() = default;
  Text(std::string text, Kind k) : sql(std::move(text)), kind(k) {
    facts.simple = kind == Kind::kPath;
    facts.reads_column = kind == Kind::kPath;
  }
  Text(const char* text, Kind k) : Text(std::string(text), k) {}
  Text(const Sql& text, Kind k) : sql(text.text()), kind(k), facts(text.facts()) {}

  std::string sql;
  Kind kind = Kind::kOther;
  // Of a record that is put together from several stored columns: where its fields are. Other texts have none.
  std::shared_ptr<const RecordText> record = {};
  SqlFacts facts = {};

  // Costs nothing to write and evaluate more than once.
  bool IsSimple() const { return kind != Kind::kOther; }
  // The text with its facts, to become a part of another.
  Sql ToSql() const { return Sql(sql, facts); }
};

struct CastTexts {
  const rewrite::Cast* cast = nullptr;  // for its flags; its operand's type is the type that it is from
  Text operand;
  Sql format;     // empty: none
  Sql time_zone;  // empty: none
};

// A window frame's bounds, and for a RANGE the key that its offsets are added to.
struct RangeTexts {
  std::string key;
  bool descending = false;
  sql::WindowBound::Kind start = sql::WindowBound::Kind::kUnboundedPreceding;
  sql::WindowBound::Kind end = sql::WindowBound::Kind::kCurrentRow;
  std::string start_offset;  // empty: none
  std::string end_offset;
  bool fixed = true;       // the offsets are literals
  std::string partition;   // one more key of PARTITION BY; empty: none
  std::string only_peers;  // rows of which this is true have their peers in place of what offsets reach; empty: none
};

// The texts of an aggregate's or window function's parts; empty where there is none.
struct AggregateTexts {
  Texts args;
  Sql order_by = {};  // "ORDER BY x DESC NULLS LAST": of the aggregate itself
  Sql having = {};    // what HAVING MAX or MIN looks at
  Sql limit = {};
  Sql filter = {};         // a condition
  Sql over = {};           // "OVER (…)"
  bool has_frame = false;  // `over` has a frame
  // More rows may come than a table has, so what is gathered of them must be memory that the engine counts. Its lists are,
  // the values of its quantiles are not.
  bool counted = false;
  // Of so many aggregates that none should have a FILTER where it can do without: for each filter an engine may keep room for the
  // arguments of all of them.
  bool one_of_many = false;
};

class SqlDialect {
 public:
  virtual ~SqlDialect() = default;

  // Passes of the engine's own, which run after those of all engines (lib/rewrite/passes/pass.h).
  virtual std::vector<rewrite::Pass> Passes() const { return {}; }

  // What the engine does of a plan by itself; the rest is done here. nullptr: it runs whole queries.
  virtual const Powers* powers() const { return nullptr; }

  // A name in quotes, whatever is in it; or as it is, where that is safe.
  virtual std::string Identifier(std::string_view name) const = 0;
  virtual std::string TypeName(const Type& type) const = 0;
  // InvalidArgument: text that is not UTF-8.
  virtual absl::StatusOr<std::string> Literal(const Value& value) const = 0;
  // The bind variable of that number from 1, and of that name.
  virtual std::string Parameter(int slot, std::string_view name, const Type& type) const = 0;

  virtual std::string TableName(const Table& table) const = 0;
  // A column of the scan, which stands under `alias`.
  virtual absl::StatusOr<Text> StoredColumn(const rewrite::TableScan& scan, size_t column,
                                            std::string_view alias) const = 0;

  virtual absl::StatusOr<Text> Field(const Text& base, const Type& type, int index) const = 0;
  virtual absl::StatusOr<Text> Call(const rewrite::FunctionCall& call, const std::vector<Text>& args) const = 0;
  virtual absl::StatusOr<Sql> Cast(const CastTexts& texts) const = 0;
  // The text of a scalar one of whose operands the engine may know to be NULL before it reads a row, such that the scalar
  // has its type nevertheless.
  virtual Text KeepType(const rewrite::Scalar& /*scalar*/, Text text) const { return text; }
  // A value of one layout in another: of equal types that differ only in what is a record.
  virtual absl::StatusOr<Sql> Convert(const Type& from, const Type& to, const Text& value) const = 0;
  virtual absl::StatusOr<Sql> Struct(const Type& type, const Texts& fields) const = 0;
  virtual Sql Array(const Type& type, const Texts& elements) const = 0;
  virtual absl::StatusOr<Sql> Lambda(const rewrite::LambdaScalar& lambda, const std::vector<std::string>& parameters,
                                     const Sql& body) const = 0;
  virtual absl::StatusOr<Sql> Aggregate(const rewrite::AggregateCall& call, const AggregateTexts& texts) const = 0;
  // A test for NaN, where NaN does not sort below all other numbers by itself; empty: it does, or the type has none.
  virtual std::string NanTest(const Type& type, const std::string& value) const = 0;
  // A number that is no literal, for LIMIT or a window frame: an error where it is NULL or negative. `what` names it.
  virtual std::string NotNegative(const Type& /*type*/, const std::string& number, std::string_view /*what*/) const {
    return number;
  }
  // Has RANGE BETWEEN n PRECEDING … with a key of that type mean what it does in GoogleSQL.
  virtual void AdaptRange(const Type& /*type*/, RangeTexts& /*range*/) const {}
  // The row of the function table for what CASE x WHEN y compares by; nullptr: CASE itself does it.
  virtual const rewrite::Overload* CaseEquality(const Type& type) const = 0;
  // GROUPING of a key.
  virtual std::string Grouping(const std::string& key) const = 0;

  // Of a dialect where UNNEST is a function of the select list that gives many rows, and ARRAY(SELECT …) an aggregate. nullptr:
  // UNNEST is an item of FROM, and ARRAY(SELECT …) keeps the subquery's order and gives [] for no rows.
  virtual const ListDialect* lists() const { return nullptr; }
  // What stands after FROM where there is nothing to read, but a clause that wants a FROM; empty: none does.
  virtual std::string_view FromNothing() const = 0;
  // Whether a lambda may read columns of queries around the one that it stands in.
  virtual bool LambdasReadOuterColumns() const { return true; }
  // Whether what DISTINCT is about is known again in the aggregate's ORDER BY if it is more than a column.
  virtual bool DistinctOrdersByExpressions() const { return true; }
  // Whether the condition of an outer join may hold a subquery.
  virtual bool OuterJoinsTakeSubqueries() const { return true; }
  // IN (SELECT …), in a subquery, of what belongs to a query around that.
  virtual bool InTakesOuterColumns() const { return true; }
  // What stands in for an ORDER BY before a LIMIT of rows that windows over partitions go with; empty: nothing has to.
  virtual std::string_view OrderOfLimitedWindows() const { return ""; }
  // Whether bind variables are `$1`, `$2` …, or go by their names.
  virtual bool NumbersVariables() const { return false; }
  // Whether a value derived from parameters is written out, or has a bind variable of its own.
  virtual bool WritesOutDerivedParameters() const { return false; }
  // Whether the engine, where it writes a WITH entry into several readers, forgets what is bound in it.
  virtual bool EntriesForgetVariables() const { return false; }
  // The pseudo-column that says where a row is stored, and a FROM item of one row; both empty: there is no such thing.
  // See Emitter::FindRowsFirst.
  virtual std::string_view RowPlace() const { return ""; }
  virtual std::string_view OneRow() const { return ""; }
  // What stands after a WITH entry's AS, with a space at its end.
  virtual std::string_view Materialized(bool materialized) const = 0;
};

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_DIALECT_H_
