// Checks definitions and resolves their queries; what has not changed is taken over from the registry before.
#include "logquery/endpoint_registry.h"

#include <map>
#include <set>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/endpoint/definitions/definition_compiler.h"
#include "lib/endpoint/definitions/uuid.h"

namespace logquery {
namespace {

using base::StrCat;

absl::Status Wrong(const Endpoint& definition, std::string_view what) {
  return absl::InvalidArgumentError(
      StrCat("endpoint ", definition.name.empty() ? definition.id : definition.name, ": ", what));
}

}  // namespace

struct EndpointRegistry::State {
  std::shared_ptr<const Catalog> catalog;  // of all registries that were made from one another
  std::map<std::string, std::shared_ptr<const RegisteredEndpoint>, std::less<>> by_name;
  std::map<std::string, const RegisteredEndpoint*, std::less<>> by_id;  // lower case
  std::map<std::string, const RegisteredEndpoint*, std::less<>> by_alias;
};

EndpointRegistry::EndpointRegistry() : state_(std::make_unique<State>()) {}
EndpointRegistry::~EndpointRegistry() = default;

absl::StatusOr<std::shared_ptr<const EndpointRegistry>> EndpointRegistry::Create(std::vector<Endpoint> definitions,
                                                                                 Catalog catalog) {
  return Make(std::move(definitions), std::make_shared<const Catalog>(std::move(catalog)), nullptr);
}

absl::StatusOr<std::shared_ptr<const EndpointRegistry>> EndpointRegistry::With(
    std::vector<Endpoint> definitions) const {
  return Make(std::move(definitions), state_->catalog, this);
}

absl::StatusOr<std::shared_ptr<const EndpointRegistry>> EndpointRegistry::Make(std::vector<Endpoint> definitions,
                                                                               std::shared_ptr<const Catalog> catalog,
                                                                               const EndpointRegistry* previous) {
  std::shared_ptr<EndpointRegistry> registry(new EndpointRegistry);
  State& state = *registry->state_;
  const std::vector<Endpoint> set = std::move(definitions);  // the compiler borrows from it
  state.catalog = std::move(catalog);
  endpoint::DefinitionCompiler compiler(state.catalog.get());
  std::set<std::string> ids;
  for (const Endpoint& definition : set) {
    LOGQUERY_RETURN_IF_ERROR(endpoint::CheckSettings(definition));
    if (!state.by_name.try_emplace(definition.name).second) {
      return Wrong(definition, "there are two endpoints of this name");
    }
    if (!ids.insert(base::ToLower(definition.id)).second) {
      return Wrong(definition, StrCat("another endpoint has the id ", definition.id, " too"));
    }
    compiler.Add(&definition);
    if (previous == nullptr) continue;
    const auto before = previous->state_->by_name.find(definition.name);
    if (before != previous->state_->by_name.end()) compiler.Keep(before->second);
  }
  for (const Endpoint& definition : set) {
    LOGQUERY_ASSIGN_OR_RETURN(std::shared_ptr<const RegisteredEndpoint> made, compiler.Compile(definition.name));
    state.by_id[base::ToLower(definition.id)] = made.get();
    state.by_name[definition.name] = std::move(made);
  }
  for (const Endpoint& definition : set) {
    for (const std::string& alias : definition.aliases) {
      state.by_alias.try_emplace(alias, state.by_name[definition.name].get());
    }
  }
  return std::shared_ptr<const EndpointRegistry>(std::move(registry));
}

const RegisteredEndpoint* EndpointRegistry::Find(std::string_view name_or_id) const {
  if (auto found = state_->by_name.find(name_or_id); found != state_->by_name.end()) return found->second.get();
  if (auto alias = state_->by_alias.find(name_or_id); alias != state_->by_alias.end()) return alias->second;
  if (!IsUuid(name_or_id)) return nullptr;
  auto found = state_->by_id.find(base::ToLower(name_or_id));
  return found == state_->by_id.end() ? nullptr : found->second;
}

std::vector<const RegisteredEndpoint*> EndpointRegistry::All() const {
  std::vector<const RegisteredEndpoint*> all;
  for (const auto& [name, made] : state_->by_name) all.push_back(made.get());
  return all;
}

const Catalog& EndpointRegistry::catalog() const { return *state_->catalog; }

}  // namespace logquery
