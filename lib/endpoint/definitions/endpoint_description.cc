// Builds the JSON from definitions and schemas.
#include "logquery/endpoint_description.h"

#include <optional>
#include <utility>

#include "absl/time/time.h"
#include "lib/base/json/value.h"
#include "lib/endpoint/definitions/json_schema.h"
#include "logquery/project_parameter.h"
#include "logquery/sandbox_verdict.h"

namespace logquery {
namespace {

using base::Json;

Json ParameterJson(const Endpoint& definition, const Parameter& parameter, const Principal& principal) {
  const bool filled = principal.project_scope.has_value() && &parameter == ProjectParameter(definition);
  const std::optional<std::string>& otherwise = filled ? principal.project_scope : parameter.default_text;
  Json json = {
      {"name", parameter.name}, {"type", parameter.type.ToString()}, {"required", parameter.required && !filled}};
  if (!parameter.description.empty()) json["description"] = parameter.description;
  if (otherwise.has_value()) json["default"] = *otherwise;
  if (!parameter.allowed.empty()) json["allowed"] = parameter.allowed;
  if (parameter.minimum) json["minimum"] = endpoint::BoundJson(parameter, *parameter.minimum);
  if (parameter.maximum) json["maximum"] = endpoint::BoundJson(parameter, *parameter.maximum);
  if (parameter.is_pattern) json["pattern"] = true;
  if (!parameter.examples.empty()) json["examples"] = parameter.examples;
  if (principal.fixed_parameters.count(parameter.name) > 0) json["fixed"] = true;
  return json;
}

Json SecondsOr(const std::optional<absl::Duration>& duration, Json otherwise) {
  return duration.has_value() ? Json(absl::ToInt64Seconds(*duration)) : std::move(otherwise);
}

Json ColumnsJson(const Schema& schema) {
  Json columns = Json::array();
  for (const Field& column : schema) columns.push_back({{"name", column.name}, {"type", column.type.ToString()}});
  return columns;
}

Json Describe(const RegisteredEndpoint& registered, const Principal& principal) {
  const Endpoint& endpoint = registered.definition();
  Json parameters = Json::array();
  for (const Parameter& parameter : endpoint.parameters) {
    if (!parameter.computed.has_value()) parameters.push_back(ParameterJson(endpoint, parameter, principal));
  }
  const bool clickhouse = endpoint.language == QueryLanguage::kClickHouse;
  if (endpoint.query_sandboxing) {
    parameters.push_back(
        {{"name", "sql"},
         {"type", "STRING"},
         {"required", false},
         {"description", clickhouse
                             ? "A query in ClickHouse SQL over this endpoint's logs, in place of its own"
                             : "A query in the BigQuery dialect over this endpoint's logs, in place of its own"}});
  }
  Json json = {{"id", endpoint.id},
               {"name", endpoint.name},
               {"description", endpoint.description},
               {"revision", endpoint.revision},
               {"max_rows", endpoint.max_rows},
               {"settings",
                {{"caching", SecondsOr(endpoint.caching, "disabled")},
                 {"cache_warming", SecondsOr(endpoint.cache_warming, nullptr)},
                 {"query_sandboxing", endpoint.query_sandboxing},
                 {"redact_pii", endpoint.redact_pii}}},
               {"parameters", std::move(parameters)},
               {"columns", ColumnsJson(registered.schema())}};
  if (clickhouse) json["settings"]["language"] = "clickhouse";
  if (endpoint.query_sandboxing) json["tables"] = TablesForCallers(registered);
  return json;
}

}  // namespace

std::string EndpointListJson(const std::vector<const RegisteredEndpoint*>& endpoints, const Principal& principal) {
  Json list = Json::array();
  for (const RegisteredEndpoint* endpoint : endpoints) {
    const Endpoint& definition = endpoint->definition();
    if (principal.MayCall(definition.name, definition.id)) list.push_back(Describe(*endpoint, principal));
  }
  Json json = {{"endpoints", std::move(list)}};
  if (principal.project_scope.has_value()) json["project"] = *principal.project_scope;
  return json.ToString();
}

std::string EndpointJson(const RegisteredEndpoint& endpoint, const Principal& principal) {
  return Describe(endpoint, principal).ToString();
}

std::string ParameterSchemaJson(const Parameter& parameter) { return endpoint::ParameterSchema(parameter).ToString(); }

std::string RowSchemaJson(const Schema& columns) { return endpoint::RowSchema(columns).ToString(); }

}  // namespace logquery
