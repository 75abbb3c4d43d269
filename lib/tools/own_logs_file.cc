// Finds and reads the file that declares additional logs.
#include "lib/tools/own_logs_file.h"

#include <algorithm>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/endpoint/definitions/definition_files.h"
#include "lib/endpoint/definitions/own_logs_endpoint.h"
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

absl::StatusOr<bool> AddOwnLogsEndpoint(const OwnLogsFile& own, const std::vector<Table>& stored,
                                        std::vector<Endpoint>& definitions) {
  std::vector<Table> logs;
  if (!own.json.empty()) {
    LOGQUERY_ASSIGN_OR_RETURN(model::SchemaFile file, model::ParseOwnLogs(own.path, own.json));
    logs = std::move(file.tables);
  }
  for (const Table& table : stored) {
    const bool is_there = std::any_of(
        logs.begin(), logs.end(), [&table](const Table& log) { return base::EqualsIgnoreCase(log.name, table.name); });
    if (!is_there) logs.push_back(table);
  }
  const bool is_defined = std::any_of(definitions.begin(), definitions.end(),
                                      [](const Endpoint& definition) { return definition.name == kOwnLogsEndpoint; });
  if (is_defined || logs.empty()) return false;
  LOGQUERY_ASSIGN_OR_RETURN(Endpoint made, MakeOwnLogsEndpoint(logs));
  definitions.push_back(std::move(made));
  return true;
}

}  // namespace logquery::endpoint
