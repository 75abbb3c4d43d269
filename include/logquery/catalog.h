// Describes a backend's tables: their columns, nested records, and storage details that make queries faster.
//
// A catalog is a snapshot. Queries are planned against one, and its revision is part of every key of a cached plan or
// result. Thread-safe: immutable after construction.
#ifndef LOGQUERY_CATALOG_H_
#define LOGQUERY_CATALOG_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "logquery/type.h"

namespace logquery {

// A path into a record that is also stored as a top-level column. Reading the column gives the same value as the path.
struct HotColumn {
  enum class Holds {
    kValue,     // the value at the path
    kPresence,  // BOOL, never NULL: whether the record at the path is present
  };
  std::vector<std::string> path;  // from the table's column downwards: {"metadata", "request", "path"}
  std::string column;             // the stored column's name; queries can't name it
  Holds holds = Holds::kValue;
};

// A record that some rows also have as bytes in one column. Only the table's own backend reads them.
struct PackedRecord {
  std::string record;  // the table's column with the record
  std::string column;  // the stored column's name; queries can't name it
};

struct Table {
  std::string name;          // the name in queries: "cloudflare.logs.prod"
  std::string storage_name;  // the name in the engine, unquoted; empty: the same as `name`
  std::string log;           // the log's short name, "edge_logs"; may be empty; "*": all logs' rows
  Schema columns;            // the columns that queries see, in order
  std::vector<HotColumn> hot_columns;
  // Fields of `columns` that were found in data instead of declared. No stored record holds them: each is stored only
  // in a column of its own. The same applies to whether such a record is present. They follow the declared fields of a
  // record.
  std::vector<HotColumn> learned_columns;
  std::string time_column;  // the TIMESTAMP column that rows are ordered by in storage, never NULL; may be empty
  // The STRING column that distinguishes rows with equal times; may be empty. Queries for the newest rows that read it
  // support paging.
  std::string id_column;
  // Path to the project that owns a row: {"project"}, or {"metadata", "project_ref"}; may be empty.
  std::vector<std::string> project_path;
  // The engine exposes row ids, so that a query can find rows first and read their other columns afterwards.
  bool has_row_places = false;
  std::vector<PackedRecord> packed_records = {};
};

class Catalog {
 public:
  Catalog() = default;
  // `revision` must differ whenever any table differs.
  Catalog(std::vector<Table> tables, uint64_t revision) : tables_(std::move(tables)), revision_(revision) {}

  // Returns the table with this name, compared case-insensitively; nullptr if there is none. Owned by the catalog.
  const Table* Find(std::string_view name) const;
  const std::vector<Table>& tables() const { return tables_; }
  uint64_t revision() const { return revision_; }

  // Returns the nine built-in logs as `log_schema.json` declares them: nested fields as records, no hot columns.
  static Catalog DeclaredLogs();
  // Parses the text of a schema file. InvalidArgument: it is not JSON, or has an unknown type; the message says where.
  static absl::StatusOr<Catalog> FromSchemaJson(std::string_view json);

 private:
  std::vector<Table> tables_;
  uint64_t revision_ = 0;
};

}  // namespace logquery

#endif  // LOGQUERY_CATALOG_H_
