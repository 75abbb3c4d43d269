// The logs' tables in an engine elsewhere: the statements that make them, and the backend file that names them.
#ifndef LOGQUERY_LIB_ENDPOINT_ENGINE_SCHEMA_H_
#define LOGQUERY_LIB_ENDPOINT_ENGINE_SCHEMA_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace logquery::endpoint {

struct EngineSchemaOptions {
  std::string engine = {};  // one of SchemaEngines()
  // Where `schema_json` is from, for errors and for the backend file; empty: the built-in logs.
  std::string schema_source = {};
  std::string schema_json = {};
  std::string database = "logs";           // the engine's database, schema or dataset
  std::string reader = "logquery_reader";  // the user or role that logquery connects as
  int days = 0;                            // how long rows are kept; 0: for ever
};

struct EngineSchema {
  std::string script;  // statements of the engine, each with its reason
  // JSON, with the server's place and the password left to be filled in; empty: there is no such backend.
  std::string backend_file;
};

std::vector<std::string> SchemaEngines();

// InvalidArgument: there is no such engine; the schema's text, with the place.
absl::StatusOr<EngineSchema> MakeEngineSchema(const EngineSchemaOptions& options);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_ENGINE_SCHEMA_H_
