// The interface of an SQL dialect, through which the emitter writes a plan.
//
// All texts passed in and out are complete SQL that can be used as an operand anywhere. A dialect does not know plan
// nodes: the emitter is responsible for clauses and their order.
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

namespace logquery {

// A dialect as Capabilities::fragments shows it. Each is an emit::SqlDialect.
class FragmentDialect {
 protected:
  FragmentDialect() = default;
  FragmentDialect(const FragmentDialect&) = default;
  FragmentDialect& operator=(const FragmentDialect&) = default;
  ~FragmentDialect() = default;
};

}  // namespace logquery

namespace logquery::emit {

struct RecordText;

// The SQL of one scalar.
struct Text {
  enum class Kind {
    kPath,      // a column, or a field below one: a name with dots
    kConstant,  // the same for every row: a literal or a parameter
    kCheap,     // a simple test of a path or constant
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
  // Set for a record that is assembled from several stored columns: where its fields are.
  std::shared_ptr<const RecordText> record = {};
  SqlFacts facts = {};

  // Returns whether the text is cheap to write and evaluate more than once.
  bool IsSimple() const { return kind != Kind::kOther; }
  // Returns the text with its facts, to be used in other texts.
  Sql ToSql() const { return Sql(sql, facts); }
};

struct CastTexts {
  const rewrite::Cast* cast = nullptr;  // for its flags; the source type is its operand's type
  Text operand;
  Sql format;     // empty: none
  Sql time_zone;  // empty: none
};

// The bounds of a window frame, and for a RANGE the key to which its offsets are added.
struct RangeTexts {
  std::string key;
  bool descending = false;
  sql::WindowBound::Kind start = sql::WindowBound::Kind::kUnboundedPreceding;
  sql::WindowBound::Kind end = sql::WindowBound::Kind::kCurrentRow;
  std::string start_offset;  // empty: no offset
  std::string end_offset;
  bool fixed = true;      // the offsets are literals
  std::string partition;  // an additional key of PARTITION BY; empty: none
  // For rows where this is true, the frame is the row's peers instead of the offset range; empty: for no row.
  std::string only_peers;
};

// The parts of an aggregate's or window function's text; an empty text means that the part is absent.
struct AggregateTexts {
  Texts args;
  Sql order_by = {};  // "ORDER BY x DESC NULLS LAST", inside the aggregate's call
  Sql having = {};    // the operand of HAVING MAX or MIN
  Sql limit = {};
  Sql filter = {};         // the condition of FILTER
  Sql over = {};           // "OVER (…)"
  bool has_frame = false;  // `over` has a frame
  // The input may have more rows than a table, so the engine must account for the memory of collected values. An engine
  // may do so for its lists, but not for the values of its quantiles.
  bool counted = false;
  // The SELECT has so many aggregates that FILTER should be avoided where possible: for each filter an engine may
  // reserve memory for the arguments of all aggregates.
  bool one_of_many = false;
};

class SqlDialect : public FragmentDialect {
 public:
  virtual ~SqlDialect() = default;

  // Passes of this engine, which run after the shared ones (lib/rewrite/passes/pass.h).
  virtual std::vector<rewrite::Pass> Passes() const { return {}; }

  // Returns the powers of the engine as a source of fragments. nullptr: it runs whole queries.
  virtual const Powers* powers() const { return nullptr; }

  // Returns a name in quotes, with any characters; or unquoted if that is safe.
  virtual std::string Identifier(std::string_view name) const = 0;
  virtual std::string TypeName(const Type& type) const = 0;
  // InvalidArgument: the text is not UTF-8.
  virtual absl::StatusOr<std::string> Literal(const Value& value) const = 0;
  // The bind variable with this number, counted from 1, and this name.
  virtual std::string Parameter(int slot, std::string_view name, const Type& type) const = 0;

