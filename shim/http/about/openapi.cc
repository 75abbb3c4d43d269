// Writes one path item per route, and for the route of calls one per endpoint.
#include "shim/http/about/openapi.h"

#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "absl/strings/ascii.h"
#include "lib/base/error_body.h"
#include "lib/base/error_statuses.h"
#include "lib/base/json/read.h"
#include "lib/base/json/value.h"
#include "lib/base/percent_encoding.h"
#include "lib/base/strings.h"
#include "logquery/endpoint_description.h"
#include "logquery/project_parameter.h"

namespace logquery::shim {
namespace {

using base::Json;
using base::StrCat;
using In = RouteParameter::In;

// The codes of errors that a call of an endpoint can get, and those of the other routes with a token.
constexpr int kCallErrors[] = {400, 401, 403, 404, 406, 429, 500, 501, 503, 504};
constexpr int kTokenErrors[] = {401, 404, 429};

Json Reference(std::string_view to) { return {{"$ref", StrCat("#/components/", to)}}; }

// A part that is there as text.
Json Part(std::string_view json) { return base::TryReadJson(json).value_or(nullptr); }

std::string_view Place(In in) { return in == In::kPath ? "path" : in == In::kQuery ? "query" : "header"; }

// RouteParameter::values with commas between.
Json Values(std::string_view list) {
  Json values = Json::array();
  while (!list.empty()) {
    const std::string_view value = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), value.size() + 1));
    values.push_back(std::string(value));
  }
  return values;
}

Json RouteParameterSchema(const RouteParameter& parameter) {
  Json schema = {{"type", std::string(parameter.type)}};
  if (!parameter.values.empty()) schema["enum"] = Values(parameter.values);
  return schema;
}

Json RouteParameterJson(const RouteParameter& parameter) {
  return {{"name", std::string(parameter.name)},
          {"in", std::string(Place(parameter.in))},
          {"required", parameter.required},
          {"description", std::string(parameter.what)},
          {"schema", RouteParameterSchema(parameter)}};
}

// OpenAPI says that parameters of these names are described elsewhere, or by nothing.
bool IsReserved(const RouteParameter& parameter) {
  return parameter.in == In::kHeader && (parameter.name == "Accept" || parameter.name == "Authorization");
}

Json EndpointParameterJson(const Endpoint& definition, const Parameter& parameter, const Principal& principal) {
  const bool filled = principal.project_scope.has_value() && &parameter == ProjectParameter(definition);
  Json json = {{"name", parameter.name}, {"in", "query"}, {"required", parameter.required && !filled}};
  if (!parameter.description.empty()) json["description"] = parameter.description;
  json["schema"] = Part(ParameterSchemaJson(parameter));
  // a,b and not a=…&a=…, which is a parameter given twice.
  if (parameter.type.is_array()) json["style"] = "form", json["explode"] = false;
  return json;
}

template <size_t kCount>
void AddErrors(const int (&codes)[kCount], Json& responses) {
  for (const int code : codes) {
    responses[std::to_string(code)] = {{"description", std::string(base::FindErrorStatus(code)->when)},
                                       {"content", {{"application/json", {{"schema", Reference("schemas/Error")}}}}}};
  }
}

// Letters, digits and _ of a text.
std::string Word(std::string_view text) {
  std::string word;
  for (const char c : text) word += absl::ascii_isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return word;
}

class Document {
 public:
  Document(absl::Span<const Route> routes, const Principal& principal) : routes_(routes), principal_(principal) {}

  std::string Write(const std::vector<const RegisteredEndpoint*>& endpoints, std::string_view version) {
    for (const Route& route : routes_) {
      if (route.audience != Audience::kAnybody && route.audience != Audience::kToken) continue;
      if (route.takes_endpoint_parameters && !route.alias) {
        for (const RegisteredEndpoint* endpoint : endpoints) {
          const Endpoint& definition = endpoint->definition();
          if (principal_.MayCall(definition.name, definition.id)) AddEndpoint(route, *endpoint);
        }
      } else {
        AddRoute(route);
      }
    }
    Json document = {{"openapi", "3.1.0"},
                     {"info",
                      {{"title", "logquery"},
                       {"version", std::string(version)},
                       {"description", "Saved, parameterised log queries: the endpoints that this token may call."}}},
                     {"paths", std::move(paths_)},
                     {"components",
                      {{"schemas", std::move(schemas_)},
                       {"securitySchemes",
                        {{"key", {{"type", "apiKey"}, {"in", "header"}, {"name", "X-API-KEY"}}},
                         {"bearer", {{"type", "http"}, {"scheme", "bearer"}}}}}}}};
    document["components"]["schemas"]["Error"] = Part(base::kErrorSchema);
    return document.ToString();
  }

 private:
  Json Operation(const Route& route, const std::string& id) {
    Json operation = {{"operationId", id}, {"summary", std::string(route.what)}};
    if (route.audience == Audience::kToken) {
      operation["security"] = Json::array({{{"key", Json::array()}}, {{"bearer", Json::array()}}});
    } else {
      operation["security"] = Json::array();
    }
    if (route.alias) operation["deprecated"] = true;
    return operation;
  }

