// Calls the engine's script writer, and writes a backend file with an entry for each table.
#include "lib/tools/engine_schema.h"

#include <utility>

#include "lib/base/json/value.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/emit/dialects.h"
#include "lib/engines/clickhouse/dialect/schema_script.h"
#include "lib/model/schema_file.h"

namespace logquery::endpoint {
namespace {

using base::Json;

constexpr char kOtel[] = "otel";

// Empty: logquery has no backend for the engine.
Json ServerOf(const EngineSchemaOptions& options) {
  if (options.engine == "clickhouse") {
    return {{"engine", options.engine}, {"hosts", {"https://localhost:8443"}}, {"database", options.database}};
  }
  if (options.engine == "postgres") {
    return {{"engine", options.engine}, {"host", "localhost"}, {"database", "postgres"}};
  }
  return {};
}

std::string BackendFile(const EngineSchemaOptions& options, const std::vector<emit::ScriptTable>& tables) {
  Json json = ServerOf(options);
  if (json.empty()) return "";
  json["user"] = options.reader;
  json["password"] = {{"file", "password"}};
  if (!options.schema_source.empty()) json["schema_file"] = options.schema_source;
  if (options.layout == kOtel)
    json["tables"][std::string(emit::kOtelTable)] = {{"table", std::string(emit::kOtelTable)}, {"layout", kOtel}};
  for (const emit::ScriptTable& table : tables) {
    Json& entry = json["tables"][table.declared->name];
    entry["table"] = table.name;
    if (options.engine == "postgres") entry["schema"] = options.database;
    for (const HotColumn& hot : table.hot) {
      entry[hot.holds == HotColumn::Holds::kValue ? "fields" : "presence"][base::Join(hot.path, ".")] = hot.column;
    }
  }
  return json.ToString(2) + "\n";
}

}  // namespace

std::vector<std::string> SchemaEngines() {
  std::vector<std::string> names;
  for (const emit::SchemaWriter& writer : emit::SchemaWriters()) names.emplace_back(writer.name);
  return names;
}

absl::StatusOr<EngineSchema> MakeEngineSchema(const EngineSchemaOptions& options) {
  const emit::SchemaWriter* writer = nullptr;
  for (const emit::SchemaWriter& known : emit::SchemaWriters()) {
    if (known.name == options.engine) writer = &known;
  }
  if (writer == nullptr) {
    return absl::InvalidArgumentError(base::StrCat("there are no statements for the engine ", options.engine,
                                                   "; there are for ", base::Join(SchemaEngines(), ", ")));
  }
  if (!options.layout.empty() && (options.layout != kOtel || options.engine != "clickhouse")) {
    return absl::InvalidArgumentError(base::StrCat("the layout ", options.layout, " is none of ", options.engine,
                                                   "; clickhouse has the layout otel"));
  }
  model::SchemaFile file = model::BuiltInSchema();
  if (!options.schema_source.empty()) {
    LOGQUERY_ASSIGN_OR_RETURN(file, model::ParseSchemaFile(options.schema_source, options.schema_json));
  }
  const emit::SchemaScriptOptions wanted{.database = options.database, .reader = options.reader, .days = options.days};
  if (options.layout == kOtel) {
    const emit::AllLogsScript script = emit::ClickHouseOtelSchema(file, wanted);
    return EngineSchema{script.text, BackendFile(options, script.views)};
  }
  const emit::SchemaScript script = writer->write(file, wanted);
  return EngineSchema{script.text, BackendFile(options, script.tables)};
}

}  // namespace logquery::endpoint
