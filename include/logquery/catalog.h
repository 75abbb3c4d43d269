// What a backend says of its tables: columns, nested records, and where it keeps what for speed.
//
// A catalog is a snapshot: queries are planned against one, and its revision is part of every key under which a plan or
// a result is kept. Thread-safe: immutable after construction.
#ifndef LOGQUERY_CATALOG_H_
#define LOGQUERY_CATALOG_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "logquery/type.h"

namespace logquery {

// A path into a record that is also stored as a top-level column: reading the column gives what the path gives.
struct HotColumn {
  enum class Holds {
    kValue,     // the value at the path
    kPresence,  // BOOL, never NULL: whether the record at the path is there
  };
  std::vector<std::string> path;  // from the table's column down: {"metadata", "request", "path"}
  std::string column;             // the stored column's name; it is not visible to queries
  Holds holds = Holds::kValue;
};

struct Table {
  std::string name;          // as queries name it: "cloudflare.logs.prod"
  std::string storage_name;  // as the engine names it, unquoted; empty: the same
  std::string log;           // the log's short name, "edge_logs"; may be empty
  Schema columns;            // visible to queries, in order
  std::vector<HotColumn> hot_columns;
  // Fields of `columns` that no stored record holds: each stands in a column of its own alone, and so does whether a record
  // that none holds is there. Found in data, not declared; after the declared ones among a record's fields.
  std::vector<HotColumn> learned_columns;
  std::string time_column;  // the TIMESTAMP column that rows are ordered by in storage, never NULL; may be empty
  // The STRING column that tells rows of one time apart; may be empty. A query for the newest rows has pages where it reads it.
  std::string id_column;
  // Path of the value that says whose row it is: {"project"}, or {"metadata", "project_ref"}; may be empty.
  std::vector<std::string> project_path;
  // The engine names the place of a row in it, so that rows can be found first and read after.
  bool has_row_places = false;
};

class Catalog {
 public:
  Catalog() = default;
  // `revision` differs whenever any table does.
  Catalog(std::vector<Table> tables, uint64_t revision) : tables_(std::move(tables)), revision_(revision) {}

  // The table of that name, compared without regard to case; nullptr when there is none. Borrowed from the catalog.
  const Table* Find(std::string_view name) const;
  const std::vector<Table>& tables() const { return tables_; }
  uint64_t revision() const { return revision_; }

  // The nine logs as `log_schema.json` declares them (built in), nested fields as records, no hot columns.
  static Catalog DeclaredLogs();
  // From the text of a schema file of that form. InvalidArgument: not JSON, an unknown type, with the place.
  static absl::StatusOr<Catalog> FromSchemaJson(std::string_view json);

 private:
  std::vector<Table> tables_;
  uint64_t revision_ = 0;
};

}  // namespace logquery

#endif  // LOGQUERY_CATALOG_H_
