// `logquery schema`: prints the statements that create the logs' tables in a remote engine, or a backend file for them.
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "lib/base/strings.h"
#include "lib/tools/engine_schema.h"
#include "shim/cli/options/commands.h"

namespace logquery::shim {

std::vector<std::string> SchemaDialects() { return endpoint::SchemaEngines(); }

int RunSchema(const SchemaArguments& arguments, const Terminal& terminal) {
  endpoint::EngineSchemaOptions options;
  options.engine = arguments.dialect;
  options.database = arguments.database;
  options.reader = arguments.reader;
  options.days = arguments.days;
  if (!arguments.schema.empty()) {
    std::ifstream file(arguments.schema, std::ios::binary);
    if (!file) {
      return Fail(terminal, absl::NotFoundError(base::StrCat("--schema ", arguments.schema,
                                                             ": there is no such file, or it may not be read")));
    }
    options.schema_source = arguments.schema;
    options.schema_json = std::string(std::istreambuf_iterator<char>(file), {});
  }
  const absl::StatusOr<endpoint::EngineSchema> schema = endpoint::MakeEngineSchema(options);
  if (!schema.ok()) return Fail(terminal, schema.status());
  if (arguments.backend_file && schema->backend_file.empty()) {
    return Fail(terminal, absl::UnimplementedError(base::StrCat("logquery does not query ", arguments.dialect,
                                                                " yet, so there is no backend file for it")));
  }
  terminal.out << (arguments.backend_file ? schema->backend_file : schema->script);
  return kExitOk;
}

}  // namespace logquery::shim
