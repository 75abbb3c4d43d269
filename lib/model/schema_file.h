// The file that declares logs: the fields of their tables, the project of a row, and hot fields.
//
//     {"cloudflare.logs.prod": {
//        "log": "edge_logs",
//        "project": ["project"],                     path of the STRING with a row's project; optional
//        "time": "timestamp",                        the TIMESTAMP column by which rows are stored; optional
//        "id": "id", "message": "event_message",     STRING columns that are filled if a row lacks them
//        "retention": {"days": 90, "max_mb": 2000},  how long, and on how much disk, rows are kept; each optional
//        "hot": {"values": ["metadata.request.path"], "presence": ["metadata", "metadata.request"]},
//        "columns": {"id": "STRING", "metadata": {"request": {"path": "STRING"}}, "tags": ["STRING"]}}}
//
// An object in "columns" is a record; an array with one type is an ARRAY of it. The built-in file is log_schema.json.
#ifndef LOGQUERY_LIB_MODEL_SCHEMA_FILE_H_
#define LOGQUERY_LIB_MODEL_SCHEMA_FILE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "logquery/catalog.h"

namespace logquery::model {

using FieldPath = std::vector<std::string>;

// The fields that a table should store as separate columns. A store creates and names these columns, and reports them
// as Table::hot_columns.
struct HotDeclaration {
  std::string table;
  std::vector<FieldPath> values;    // fields other than records, with the type that FieldType returns
  std::vector<FieldPath> presence;  // records
};

// The limits on age and disk space of the rows that are kept; 0: no limit.
struct RetentionDeclaration {
  int64_t days = 0;
  int64_t max_mb = 0;
};

// Declarations that only a store needs. Columns that the table lacks are ignored.
struct LogDeclaration {
  std::string id_column = "id";
  std::string message_column = "event_message";
  RetentionDeclaration retention;
};

// Fields that a built-in log has beyond its own (own_logs.h).
struct FurtherFields {
  std::string table;
  Schema fields;
};

struct SchemaFile {
  std::vector<Table> tables;           // in the file's order, without hot columns
  std::vector<HotDeclaration> hot;     // one for each table, in the same order
  std::vector<LogDeclaration> logs;    // the same
  std::vector<FurtherFields> further;  // of an operator's file; one for each table that has some
};

// InvalidArgument: not JSON, an unknown key or type, or a path to no field or to one of the wrong kind; the message has
// `source` and the place.
absl::StatusOr<SchemaFile> ParseSchemaFile(std::string_view source, std::string_view json);

// Returns the parsed built-in file, which lives as long as the program.
const SchemaFile& BuiltInSchema();

// Returns the type at `path`, through records, borrowed from `columns`; nullptr: there is no such field.
const Type* FieldType(const Schema& columns, const FieldPath& path);

// Returns `columns` with the fields of `more` that they lack, at any depth. A field that both have stays as it is, unless it is a
// record in both.
Schema WithFields(Schema columns, const Schema& more);

// Returns a hash of all tables, used as a catalog's revision.
uint64_t Fingerprint(const std::vector<Table>& tables);

}  // namespace logquery::model

#endif  // LOGQUERY_LIB_MODEL_SCHEMA_FILE_H_
