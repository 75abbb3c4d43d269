// A query that is ready to run, in every form that a backend may use.
//
// A backend that speaks SQL runs dialect_text() with one binding per slot. Other backends can work from googlesql(),
// the tables and the hints, or answer from rows of their own. The planner creates prepared queries. Thread-safe:
// immutable.
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

// kGoogleSql is for people to read; BigQuery runs kBigQuery.
enum class Dialect { kGoogleSql, kDuckDb, kBigQuery };

// Returns "googlesql", "duckdb" or "bigquery".
std::string_view DialectName(Dialect dialect);

// One bind variable of the dialect text; the first one is `$1`.
struct Slot {
  std::string name;  // the parameter's name, or a generated one for a value that is computed from parameters
  Type type;
};

// Describes a query that returns the newest rows of one table, newest first, with `time >= floor` among its conditions.
// The planner binds the earliest possible time to `floor`. A backend that stores rows by time may bind a later one: if
// `limit` rows come back, they are the answer; if fewer do, it must continue with an earlier floor.
struct TopNByTime {
  std::string table;               // name in the catalog; the table has a time_column
  int64_t limit = 0;               // the most rows that the query returns
  size_t floor = 0;                // index of the floor's slot; a TIMESTAMP, like the slots below
  std::vector<size_t> not_after;   // slots that are upper bounds (inclusive) of all rows' times
  std::vector<size_t> not_before;  // slots that are lower bounds (inclusive) of all rows' times
};

// Conditions on the rows of one table: each comparison of a column with a value holds for every row that any of the
// query's scans of the table needs. They are hints only, because the query's text contains them all.
struct TableHints {
  enum class Comparison { kEqual, kLess, kLessOrEqual, kGreater, kGreaterOrEqual };
  struct Condition {
    std::vector<std::string> path;  // the column, then nested record fields
    Comparison comparison = Comparison::kEqual;
    std::optional<size_t> slot;  // the slot that is bound to the value; nullopt: `value` is it
    Value value;
  };
  std::string table;  // name in the catalog
  std::vector<Condition> conditions;
  // The query is top_n_by_time() on this table, and `conditions` are all of its conditions: the newest rows for which
  // they hold are the answer.
  bool newest_suffice = false;
};

// Rows that scans of the query read: all rows of a table, or those of one project.
struct RowsRead {
  std::string table;                   // name in the catalog
  std::optional<size_t> project_slot;  // the slot that is bound to the project
  std::optional<std::string> project;  // the project, if it is in the query's text
};

// A part of a query that runs where its rows are stored. The backend's engine runs the rest of the query, which reads
// the fragment's rows as a table. Only backends whose Capabilities name a dialect of fragments get them.
struct QueryFragment {
  std::string table;                // the name of its rows in the text of the rest
  std::string text;                 // in the dialect of the remote engine
  std::vector<size_t> slots;        // the query's slots that the text's bind variables stand for, in order
  Schema schema;                    // of the fragment's rows
  std::vector<std::string> tables;  // the tables that it reads, by their names in the catalog
  std::string reason;  // what the local engine does to its rows, and why: "UNNEST: it has none"; empty: nothing
};

// The same query, where the result has some records as the table's bytes of them (Table::packed_records) instead of their fields. A
// backend that keeps such bytes may run it, and read the records from them. NULL in place of bytes: the row has none, and
// only dialect_text answers the query.
struct PackedForm {
  std::string text;
  std::vector<size_t> columns;  // indexes of these records among the result's columns
};

class PreparedQuery {
 public:
  struct Parts {
    std::string endpoint_id;
    // Canonical GoogleSQL of the plan, with parameters as @name. Empty: the backend does not read it, or the plan has
    // no GoogleSQL form.
    std::string googlesql;
    std::string dialect_text;  // the same query in the backend's dialect
    std::vector<Slot> slots;
    Schema schema;                    // of the result
    std::vector<std::string> tables;  // the tables that it reads, by their names in the catalog
    std::optional<TopNByTime> top_n_by_time;
    std::vector<TableHints> hints;  // one for each of `tables`; empty if there are fragments
    // All rows that the query reads, if equal rows and bindings give an equal answer. Empty: they may not.
    std::vector<RowsRead> rows_read;
    // The fragments that dialect_text reads; dialect_text's own slots come first in `slots`. Empty: dialect_text is the
    // whole query.
    std::vector<QueryFragment> fragments;
    // If the only fragment's rows are the answer, in their order: for each column of the result, the fragment's column
    // that it is. nullopt: dialect_text has something to do.
    std::optional<std::vector<size_t>> pass_through;
    std::optional<PackedForm> packed = {};  // only with top_n_by_time
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
  const std::vector<RowsRead>& rows_read() const { return parts_.rows_read; }
  const std::vector<QueryFragment>& fragments() const { return parts_.fragments; }
  const std::optional<std::vector<size_t>>& pass_through() const { return parts_.pass_through; }
  const std::optional<PackedForm>& packed() const { return parts_.packed; }

 private:
  Parts parts_;
};

// One value for each slot, in the order of the slots and of their types.
using Bindings = std::vector<Value>;

}  // namespace logquery

#endif  // LOGQUERY_PREPARED_QUERY_H_