  Json Responses(const Route& route, const Json* result) {
    Json responses = Json::object();
    for (const RouteAnswer& answer : route.answers) {
      Json& response = responses[std::to_string(answer.status)];
      if (response.is_null()) response["description"] = std::string(answer.what);
      if (answer.content_type.empty()) continue;
      const std::string type(answer.content_type.substr(0, answer.content_type.find(';')));
      const bool json = type == "application/json";
      response["content"][type] = {{"schema", json && result != nullptr && answer.status == 200 ? *result
                                              : json || type.ends_with("+json") ? Json{{"type", "object"}}
                                                                                : Json{{"type", "string"}}}};
    }
    if (route.takes_endpoint_parameters) {
      AddErrors(kCallErrors, responses);
    } else if (route.audience == Audience::kToken) {
      AddErrors(kTokenErrors, responses);
    }
    return responses;
  }

  void AddRoute(const Route& route) {
    Json parameters = Json::array(), body = {{"type", "object"}};
    for (const RouteParameter& parameter : route.parameters) {
      if (parameter.in == In::kBody) {
        body["properties"][std::string(parameter.name)] = RouteParameterSchema(parameter);
        if (parameter.required) body["required"].push_back(std::string(parameter.name));
      } else if (!IsReserved(parameter)) {
        parameters.push_back(RouteParameterJson(parameter));
      }
    }
    const std::string path(route.pattern);
    for (const auto& [methods, method] :
         {std::pair<Methods, const char*>(kGet, "get"), {kPost, "post"}, {kPut, "put"}, {kDelete, "delete"}}) {
      if ((route.methods & methods) == 0) continue;
      Json operation = Operation(route, Unique(StrCat(method, Word(path))));
      if (!parameters.empty()) operation["parameters"] = parameters;
      if ((methods & (kPut | kPost)) != 0 && body.contains("properties"))
        operation["requestBody"]["content"]["application/json"]["schema"] = body;
      operation["responses"] = Responses(route, nullptr);
      paths_[path][method] = std::move(operation);
    }
  }

  // The route of calls with the endpoint's name in its place.
  void AddEndpoint(const Route& route, const RegisteredEndpoint& endpoint) {
    const Endpoint& definition = endpoint.definition();
    const std::string pattern(route.pattern);
    const std::string path = StrCat(pattern.substr(0, pattern.find('{')), base::PercentEncode(definition.name));
    const std::string word = Unique(Word(definition.name));
    AddResult(endpoint, word);
    const Json result = Reference(StrCat("schemas/", word, "_result"));
    Json parameters = Json::array(), body = Json::object();
    std::set<std::string> taken;
    for (const Parameter& parameter : definition.parameters) {
      if (parameter.computed || principal_.fixed_parameters.count(parameter.name) > 0) continue;
      parameters.push_back(EndpointParameterJson(definition, parameter, principal_));
      body[parameter.name] = parameters.back()["schema"];
      taken.insert(parameter.name);
    }
    for (const RouteParameter& parameter : route.parameters) {
      if (parameter.in == In::kPath || IsReserved(parameter) || taken.count(std::string(parameter.name)) > 0) continue;
      const bool about_sql = parameter.name == "sql" || parameter.name == "dry_run" || parameter.name == "explain";
      if (about_sql && !definition.query_sandboxing) continue;
      if (parameter.in == In::kQuery) body[std::string(parameter.name)] = RouteParameterSchema(parameter);
      if (parameter.in != In::kBody) parameters.push_back(RouteParameterJson(parameter));
    }
    Json get = Operation(route, StrCat("get_", word)), post = Operation(route, StrCat("post_", word));
    for (Json* operation : {&get, &post}) {
      if (!definition.description.empty()) (*operation)["description"] = definition.description;
    }
    get["parameters"] = std::move(parameters);
    post["requestBody"] = {
        {"content", {{"application/json", {{"schema", {{"type", "object"}, {"properties", std::move(body)}}}}}}}};
    get["responses"] = Responses(route, &result);
    post["responses"] = get["responses"];
    paths_[path] = {{"get", std::move(get)}, {"post", std::move(post)}};
  }

  void AddResult(const RegisteredEndpoint& endpoint, const std::string& word) {
    schemas_[word + "_row"] = Part(RowSchemaJson(endpoint.schema()));
    Json row = Reference(StrCat("schemas/", word, "_row"));
    // A caller's SQL has columns of its own, and a dry run a verdict.
    if (endpoint.definition().query_sandboxing) row = {{"anyOf", Json::array({row, {{"type", "object"}}})}};
    Json result = {{"type", "object"},
                   {"properties", {{"result", {{"type", "array"}, {"items", std::move(row)}}}}},
                   {"required", {"result"}}};
    if (endpoint.definition().query_sandboxing) {
      const Json verdict = {
          {"type", "object"}, {"properties", {{"allowed", {{"type", "boolean"}}}}}, {"required", {"allowed"}}};
      result = {{"anyOf", Json::array({std::move(result), verdict})}};
    }
    schemas_[word + "_result"] = std::move(result);
  }

  // Names that differ only in what Word drops get numbers.
  std::string Unique(const std::string& word) {
    std::string unique = word;
    for (int n = 2; !words_.insert(unique).second; ++n) unique = StrCat(word, "_", n);
    return unique;
  }

  const absl::Span<const Route> routes_;
  const Principal& principal_;
  Json paths_ = Json::object();
  Json schemas_ = Json::object();
  std::set<std::string> words_;
};

}  // namespace

std::string OpenApiJson(absl::Span<const Route> routes, const std::vector<const RegisteredEndpoint*>& endpoints,
                        const Principal& principal, std::string_view version) {
  return Document(routes, principal).Write(endpoints, version);
}

}  // namespace logquery::shim
