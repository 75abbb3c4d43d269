// Checks definitions and resolves their queries; what has not changed is taken over from the registry before.
#include "logquery/endpoint_registry.h"

#include <atomic>
#include <map>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/endpoint/compiled_query.h"
#include "lib/endpoint/limits_json.h"
#include "lib/endpoint/uuid.h"
#include "lib/sql/text_error.h"

namespace logquery {
namespace {

using base::StrCat;

absl::Status Wrong(const Endpoint& definition, std::string_view what) {
  return absl::InvalidArgumentError(
      StrCat("endpoint ", definition.name.empty() ? definition.id : definition.name, ": ", what));
}

absl::Status CheckSettings(const Endpoint& definition) {
  if (definition.name.empty()) return Wrong(definition, "the name is empty");
  if (IsUuid(definition.name)) return Wrong(definition, "the name has the form of an id; choose another");
  if (!IsUuid(definition.id)) return Wrong(definition, StrCat("the id must be a UUID, is \"", definition.id, "\""));
  if (definition.max_rows < 1)
    return Wrong(definition, StrCat("max_rows must be at least 1, is ", definition.max_rows));
  if (definition.caching && *definition.caching <= absl::ZeroDuration()) {
    return Wrong(definition, "caching must be longer than 0 seconds, or disabled");
  }
  if (const absl::Status limits = endpoint::CheckLimits(definition.limits); !limits.ok()) {
    return Wrong(definition, StrCat("limits: ", base::Message(limits)));
  }
  if (definition.cache_warming && !definition.caching) return Wrong(definition, "cache_warming wants caching");
  return absl::OkStatus();
}

absl::Status CheckPrivateCtes(const Endpoint& definition, const sql::Query& query) {
  std::vector<std::string> names;
  for (const sql::Cte& cte : query.with) names.push_back(cte.name.text);
  for (const std::string& name : definition.private_ctes) {
    bool there = false;
    for (const std::string& known : names) there = there || base::EqualsIgnoreCase(known, name);
    if (there) continue;
    return Wrong(definition, StrCat("private_ctes names ", name, ", which the query's WITH does not define",
                                    sql::DidYouMean(sql::NearestNames(name, names))));
  }
  return absl::OkStatus();
}

uint64_t NextRevision() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}

absl::StatusOr<std::shared_ptr<const RegisteredEndpoint>> Compile(Endpoint definition, const Catalog& catalog) {
  absl::StatusOr<Redactor> redactor = Redactor::Create(definition.redaction);
  if (!redactor.ok()) return Wrong(definition, StrCat("redaction: ", base::Message(redactor.status())));
  auto compiled = std::make_shared<endpoint::CompiledQuery>();
  compiled->redactor = *std::move(redactor);
  LOGQUERY_ASSIGN_OR_RETURN(compiled->query, endpoint::ParseDefinition(definition));
  LOGQUERY_RETURN_IF_ERROR(CheckPrivateCtes(definition, *compiled->query));
  LOGQUERY_ASSIGN_OR_RETURN(compiled->resolved, endpoint::ResolveEndpoint(definition, *compiled->query, catalog));
  Schema schema = compiled->resolved->plan.schema;
  return std::make_shared<const RegisteredEndpoint>(std::move(definition), std::move(schema), NextRevision(),
                                                    std::move(compiled));
}

}  // namespace

struct EndpointRegistry::State {
  std::shared_ptr<const Catalog> catalog;  // of all registries that were made from one another
  std::map<std::string, std::shared_ptr<const RegisteredEndpoint>, std::less<>> by_name;
  std::map<std::string, const RegisteredEndpoint*, std::less<>> by_id;  // lower case
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
  state.catalog = std::move(catalog);
  for (Endpoint& definition : definitions) {
    LOGQUERY_RETURN_IF_ERROR(CheckSettings(definition));
    const std::string name = definition.name, id = base::ToLower(definition.id);
    if (state.by_name.contains(name)) return Wrong(definition, "there are two endpoints of this name");
    if (state.by_id.contains(id))
      return Wrong(definition, StrCat("another endpoint has the id ", definition.id, " too"));
    std::shared_ptr<const RegisteredEndpoint>& made = state.by_name[name];
    if (previous != nullptr) {
      const auto before = previous->state_->by_name.find(name);
      if (before != previous->state_->by_name.end() && before->second->definition() == definition)
        made = before->second;
    }
    if (made == nullptr) {
      LOGQUERY_ASSIGN_OR_RETURN(made, Compile(std::move(definition), *state.catalog));
    }
    state.by_id[id] = made.get();
  }
  return std::shared_ptr<const EndpointRegistry>(std::move(registry));
}

const RegisteredEndpoint* EndpointRegistry::Find(std::string_view name_or_id) const {
  if (auto found = state_->by_name.find(name_or_id); found != state_->by_name.end()) return found->second.get();
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
