// Statements that make the logs' tables in an engine elsewhere, with an index or order for how they are queried and a user who
// may only read: what `logquery schema` prints. Each statement's reason stands beside it.
#ifndef LOGQUERY_LIB_EMIT_SCHEMA_SCRIPT_H_
#define LOGQUERY_LIB_EMIT_SCHEMA_SCRIPT_H_

#include <string>
#include <string_view>
#include <vector>

#include "lib/model/schema_file.h"
#include "logquery/catalog.h"

namespace logquery::emit {

struct SchemaScriptOptions {
  std::string database = "logs";           // the engine's database, schema or dataset that the tables stand in
  std::string reader = "logquery_reader";  // the user or role that may read them
  int days = 0;                            // how long rows are kept; 0: for ever
};

// A table of the script.
struct ScriptTable {
  const Table* declared = nullptr;  // borrowed from the file
  std::string name;                 // in the engine
  std::vector<HotColumn> hot;       // fields that it has as columns of their own
};

struct SchemaScript {
  std::string text;
  std::vector<ScriptTable> tables;
};

// An engine that tables can be made in: its name, and the function that writes its script. The file outlives the script.
struct SchemaWriter {
  std::string_view name;
  SchemaScript (*write)(const model::SchemaFile& file, const SchemaScriptOptions& options) = nullptr;
};

// The log's short name where it has one; otherwise the table's name with other characters than letters, digits and _ replaced.
std::string ScriptTableName(const Table& table);

// Columns for the fields that the file keeps fast: request_path for metadata.request.path, has_request for the record
// metadata.request; the whole path where two would have one name, or a column of the table has it.
std::vector<HotColumn> ScriptHotColumns(const Table& table, const model::HotDeclaration& hot);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_SCHEMA_SCRIPT_H_
