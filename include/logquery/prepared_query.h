// A query ready to run: what a backend gets, in every form that it may want.
//
// A backend that speaks SQL runs dialect_text() with one binding per slot. One that does not may work from googlesql(),
// the tables and the hints, or answer from rows of its own. Made by the planner. Thread-safe: immutable.
#ifndef LOGQUERY_PREPARED_QUERY_H_
#define LOGQUERY_PREPARED_QUERY_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "logquery/type.h"
#include "logquery/value.h"

namespace logquery {

// kGoogleSql is for people, kBigQuery is text that BigQuery runs.
enum class Dialect { kGoogleSql, kDuckDb, kBigQuery };

// "googlesql", "duckdb", "bigquery".
std::string_view DialectName(Dialect dialect);

// One bind variable of the dialect text, `$1` for the first.
struct Slot {
  std::string name;  // the parameter's, or a name for a value that is computed from parameters
  Type type;
};

// The query returns the newest rows of one table, newest first, and has `time >= floor` among its conditions. Its binding
// is the earliest time there is. A backend that stores by time may bind a later one: if `limit` rows come, they are the
// answer; if not, it has to go on with an earlier floor.
struct TopNByTime {
  std::string table;               // as the catalog names it, with a time_column
  int64_t limit = 0;               // rows that the query returns at the most
  size_t floor = 0;                // which slot it is; a TIMESTAMP, as those below
  std::vector<size_t> not_after;   // slots that no row's time is after
  std::vector<size_t> not_before;  // slots that no row's time is before
};

// What is known of the rows that the query has a use for, of all its scans of one table: comparisons of columns with values,
// each of which holds for every such row. Hints: the query's text has them all.
struct TableHints {
  enum class Comparison { kEqual, kLess, kLessOrEqual, kGreater, kGreaterOrEqual };
  struct Condition {
    std::vector<std::string> path;  // the column, then fields of records
    Comparison comparison = Comparison::kEqual;
    std::optional<size_t> slot;  // whose binding the value is; nullopt: it is `value`
    Value value;
  };
  std::string table;  // as the catalog names it
  std::vector<Condition> conditions;
  // The query is top_n_by_time(), of this table, and `conditions` are all conditions that it has: the newest rows for which
  // they hold are its answer.
  bool newest_suffice = false;
};

// A part of a query that the source of the rows runs by itself: the rest, which the backend's engine runs, reads its rows as
// a table. Made for backends whose Capabilities name a dialect of fragments.
struct QueryFragment {
  std::string table;                // as the rest's text names it
  std::string text;                 // in the source's dialect
  std::vector<size_t> slots;        // which of the query's slots the text's bind variables are, in order
  Schema schema;                    // of its rows
  std::vector<std::string> tables;  // that it reads, as the catalog names them
  std::string reason;               // what is done to its rows here, and why: "UNNEST: it has none"; empty: nothing
};

class PreparedQuery {
 public:
  struct Parts {
    std::string endpoint_id;
    // Canonical GoogleSQL of the plan, parameters as @name. Empty: the backend does not read it, or GoogleSQL can't spell it.
    std::string googlesql;
    std::string dialect_text;  // the same in the backend's dialect
    std::vector<Slot> slots;
    Schema schema;                    // of the result
    std::vector<std::string> tables;  // that it reads, as the catalog names them
    std::optional<TopNByTime> top_n_by_time;
    std::vector<TableHints> hints;  // for each of `tables`; none where there are fragments
    // Empty: dialect_text is the whole query. Otherwise what it reads; the slots of its own come first.
    std::vector<QueryFragment> fragments;
  };
  explicit PreparedQuery(Parts parts) : parts_(std::move(parts)) {}

  const std::string& endpoint_id() const { return parts_.endpoint_id; }
  const std::string& googlesql() const { return parts_.googlesql; }
  const std::string& dialect_text() const { return parts_.dialect_text; }
  const std::vector<Slot>& slots() const { return parts_.slots; }
  const Schema& schema() const { return parts_.schema; }
  const std::vector<std::string>& tables() const { return parts_.tables; }
  const std::optional<TopNByTime>& top_n_by_time() const { return parts_.top_n_by_time; }
  const std::vector<TableHints>& hints() const { return parts_.hints; }
  const std::vector<QueryFragment>& fragments() const { return parts_.fragments; }

 private:
  Parts parts_;
};

// One value for each slot, in order, of the slot's type.
using Bindings = std::vector<Value>;

}  // namespace logquery

#endif  // LOGQUERY_PREPARED_QUERY_H_
