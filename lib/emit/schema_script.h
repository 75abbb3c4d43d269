// Statements that create the logs' tables in a remote engine, with suitable indexes or sort orders and a read-only
// user: the output of `logquery schema`. A comment explains each statement.
#ifndef LOGQUERY_LIB_EMIT_SCHEMA_SCRIPT_H_
#define LOGQUERY_LIB_EMIT_SCHEMA_SCRIPT_H_

#include <string>
#include <string_view>
#include <vector>

#include "lib/model/schema_file.h"
#include "logquery/catalog.h"

namespace logquery::emit {

struct SchemaScriptOptions {
  std::string database = "logs";           // the engine's database, schema or dataset for the tables
  std::string reader = "logquery_reader";  // the user or role that gets read access
  int days = 0;                            // how long rows are kept; 0: forever
};

// A table of the script.
struct ScriptTable {
  const Table* declared = nullptr;  // borrowed from the file
  std::string name;                 // in the engine
  std::vector<HotColumn> hot;       // fields that get columns of their own
};

struct SchemaScript {
  std::string text;
  std::vector<ScriptTable> tables;
};

// One table for all logs, and a view of it for each log, in place of a table for each.
struct AllLogsScript {
  std::string text;
  std::string table;               // with the rows of all logs
  std::vector<ScriptTable> views;  // of the logs whose fields it holds exactly
};

// A supported engine: its name, and the function that writes its script. The file must outlive the script.
struct SchemaWriter {
  std::string_view name;
  SchemaScript (*write)(const model::SchemaFile& file, const SchemaScriptOptions& options) = nullptr;
};

// Returns the log's short name if it has one; otherwise the table's name, with every character except letters, digits
// and _ replaced.
std::string ScriptTableName(const Table& table);

// Returns columns for the fields that the file declares as hot: request_path for metadata.request.path, has_request for
// the record metadata.request; the name of the whole path if the short name is already used.
std::vector<HotColumn> ScriptHotColumns(const Table& table, const model::HotDeclaration& hot);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_SCHEMA_SCRIPT_H_
