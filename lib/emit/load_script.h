// Statements that load an export's Parquet files into the tables of a schema script (schema_script.h): what `logquery export`
// writes beside the files. A file has the table's declared columns, records and arrays as JSON text, and its hot columns by their
// names.
#ifndef LOGQUERY_LIB_EMIT_LOAD_SCRIPT_H_
#define LOGQUERY_LIB_EMIT_LOAD_SCRIPT_H_

#include <string>
#include <string_view>
#include <vector>

#include "lib/emit/schema_script.h"

namespace logquery::emit {

struct LoadScriptOptions {
  std::string database = "logs";    // as SchemaScriptOptions has it
  std::vector<ScriptTable> tables;  // each with its files in a folder of its name
};

// An engine that files can be loaded into, and the function that writes its statements.
struct LoadWriter {
  std::string_view engine;
  std::string (*write)(const LoadScriptOptions& options) = nullptr;
};

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_LOAD_SCRIPT_H_
