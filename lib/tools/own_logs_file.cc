// Finds and reads the file that declares additional logs.
#include "lib/tools/own_logs_file.h"

#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/endpoint/definitions/definition_files.h"
#include "lib/model/own_logs.h"

namespace logquery::endpoint {

absl::StatusOr<OwnLogsFile> ReadOwnLogsFile(const std::string& schema, const std::string& endpoints) {
  OwnLogsFile own;
  own.path = endpoints.empty() ? "" : SchemaFileOf(endpoints);
  if (!schema.empty()) {
    if (!own.path.empty()) {
      return absl::InvalidArgumentError(
          base::StrCat(schema, " and ", own.path, " both declare logs: leave one of them out"));
    }
    own.path = schema;
  }
  if (own.path.empty()) return own;
  LOGQUERY_ASSIGN_OR_RETURN(own.json, ReadDefinitionFile(own.path));
  LOGQUERY_RETURN_IF_ERROR(model::ParseOwnLogs(own.path, own.json).status());
  return own;
}

absl::StatusOr<Catalog> AddOwnLogs(const Catalog& catalog, const std::string& schema, const std::string& endpoints) {
  LOGQUERY_ASSIGN_OR_RETURN(const OwnLogsFile own, ReadOwnLogsFile(schema, endpoints));
  if (own.json.empty()) return catalog;
  LOGQUERY_ASSIGN_OR_RETURN(const model::SchemaFile logs, model::ParseOwnLogs(own.path, own.json));
  return model::WithOwnLogs(catalog, logs);
}

}  // namespace logquery::endpoint
