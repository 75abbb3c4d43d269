// Takes from the registry what callers need to know, in an order that does not depend on anything else.
#include "shim/cli/query/codegen/client_model.h"

#include <algorithm>
#include <set>
#include <utility>

#include "lib/base/nearest_names.h"
#include "lib/base/percent_encoding.h"
#include "lib/base/quoted_text.h"
#include "lib/base/strings.h"

namespace logquery::shim {
namespace {

ClientEndpoint Describe(const RegisteredEndpoint& registered) {
  const Endpoint& definition = registered.definition();
  ClientEndpoint endpoint;
  endpoint.name = definition.name;
  endpoint.description = definition.description;
  endpoint.revision = definition.revision;
  endpoint.path = base::StrCat("/api/endpoints/query/", base::PercentEncode(definition.name));
  endpoint.takes_sql = definition.query_sandboxing;
  for (const Parameter& parameter : definition.parameters) {
    if (!parameter.computed.has_value()) endpoint.parameters.push_back(parameter);
  }
  endpoint.columns = JsonMembers(registered.schema());
  return endpoint;
}

absl::Status NoSuchEndpoint(const EndpointRegistry& registry, const std::string& wanted) {
  std::vector<std::string> names;
  for (const RegisteredEndpoint* known : registry.All()) names.push_back(known->definition().name);
  const std::string near = base::DidYouMean(base::NearestNames(wanted, names));
  return absl::InvalidArgumentError(
      base::StrCat("there is no endpoint ", base::QuotedText(wanted), near,
                   near.empty() ? "; definitions of your own are read with --endpoints DIR, as by serve" : ""));
}

}  // namespace

bool ClientEndpoint::Declares(std::string_view parameter) const {
  return std::any_of(parameters.begin(), parameters.end(), [&](const Parameter& p) { return p.name == parameter; });
}

absl::StatusOr<ClientModel> MakeClientModel(const EndpointRegistry& registry, const std::vector<std::string>& names,
                                            std::string version) {
  std::set<const RegisteredEndpoint*> chosen;
  for (const std::string& name : names) {
    const RegisteredEndpoint* found = registry.Find(name);
    if (found == nullptr) return NoSuchEndpoint(registry, name);
    chosen.insert(found);
  }
  ClientModel model;
  model.version = std::move(version);
  // All() is in the order of names.
  for (const RegisteredEndpoint* endpoint : registry.All()) {
    if (names.empty() || chosen.contains(endpoint)) model.endpoints.push_back(Describe(*endpoint));
  }
  if (model.endpoints.empty()) {
    return absl::InvalidArgumentError("there are no endpoints to generate a client for; name a folder of definitions");
  }
  return model;
}

std::vector<Field> JsonMembers(const std::vector<Field>& fields) {
  std::vector<Field> members;
  for (size_t i = 0; i < fields.size(); ++i) {
    // As lib/result/json_cell.cc writes it.
    std::string name = fields[i].name.empty() ? base::StrCat("_field_", i + 1) : fields[i].name;
    const auto same = std::find_if(members.begin(), members.end(), [&](const Field& m) { return m.name == name; });
    if (same != members.end()) {
      same->type = fields[i].type;
    } else {
      members.push_back({std::move(name), fields[i].type});
    }
  }
  return members;
}

}  // namespace logquery::shim
