// Generates the statements that create the logs' tables in a remote engine, and the backend file that names these
// tables.
#ifndef LOGQUERY_LIB_TOOLS_ENGINE_SCHEMA_H_
#define LOGQUERY_LIB_TOOLS_ENGINE_SCHEMA_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace logquery::endpoint {

struct EngineSchemaOptions {
  std::string engine = {};  // one of SchemaEngines()
  // Names `schema_json` in errors and in the backend file; empty: the built-in logs.
  std::string schema_source = {};
  std::string schema_json = {};
  std::string database = "logs";           // the engine's database, schema or dataset
  std::string reader = "logquery_reader";  // the user or role with which logquery connects
  int days = 0;                            // how long rows are kept; 0: forever
  // "otel": one table of all logs in Logflare's OTel layout, which is ClickHouse's; empty: a table for each log.
  std::string layout = {};
};

struct EngineSchema {
  std::string script;  // statements for the engine, each with a comment that explains it
  // JSON in which the server's address and the password must be filled in; empty: logquery has no such backend.
  std::string backend_file;
};

std::vector<std::string> SchemaEngines();

// InvalidArgument: an unknown engine, a layout that it does not have, or an error in the schema with its place.
absl::StatusOr<EngineSchema> MakeEngineSchema(const EngineSchemaOptions& options);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_TOOLS_ENGINE_SCHEMA_H_
