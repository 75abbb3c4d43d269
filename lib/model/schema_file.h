// The file that declares logs: their tables' fields, whose rows they are, and which fields are kept fast.
//
//     {"cloudflare.logs.prod": {
//        "log": "edge_logs",
//        "project": ["project"],                     path of the STRING that says whose row it is; may be absent
//        "time": "timestamp",                        the TIMESTAMP column that rows are stored by; may be absent
//        "id": "id", "message": "event_message",     STRING columns, which are filled where a row lacks them
//        "retention": {"days": 90, "max_mb": 2000},  how long and on how much disk rows are kept; each may be absent
//        "hot": {"values": ["metadata.request.path"], "presence": ["metadata", "metadata.request"]},
//        "columns": {"id": "STRING", "metadata": {"request": {"path": "STRING"}}, "tags": ["STRING"]}}}
//
// An object among the columns is a record, an array of one type an ARRAY of it. The built-in file is log_schema.json.
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

// What a table is to keep as columns of their own, as the file declares it. A store makes these columns, names them as
// it likes, and reports them as Table::hot_columns.
struct HotDeclaration {
  std::string table;
  std::vector<FieldPath> values;    // each a field that is no record, of the type that FieldType gives
  std::vector<FieldPath> presence;  // each a record
};

// How long rows are kept, and on how much disk; 0: there is no such limit.
struct RetentionDeclaration {
  int64_t days = 0;
  int64_t max_mb = 0;
};

// What the file says of a table that only a store needs. The columns count where the table has them.
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

// InvalidArgument: not JSON, an unknown key or type, a path that leads nowhere or to the wrong kind; with `source` and
// the place.
absl::StatusOr<SchemaFile> ParseSchemaFile(std::string_view source, std::string_view json);

// The built-in file, parsed. Lives as long as the program.
const SchemaFile& BuiltInSchema();

// The type at `path`, through records; nullptr when it leads nowhere. Borrowed from `columns`.
const Type* FieldType(const Schema& columns, const FieldPath& path);

// `columns` with the fields of `more` that they lack, at any depth. Where both have a field, and it is no record in both, it stays
// what it is.
Schema WithFields(Schema columns, const Schema& more);

// A number that differs, but for chance, whenever any of the tables does: a catalog's revision.
uint64_t Fingerprint(const std::vector<Table>& tables);

}  // namespace logquery::model

#endif  // LOGQUERY_LIB_MODEL_SCHEMA_FILE_H_