  virtual std::string TableName(const Table& table) const = 0;
  // A column of the scan, whose alias is `alias`.
  virtual absl::StatusOr<Text> StoredColumn(const rewrite::TableScan& scan, size_t column,
                                            std::string_view alias) const = 0;

  virtual absl::StatusOr<Text> Field(const Text& base, const Type& type, int index) const = 0;
  virtual absl::StatusOr<Text> Call(const rewrite::FunctionCall& call, const std::vector<Text>& args) const = 0;
  virtual absl::StatusOr<Sql> Cast(const CastTexts& texts) const = 0;
  // Returns the text of a scalar with an operand that the engine may know to be NULL before it reads a row, in a form
  // that keeps the scalar's type.
  virtual Text KeepType(const rewrite::Scalar& /*scalar*/, Text text) const { return text; }
  // Converts a value between two layouts of one type, which differ only in what is a record.
  virtual absl::StatusOr<Sql> Convert(const Type& from, const Type& to, const Text& value) const = 0;
  virtual absl::StatusOr<Sql> Struct(const Type& type, const Texts& fields) const = 0;
  virtual Sql Array(const Type& type, const Texts& elements) const = 0;
  virtual absl::StatusOr<Sql> Lambda(const rewrite::LambdaScalar& lambda, const std::vector<std::string>& parameters,
                                     const Sql& body) const = 0;
  virtual absl::StatusOr<Sql> Aggregate(const rewrite::AggregateCall& call, const AggregateTexts& texts) const = 0;
  // Returns a test for NaN if NaN does not sort below all other numbers; empty: it does, or the type has no NaN.
  virtual std::string NanTest(const Type& type, const std::string& value) const = 0;
  // Wraps a non-literal count of LIMIT or a window frame, to raise an error if it is NULL or negative. `what` names it
  // in the error.
  virtual std::string NotNegative(const Type& /*type*/, const std::string& number, std::string_view /*what*/) const {
    return number;
  }
  // The same for LIMIT and OFFSET, which an engine may bound.
  virtual std::string RowCount(const std::string& number) const {
    return NotNegative(Type::Int64(), number, "LIMIT and OFFSET");
  }
  // Adapts RANGE BETWEEN n PRECEDING … with a key of this type to GoogleSQL's meaning.
  virtual void AdaptRange(const Type& /*type*/, RangeTexts& /*range*/) const {}
  // GROUPING of a key.
  virtual std::string Grouping(const std::string& key) const = 0;

  // For a dialect in which UNNEST is a set-returning function of the select list and ARRAY(SELECT …) an aggregate.
  // nullptr: UNNEST is a FROM item, and ARRAY(SELECT …) keeps the subquery's order and returns [] for no rows.
  virtual const ListDialect* lists() const { return nullptr; }
  // The FROM clause for a SELECT that reads nothing but has a clause that requires FROM; empty: not required.
  virtual std::string_view FromNothing() const = 0;
  // Returns whether bind variables are numbered (`$1`, `$2` …) or named.
  virtual bool NumbersVariables() const { return false; }
  // Returns whether values derived from parameters are written as expressions, instead of bound as variables.
  virtual bool WritesOutDerivedParameters() const { return false; }
  // The pseudo-column with a row's storage position, and a FROM item with one row; both empty: not supported. See
  // Emitter::FindRowsFirst.
  virtual std::string_view RowPlace() const { return ""; }
  virtual std::string_view OneRow() const { return ""; }
  // Returns whether the dialect has SEMI JOIN and ANTI JOIN; else these stay [NOT] EXISTS.
  virtual bool HasSemiJoins() const { return false; }
  // The text after a WITH entry's AS, with a trailing space.
  virtual std::string_view Materialized(bool materialized) const = 0;
};

// Returns the dialect that Capabilities::fragments points to; nullptr for nullptr.
inline const SqlDialect* SqlOf(const FragmentDialect* fragments) { return static_cast<const SqlDialect*>(fragments); }

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_DIALECT_H_
